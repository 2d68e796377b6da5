"""Report 3's one table: the expanded nodes of its program, of what it meant, and of our orders.

An expanded node is a mine that was placed and not rejected at once. All searches are counted so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mineproof.lab import report as page
from mineproof.lab.report import Agreement, Cell
from mineproof.puzzle import Method, Order, Solved
from mineproof.view.notation.csp import Puzzle

__all__ = ["PAST", "PROGRAM", "PUBLISHED", "agreement", "expanded_table"]

PUBLISHED = {"P1": "5374", "P2": "1892", "P3": ">30000", "P4": "1843"}
PROGRAM = Method(Order.parse("listing"))
"""The printed program, with the number of children that gives the published counts."""

_ROWS = (
    ("the program as printed", PROGRAM),
    ("the program, 3 children", Method(Order.parse("listing"), children=3)),
    ("the program, 5 children", Method(Order.parse("listing"), children=5)),
    ("as its text means it", Method(Order.parse("report"))),
    ("as its text means it, memo", Method(Order.parse("report"), memo=True)),
)

Solve = Callable[[Puzzle, Method], Solved | str]
"""Solves a puzzle to its first solution; a few words if that ends otherwise."""

PAST = "more than"
"""How the words begin if a search takes more nodes than it may."""


def expanded_table(
    puzzles: Sequence[Puzzle], published: Sequence[Cell], ours: Sequence[Method], solve: Solve
) -> tuple[page.Table, dict[str, str]]:
    """The table, and the counts of the printed program by puzzle."""
    rows: list[tuple[Cell, ...]] = [("published", *published)]
    program: dict[str, str] = {}
    for label, method in (*_ROWS, *((one.text, one) for one in ours)):
        found = [solve(puzzle, method) for puzzle in puzzles]
        rows.append((label.replace("none", "no order"), *map(_cell, found)))
        if method == PROGRAM:
            for puzzle, one in zip(puzzles, found, strict=True):
                program[puzzle.name] = _cell(one, outcome=False)
    table = page.Table(
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


def _cell(found: Solved | str, *, outcome: bool = True) -> str:
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
