"""Triangular cells: rows of triangles that point up and down in turn."""

from __future__ import annotations

from math import sqrt
from typing import ClassVar

import numpy as np

from mineproof.board.lattices.lattice import Edges, Point, grid_edges
from mineproof.board.lattices.square import Square

__all__ = ["Triangle"]

_IN_ROW = ((0, -2), (0, -1), (0, 1), (0, 2))
_TIP = (-1, 0, 1)
_BASE = (-2, -1, 0, 1, 2)


class Triangle(Square):
    """Triangles that touch in a side or a corner are neighbours: twelve inside the board.

    The triangle at (r,c) points up where r+c is even. Beyond its own row it meets three cells
    over its tip and five under its base.
    """

    name: ClassVar[str] = "triangle"
    doc: ClassVar[str] = "triangles that share a side or a corner, twelve neighbours"
    example: ClassVar[str] = "8x16"

    def edges(self) -> Edges:
        ids = np.arange(self.rows * self.cols, dtype=np.int32).reshape(self.rows, self.cols)
        up = (*_IN_ROW, *((-1, c) for c in _TIP), *((1, c) for c in _BASE))
        down = (*_IN_ROW, *((1, c) for c in _TIP), *((-1, c) for c in _BASE))
        return np.concatenate(
            [
                grid_edges(ids, up, where=lambda row, col: (row + col) % 2 == 0),
                grid_edges(ids, down, where=lambda row, col: (row + col) % 2 == 1),
            ]
        )

    def polygon(self, site: int) -> tuple[Point, ...]:
        row, col = divmod(site, self.cols)
        height = sqrt(3)
        top, bottom = row * height, (row + 1) * height
        if (row + col) % 2 == 0:
            return ((col + 1, top), (col + 2, bottom), (col, bottom))
        return ((col, top), (col + 2, top), (col + 1, bottom))
