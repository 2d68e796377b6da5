"""A mine layout: the truth of a board, which only the referee holds during a game."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.cells import CellSet
from mineproof.board.topology import Place, Topology
from mineproof.errors import InputError, check_kind

__all__ = ["Layout", "count_mines"]


def count_mines(topology: Topology, mines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How many neighbours of each cell are mines; without the core, its twin below counts."""
    if kernel.available():
        counts: NDArray[np.uint8] = kernel.core.count_mines(
            topology.offsets, topology.targets, mines
        )
        return counts
    sums = np.concatenate([[0], np.cumsum(mines[topology.targets], dtype=np.int64)])
    around = sums[topology.offsets[1:]] - sums[topology.offsets[:-1]]
    return np.asarray(around, dtype=np.uint8)


class Layout:
    """Where the mines are. Immutable.

    >>> layout = mp.Layout.of("2x3", [(0, 0), 5])
    >>> layout.total, layout.is_mine((0, 0)), layout.cells.names
    (2, True, ('0,0', '1,2'))
    """

    def __init__(self, topology: Topology, mines: NDArray[np.uint8]) -> None:
        check_kind(topology, Topology, "topology", "a Topology")
        self.topology = topology
        bytes_of_cells = f"an array of {len(topology)} bytes, 1 for a mine and 0 for none"
        check_kind(mines, np.ndarray, "mines", bytes_of_cells)
        if mines.shape != (len(topology),) or mines.dtype != np.uint8:
            raise InputError(
                f"mines of {topology.text} are {mines.dtype}{mines.shape}; accepted:"
                f" {bytes_of_cells}"
            )
        self.mines = mines.copy() if mines.flags.writeable else mines
        self.mines.flags.writeable = False

    @classmethod
    def of(cls, topology: Topology | str, cells: Iterable[Place]) -> Layout:
        """The layout with mines in these cells, each a number or coordinates.

        >>> print(Layout.of("2x3", [(0, 0), 5]))
        *21
        12*
        """
        topology = Topology.taken(topology)
        mines = np.zeros(len(topology), dtype=np.uint8)
        mines[list(CellSet.of(topology, cells))] = 1
        return cls(topology, mines)

    @cached_property
    def total(self) -> int:
        return int(self.mines.sum())

    @cached_property
    def counts(self) -> NDArray[np.uint8]:
        """The number of mines around every cell, mines included."""
        counts = count_mines(self.topology, self.mines)
        counts.flags.writeable = False
        return counts

    @property
    def cells(self) -> CellSet:
        return CellSet.of(self.topology, np.flatnonzero(self.mines).tolist())

    def is_mine(self, cell: Place) -> bool:
        if type(cell) is not int or not 0 <= cell < len(self.mines):
            cell = self.topology.cell(cell)
        return bool(self.mines[cell])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.topology == other.topology and bool((self.mines == other.mines).all())

    def __hash__(self) -> int:
        return hash((self.topology, self.mines.tobytes()))

    def __str__(self) -> str:
        """Rows of `*` for mines and clues elsewhere; spaces between where a clue has two digits."""
        wide = bool((self.counts > 9).any())
        counts, mines = self.counts.tolist(), self.mines.tolist()
        return "\n".join(
            (" " if wide else "").join(
                "#" if cell is None else "*" if mines[cell] else str(counts[cell]) for cell in row
            )
            for row in self.topology.rows()
        )

    def __repr__(self) -> str:
        return f"Layout.of({self.topology!r}, {list(self.cells)})"
