"""What the plain clues of a game say, updated while cells are opened: no view is read again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mineproof.board.topology import Topology
from mineproof.proofs.premises import Read
from mineproof.view.marks import MAX_CLUE, Mark

__all__ = ["Ledger"]

_MINE = Mark.MINE.value


class Ledger:
    """The open clues that still touch a hidden cell: those cells, and how many mines they hold.

    `opened_mines` counts the mines that were opened; they are subtracted from every clue.
    """

    def __init__(self, topology: Topology) -> None:
        self._neighbours = topology.neighbours
        self._open = bytearray(len(topology))
        self._mines: set[int] = set()
        self.hidden: dict[int, set[int]] = {}
        self.left: dict[int, int] = {}

    @property
    def opened_mines(self) -> int:
        return len(self._mines)

    def take(self, cells: Iterable[int], codes: bytearray) -> None:
        """Take in that cells were opened; `codes` are what all cells show."""
        fresh = list(cells)
        is_open, hidden, left = self._open, self.hidden, self.left
        for cell in fresh:
            is_open[cell] = 1
            if codes[cell] == _MINE:
                self._mines.add(cell)
        for cell in fresh:
            near = self._neighbours(cell)
            mine = codes[cell] == _MINE
            for clue in near:
                speaks_of = hidden.get(clue)
                if speaks_of is not None and cell in speaks_of:
                    speaks_of.discard(cell)
                    left[clue] -= mine
                    if not speaks_of:
                        del hidden[clue], left[clue]
            if codes[cell] <= MAX_CLUE:
                covered = {other for other in near if not is_open[other]}
                if covered:
                    hidden[cell] = covered
                    left[cell] = codes[cell] - sum(other in self._mines for other in near)

    def speaking(self, cell: int) -> list[int]:
        """The clues that touch a hidden cell, in ascending order."""
        return [clue for clue in self._neighbours(cell) if clue in self.hidden]

    def around(self, cell: int, radius: int) -> set[int]:
        """The clues that touch a cell, and those linked to them by up to `radius` shared cells."""
        layer = set(self.speaking(cell))
        found = set(layer)
        for _ in range(radius):
            cells = {here for clue in layer for here in self.hidden[clue]}
            layer = {clue for here in cells for clue in self.speaking(here)} - found
            if not layer:
                break
            found |= layer
        return found

    def reads(self, clues: Iterable[int] | None = None) -> Iterator[Read]:
        """What some or all clues say, in the form that `Evidence` takes."""
        for clue in sorted(self.hidden if clues is None else clues):
            yield clue, tuple(sorted(self.hidden[clue])), 1 << self.left[clue]

    def pairs(self, cell: int) -> list[tuple[int, int]]:
        """Every two clues that force a hidden cell to be safe, neither of which does so alone."""
        hidden, left = self.hidden, self.left
        found: list[tuple[int, int]] = []
        for one in self.speaking(cell):
            a, of_a = hidden[one], left[one]
            beside = {clue for here in a for clue in self._neighbours(here) if clue in hidden}
            for two in beside:
                if two == one:
                    continue
                b, of_b = hidden[two], left[two]
                shared = len(a & b)
                only_a, only_b = len(a) - shared, len(b) - shared
                # One mine is in `cell`; the other shared cells may hold `least` to `most` mines.
                if cell in b:
                    if two < one:
                        continue
                    least = max(of_a - 1 - only_a, of_b - 1 - only_b)
                    most = min(shared - 1, of_a - 1, of_b - 1)
                else:
                    least = max(of_a - only_a, of_b - only_b)
                    most = min(shared, of_a - 1, of_b)
                if most < least or most < 0:
                    found.append((one, two) if one < two else (two, one))
        return found
