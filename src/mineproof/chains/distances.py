"""How many steps over the board lie between cells, on any topology."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from mineproof.board.topology import Topology

__all__ = ["Distances", "distances_of", "members"]

_MOST_KEPT = 2500
"""Boards of so many cells keep all their distances."""


class Distances:
    """Steps from cell to neighbouring cell; cells that no path joins are `apart` from each other.

    `apart` is the number of cells of the board: no path is that long.
    """

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.apart = len(topology)
        self._rows: list[list[int]] | None = None
        self._table: NDArray[np.uint16] | None = None

    @property
    def table(self) -> NDArray[np.uint16] | None:
        """All distances, a row a cell; None where the board is too large to keep them."""
        if self._table is None and self.apart <= _MOST_KEPT:
            self._table = self._all()
        return self._table

    def _all(self) -> NDArray[np.uint16]:
        cells = self.apart
        table = np.full((cells, cells), cells, dtype=np.uint16)
        near = [self.topology.neighbours(cell) for cell in self.topology.cells]
        balls = [1 << cell for cell in range(cells)]
        steps = 0
        while True:
            seen = members(balls, cells)
            table[seen & (table == cells)] = steps
            grown = []
            for cell, ball in enumerate(balls):
                for other in near[cell]:
                    ball |= balls[other]
                grown.append(ball)
            if grown == balls:
                return table
            balls, steps = grown, steps + 1

    def between(self, cell: int, others: Iterable[int]) -> dict[int, int]:
        """The distance from a cell to each of some others."""
        wanted = list(others)
        if self.apart > _MOST_KEPT:
            return self._walk(cell, wanted)
        if self._rows is None:
            table = self.table
            assert table is not None
            self._rows = table.tolist()
        row = self._rows[cell]
        return {other: row[other] for other in wanted}

    def _walk(self, cell: int, wanted: list[int]) -> dict[int, int]:
        found = {cell: 0}
        layer, steps = [cell], 0
        missing = set(wanted) - found.keys()
        while layer and missing:
            steps += 1
            following = []
            for here in layer:
                for near in self.topology.neighbours(here):
                    if near not in found:
                        found[near] = steps
                        following.append(near)
                        missing.discard(near)
            layer = following
        return {other: found.get(other, self.apart) for other in wanted}


def members(masks: list[int], cells: int) -> NDArray[np.bool_]:
    """The bits of masks as a table, a row a mask."""
    size = (cells + 7) // 8
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), np.uint8)
    bits = np.unpackbits(packed.reshape(len(masks), size), axis=1, bitorder="little")
    return bits[:, :cells].astype(np.bool_)


@lru_cache(maxsize=4)
def distances_of(topology: Topology) -> Distances:
    """The distances of a topology, worked out once."""
    return Distances(topology)
