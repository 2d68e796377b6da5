"""Report 3: a static puzzle solved by backtracking; nodes by order, children, memory and size."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import exp, log
from typing import Any

import numpy as np

from mineproof.board.layout import deal
from mineproof.board.topology import Topology
from mineproof.csp import MOST_NODES, ORDERS, SearchMethod, SearchOrder, SearchResult, solve_puzzle
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.lab.figures import Curve, Point, bars, curves
from mineproof.lab.report import (
    Agreement,
    Block,
    Card,
    Cell,
    Claims,
    Estimate,
    Figure,
    ReportClaim,
    Section,
    SummaryLine,
    Table,
    Text,
)
from mineproof.reports.estimates import curve_of, gain_outcome, mean_of
from mineproof.reports.workshop import Workshop
from mineproof.rng import Purpose, Stream
from mineproof.rules import Mines, Rules
from mineproof.text import Interval
from mineproof.view.channels import Mark
from mineproof.view.notation import Puzzle
from mineproof.view.view import View

BUDGET = 100_000
AS_NONE = 0.05
"""A saving of nodes below this share counts as none."""
SIDE = 6
QUICK_SIDES, FULL_SIDES = (4, 5, 6, 7, 8, 9), (4, 5, 6, 7, 8, 9, 10, 11, 12)
CHILDREN = (1, 2, 3, 4, 6, 8, None)
GROWTH = (
    SearchMethod(SearchOrder.parse("none")),
    SearchMethod(SearchOrder.parse("none"), memo=True),
    SearchMethod(SearchOrder.parse("mrv")),
    SearchMethod(SearchOrder.parse("degree")),
    SearchMethod(SearchOrder.parse("mrv,degree,lcv"), forward_checking=True),
)
METHODS = tuple(SearchMethod(order, checking) for checking in (False, True) for order in ORDERS)


def report(workshop: Workshop) -> Section:
    """Nodes of every order on single puzzles, over many, by children and memory, and by size."""
    given, own = workshop.puzzles, own_puzzles()
    puzzles = (*given, *own)
    many = workshop.scale.games(40, 1000)
    workshop.say(f"003: {len(puzzles)} puzzles, {many} made ones of each size")
    published = _published_cells(given)
    expanded, program = expanded_table(puzzles, published, METHODS, _first_solution)
    over_many = _count_nodes(workshop, "003-orders", METHODS, SIDE, many)
    children, memory = _children(workshop, many)
    claims = (*_claims(over_many, many), memory)
    blocks: tuple[Block, ...] = (
        Text(_what(given)),
        expanded,
        _singles(puzzles),
        _orders(over_many, many),
        Claims("What the report says of orders and memory", claims),
        children,
        _growth(workshop),
    )
    numbers = [
        SummaryLine(
            f"Expanded nodes of {puzzle.name}",
            "its program as printed, 4 children",
            PUBLISHED[puzzle.name],
            program[puzzle.name],
            agreement(PUBLISHED[puzzle.name], program[puzzle.name]),
        )
        for puzzle in given
        if puzzle.name in PUBLISHED
    ]
    card = _card(given or own, program, numbers, claims, over_many)
    numbers += [
        SummaryLine(
            f"Expanded nodes of {puzzle.name}, a puzzle of ours like {name}",
            "its program as printed, 4 children",
            PUBLISHED[name],
            program[puzzle.name],
            Agreement.NONE,
        )
        for puzzle, name in zip(own, PUBLISHED, strict=True)
    ]
    title = "Report 3: a puzzle solved by backtracking"
    return Section("003", title, blocks, tuple(numbers), card)


def _card(
    puzzles: Sequence[Puzzle],
    program: dict[str, str],
    numbers: Sequence[SummaryLine],
    claims: Sequence[ReportClaim],
    over_many: Mapping[str, Sequence[int | None]],
) -> Card:
    """The expanded nodes of single puzzles: published, by its program, by all orders together."""
    question = "How much do heuristics save a backtracking search?"
    shown = puzzles[: len(PUBLISHED)]
    ours = [_first_solution(puzzle, METHODS[-1]) for puzzle in shown]
    theirs = [int(count.strip(">")) for count in PUBLISHED.values()]
    printed = [program[puzzle.name] for puzzle in shown]
    svg = bars(
        "003-card",
        question,
        [puzzle.name for puzzle in shown],
        [
            Curve(
                "its program",
                tuple(Point(n, int(text)) for n, text in enumerate(printed) if text.isdigit()),
            ),
            Curve(
                "all orders",
                tuple(
                    Point(n, one.expanded)
                    for n, one in enumerate(ours)
                    if isinstance(one, SearchResult)
                ),
            ),
            Curve(
                "published",
                tuple(Point(n, count) for n, count in enumerate(theirs[: len(shown)])),
                published=True,
            ),
        ],
        y_label="expanded nodes",
        log=True,
        small=True,
    )
    agreeing = sum(line.outcome is Agreement.AGREES for line in numbers)
    counts = (
        f"{agreeing} of its {len(numbers)} published counts come out again."
        if numbers
        else f"Its program expands {', '.join(printed)} on our puzzles (published, on its own:"
        f" {', '.join(PUBLISHED.values())})."
    )
    saved = claims[-2]
    saving = _ratio(over_many[METHODS[-1].text], over_many["none"]).value
    return Card(
        question,
        svg,
        "To the first solution; all orders with forward checking. The third published count is a"
        " bound.",
        saved.outcome,
        f"all orders together need {saving:.2f} times the nodes of none. {counts}",
        saved.margin,
    )


def _what(given: Sequence[Puzzle]) -> str:
    start = (
        f"The {len(given)} puzzles of the given file, and beside them four of our own:"
        if given
        else "The report's own four puzzles are not shipped: --puzzles FILE adds them, searched in"
        " the same way as four of our own:"
    )
    return (
        f"{start} {', '.join(OWN)} (examples/puzzles_6x6.txt), 6x6 with 10 mines and 18 hints,"
        " chosen so that the report's program expands about as many nodes on each as on P1 to P4,"
        " and finds a solution where it does there. A node is one value tried for one cell, counted"
        " the same way for every order. The"
        " report counts expanded nodes: mines that were placed and not rejected at once."
        " The published counts come from the program as it is printed, with 4 children: its"
        " neighbour offsets are wrong, its nearest cell is the front of its deque, and it reaches"
        " one set of mines in many orders. It may end without a solution although there is one:"
        " the table says where. docs/reports.md tells how its counts come about."
    )


def _published_cells(given: Sequence[Puzzle]) -> list[Cell]:
    """The published counts in the order of the puzzles; for our own, those of P1 to P4."""
    likes = [f"{count} ({name})" for name, count in PUBLISHED.items()]
    return [*(PUBLISHED.get(puzzle.name) for puzzle in given), *likes]


def _first_solution(puzzle: Puzzle, method: SearchMethod) -> SearchResult | str:
    """The search to the first solution, or why there is none."""
    published = method.order.own and puzzle.name in PUBLISHED
    budget = MOST_NODES if published or method == PROGRAM else BUDGET
    try:
        return solve_puzzle(puzzle.view, method, budget=budget, name=puzzle.name)
    except BudgetExceeded:
        return f"{PAST} {budget} nodes"
    except InconsistentPosition:
        return "no solution"
    except InputError:
        return "not for such a board"


def _nodes(puzzle: Puzzle, method: SearchMethod, budget: int = BUDGET) -> int | None:
    """The nodes to the first solution; None past the budget. 0 where there is no solution."""
    try:
        return solve_puzzle(puzzle.view, method, budget=budget, name=puzzle.name).nodes
    except BudgetExceeded:
        return None
    except InconsistentPosition:
        return 0


def _singles(puzzles: Sequence[Puzzle]) -> Table:
    names = [puzzle.name for puzzle in puzzles]
    rows: list[tuple[Cell, ...]] = []
    for method in METHODS:
        line: list[Cell] = [method.text.replace("none", "no order")]
        for puzzle in puzzles:
            found = _nodes(puzzle, method)
            line.append(f">{BUDGET}" if found is None else found)
        rows.append(tuple(line))
    rows.append(("solutions in all", *(_solutions(puzzle) for puzzle in puzzles)))
    return Table(
        "003-nodes",
        "Values tried to the first solution, by order",
        ("order", *names),
        tuple(rows),
        "A value tried is a cell set to mine or to free; expanded nodes, in the table above, are"
        " fewer. The report could not build the orders; each stands here alone and together,"
        " without and with forward checking.",
    )


def _solutions(puzzle: Puzzle) -> Cell:
    method = SearchMethod(SearchOrder.parse("mrv,degree"), forward_checking=True)
    try:
        return solve_puzzle(puzzle.view, method, every=True, budget=BUDGET).solutions
    except BudgetExceeded:
        return "more than can be searched"
    except InconsistentPosition:
        return 0


def _count_nodes(
    workshop: Workshop, name: str, methods: Sequence[SearchMethod], side: int, many: int
) -> dict[str, list[int | None]]:
    """The nodes of each method on the first `many` made puzzles of a size."""
    asked = {
        "methods": [method.text for method in methods],
        "side": side,
        "many": many,
        "seed": workshop.seed,
        "budget": BUDGET,
    }

    def work() -> dict[str, list[int | None]]:
        puzzles = [make_puzzle(side, workshop.seed, index) for index in range(many)]
        return {method.text: [_nodes(puzzle, method) for puzzle in puzzles] for method in methods}

    return workshop.measure(name, asked, work)


def _geometric_mean(nodes: Sequence[int | None]) -> Estimate:
    """The geometric mean with its interval; a search past the budget counts as the budget."""
    # A puzzle without a solution has 0 nodes, and 0 has no logarithm.
    logs = mean_of([log(max(1, BUDGET if node is None else node)) for node in nodes])
    return Estimate(exp(logs.value), exp(logs.low), exp(logs.high), False, 1)


def _orders(found: dict[str, list[int | None]], many: int) -> Table:
    rows: list[tuple[Any, ...]] = []
    for method in METHODS:
        nodes = found[method.text]
        known = [BUDGET if node is None else node for node in nodes]
        rows.append(
            (
                method.order.text,
                "yes" if method.forward_checking else "no",
                _geometric_mean(nodes),
                float(np.median(known)),
                max(known),
            )
        )
    return Table(
        "003-orders",
        f"Values tried to the first solution over {many} made puzzles",
        ("order", "forward checking", "geometric mean", "median", "most"),
        tuple(rows),
        "Values tried. A search past the budget counts as the budget.",
    )


def _claims(found: dict[str, list[int | None]], many: int) -> tuple[ReportClaim, ...]:
    """What each order takes of the nodes that no order takes, puzzle by puzzle."""
    said = {
        "mrv": "The MRV heuristic needs fewer nodes than no order",
        "degree": "The degree heuristic needs fewer nodes than no order",
        "lcv": "The LCV heuristic needs fewer nodes than no order",
        METHODS[-1].text: "Heuristics together bring great benefits",
    }
    claims = []
    for method, words in said.items():
        ratio = _ratio(found[method], found["none"])
        claims.append(
            ReportClaim(
                words,
                _saving(ratio),
                f"{method} takes {ratio} times the nodes of no order; {many} made puzzles",
                f"{SIDE}x{SIDE} with {_MINES} mines, values tried to the first solution",
                f"{100 * AS_NONE:.0f} %",
            )
        )
    return tuple(claims)


def _saving(ratio: Estimate) -> Agreement:
    """What a ratio of nodes says about the claim that they are fewer."""
    saved = Interval(-log(ratio.high), -log(ratio.low))
    return gain_outcome(saved, log(1 + AS_NONE))


def _ratio(nodes: Sequence[int | None], others: Sequence[int | None]) -> Estimate:
    """How many times as many nodes, puzzle by puzzle: the geometric mean with its interval."""
    logs = [
        log(max(1, BUDGET if one is None else one) / max(1, BUDGET if other is None else other))
        for one, other in zip(nodes, others, strict=True)
    ]
    mean = mean_of(logs)
    return Estimate(exp(mean.value), exp(mean.low), exp(mean.high), False, 2)


def _children(workshop: Workshop, many: int) -> tuple[Table, ReportClaim]:
    """The table by number of children, and what the report says of the memory."""
    methods = [
        SearchMethod(children=children, memo=memo)
        for memo in (False, True)
        for children in CHILDREN
    ]
    asked = {"methods": [m.text for m in methods], "many": many, "seed": workshop.seed}

    def work() -> dict[str, list[list[int]]]:
        puzzles = [make_puzzle(SIDE, workshop.seed, index) for index in range(many)]
        return {
            method.text: [list(_nodes_and_success(puzzle, method)) for puzzle in puzzles]
            for method in methods
        }

    found = workshop.measure("003-children", asked, work)
    typical: list[Estimate] = []
    rows: list[tuple[Any, ...]] = []
    for method in methods:
        pairs = found[method.text]
        typical.append(_geometric_mean([nodes for nodes, _ in pairs]))
        rows.append(
            (
                "all" if method.children is None else str(method.children),
                "yes" if method.memo else "no",
                typical[-1],
                f"{sum(solved for _, solved in pairs)} of {len(pairs)}",
            )
        )
    with_memory, without = (
        [nodes for nodes, _ in found[SearchMethod(children=None, memo=memo).text]]
        for memo in (True, False)
    )
    ratio = _ratio(with_memory, without)
    claim = ReportClaim(
        "A memory of configurations already refuted saves nodes",
        _saving(ratio),
        f"with all children the memory takes {ratio} times the nodes; {many} made puzzles",
        f"{SIDE}x{SIDE} with {_MINES} mines, no order, values tried to the first solution",
        f"{100 * AS_NONE:.0f} %",
    )
    table = Table(
        "003-children",
        "The number n of nearest cells tried from each mine, and a memory of refuted states",
        ("children n", "memory", "values tried, geometric mean", "puzzles solved"),
        tuple(rows),
        f"No order, {many} made puzzles. The report names n as its main cost and proposes the"
        " memory. With few children the search ends early and misses solutions.",
    )
    return table, claim


def _nodes_and_success(puzzle: Puzzle, method: SearchMethod) -> tuple[int, bool]:
    try:
        solved = solve_puzzle(puzzle.view, method, budget=BUDGET)
    except BudgetExceeded:
        return BUDGET, False
    return solved.nodes, solved.solutions > 0


def _growth(workshop: Workshop) -> Figure:
    many = workshop.scale.games(16, 100)
    sides = FULL_SIDES if workshop.scale.in_full else QUICK_SIDES
    found = {
        side: _count_nodes(workshop, f"003-growth-{side}", GROWTH, side, many) for side in sides
    }
    series = []
    for method in GROWTH:
        typical = ((side, _geometric_mean(found[side][method.text])) for side in sides)
        series.append(curve_of(method.text.replace("none", "no order"), typical))
    title = "Values tried against the side of the board"
    svg = curves(
        "003-growth",
        title,
        series,
        x_label="side of the board",
        y_label="values tried to the first solution",
        log=True,
    )
    rows: list[tuple[Any, ...]] = []
    for side in sides:
        past = sum(node is None for node in found[side][GROWTH[0].text])
        rows.append((side, *(_geometric_mean(found[side][method.text]) for method in GROWTH), past))
    columns = ("side", *(method.text for method in GROWTH), "no order past the budget")
    note = (
        f"{many} made puzzles per size, geometric means; a search past {BUDGET:,} nodes counts as"
        " that many. The report expects an exponentially larger delay on larger boards: from side"
        f" {sides[0]} to {sides[-1]} the nodes grow {_growth_of(series[0])} without an order,"
        f" {_growth_of(series[2])} with mrv and {_growth_of(series[-1])} with all orders and"
        " forward checking."
    )
    return Figure("003-growth", title, svg, Table("003-growth", title, columns, tuple(rows)), note)


def _growth_of(series: Curve) -> str:
    return f"{series.points[-1].y / series.points[0].y:.0f}-fold"


# ----------------------------------------------------------------------------
# Report 3's one table: the expanded nodes of its program, of what it meant, and of our orders.
#
# An expanded node is a mine that was placed and not rejected at once. All searches are counted so.

PUBLISHED = {"P1": "5374", "P2": "1892", "P3": ">30000", "P4": "1843"}
PROGRAM = SearchMethod(SearchOrder.parse("listing"))
"""The printed program, with the number of children that gives the published counts."""

_ROWS = (
    ("the program as printed", PROGRAM),
    ("the program, 3 children", SearchMethod(SearchOrder.parse("listing"), children=3)),
    ("the program, 5 children", SearchMethod(SearchOrder.parse("listing"), children=5)),
    ("as its text means it", SearchMethod(SearchOrder.parse("report"))),
    ("as its text means it, memo", SearchMethod(SearchOrder.parse("report"), memo=True)),
)

Solve = Callable[[Puzzle, SearchMethod], SearchResult | str]
"""Solves a puzzle to its first solution; a few words if that ends otherwise."""

PAST = "more than"
"""How the words begin if a search takes more nodes than it may."""


def expanded_table(
    puzzles: Sequence[Puzzle], published: Sequence[Cell], ours: Sequence[SearchMethod], solve: Solve
) -> tuple[Table, dict[str, str]]:
    """The table, and the counts of the printed program by puzzle."""
    rows: list[tuple[Cell, ...]] = [("published", *published)]
    program: dict[str, str] = {}
    for label, method in (*_ROWS, *((one.text, one) for one in ours)):
        found = [solve(puzzle, method) for puzzle in puzzles]
        rows.append((label.replace("none", "no order"), *map(_cell, found)))
        if method == PROGRAM:
            for puzzle, one in zip(puzzles, found, strict=True):
                program[puzzle.name] = _cell(one, outcome=False)
    table = Table(
        "003-expanded",
        "Expanded nodes to the first solution: the report's searches and ours",
        ("search", *(puzzle.name for puzzle in puzzles)),
        tuple(rows),
        "An expanded node is a mine that was placed and not rejected at once, for every search. The"
        " program is the printed one, faults included, with 4 children; it begins at the first"
        " variable, which stays in the deque. As its text means it, the neighbours are right, the"
        " nearest cells are measured from the last mine, and any variable may be the first mine."
        " Both reach one set of mines in many orders, and both may end without a solution that"
        " exists: their children are limited. Our orders reach no set twice and miss nothing.",
    )
    return table, program


def _cell(found: SearchResult | str, *, outcome: bool = True) -> str:
    if isinstance(found, str):
        return found
    none = ", none found" if outcome and not found.solutions else ""
    return f"{found.expanded}{none}"


def agreement(published: str, found: str) -> Agreement:
    """Whether a count of ours is the published one, or past it where only a bound was published."""
    if published.startswith(">"):
        past = found.startswith(PAST) or (found.isdigit() and int(found) > int(published[1:]))
        return Agreement.AGREES if past else Agreement.DIFFERS
    return Agreement.AGREES if found == published else Agreement.DIFFERS


# ----------------------------------------------------------------------------
# Puzzles of report 3's kind, made from a seed: a deal of which some safe cells show their clue.
#
# The report's own are 6x6 with 10 mines and about 18 hints; larger ones keep these shares.

_MINES, _HINTS, _CELLS = 10, 18, 36
OWN = {"O1": 269, "O2": 242, "O3": 60, "O4": 32}
"""Four puzzles of our own, those of examples/puzzles_6x6.txt, by their numbers for seed 1: of the
first 280 those on which the program's counts, and whether it finds a solution, are nearest to P1 to
P4."""


def own_puzzles() -> tuple[Puzzle, ...]:
    return tuple(Puzzle(name, make_puzzle(SIDE, 1, index).view) for name, index in OWN.items())


def make_puzzle(side: int, seed: int, index: int) -> Puzzle:
    """Puzzle `index` of a seed, on a square of `side` cells; it has at least one solution."""
    topology = Topology.of("square", f"{side}x{side}")
    mines = Mines.number(round(len(topology) * _MINES / _CELLS))
    layout = deal(topology, mines, seed, index)
    safe = [cell for cell in topology.cells if not layout.is_mine(cell)]
    Stream(seed, index, Purpose.GIVEN).shuffle(safe)
    codes = np.full(len(topology), Mark.HIDDEN.value, dtype=np.uint8)
    for cell in safe[: round(len(topology) * _HINTS / _CELLS)]:
        codes[cell] = layout.counts[cell]
    return Puzzle(f"G{index + 1}", View.of_codes(topology, Rules(mines=mines), codes))
