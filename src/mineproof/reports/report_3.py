"""Report 3: a static puzzle solved by backtracking; nodes by order, children, memory and size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp, log
from typing import Any

import numpy as np

from mineproof.board.layout import deal
from mineproof.board.topology import Topology
from mineproof.csp import MOST_NODES, ORDERS, SearchMethod, SearchOrder, SearchResult, solve_puzzle
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.lab.figures import Curve, curves
from mineproof.lab.report import Agreement, Block, Cell, Estimate, Figure, Section, Table, Text
from mineproof.reports.estimates import curve_of, mean_of
from mineproof.reports.workshop import Workshop
from mineproof.rng import Purpose, Stream
from mineproof.rules import Mines, Rules
from mineproof.view.channels import Mark
from mineproof.view.notation import Puzzle
from mineproof.view.view import View

BUDGET = 100_000
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
    own = bool(workshop.puzzles)
    puzzles = workshop.puzzles or tuple(make_puzzle(SIDE, workshop.seed, n) for n in range(4))
    many = workshop.scale.games(40, 1000)
    workshop.say(f"003: {len(puzzles)} puzzles, {many} made ones of each size")
    published = _published_cells(puzzles, own)
    expanded, program = expanded_table(puzzles, published, METHODS, _first_solution)
    over_many = _count_nodes(workshop, "003-orders", METHODS, SIDE, many)
    blocks: tuple[Block, ...] = (
        Text(_what(puzzles, own)),
        expanded,
        _singles(puzzles, published),
        _orders(over_many, many),
        _children(workshop, many),
        _growth(workshop),
    )
    summary: list[tuple[str, str, str, Agreement]] = []
    for number, (name, count) in enumerate(PUBLISHED.items()):
        if own and name in program:
            what = f"expanded nodes of {name}, its program"
            summary.append((what, count, program[name], agreement(count, program[name])))
        elif not own:
            made = puzzles[number].name
            what = f"expanded nodes, a puzzle like {name}, its program"
            summary.append((what, count, f"{made}: {program[made]}", Agreement.NONE))
    return Section("003", "Report 3: a puzzle solved by backtracking", blocks, tuple(summary))


def _what(puzzles: Sequence[Puzzle], own: bool) -> str:
    start = (
        f"The {len(puzzles)} puzzles of the given file."
        if own
        else "The report's own four puzzles are not shipped: here are puzzles of the same kind,"
        " 6x6 with 10 mines and 18 hints, made from the seed; with --puzzles FILE its own are"
        " searched."
    )
    return (
        f"{start} A node is one value tried for one cell, counted the same way for every order. The"
        " report counts expanded nodes: mines that were placed and not rejected at once."
        " The published counts come from the program as it is printed, with 4 children: its"
        " neighbour offsets are wrong, its nearest cell is the front of its deque, and it reaches"
        " one set of mines in many orders. It may end without a solution although there is one:"
        " the table says where. docs/reports.md tells how its counts come about."
    )


def _published_cells(puzzles: Sequence[Puzzle], own: bool) -> list[Cell]:
    """The published counts in the order of the puzzles; for made ones, those of P1 to P4."""
    if own:
        return [PUBLISHED.get(puzzle.name) for puzzle in puzzles]
    return [f"{count} ({name})" for name, count in PUBLISHED.items()]


def _first_solution(puzzle: Puzzle, method: SearchMethod) -> SearchResult | str:
    """The search to the first solution, or why there is none."""
    budget = MOST_NODES if method.order.own and puzzle.name in PUBLISHED else BUDGET
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


def _singles(puzzles: Sequence[Puzzle], published: Sequence[Cell]) -> Table:
    names = [puzzle.name for puzzle in puzzles]
    rows: list[tuple[Cell, ...]] = [("published, no order, expanded nodes", *published)]
    for method in METHODS:
        line: list[Cell] = [method.text.replace("none", "no order")]
        for puzzle in puzzles:
            found = _nodes(puzzle, method)
            line.append(f">{BUDGET}" if found is None else found)
        rows.append(tuple(line))
    rows.append(("solutions in all", *(_solutions(puzzle) for puzzle in puzzles)))
    return Table(
        "003-nodes",
        "Nodes to the first solution, by order",
        ("order", *names),
        tuple(rows),
        "The report could not build the orders; each stands here alone and together, without and"
        " with forward checking.",
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
        f"Nodes to the first solution over {many} made puzzles",
        ("order", "forward checking", "geometric mean", "median", "most"),
        tuple(rows),
        f"The report expects great benefits from the orders. Against no order,"
        f" {_ratio(found, 'mrv')}, {_ratio(found, 'degree')}, {_ratio(found, 'lcv')} and"
        f" {_ratio(found, 'mrv,degree,lcv forward-checking')}.",
    )


def _ratio(found: dict[str, list[int | None]], method: str) -> str:
    ratio = _geometric_mean(found[method]).value / _geometric_mean(found["none"]).value
    return f"{method} takes {ratio:.2f} times the nodes"


def _children(workshop: Workshop, many: int) -> Table:
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
    memory = typical[-1].value / typical[len(CHILDREN) - 1].value
    return Table(
        "003-children",
        "The number n of nearest cells tried from each mine, and a memory of refuted states",
        ("children n", "memory", "nodes, geometric mean", "puzzles solved"),
        tuple(rows),
        f"No order, {many} made puzzles. The report names n as its main cost and proposes the"
        " memory. With few children the search ends early and misses solutions; with all of them"
        f" the memory takes {memory:.2f} times the nodes.",
    )


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
    title = "Nodes against the side of the board"
    svg = curves(
        "003-growth",
        title,
        series,
        x_label="side of the board",
        y_label="nodes to the first solution",
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
