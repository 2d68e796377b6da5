"""Solving a static puzzle: the first solution or all of them, their number, and the nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mineproof.board.topology import Topology
from mineproof.files import parse_file
from mineproof.puzzle.hint_clash import clash
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.order import Order
from mineproof.puzzle.search import MOST_NODES, PuzzleSearch
from mineproof.view import notation
from mineproof.view.marks import Mark
from mineproof.view.notation.csp import LINE, Puzzle
from mineproof.view.view import View

__all__ = ["Method", "Solved", "draw", "read_puzzles", "solve_puzzle"]

MOST_KEPT = 1000
"""How many solutions are kept; all of them are counted."""


@dataclass(frozen=True)
class Method:
    """How a puzzle is searched."""

    order: Order = field(default_factory=Order)
    forward_checking: bool = False
    children: int | None = None
    memo: bool = False

    @property
    def text(self) -> str:
        words = [self.order.text]
        if self.forward_checking:
            words.append("forward-checking")
        if self.children is not None:
            words.append(f"children={self.children}")
        if self.memo:
            words.append("memo")
        return " ".join(words)


@dataclass(frozen=True)
class Solved:
    """What a search found.

    `solutions` is the number found, and `kept` holds the first of them, each as its mines.
    `complete` says that there are no others; it is False if the search stopped at the first
    solution or a limit on children left something untried.
    """

    topology: Topology
    method: Method
    nodes: int
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
            "children": self.method.children,
            "memo": self.method.memo,
            "nodes": self.nodes,
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
    budget: int = MOST_NODES,
    name: str = "the puzzle",
) -> Solved:
    """Search a puzzle for its first solution, or for `every` solution.

    Raises InconsistentPosition with the hints that clash if there is none, BudgetExceeded past
    `budget` nodes, and InputError if the clues are not exact. A limited search that finds nothing
    proves nothing: it returns no solutions and `complete` is False.
    """
    method = method if method is not None else Method()
    hints = Hints.of(view)
    search = PuzzleSearch(
        hints,
        method.order,
        forward_checking=method.forward_checking,
        children=method.children,
        memo=method.memo,
        budget=budget,
    )
    kept: list[tuple[int, ...]] = []
    exhausted = True
    for solution in search.solutions():
        if len(kept) < MOST_KEPT:
            kept.append(solution)
        if not every:
            exhausted = False
            break
    if not search.found and not search.cut:
        raise clash(hints, name)
    return Solved(
        view.topology,
        method,
        search.nodes,
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
