"""How far the influence of a cell travels, and how many proofs rest on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mineproof.board.topology import Topology
from mineproof.proofs.distances import Distances, distances_of, members

__all__ = ["Influence", "Reach"]


@dataclass(frozen=True)
class Reach:
    """The influence of one cell: the number of proved cells, and the distance of the farthest.

    `farthest` is that farthest cell, the lowest of several; None, with distance 0, if no proof
    rests on the cell. Distance is in steps from neighbour to neighbour. Cells that no path joins to
    it count in `cells` but not for the distance.
    """

    cell: int
    distance: int
    cells: int
    farthest: int | None


class Influence:
    """The cells whose proofs rest on each cell, directly or through others.

    Cells are given in order of opening: the cell, the cell whose cascade opened it, the clues of
    its proof, and whether a move opened it.
    """

    def __init__(
        self, topology: Topology, opened: Iterable[tuple[int, int | None, tuple[int, ...], bool]]
    ) -> None:
        self._topology = topology
        self._opened = list(opened)
        self._masks: dict[int, int] = {cell: 0 for cell, _, _, _ in self._opened}
        for cell, opener, clues, _ in reversed(self._opened):
            below = self._masks[cell]
            if opener is not None:
                self._masks[opener] |= below
            for clue in clues:
                self._masks[clue] |= below | 1 << cell

    def cells(self, cell: int) -> tuple[int, ...]:
        """The cells whose proofs rest on a cell, in ascending order."""
        held = members([self._masks[cell]], len(self._topology))
        return tuple(np.flatnonzero(held[0]).tolist())

    def reach(self, cell: int) -> Reach:
        """The reach of one cell."""
        cells = self.cells(cell)
        distances = distances_of(self._topology)
        far = distances.between(cell, cells)
        near = [other for other in cells if far[other] < distances.apart]
        if not near:
            return Reach(cell, 0, len(cells), None)
        farthest = max(near, key=lambda other: (far[other], -other))
        return Reach(cell, far[farthest], len(cells), farthest)

    def farthest(self) -> Reach | None:
        """The farthest reach of any cell; ties go to the most cells. None without cells."""
        if not self._opened:
            return None
        return self.reach(min(self._ranked, key=lambda one: (-one[0], -one[1], one[2]))[2])

    def _rank(self, cell: int, distances: Distances) -> tuple[int, int, int]:
        if not self._masks[cell]:
            return 0, 0, cell
        held = members([self._masks[cell]], distances.apart)[0]
        steps = distances.row(cell)[held]
        near = steps[steps < distances.apart]
        return int(near.max(initial=0)), len(steps), cell

    @cached_property
    def _ranked(self) -> list[tuple[int, int, int]]:
        """(distance, number of cells, cell) of every opened cell."""
        distances = distances_of(self._topology)
        table = distances.table
        order = list(self._masks)
        if table is None:
            return [self._rank(cell, distances) for cell in order]
        held = members(list(self._masks.values()), distances.apart)
        steps = table[order]
        far = np.where(held & (steps < distances.apart), steps, 0).max(axis=1)
        counts = held.sum(axis=1)
        return list(zip(far.tolist(), counts.tolist(), order, strict=True))
