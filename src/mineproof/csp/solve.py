"""Solving a static puzzle: the first solution or all of them, their number, and the nodes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mineproof.board.topology import Topology
from mineproof.csp.search import (
    CHILDREN,
    MOST_NODES,
    BacktrackingSearch,
    ListingSearch,
    PuzzleConstraints,
    PuzzleSearch,
    ReportSearch,
    SearchOrder,
    SearchWatcher,
)
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.files import parse_file
from mineproof.view import notation
from mineproof.view.channels import Mark
from mineproof.view.notation import PUZZLE_LINE, Puzzle
from mineproof.view.view import View

MOST_KEPT = 1000
"""The number of solutions that are kept; all of them are counted."""
_MOST_LOOKS = 40_000_000
"""A limit on variables looked at, for the orders whose nodes look at every variable."""


@dataclass(frozen=True)
class SearchMethod:
    """How a puzzle is searched. Raises InputError for what the order's search cannot do.

    Without `children` all cells are tried; the report's own searches then take the report's number.
    """

    order: SearchOrder = field(default_factory=SearchOrder)
    forward_checking: bool = False
    children: int | None = None
    memo: bool = False

    def __post_init__(self) -> None:
        own = self.order.own
        if own and self.forward_checking:
            raise InputError(f"order {own} has no forward checking; accepted: without it")
        if own == "listing" and self.memo:
            raise InputError("order listing has no memo; accepted: without it, or order report")

    @property
    def most_children(self) -> int | None:
        """The limit on children that the search keeps; None if there is none."""
        return CHILDREN if self.children is None and self.order.own else self.children

    @property
    def text(self) -> str:
        words = [self.order.text]
        if self.forward_checking:
            words.append("forward-checking")
        if self.most_children is not None:
            words.append(f"children={self.most_children}")
        if self.memo:
            words.append("memo")
        return " ".join(words)

    def most_nodes(self, variables: int) -> int:
        """The budget by default; less on large boards if every node looks at every variable."""
        if not self.order.cells:
            return MOST_NODES
        return min(MOST_NODES, _MOST_LOOKS // max(variables, 1))

    def search(
        self,
        hints: PuzzleConstraints,
        *,
        budget: int = MOST_NODES,
        watcher: SearchWatcher | None = None,
    ) -> BacktrackingSearch:
        """The search of a puzzle. Raises InputError if the order's search cannot do it."""
        limit = self.most_children
        if self.order.own and limit is not None:
            if self.order.own == "listing":
                return ListingSearch(hints, limit, budget=budget, watcher=watcher)
            return ReportSearch(hints, limit, memo=self.memo, budget=budget, watcher=watcher)
        return PuzzleSearch(
            hints,
            self.order,
            forward_checking=self.forward_checking,
            children=limit,
            memo=self.memo,
            budget=budget,
            watcher=watcher,
        )


