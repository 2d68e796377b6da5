"""Any graph: an edge list in the board's name, or a JSON file.

    0-1,1-2,2-0,3                      cells 0 to 3; cell 3 touches nothing
    {"cells": 4, "edges": [[0, 1], [1, 2], [2, 0]], "positions": [[0, 0], ...]}

Positions serve the drawing alone; without them the cells stand on a circle.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import cos, hypot, isfinite, pi, sin
from pathlib import Path
from typing import ClassVar, TypeGuard

import numpy as np

from mineproof.board.lattices.lattice import MAX_CELLS, Coordinates, Edges, Point, check_cells
from mineproof.errors import BoardError, quoted

__all__ = ["MAX_NEIGHBOURS", "Graph"]

MAX_NEIGHBOURS = 200
MAX_FILE_BYTES = 64 * 2**20

_INLINE = re.compile(r"\d{1,9}(-\d{1,9})?(,\d{1,9}(-\d{1,9})?)*")
_CORNERS = 12


@dataclass(frozen=True)
class Graph:
    """Cells 0..n-1 and the pairs that touch; a cell's only coordinate is its number."""

    name: ClassVar[str] = "graph"
    doc: ClassVar[str] = "any graph, as an edge list 0-1,1-2 or a JSON file"
    example: ClassVar[str] = "0-1,1-2,2-0"

    cells: int
    pairs: tuple[tuple[int, int], ...]
    positions: tuple[Point, ...] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.cells < 1:
            raise BoardError("graph has no cell; accepted: 1 cell and more")
        check_cells("graph", str(self.cells), self.cells)
        degree = [0] * self.cells
        seen: set[tuple[int, int]] = set()
        for a, b in self.pairs:
            if a == b:
                raise BoardError(f"graph edge {a}-{b} joins a cell to itself; accepted: two cells")
            for cell in (a, b):
                if not 0 <= cell < self.cells:
                    raise BoardError(
                        f"graph edge {a}-{b} names a missing cell; accepted: 0 to {self.cells - 1}"
                    )
            pair = (a, b) if a < b else (b, a)
            if pair in seen:
                raise BoardError(f"graph edge {a}-{b} is listed twice")
            seen.add(pair)
            degree[a] += 1
            degree[b] += 1
        for cell, neighbours in enumerate(degree):
            if neighbours > MAX_NEIGHBOURS:
                raise BoardError(
                    f"graph cell {cell} has {neighbours} neighbours; accepted: at most"
                    f" {MAX_NEIGHBOURS}"
                )
        object.__setattr__(self, "pairs", tuple(sorted(seen)))

    @classmethod
    def parse(cls, shape: str) -> Graph:
        """An inline edge list, else the path of a JSON or edge-list file."""
        if _INLINE.fullmatch(shape):
            return cls._from_list(shape)
        return cls.read(Path(shape))

    @classmethod
    def _from_list(cls, text: str) -> Graph:
        pairs = []
        last = -1
        for word in text.split(","):
            a, dash, b = word.partition("-")
            last = max(last, int(a), int(b or 0))
            if dash:
                pairs.append((int(a), int(b)))
        check_cells("graph", text, last + 1)
        return cls(last + 1, tuple(pairs))

    @classmethod
    def read(cls, path: Path) -> Graph:
        """A JSON graph, or lines of `a b` pairs with `#` comments."""
        try:
            # A pipe or a device named in a position's header would wait for ever.
            if path.exists() and not path.is_file():
                raise ValueError
            with path.open("rb") as file:
                data = file.read(MAX_FILE_BYTES + 1)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a file"
            raise BoardError(
                f"graph {quoted(str(path))} cannot be read ({reason}); accepted: an edge list such"
                f" as {cls.example}, or a file"
            ) from None
        if len(data) > MAX_FILE_BYTES:
            raise BoardError(f"graph {quoted(str(path))} is larger than {MAX_FILE_BYTES} bytes")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BoardError(
                f"graph {quoted(str(path))} is not text (byte {error.start})"
            ) from None
        return cls.from_json(text) if text.lstrip()[:1] == "{" else cls._from_lines(text)

    @classmethod
    def from_json(cls, text: str) -> Graph:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BoardError(f"graph is not JSON: {error}") from None
        if not isinstance(data, dict):
            raise BoardError('graph JSON is no object; accepted: {"cells": 2, "edges": [[0, 1]]}')
        cells, edges = data.get("cells"), data.get("edges")
        if not _is_count(cells) or not isinstance(edges, list):
            raise BoardError('graph JSON lacks "cells" (a number) or "edges" (a list of pairs)')
        for number, edge in enumerate(edges):
            if not (isinstance(edge, list) and len(edge) == 2 and all(map(_is_count, edge))):
                raise BoardError(f"graph edge {number} is not a pair of cell numbers")
        positions = data.get("positions")
        if positions is not None:
            positions = _checked_positions(positions, cells)
        return cls(cells, tuple((a, b) for a, b in edges), positions)

    @classmethod
    def _from_lines(cls, text: str) -> Graph:
        words = []
        for number, line in enumerate(text.splitlines(), 1):
            row = line.partition("#")[0].split()
            if not row:
                continue
            if len(row) > 2 or not all(w.isascii() and w.isdigit() and len(w) <= 9 for w in row):
                raise BoardError(f"graph line {number} is not a cell or a pair of cells: `a b`")
            words.append("-".join(row))
        if not words:
            raise BoardError("graph has no cell; accepted: lines of two cell numbers")
        return cls._from_list(",".join(words))

    @property
    def shape(self) -> str:
        touched = {cell for pair in self.pairs for cell in pair}
        words = [f"{a}-{b}" for a, b in self.pairs]
        words += [str(cell) for cell in range(self.cells) if cell not in touched]
        return ",".join(words)

    @property
    def dimensions(self) -> Coordinates:
        return (self.cells,)

    @property
    def row_lengths(self) -> tuple[int, ...]:
        return (self.cells,)

    @property
    def rows_per_layer(self) -> int:
        return 1

    @property
    def centre(self) -> Coordinates:
        return (self.cells // 2,)

    def coordinates(self, site: int) -> Coordinates:
        return (site,)

    def site(self, coordinates: Coordinates) -> int | None:
        if len(coordinates) != 1 or not 0 <= coordinates[0] < self.cells:
            return None
        return coordinates[0]

    def edges(self) -> Edges:
        pairs = np.array(self.pairs, dtype=np.int32).reshape(-1, 2)
        return np.concatenate([pairs, pairs[:, ::-1]])

    def polygon(self, site: int) -> tuple[Point, ...]:
        if self.positions is not None:
            (x, y), radius = self.positions[site], self._radius
        else:
            # Cells of radius 0.45 on a circle whose neighbours stand one apart.
            ring = 0.5 / sin(pi / self.cells) if self.cells > 1 else 0.0
            angle = 2 * pi * site / self.cells
            x, y, radius = ring * sin(angle), -ring * cos(angle), 0.45
        turns = [2 * pi * k / _CORNERS for k in range(_CORNERS)]
        return tuple((x + radius * cos(t), y + radius * sin(t)) for t in turns)

    @cached_property
    def _radius(self) -> float:
        return _free_radius(self.positions or ())

    def indent(self, row: int) -> int:
        return 0


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_CELLS


def _checked_positions(positions: object, cells: int) -> tuple[Point, ...]:
    if not isinstance(positions, list) or len(positions) != cells:
        raise BoardError(f'graph "positions" is not a list of {cells} points [x, y]')
    points = []
    for number, point in enumerate(positions):
        numbers = isinstance(point, list) and all(
            isinstance(v, int | float) and not isinstance(v, bool) and abs(v) < 1e9 and isfinite(v)
            for v in point
        )
        if not numbers or len(point) != 2:
            raise BoardError(f"graph position {number} is not a point [x, y]")
        points.append((float(point[0]), float(point[1])))
    if len(set(points)) < len(points):
        raise BoardError("graph positions: two cells stand on the same point")
    return tuple(points)


def _free_radius(points: Sequence[Point]) -> float:
    """A radius at which circles around all points stay apart.

    A sweep by x. Points nearer in x than the best distance so far are kept, sorted by y. Of these,
    only the points nearer in y have to be compared; they are few, because they stand apart.
    """
    ordered = sorted(points)
    near: list[Point] = []
    best = 1.0
    oldest = 0
    for x, y in ordered:
        while x - ordered[oldest][0] >= best:
            gone = (ordered[oldest][1], ordered[oldest][0])
            del near[bisect_left(near, gone)]
            oldest += 1
        place = bisect_left(near, (y - best, x - best))
        while place < len(near) and near[place][0] - y < best:
            best = min(best, hypot(near[place][1] - x, near[place][0] - y))
            place += 1
        insort(near, (y, x))
    return 0.45 * best
