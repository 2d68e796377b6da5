"""Report 3: a static puzzle solved by backtracking; nodes by order, children, memory and size."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Any

import numpy as np

from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.lab import report as page
from mineproof.lab.figures import Curve, curves
from mineproof.lab.report import Agreement, Cell, Estimate
from mineproof.puzzle import MOST_NODES, ORDERS, Method, Order, Solved, solve_puzzle
from mineproof.reports.estimates import curve_of, mean_of
from mineproof.reports.expanded_nodes import PAST, PUBLISHED, agreement, expanded_table
from mineproof.reports.puzzles import made_puzzle
from mineproof.reports.workshop import Workshop
from mineproof.view.notation.csp import Puzzle

__all__ = ["report"]

BUDGET = 100_000
SIDE = 6
QUICK_SIDES, FULL_SIDES = (4, 5, 6, 7, 8, 9), (4, 5, 6, 7, 8, 9, 10, 11, 12)
CHILDREN = (1, 2, 3, 4, 6, 8, None)
GROWTH = (
    Method(Order.parse("none")),
    Method(Order.parse("none"), memo=True),
    Method(Order.parse("mrv")),
    Method(Order.parse("degree")),
    Method(Order.parse("mrv,degree,lcv"), forward_checking=True),
)
METHODS = tuple(Method(order, checking) for checking in (False, True) for order in ORDERS)


def report(workshop: Workshop) -> page.Section:
    """Nodes of every order on single puzzles, over many, by children and memory, and by size."""
    own = bool(workshop.puzzles)
    puzzles = workshop.puzzles or tuple(made_puzzle(SIDE, workshop.seed, n) for n in range(4))
    many = workshop.scale.games(40, 1000)
    workshop.say(f"003: {len(puzzles)} puzzles, {many} made ones of each size")
    published = _published(puzzles, own)
    expanded, program = expanded_table(puzzles, published, METHODS, _solved)
    over_many = _measured(workshop, "003-orders", METHODS, SIDE, many)
    blocks: tuple[page.Block, ...] = (
        page.Text(_what(puzzles, own)),
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
    return page.Section("003", "Report 3: a puzzle solved by backtracking", blocks, tuple(summary))


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
        " the table says where. docs/puzzles.md tells how its counts come about."
    )


def _published(puzzles: Sequence[Puzzle], own: bool) -> list[Cell]:
    """The published counts in the order of the puzzles; for made ones, those of P1 to P4."""
    if own:
        return [PUBLISHED.get(puzzle.name) for puzzle in puzzles]
    return [f"{count} ({name})" for name, count in PUBLISHED.items()]


def _solved(puzzle: Puzzle, method: Method) -> Solved | str:
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


def _nodes(puzzle: Puzzle, method: Method, budget: int = BUDGET) -> int | None:
    """The nodes to the first solution; None past the budget. 0 where there is no solution."""
    try:
        return solve_puzzle(puzzle.view, method, budget=budget, name=puzzle.name).nodes
    except BudgetExceeded:
        return None
    except InconsistentPosition:
        return 0


def _singles(puzzles: Sequence[Puzzle], published: Sequence[Cell]) -> page.Table:
    names = [puzzle.name for puzzle in puzzles]
    rows: list[tuple[Cell, ...]] = [("published, no order, expanded nodes", *published)]
    for method in METHODS:
        line: list[Cell] = [method.text.replace("none", "no order")]
        for puzzle in puzzles:
            found = _nodes(puzzle, method)
            line.append(f">{BUDGET}" if found is None else found)
        rows.append(tuple(line))
    rows.append(("solutions in all", *(_solutions(puzzle) for puzzle in puzzles)))
    return page.Table(
        "003-nodes",
        "Nodes to the first solution, by order",
        ("order", *names),
        tuple(rows),
        "The report could not build the orders; each stands here alone and together, without and"
        " with forward checking.",
    )


def _solutions(puzzle: Puzzle) -> Cell:
    method = Method(Order.parse("mrv,degree"), forward_checking=True)
    try:
        return solve_puzzle(puzzle.view, method, every=True, budget=BUDGET).solutions
    except BudgetExceeded:
        return "more than can be searched"
    except InconsistentPosition:
        return 0


def _measured(
    workshop: Workshop, name: str, methods: Sequence[Method], side: int, many: int
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
        puzzles = [made_puzzle(side, workshop.seed, index) for index in range(many)]
        return {method.text: [_nodes(puzzle, method) for puzzle in puzzles] for method in methods}

    found: dict[str, list[int | None]] = workshop.measure(name, asked, work)
    return found


def _typical(nodes: Sequence[int | None]) -> Estimate:
    """The geometric mean with its interval; a search past the budget counts as the budget."""
    logs = mean_of([log(max(1, BUDGET if node is None else node)) for node in nodes])
    return Estimate(exp(logs.value), exp(logs.low), exp(logs.high), False, 1)


def _orders(found: dict[str, list[int | None]], many: int) -> page.Table:
    rows: list[tuple[Any, ...]] = []
    for method in METHODS:
        nodes = found[method.text]
        known = [BUDGET if node is None else node for node in nodes]
        rows.append(
            (
                method.order.text,
                "yes" if method.forward_checking else "no",
                _typical(nodes),
                float(np.median(known)),
                max(known),
            )
        )
    return page.Table(
        "003-orders",
        f"Nodes to the first solution over {many} made puzzles",
        ("order", "forward checking", "geometric mean", "median", "most"),
        tuple(rows),
        f"The report expects great benefits from the orders. Against no order,"
        f" {_times(found, 'mrv')}, {_times(found, 'degree')}, {_times(found, 'lcv')} and"
        f" {_times(found, 'mrv,degree,lcv forward-checking')}.",
    )


def _times(found: dict[str, list[int | None]], method: str) -> str:
    ratio = _typical(found[method]).value / _typical(found["none"]).value
    return f"{method} takes {ratio:.2f} times the nodes"


def _children(workshop: Workshop, many: int) -> page.Table:
    methods = [
        Method(children=children, memo=memo) for memo in (False, True) for children in CHILDREN
    ]
    asked = {"methods": [m.text for m in methods], "many": many, "seed": workshop.seed}

    def work() -> dict[str, list[list[int]]]:
        puzzles = [made_puzzle(SIDE, workshop.seed, index) for index in range(many)]
        return {
            method.text: [list(_limited(puzzle, method)) for puzzle in puzzles]
            for method in methods
        }

    found = workshop.measure("003-children", asked, work)
    rows: list[tuple[Any, ...]] = []
    for method in methods:
        pairs = found[method.text]
        rows.append(
            (
                "all" if method.children is None else str(method.children),
                "yes" if method.memo else "no",
                _typical([nodes for nodes, _ in pairs]),
                f"{sum(solved for _, solved in pairs)} of {len(pairs)}",
            )
        )
    typical = [_typical([nodes for nodes, _ in found[m.text]]).value for m in methods]
    memory = typical[-1] / typical[len(CHILDREN) - 1]
    return page.Table(
        "003-children",
        "The number n of nearest cells tried from each mine, and a memory of refuted states",
        ("children n", "memory", "nodes, geometric mean", "puzzles solved"),
        tuple(rows),
        f"No order, {many} made puzzles. The report names n as its main cost and proposes the"
        " memory. With few children the search ends early and misses solutions; with all of them"
        f" the memory takes {memory:.2f} times the nodes.",
    )


def _limited(puzzle: Puzzle, method: Method) -> tuple[int, bool]:
    try:
        solved = solve_puzzle(puzzle.view, method, budget=BUDGET)
    except BudgetExceeded:
        return BUDGET, False
    return solved.nodes, solved.solutions > 0


def _growth(workshop: Workshop) -> page.Figure:
    many = workshop.scale.games(16, 100)
    sides = FULL_SIDES if workshop.scale.in_full else QUICK_SIDES
    found = {side: _measured(workshop, f"003-growth-{side}", GROWTH, side, many) for side in sides}
    series = []
    for method in GROWTH:
        typical = ((side, _typical(found[side][method.text])) for side in sides)
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
        rows.append((side, *(_typical(found[side][method.text]) for method in GROWTH), past))
    columns = ("side", *(method.text for method in GROWTH), "no order past the budget")
    note = (
        f"{many} made puzzles per size, geometric means; a search past {BUDGET:,} nodes counts as"
        " that many. The report expects an exponentially larger delay on larger boards: from side"
        f" {sides[0]} to {sides[-1]} the nodes grow {_growing(series[0])} without an order,"
        f" {_growing(series[2])} with mrv and {_growing(series[-1])} with all orders and forward"
        " checking."
    )
    return page.Figure(
        "003-growth", title, svg, page.Table("003-growth", title, columns, tuple(rows)), note
    )


def _growing(series: Curve) -> str:
    return f"{series.points[-1].y / series.points[0].y:.0f}-fold"
