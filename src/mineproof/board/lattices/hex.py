"""Hexagonal cells: the rhombus of report 2, and the hexagon."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import sqrt
from typing import ClassVar

import numpy as np

from mineproof.board.lattices.lattice import (
    Coordinates,
    Edges,
    Point,
    check_cells,
    grid_edges,
    parse_sizes,
)
from mineproof.board.lattices.square import Square

__all__ = ["Hexagon", "Rhombus"]

SIX = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1))

_HALF_WIDTH = sqrt(3) / 2
_OUTLINE = (
    (0.0, -1.0),
    (_HALF_WIDTH, -0.5),
    (_HALF_WIDTH, 0.5),
    (0.0, 1.0),
    (-_HALF_WIDTH, 0.5),
    (-_HALF_WIDTH, -0.5),
)


def _outline(half_steps: int, row: int) -> tuple[Point, ...]:
    """A pointed-top hexagon, `half_steps` half cells from the left in its row."""
    x, y = (half_steps + 1) * _HALF_WIDTH, row * 1.5 + 1.0
    return tuple((x + dx, y + dy) for dx, dy in _OUTLINE)


class Rhombus(Square):
    """Hexagonal cells in a rhombus; (r,c) touches (r-1,c-1) and (r+1,c+1), but not (r-1,c+1)."""

    name: ClassVar[str] = "hex"
    doc: ClassVar[str] = "hexagonal cells in a rhombus, six neighbours"
    example: ClassVar[str] = "11x11"
    _offsets: ClassVar[tuple[Coordinates, ...]] = SIX

    def polygon(self, site: int) -> tuple[Point, ...]:
        row, col = divmod(site, self.cols)
        return _outline(2 * col + self.indent(row), row)

    def indent(self, row: int) -> int:
        return self.rows - 1 - row


@dataclass(frozen=True)
class Hexagon:
    """Hexagonal cells in a hexagon with `side` cells along each edge; rows count from the top."""

    name: ClassVar[str] = "hexagon"
    doc: ClassVar[str] = "hexagonal cells in a hexagon, six neighbours"
    example: ClassVar[str] = "5"

    side: int

    @classmethod
    def parse(cls, shape: str) -> Hexagon:
        (side,) = parse_sizes(cls.name, shape, 1, cls.example)
        check_cells(cls.name, shape, 3 * side * (side - 1) + 1)
        return cls(side)

    @property
    def shape(self) -> str:
        return str(self.side)

    @property
    def dimensions(self) -> Coordinates:
        return (2 * self.side - 1, 2 * self.side - 1)

    @cached_property
    def row_lengths(self) -> tuple[int, ...]:
        last = 2 * self.side - 2
        return tuple(last + 1 - abs(row - self.side + 1) for row in range(last + 1))

    @property
    def rows_per_layer(self) -> int:
        return 2 * self.side - 1

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(accumulate(self.row_lengths, initial=0))

    @property
    def centre(self) -> Coordinates:
        return (self.side - 1, self.side - 1)

    def coordinates(self, site: int) -> Coordinates:
        row = bisect_right(self._starts, site) - 1
        return (row, site - self._starts[row])

    def site(self, coordinates: Coordinates) -> int | None:
        if len(coordinates) != 2:
            return None
        row, col = coordinates
        if not (0 <= row < len(self.row_lengths) and 0 <= col < self.row_lengths[row]):
            return None
        return self._starts[row] + col

    def edges(self) -> Edges:
        # The hexagon is a rhombus with two corners cut off; below the middle rows start later.
        width = 2 * self.side - 1
        ids = np.full((width, width), -1, dtype=np.int32)
        for row, length in enumerate(self.row_lengths):
            first = max(0, row - self.side + 1)
            ids[row, first : first + length] = np.arange(length) + self._starts[row]
        return grid_edges(ids, SIX)

    def polygon(self, site: int) -> tuple[Point, ...]:
        row, col = self.coordinates(site)
        return _outline(2 * col + self.indent(row), row)

    def indent(self, row: int) -> int:
        return abs(row - self.side + 1)
