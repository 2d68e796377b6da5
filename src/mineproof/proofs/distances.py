"""How many steps over the board lie between cells, on any topology."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.topology import Topology
from mineproof.inference.engine.ground import ground_of
from mineproof.kernel import core

__all__ = ["Distances", "distances_of", "members"]

_MOST_KEPT = 2500
"""Boards of up to this many cells keep all their distances."""
_FEW = 12
"""Distances to at most this many cells are searched for step by step; they are mostly near."""


class Distances:
    """Steps from neighbour to neighbour; cells that no path joins have the distance `apart`.

    `apart` is the number of cells of the board: no path is that long.
    """

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.apart = len(topology)
        self._lists: list[list[int]] = []

    @cached_property
    def table(self) -> NDArray[np.int32] | None:
        """All distances, one row per cell; None if the board is too large to keep them."""
        if self.apart > _MOST_KEPT:
            return None
        return np.array([self.row(cell) for cell in self.topology.cells], dtype=np.int32)

    def row(self, cell: int) -> NDArray[np.int32]:
        """The distances of all cells from one."""
        if kernel.available():
            steps = core.steps_from(ground_of(self.topology).board, cell)
            return np.frombuffer(steps, dtype=np.int32)
        found = self._walk(cell, self.topology.cells)
        return np.array(list(found.values()), dtype=np.int32)

    def between(self, cell: int, others: Iterable[int]) -> dict[int, int]:
        """The distance from a cell to each of some others."""
        wanted = list(others)
        if not self._lists and self.table is not None:
            self._lists = self.table.tolist()
        if not self._lists:
            if len(wanted) <= _FEW:
                return self._walk(cell, wanted)
            row = self.row(cell)
            return dict(zip(wanted, row[wanted].tolist(), strict=True))
        steps = self._lists[cell]
        return {other: steps[other] for other in wanted}

    def _walk(self, cell: int, wanted: Sequence[int]) -> dict[int, int]:
        """Breadth-first, and no farther than needed."""
        found = self.topology.steps_to(cell, wanted)
        return {other: found.get(other, self.apart) for other in wanted}


def members(masks: list[int], cells: int) -> NDArray[np.bool_]:
    """The bits of masks as a table, one row per mask."""
    size = (cells + 7) // 8
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), np.uint8)
    bits = np.unpackbits(packed.reshape(len(masks), size), axis=1, bitorder="little")
    return bits[:, :cells].astype(np.bool_)


@lru_cache(maxsize=4)
def distances_of(topology: Topology) -> Distances:
    """The distances of a topology, computed once."""
    return Distances(topology)
