"""Report 3's program as it is printed, faults included: with 4 children, the published counts.

What the listing does, where it differs from the report's text (`ReportSearch`):

- `reject` looks at five of the eight neighbours: not above, not below, not below to the right;
- the nearest cell is measured from the first cell of the deque, which is at distance 0 from itself:
  so the children are taken from the front of the deque, whatever the distance;
- a child that failed goes to the end of the deque before the next one is taken;
- `accept` comes before the cell is made a mine, so a solution is noticed at the next cell that is
  not rejected, and only if there is one;
- nothing ends a path with more mines than there are.

What is not printed is taken to be the simplest: the deque holds the variables in reading order; the
search begins at the first of them, only there, and leaves it in the deque, so the first cell may be
made a mine twice; the hints around a new mine are counted with the right neighbours.

Where the deque is empty the program takes a null pointer and reads through it later. Here, the
children of that cell end. A board that the program accepts with a cell made a mine twice, or with
too many mines, is no solution; the search ends there, as the program does.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from mineproof.errors import InputError
from mineproof.puzzle.backtracking import MOST_NODES, Backtracking, Fate, Watching
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.report_search import CHILDREN, mines_to_place

__all__ = ["ListingSearch"]

_LOOKED_AT = ((0, -1), (-1, -1), (1, -1), (0, 1), (-1, 1))
"""The offsets of the printed `reject` in rows and columns, each once."""


class ListingSearch(Backtracking):
    """One run of the printed program. It ends at the first board that it accepts."""

    def __init__(
        self,
        hints: Hints,
        children: int = CHILDREN,
        *,
        budget: int = MOST_NODES,
        watching: Watching | None = None,
    ) -> None:
        super().__init__(budget, watching)
        if hints.topology.name != "square":
            raise InputError(
                f"order listing is for square boards, not {hints.topology.name}; accepted: report"
            )
        self.hints = hints
        self.children = children
        self.cut = True
        self._left = mines_to_place(hints, "listing")
        self._missing = list(hints.missing)
        self._owed = sum(map(bool, hints.missing))
        self._path: list[int] = []
        self._looked_at = self._neighbours_looked_at()

    def solutions(self) -> Iterator[tuple[int, ...]]:
        if not self.hints.variables:
            return
        waiting = deque(self.hints.variables)
        left_of: list[int] = []
        cell = waiting[0]
        while True:
            self._count()
            if any(self._missing[hint] <= 0 for hint in self._looked_at[cell]):
                self._tell_rejected(len(self._path) + 1, cell, True)
            elif self._left <= 0 and not self._owed:
                why = "before it is made a mine"
                self._tell(len(self._path) + 1, cell, True, Fate.ACCEPTED, why)
                if self._left == 0 and len(set(self._path)) == len(self._path):
                    self.found = 1
                    yield tuple(sorted(self._path))
                return
            else:
                self.expanded += 1
                self._path.append(cell)
                self._change(cell, -1)
                self._tell(len(self._path), cell, True, Fate.KEPT)
                left_of.append(self.children)
                if waiting:
                    cell = waiting.popleft()
                    continue
                left_of[-1] = 0
            # The cell failed: give it back, and every mine above it that has no child left.
            while left_of:
                if left_of[-1]:
                    waiting.append(cell)
                    left_of[-1] -= 1
                    if left_of[-1]:
                        break
                left_of.pop()
                cell = self._path.pop()
                self._change(cell, 1)
                self._tell(len(self._path) + 1, cell, True, Fate.UNDONE)
            else:
                return
            cell = waiting.popleft()

    def _neighbours_looked_at(self) -> dict[int, tuple[int, ...]]:
        """For every variable the hints that the printed `reject` looks at, by number."""
        topology = self.hints.topology
        number = {cell: hint for hint, cell in enumerate(self.hints.cells)}
        place = {topology.coordinates(cell): cell for cell in topology.cells}
        found = {}
        for cell in self.hints.variables:
            row, column = topology.coordinates(cell)
            near = (place.get((row + down, column + right)) for down, right in _LOOKED_AT)
            found[cell] = tuple(number[other] for other in near if other in number)
        return found

    def _why_rejected(self, cell: int) -> str:
        full = next(hint for hint in self._looked_at[cell] if self._missing[hint] <= 0)
        return f"too many mines at {self.hints.name(full)}"

    def _change(self, cell: int, change: int) -> None:
        """Count a mine towards the hints around it, or take it back."""
        self._left += change
        for hint in self.hints.hints_of[cell]:
            before = self._missing[hint]
            self._missing[hint] = before + change
            self._owed += bool(before + change) - bool(before)
