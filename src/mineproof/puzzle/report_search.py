"""Report 3's own search, as its text means it: a node is a mine, its children the nearest cells.

    place a mine in the cell; reject it if a hint beside the cell has all its mines
    accept it if all mines are placed and every hint is met
    try each of the n nearest cells that hold no mine in the same way; then take the mine back

The distance is Manhattan's, from the cell itself; of equally near cells the first in reading order
comes first. Every variable is tried as the first mine, in reading order. Nothing remembers that a
cell was tried as a mine and failed, so one set of mines is reached in many orders: this is the
cost that `PuzzleSearch` avoids. The memo, which the report proposes, holds what was refuted: a set
of mines, with the one placed last.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from mineproof.errors import InputError
from mineproof.puzzle.backtracking import MOST_NODES, Backtracking, Fate, Watching
from mineproof.puzzle.hints import Hints

__all__ = ["CHILDREN", "ReportSearch", "mines_to_place"]

CHILDREN = 4
"""The n of the report's program: with it, the listing gives the published counts."""


def mines_to_place(hints: Hints, order: str) -> int:
    """The number of mines to place. Raises InputError if it is not known."""
    if hints.mines is None:
        raise InputError(
            f"order {order} counts mines down to 0, and their number is unknown; accepted: a"
            " puzzle with a number of mines, or another order"
        )
    return hints.mines


class ReportSearch(Backtracking):
    """One search of the report's kind, with right neighbours and the distance from the last mine.

    A solution that is reached again is not given again.
    """

    def __init__(
        self,
        hints: Hints,
        children: int = CHILDREN,
        *,
        memo: bool = False,
        budget: int = MOST_NODES,
        watching: Watching | None = None,
    ) -> None:
        super().__init__(budget, watching)
        self.hints = hints
        self.children = children
        self._left = mines_to_place(hints, "report")
        self._missing = list(hints.missing)
        self._owed = sum(hints.missing)
        self._mines: dict[int, None] = {}
        self._refuted: set[tuple[frozenset[int], int]] | None = set() if memo else None
        self._known: set[tuple[int, ...]] = set()

    def solutions(self) -> Iterator[tuple[int, ...]]:
        if min(self._missing, default=0) < 0:
            return
        if self._left == 0 and self._owed == 0:
            self.found = 1
            yield ()
            return
        # Each level: the cells still to be tried below the last mine, and the solutions before it.
        hints_of = self.hints.hints_of
        levels = [(iter(self.hints.variables), 0)]
        while levels:
            untried, before = levels[-1]
            if (cell := next(untried, None)) is None:
                levels.pop()
                if self._mines:
                    self._take_back(refuted=before == self.found)
                continue
            self._count()
            if self._left == 0 or any(self._missing[hint] <= 0 for hint in hints_of[cell]):
                self._tell_rejected(len(self._mines) + 1, cell, True)
                continue
            self._place(cell)
            if self._left == 0 and self._owed == 0:
                self._tell(len(self._mines), cell, True, Fate.ACCEPTED)
                solution = tuple(sorted(self._mines))
                if solution not in self._known:
                    self._known.add(solution)
                    self.found += 1
                    yield solution
                self._take_back()
                continue
            self._tell(len(self._mines), cell, True, Fate.KEPT)
            if self._refuted is not None and (frozenset(self._mines), cell) in self._refuted:
                self._take_back("refuted before")
                continue
            levels.append((self._children_of(cell), self.found))

    def _why_rejected(self, cell: int) -> str:
        if self._left == 0:
            return "no mine left"
        full = next(hint for hint in self.hints.hints_of[cell] if self._missing[hint] <= 0)
        return f"too many mines at {self.hints.name(full)}"

    def _children_of(self, cell: int) -> Iterator[int]:
        near = (other for other in self.hints.nearest(cell) if other not in self._mines)
        children = list(islice(near, self.children))
        self.cut = self.cut or next(near, None) is not None
        return iter(children)

    def _place(self, cell: int) -> None:
        self.expanded += 1
        self._mines[cell] = None
        self._left -= 1
        self._count_towards(cell, -1)

    def _take_back(self, why: str = "", *, refuted: bool = False) -> None:
        """Take the last mine back; the memo keeps what was refuted."""
        cell = next(reversed(self._mines))
        if refuted and self._refuted is not None:
            self._refuted.add((frozenset(self._mines), cell))
        self._tell(len(self._mines), cell, True, Fate.UNDONE, why)
        del self._mines[cell]
        self._left += 1
        self._count_towards(cell, 1)

    def _count_towards(self, cell: int, change: int) -> None:
        near = self.hints.hints_of[cell]
        for hint in near:
            self._missing[hint] += change
        self._owed += change * len(near)
