"""Solving a static puzzle: the first solution or all of them, their number, and the nodes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mineproof.board.topology import Topology
from mineproof.errors import InputError
from mineproof.files import parse_file
from mineproof.puzzle.backtracking import Watching
from mineproof.puzzle.hint_clash import clash
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.method import Method
from mineproof.view import notation
from mineproof.view.marks import Mark
from mineproof.view.notation.csp import LINE, Puzzle
from mineproof.view.view import View

__all__ = ["Solved", "draw", "read_puzzles", "solve_puzzle"]

MOST_KEPT = 1000
"""How many solutions are kept; all of them are counted."""


@dataclass(frozen=True)
class Solved:
    """What a search found, and its cost.

    `expanded` are the nodes that placed a mine and were not rejected at once: what the report
    counts. `solutions` is the number found, and `kept` holds the first of them, each as its mines.
    `complete` says that there are no others; it is False if the search stopped at the first
    solution or a limit on children left something untried.
    """

    topology: Topology
    method: Method
    nodes: int
    expanded: int
    seconds: float
    solutions: int
    complete: bool
    kept: tuple[tuple[int, ...], ...]

    @property
    def first(self) -> tuple[int, ...] | None:
        return self.kept[0] if self.kept else None

    @property
    def unique(self) -> bool | None:
        """Whether there is exactly one solution; None if the search did not find out."""
        if self.solutions > 1:
            return False
        return True if self.complete and self.solutions == 1 else None

    def to_json(self, name: str) -> dict[str, Any]:
        """The object that `puzzle --json` prints for one puzzle."""
        return {
            "name": name,
            "order": self.method.order.text,
            "forward_checking": self.method.forward_checking,
            "children": self.method.most_children,
            "memo": self.method.memo,
            "nodes": self.nodes,
            "expanded": self.expanded,
            "seconds": self.seconds,
            "solutions": self.solutions,
            "complete": self.complete,
            "unique": self.unique,
            "first": None
            if self.first is None
            else [list(self.topology.coordinates(cell)) for cell in self.first],
        }


def solve_puzzle(
    view: View,
    method: Method | None = None,
    *,
    every: bool = False,
    budget: int | None = None,
    name: str = "the puzzle",
    watching: Watching | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Solved:
    """Search a puzzle for its first solution, or for `every` solution; the search may be watched.

    Raises InconsistentPosition with the hints that clash if there is none, BudgetExceeded past
    `budget` nodes (by default `Method.most_nodes`), and InputError for a puzzle that the method
    cannot search. A limited search that finds nothing proves nothing: it returns no solutions and
    `complete` is False.
    """
    method = method if method is not None else Method()
    if every and method.order.own == "listing":
        raise InputError("order listing ends at its first solution; accepted: not for all of them")
    hints = Hints.of(view)
    if budget is None:
        budget = method.most_nodes(len(hints.variables))
    search = method.search(hints, budget=budget, watching=watching)
    start = clock()
    kept: list[tuple[int, ...]] = []
    exhausted = True
    for solution in search.solutions():
        if len(kept) < MOST_KEPT:
            kept.append(solution)
        if not every:
            exhausted = False
            break
    seconds = clock() - start
    if not search.found and not search.cut:
        raise clash(hints, name)
    return Solved(
        view.topology,
        method,
        search.nodes,
        search.expanded,
        seconds,
        search.found,
        exhausted and not search.cut,
        tuple(kept),
    )


def read_puzzles(path: str | Path) -> tuple[Puzzle, ...]:
    """The puzzles of a file: lines of report 3, or one position in any notation.

    A single position is named after its file. Raises NotationError.
    """

    def parse(text: str) -> tuple[Puzzle, ...]:
        lines = [line.strip() for line in text.split("\n")]
        first = next((line for line in lines if line and not line.startswith("#")), "")
        if LINE.match(first):
            return notation.csp.parse(text)
        return (Puzzle("puzzle" if str(path) == "-" else Path(path).stem, notation.parse(text)),)

    return parse_file(path, parse)


def draw(view: View, mines: tuple[int, ...]) -> str:
    """The solved board: `*` for a mine, digits for hints, `.` for a cell left without a mine."""
    marks = {}
    for cell in view.topology.cells:
        code = view.code(cell)
        if cell in mines or code == Mark.MINE.value:
            marks[cell] = "*"
        elif code in (Mark.HIDDEN.value, Mark.BLANK.value):
            marks[cell] = "."
        else:
            marks[cell] = str(code)
    wide = max(map(len, marks.values()))
    return "\n".join(
        (" " if wide > 1 else "").join(
            ("#" if cell is None else marks[cell]).rjust(wide) for cell in row
        )
        for row in view.topology.rows()
    )
