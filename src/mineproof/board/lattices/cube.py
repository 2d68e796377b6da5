"""Boards in space: layers of rows of cells, twenty-six neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import ClassVar

import numpy as np

from mineproof.board.lattices.lattice import Coordinates, Edges, Point, grid_edges, parse_sizes

__all__ = ["Cube"]

_OFFSETS = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))


@dataclass(frozen=True)
class Cube:
    """Layers, rows and columns; a cell touches the 26 around it. Drawn layer beside layer."""

    name: ClassVar[str] = "cube"
    doc: ClassVar[str] = "layers of rows and columns, twenty-six neighbours"
    example: ClassVar[str] = "4x4x4"

    layers: int
    rows: int
    cols: int

    @classmethod
    def parse(cls, shape: str) -> Cube:
        return cls(*parse_sizes(cls.name, shape, 3, cls.example))

    @property
    def shape(self) -> str:
        return f"{self.layers}x{self.rows}x{self.cols}"

    @property
    def dimensions(self) -> Coordinates:
        return (self.layers, self.rows, self.cols)

    @property
    def row_lengths(self) -> tuple[int, ...]:
        return (self.cols,) * (self.layers * self.rows)

    @property
    def rows_per_layer(self) -> int:
        return self.rows

    @property
    def centre(self) -> Coordinates:
        return (self.layers // 2, self.rows // 2, self.cols // 2)

    def coordinates(self, site: int) -> Coordinates:
        above, col = divmod(site, self.cols)
        layer, row = divmod(above, self.rows)
        return (layer, row, col)

    def site(self, coordinates: Coordinates) -> int | None:
        if len(coordinates) != 3:
            return None
        layer, row, col = coordinates
        if not (0 <= layer < self.layers and 0 <= row < self.rows and 0 <= col < self.cols):
            return None
        return (layer * self.rows + row) * self.cols + col

    def edges(self) -> Edges:
        cells = self.layers * self.rows * self.cols
        ids = np.arange(cells, dtype=np.int32).reshape(self.layers, self.rows, self.cols)
        return grid_edges(ids, _OFFSETS)

    def polygon(self, site: int) -> tuple[Point, ...]:
        layer, row, col = self.coordinates(site)
        x = layer * (self.cols + 1) + col
        return ((x, row), (x + 1, row), (x + 1, row + 1), (x, row + 1))

    def indent(self, row: int) -> int:
        return 0