@dataclass(frozen=True)
class SearchResult:
    """What a search found, and its cost.

    `expanded` are the nodes that placed a mine and were not rejected at once, as the report counts
    them. `solutions` is the number found, and `kept` holds the first of them, each as its mines.
    `complete` says that there are no others; it is False if the search stopped at the first
    solution or a limit on children left something untried.
    """

    topology: Topology
    method: SearchMethod
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
    method: SearchMethod | None = None,
    *,
    every: bool = False,
    budget: int | None = None,
    name: str = "the puzzle",
    watcher: SearchWatcher | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> SearchResult:
    """Search a puzzle for its first solution, or for `every` solution; the search may be watched.

    Raises InconsistentPosition with the hints that clash if there is none, BudgetExceeded past
    `budget` nodes (by default `SearchMethod.most_nodes`), and InputError for a puzzle that the
    method cannot search. A limited search that finds nothing proves nothing: it returns no
    solutions and `complete` is False.
    """
    method = method if method is not None else SearchMethod()
    if every and method.order.own == "listing":
        raise InputError("order listing ends at its first solution; accepted: not for all of them")
    hints = PuzzleConstraints.of(view)
    if budget is None:
        budget = method.most_nodes(len(hints.variables))
    search = method.search(hints, budget=budget, watcher=watcher)
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
    # A search that left something untried has not shown that there is no solution.
    if not search.found and not search.cut:
        raise clash_error(hints, name)
    return SearchResult(
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
        if PUZZLE_LINE.match(first):
            return notation.parse_puzzles(text)
        return (Puzzle("puzzle" if str(path) == "-" else Path(path).stem, notation.parse(text)),)

    return parse_file(path, parse)


def draw_solution(view: View, mines: tuple[int, ...]) -> str:
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


# -- Why a puzzle has no solution: hints that cannot all be met, as few as can be found cheaply --

_WORK = 6_000_000
"""Variables looked at in all tests of one puzzle."""
_SHARE = 15
"""One test may take this part of the nodes."""
_MOST_NAMED = 12
_FAST = SearchOrder(("mrv", "degree"))


class _SolvabilityTests:
    """Tests whether parts of a puzzle have a solution, within one budget for all."""

    def __init__(self, variables: int) -> None:
        # A node of this order looks at every variable, so a larger puzzle gets fewer nodes.
        self._nodes = _WORK // max(variables, 20)
        self._each = self._nodes // _SHARE

    @property
    def spent(self) -> bool:
        return self._nodes <= 0

    def solvable(self, puzzle: PuzzleConstraints) -> bool | None:
        """Whether there is a solution; None if the answer would cost too much."""
        budget = min(self._nodes, self._each)
        search = PuzzleSearch(puzzle, _FAST, forward_checking=True, memo=True, budget=budget)
        try:
            return next(search.solutions(), None) is not None
        except BudgetExceeded:
            return None
        finally:
            self._nodes -= max(search.nodes, 1)


def clash_error(hints: PuzzleConstraints, name: str = "the puzzle") -> InconsistentPosition:
    """The error that says which hints of an unsolvable puzzle clash.

    Every hint that is named is needed, unless the message says that fewer may clash already: then a
    test would have taken too many nodes.
    """
    tests = _SolvabilityTests(len(hints.variables))
    kept = list(range(len(hints.cells)))
    total = hints.mines is not None
    sure = True
    if total:
        solved = tests.solvable(hints.only(kept, total=False))
        sure = solved is not None
        total = solved is not False
    # Hints are dropped while the rest stays unsolvable: half of them at once, then a quarter, down
    # to single hints. Large blocks find a small clash on a large board in few tests.
    size = max(len(kept) // 2, 1)
    while True:
        for block in [kept[at : at + size] for at in range(0, len(kept), size)]:
            if tests.spent:
                sure = False
                break
            rest = [other for other in kept if other not in block]
            solved = tests.solvable(hints.only(rest, total=total))
            if solved is False:
                kept = rest
            elif solved is None and size == 1:
                sure = False
        if size == 1 or tests.spent:
            break
        size //= 2
    cells = tuple(hints.cells[hint] for hint in kept)
    return InconsistentPosition(
        _message(hints, name, kept, total=total, sure=sure), cells, uses_total=total
    )


def _message(
    hints: PuzzleConstraints, name: str, kept: list[int], *, total: bool, sure: bool
) -> str:
    parts = []
    if kept:
        named = " ".join(map(hints.name, kept[:_MOST_NAMED]))
        more = len(kept) - _MOST_NAMED
        others = f" (and {more} more)" if more > 0 else ""
        parts.append(f"the hint{'s' if len(kept) > 1 else ''} at {named}{others}")
    if total:
        parts.append(f"the number of mines ({hints.mines} left to place)")
    alone = len(kept) + total == 1
    message = (
        f"{name} has no solution: {' and '.join(parts)} cannot {'' if alone else 'all '}be met"
    )
    return message if sure else f"{message} (perhaps fewer hints already clash)"
