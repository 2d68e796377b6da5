"""Every kind of board: squares, hexagons, triangles, cubes and graphs; `LATTICES` lists them all.

A lattice says where its sites are, which of them touch, and how to draw them. It knows nothing of
mines or of blocked cells: `Topology` takes a lattice, leaves out the blocked sites and numbers what
remains. Nothing after `board/` asks which lattice it was.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, product
from math import cos, hypot, isfinite, pi, prod, sin, sqrt
from pathlib import Path
from typing import ClassVar, Protocol, Self, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import BoardError, quoted
from mineproof.registry import Catalog

__all__ = ["LATTICES", "MAX_CELLS", "Coordinates", "Lattice", "Point"]


# -- The protocol of a lattice, and what several of them use -------------------

Coordinates: TypeAlias = tuple[int, ...]
Point: TypeAlias = tuple[float, float]
Edges: TypeAlias = NDArray[np.int32]

MAX_CELLS = 4_000_000


class Lattice(Protocol):
    """One family of boards. Sites are numbered row by row, as a text lists them.

    What has a body here holds for boards of straight rows; other families say it themselves.
    """

    name: ClassVar[str]
    doc: ClassVar[str]
    example: ClassVar[str]

    @classmethod
    def parse(cls, shape: str) -> Lattice:
        """The lattice of a shape text such as `16x30`; raises BoardError."""
        ...

    @property
    def shape(self) -> str:
        """The shape text that `parse` reads back."""
        return "x".join(map(str, self.dimensions))

    @property
    def dimensions(self) -> Coordinates:
        """The sizes: rows and columns on plane boards."""
        ...

    @property
    def row_lengths(self) -> Sequence[int]:
        """How many sites stand in each row of the text form."""
        return (self.dimensions[-1],) * prod(self.dimensions[:-1])

    @property
    def rows_per_layer(self) -> int:
        """After how many rows the text form has an empty line."""
        return self.dimensions[-2]

    @property
    def centre(self) -> Coordinates:
        return tuple(size // 2 for size in self.dimensions)

    def coordinates(self, site: int) -> Coordinates: ...

    def site(self, coordinates: Coordinates) -> int | None:
        """The site at these coordinates, or None where there is none."""
        ...

    def edges(self) -> Edges:
        """Pairs of touching sites, shape (m, 2), in both directions; repeats are allowed."""
        ...

    def polygon(self, site: int) -> tuple[Point, ...]:
        """The outline of a site in the plane, y downwards; outlines do not overlap."""
        ...

    def indent(self, row: int) -> int:
        """How many half cells a row of the text is moved to the right when drawn."""
        return 0


def parse_sizes(name: str, shape: str, count: int, example: str) -> Coordinates:
    """`count` sizes written `16x30`, each at least 1 and together at most MAX_CELLS cells."""
    words = shape.split("x")
    if len(words) != count or not all(w.isascii() and w.isdigit() and len(w) <= 9 for w in words):
        raise BoardError(f"{name} size {quoted(shape)} cannot be read; accepted: such as {example}")
    sizes = tuple(map(int, words))
    if min(sizes) < 1:
        raise BoardError(f"{name} size {shape} has a side of 0; accepted: sides of 1 and more")
    check_cells(name, shape, prod(sizes))
    return sizes


def check_cells(name: str, shape: str, cells: int) -> None:
    """Refuse boards past the limit."""
    if cells > MAX_CELLS:
        raise BoardError(
            f"{name} size {quoted(shape)} has {cells} cells; accepted: at most {MAX_CELLS}"
        )


def grid_ids(dimensions: Coordinates) -> NDArray[np.int32]:
    """The sites of a grid, each at its coordinates."""
    return np.arange(prod(dimensions), dtype=np.int32).reshape(dimensions)


def grid_edges(
    ids: NDArray[np.int32],
    offsets: Sequence[Coordinates],
    *,
    wrap: bool = False,
    where: Callable[..., NDArray[np.bool_]] | None = None,
) -> Edges:
    """Edges from every id of a grid to the id at each offset.

    Negative ids mark holes. With `wrap` the grid is closed to a torus. `where` takes the index
    grids of a source and says which sources have this set of offsets.
    """
    chosen = np.ones(ids.shape, dtype=bool)
    if where is not None:
        chosen = where(*np.indices(ids.shape, sparse=True)) & chosen
    pairs = []
    for offset in offsets:
        if wrap:
            targets = np.roll(ids, tuple(-step for step in offset), axis=tuple(range(ids.ndim)))
            keep = chosen
            sources = ids
        else:
            here = tuple(slice(max(0, -s), ids.shape[k] - max(0, s)) for k, s in enumerate(offset))
            there = tuple(slice(max(0, s), ids.shape[k] + min(0, s)) for k, s in enumerate(offset))
            if any(part.stop <= part.start for part in here):
                continue
            sources, targets, keep = ids[here], ids[there], chosen[here]
        keep = keep & (sources >= 0) & (targets >= 0) & (sources != targets)
        pairs.append(np.stack([sources[keep], targets[keep]], axis=1))
    if not pairs:
        return np.empty((0, 2), dtype=np.int32)
    return np.concatenate(pairs).astype(np.int32, copy=False)


# -- Square boards: eight neighbours, four neighbours, and eight on a torus ----

FOUR = ((0, 1), (1, 0), (0, -1), (-1, 0))
EIGHT = (*FOUR, (1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass(frozen=True)
class Square(Lattice):
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
    def dimensions(self) -> Coordinates:
        return (self.rows, self.cols)

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
        return grid_edges(grid_ids(self.dimensions), self._offsets, wrap=self._wraps)

    def polygon(self, site: int) -> tuple[Point, ...]:
        row, col = divmod(site, self.cols)
        return ((col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1))


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


# -- Hexagonal cells: the rhombus of report 2, and the hexagon -----------------

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
class Hexagon(Lattice):
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

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        return tuple(accumulate(self.row_lengths, initial=0))

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


# -- Triangular cells: rows of triangles that point up and down in turn --------

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
        ids = grid_ids(self.dimensions)
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


# -- Boards in space: layers of rows of cells, twenty-six neighbours -----------

_OFFSETS = tuple(step for step in product((-1, 0, 1), repeat=3) if any(step))


@dataclass(frozen=True)
class Cube(Lattice):
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
    def dimensions(self) -> Coordinates:
        return (self.layers, self.rows, self.cols)

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
        return grid_edges(grid_ids(self.dimensions), _OFFSETS)

    def polygon(self, site: int) -> tuple[Point, ...]:
        layer, row, col = self.coordinates(site)
        x = layer * (self.cols + 1) + col
        return ((x, row), (x + 1, row), (x + 1, row + 1), (x, row + 1))


# ----------------------------------------------------------------------------
# Any graph: an edge list in the board's name, or a JSON file.
#
#     0-1,1-2,2-0,3                      cells 0 to 3; cell 3 touches nothing
#     {"cells": 4, "edges": [[0, 1], [1, 2], [2, 0]], "positions": [[0, 0], ...]}
#
# Positions serve the drawing alone; without them the cells stand on a circle.

MAX_NEIGHBOURS = 200
MAX_PAIRS = 1_000_000
MAX_FILE_BYTES = 64 * 2**20

# Without a way back (`++`, `*+`): else the matcher keeps 400 bytes for every pair.
_INLINE = re.compile(r"\d{1,9}(?:-\d{1,9})?+(?:,\d{1,9}(?:-\d{1,9})?+)*+")
_CORNERS = 12


@dataclass(frozen=True)
class Graph(Lattice):
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
        # Counted before it is taken apart: a header of 45 MB would take 1.9 GB.
        if (words := text.count(",") + 1) > MAX_PAIRS:
            raise BoardError(
                f"graph {quoted(text)} lists {words} cells and pairs; accepted: at most {MAX_PAIRS}"
            )
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
            positions = checked_positions(positions, cells)
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
    def rows_per_layer(self) -> int:
        return 1

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


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_CELLS


def checked_positions(positions: object, cells: int) -> tuple[Point, ...]:
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


# -- The catalog ---------------------------------------------------------------

LATTICES: Catalog[type[Lattice]] = Catalog("topology")
for _lattice in (Square, Square4, Torus, Rhombus, Hexagon, Triangle, Cube, Graph):
    LATTICES.add(_lattice.name, _lattice)
