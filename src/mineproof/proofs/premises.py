"""What a proof may rest on: every clue of a view, and what is told of the number of mines.

A premise says which numbers of mines its hidden cells may hold. Opened cells, mines among them, are
facts that everyone sees: they are subtracted, and are no premises.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from mineproof.board.layout import count_mines
from mineproof.inference.engine.constraints import constraint_of_clue
from mineproof.view.channels import EXACT
from mineproof.view.marks import MAX_CLUE, Mark
from mineproof.view.view import View

__all__ = ["Evidence", "Premise", "Read", "counts_of", "mask_of", "totals_of"]


Read: TypeAlias = tuple[int, tuple[int, ...], int]
"""An opened cell, the hidden cells it speaks of, and the numbers of mines it allows as a mask."""


@dataclass(frozen=True, slots=True)
class Premise:
    """`allowed` numbers of mines in some hidden cells; bit `n` of the mask stands for `n` mines.

    `clue` is the opened cell that shows it, or None for the mine total. `cells` rise.
    """

    clue: int | None
    cells: tuple[int, ...]
    allowed: int

    @property
    def low(self) -> int:
        """The least number of mines; `allowed` must not be empty."""
        return (self.allowed & -self.allowed).bit_length() - 1

    @property
    def high(self) -> int:
        """The greatest number of mines; -1 where none will do."""
        return self.allowed.bit_length() - 1

    def permits(self, mine: bool) -> bool:
        """Whether one of its cells may be a mine, or may be safe, as far as it tells alone."""
        size = len(self.cells)
        return bool(self.allowed >> 1 if mine else self.allowed & ((1 << size) - 1))


def mask_of(counts: Iterable[int]) -> int:
    """The mask of some numbers."""
    mask = 0
    for count in counts:
        mask |= 1 << count
    return mask


def counts_of(mask: int) -> tuple[int, ...]:
    """The numbers of a mask, in ascending order."""
    return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)


def totals_of(view: View) -> int | None:
    """The numbers of mines on the whole board that may be, as a mask; None for all."""
    size = len(view.topology)
    if view.total is not None:
        return 1 << view.total
    if view.density is None:
        return (2 << size) - 2
    if view.density in (0, 1):
        return 1 if view.density == 0 else 1 << size
    return None


class Evidence:
    """All premises of a view, by number: its clues by rising cell, then the total.

    A clue that says nothing is left out. `total` is the number of the premise of that kind, or None
    where the total tells nothing. Who follows a game may hand over what its `clues` say, by rising
    cell, some or all of them, and without `total` the number of mines is left out.
    """

    def __init__(
        self, view: View, clues: Iterable[Read] | None = None, *, total: bool = True
    ) -> None:
        self.view = view
        self.topology = view.topology
        self.premises: list[Premise] = []
        self.at: dict[int, list[int]] = {}
        """The numbers of the clues that speak of a cell."""
        if clues is None:
            clues = self._exact_clues() if view.channel is EXACT else self._likely_clues()
        self._read_clues(clues)
        self.total = self._read_total() if total else None

    def _read_clues(self, clues: Iterable[Read]) -> None:
        for cell, cells, allowed in clues:
            if allowed == (2 << len(cells)) - 1:
                continue
            for hidden in cells:
                self.at.setdefault(hidden, []).append(len(self.premises))
            self.premises.append(Premise(cell, cells, allowed))

    def _exact_clues(self) -> Iterator[Read]:
        """What plain clues say; those without a hidden neighbour only where they are wrong."""
        codes, topology = self.view.codes(), self.topology
        is_hidden = codes == Mark.HIDDEN.value
        mines = count_mines(topology, (codes == Mark.MINE.value).astype(np.uint8))
        around = count_mines(topology, is_hidden.astype(np.uint8))
        left = codes.astype(np.int64) - mines
        speaking = (codes <= MAX_CLUE) & ((around > 0) | (left != 0))
        hidden: list[bool] = is_hidden.tolist()
        for cell in np.flatnonzero(speaking).tolist():
            cells = tuple([near for near in topology.neighbours(cell) if hidden[near]])
            count = int(left[cell])
            yield cell, cells, 1 << count if 0 <= count <= len(cells) else 0

    def _likely_clues(self) -> Iterator[Read]:
        """What clues say that may lie: every count they leave possible."""
        view = self.view
        codes = view.codes().tolist()
        for cell in sorted(view.opened):
            found = constraint_of_clue(self.topology, codes, cell, view.channel)
            if found is not None:
                yield cell, found.cells, mask_of(found.possible)

    def _read_total(self) -> int | None:
        view = self.view
        allowed = totals_of(view)
        if allowed is None:
            return None
        opened = len(view.opened_mines)
        cells = tuple(view.hidden)
        left = (allowed >> opened) & ((2 << len(cells)) - 1)
        if left == (2 << len(cells)) - 1:
            return None
        self.premises.append(Premise(None, cells, left))
        return len(self.premises) - 1

    @cached_property
    def clue_count(self) -> int:
        return len(self.premises) - (self.total is not None)

    def beside(self, number: int) -> set[int]:
        """The clues that share a hidden cell with a clue."""
        found = {other for cell in self.premises[number].cells for other in self.at[cell]}
        found.discard(number)
        return found

    def component(self, numbers: Iterable[int], radius: int | None = None) -> list[int]:
        """Clues tied to some clues through shared hidden cells, nearest first.

        `radius` limits the number of steps.
        """
        layer = sorted(set(numbers))
        found = dict.fromkeys(layer)
        steps = 0
        while layer and (radius is None or steps < radius):
            steps += 1
            following = sorted({b for a in layer for b in self.beside(a)} - found.keys())
            found.update(dict.fromkeys(following))
            layer = following
        return list(found)

    def distances(self, cell: int, numbers: Iterable[int]) -> dict[int, int]:
        """Steps over the board from a cell to each clue; the total is as far as the board is large.

        A clue that cannot be reached on foot is as far as the total.
        """
        far = len(self.topology)
        clues = (self.premises[n].clue for n in numbers)
        found = self.topology.steps_to(cell, [clue for clue in clues if clue is not None])
        return {
            n: far if (clue := self.premises[n].clue) is None else found.get(clue, far)
            for n in numbers
        }
