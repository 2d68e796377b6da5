"""Square boards: eight neighbours, four neighbours, and eight on a torus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from mineproof.board.lattices.lattice import Coordinates, Edges, Point, grid_edges, parse_sizes

__all__ = ["EIGHT", "Square", "Square4", "Torus"]

FOUR = ((0, 1), (1, 0), (0, -1), (-1, 0))
EIGHT = (*FOUR, (1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass(frozen=True)
class Square:
    """The ordinary board: rows and columns, eight neighbours."""

    name: ClassVar[str] = "square"
    doc: ClassVar[str] = "rows and columns, eight neighbours"
    example: ClassVar[str] = "16x30"
    _offsets: ClassVar[tuple[Coordinates, ...]] = EIGHT
    _wraps: ClassVar[bool] = False

    rows: int
    cols: int

    @classmethod
    def parse(cls, shape: str) -> Self:
        rows, cols = parse_sizes(cls.name, shape, 2, cls.example)
        return cls(rows, cols)

    @property
    def shape(self) -> str:
        return f"{self.rows}x{self.cols}"

    @property
    def dimensions(self) -> Coordinates:
        return (self.rows, self.cols)

    @property
    def row_lengths(self) -> tuple[int, ...]:
        return (self.cols,) * self.rows

    @property
    def rows_per_layer(self) -> int:
        return self.rows

    @property
    def centre(self) -> Coordinates:
        return (self.rows // 2, self.cols // 2)

    def coordinates(self, site: int) -> Coordinates:
        return divmod(site, self.cols)

    def site(self, coordinates: Coordinates) -> int | None:
        if len(coordinates) != 2:
            return None
        row, col = coordinates
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            return None
        return row * self.cols + col

    def edges(self) -> Edges:
        ids = np.arange(self.rows * self.cols, dtype=np.int32).reshape(self.rows, self.cols)
        return grid_edges(ids, self._offsets, wrap=self._wraps)

    def polygon(self, site: int) -> tuple[Point, ...]:
        row, col = divmod(site, self.cols)
        return ((col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1))

    def indent(self, row: int) -> int:
        return 0


class Square4(Square):
    """Rows and columns; only the four cells that share a side are neighbours."""

    name: ClassVar[str] = "square4"
    doc: ClassVar[str] = "rows and columns, the four neighbours that share a side"
    _offsets: ClassVar[tuple[Coordinates, ...]] = FOUR


class Torus(Square):
    """Rows and columns whose opposite edges touch; eight neighbours everywhere."""

    name: ClassVar[str] = "torus"
    doc: ClassVar[str] = "a square board whose opposite edges touch"
    _wraps: ClassVar[bool] = True
