"""A board is a graph: cells 0..n-1, and which of them touch.

A `Topology` is a lattice without its blocked cells. It numbers the cells row by row, knows their
coordinates, neighbours and outlines, and has a text such as `hex:7x7` or `square:9x9#0,0;8,8`.
Everything after `board/` works on cell numbers and neighbours alone.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import index
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.board.lattices import LATTICES, Coordinates, Graph, Lattice, Point, checked_positions
from mineproof.errors import (
    BoardError,
    InputError,
    as_given,
    as_int,
    check_kind,
    each_of,
    quoted,
    text_of,
)
from mineproof.graphs import distances
from mineproof.registry import OldName
from mineproof.text import plural

Place: TypeAlias = int | np.integer[Any] | Sequence[int] | str
"""A cell as a caller names it: its number, its coordinates, or their text such as `3,4`."""

_MEMO_CELLS = 200_000
# The meaning of a shape is cached; a file may change.
_NAMES_A_FILE = re.compile(r"[^\dx,-]")
_COORDINATES = re.compile(r"\d{1,9}(,\d{1,9})*")
_PLACES = (int, np.integer, tuple, list, str)


def parse_coordinates(text: str) -> Coordinates:
    """Coordinates written `row,column`."""
    if not _COORDINATES.fullmatch(text):
        raise InputError(f"cell {quoted(text)} cannot be read; accepted: coordinates such as 3,4")
    return tuple(map(int, text.split(",")))


def cell_name(coordinates: Coordinates) -> str:
    """Coordinates as all output writes them: `row,column`."""
    return ",".join(map(str, coordinates))


class Topology:
    """The graph of a board. Immutable; equal if the lattice and the blocked cells are equal.

    >>> hexagons = mp.Topology.parse("hex:3x3")
    >>> len(hexagons), [hexagons.coordinates(near) for near in hexagons.neighbours((0, 0))]
    (9, [(0, 1), (1, 0), (1, 1)])
    """

    def __init__(self, lattice: Lattice, blocked: Iterable[Coordinates] = ()) -> None:
        if not hasattr(lattice, "row_lengths"):
            raise InputError(
                f"{as_given(lattice)} is no lattice; accepted: one, or a text by Topology.parse"
            )
        self.lattice = lattice
        sites = sum(lattice.row_lengths)
        holes = set()
        for coordinates in each_of(blocked, "blocked", "cells by their coordinates"):
            check_kind(coordinates, Sequence, "blocked cell", "its coordinates, such as (0, 0)")
            site = lattice.site(tuple(as_int(part, "coordinate") for part in coordinates))
            if site is None:
                raise BoardError(
                    f"blocked cell {cell_name(coordinates)} is off the {lattice.name} board"
                    f" {quoted(lattice.shape)}"
                )
            holes.add(site)
        if len(holes) == sites:
            raise BoardError("every cell is blocked; accepted: at least one cell to play on")
        self._holes = tuple(sorted(holes))
        self._size = sites - len(holes)
        self._near: list[tuple[int, ...] | None] = (
            [None] * self._size if self._size <= _MEMO_CELLS else []
        )

    @classmethod
    def parse(cls, text: str, *, files: bool = True) -> Topology:
        """A text such as `16x30`, `hex:7x7`, `square:9x9#0,0;8,8` or `graph:0-1,1-2`.

        Without `files` a graph must be written out: a text from elsewhere opens no file here.
        """
        name, colon, rest = text_of(text, "topology").partition(":")
        if not colon:
            name, rest = "square", text
        shape, mark, blocked = rest.partition("#")
        if mark and not blocked:
            raise BoardError(f"board {quoted(text)} names no blocked cell after #")
        holes = map(parse_coordinates, blocked.split(";")) if mark else ()
        return cls.of(name, shape, holes, files=files)

    @classmethod
    def from_edges(
        cls,
        edges: object,
        cells: Iterable[Hashable] | None = None,
        positions: Mapping[Any, tuple[float, float]] | None = None,
    ) -> Topology:
        """The board of a graph: pairs of cells that touch, or a graph of networkx.

        Cells may be called anything: `labels` are their names in the order of their numbers, and
        `labelled` finds the number. They are numbered as `cells` lists them (those of a graph as it
        does), else as the pairs name them first; 0 to n-1 keep their numbers. `positions` are for
        drawings. Raises BoardError.
        """
        nodes = getattr(edges, "nodes", None)
        if nodes is not None and cells is None:
            cells = list(nodes)
        listed: Any = getattr(edges, "edges", edges) if nodes is not None else edges
        accepted = 'pairs of cells, such as [("a", "b")]'
        pairs = []
        for edge in each_of(listed() if callable(listed) else listed, "edges", accepted):
            if isinstance(edge, str) or not isinstance(edge, Sequence) or len(edge) < 2:
                raise BoardError(f"edge {as_given(edge)} is no pair; accepted: {accepted}")
            pairs.append((edge[0], edge[1]))
        named = [end for pair in pairs for end in pair]
        try:
            labels = tuple(dict.fromkeys(named if cells is None else cells))
            strange = next((end for end in named if end not in set(labels)), None)
        except TypeError as error:
            raise BoardError(
                f"cells of edges: {error}; accepted: such as numbers or texts"
            ) from None
        if strange is not None:
            raise BoardError(f"edge to {as_given(strange)}, which is none of the cells")
        if all(type(label) is int for label in labels) and set(labels) == set(range(len(labels))):
            labels = tuple(range(len(labels)))
        number = {label: cell for cell, label in enumerate(labels)}
        joined = {tuple(sorted((number[a], number[b]))) for a, b in pairs}
        placed = None
        if positions is not None:
            for label in labels:
                if label not in positions:
                    raise BoardError(f"cell {as_given(label)} has no position")
            points = [list(map(float, positions[label])) for label in labels]
            placed = checked_positions(points, len(labels))
        topology = cls(Graph(len(labels), tuple((a, b) for a, b in sorted(joined)), placed))
        topology.__dict__["labels"] = labels
        return topology

    @cached_property
    def labels(self) -> tuple[Hashable, ...]:
        """What `from_edges` was told the cells are called; elsewhere their coordinates."""
        return tuple(self.coordinates(cell) for cell in self.cells)

    def labelled(self, label: Hashable) -> int:
        """The number of the cell of that label. Raises InputError."""
        try:
            return self._numbers[label]
        except (KeyError, TypeError):
            raise InputError(
                f"no cell is called {as_given(label)}; accepted: one of `labels`"
            ) from None

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        return {label: cell for cell, label in enumerate(self.labels)}

    taken = OldName(lambda topology: as_topology(topology))

    @classmethod
    def of(
        cls, name: str, shape: str, blocked: Iterable[Coordinates] = (), *, files: bool = True
    ) -> Topology:
        """The topology of a lattice by name and shape text."""
        name, shape = text_of(name, "topology"), text_of(shape, f"{name} shape")
        blocked = tuple(each_of(blocked, "blocked", "cells by their coordinates"))
        if not shape or _NAMES_A_FILE.search(shape):
            if not files:
                raise BoardError(
                    f"{name} shape {quoted(shape)} cannot be read here; accepted: such as"
                    f" {LATTICES[name].example}"
                )
            return cls(LATTICES[name].parse(shape), blocked)
        return _topology(name, shape, blocked)

    @property
    def name(self) -> str:
        return self.lattice.name

    @property
    def shape(self) -> str:
        return self.lattice.shape

    @cached_property
    def text(self) -> str:
        blocked = ";".join(cell_name(self.lattice.coordinates(hole)) for hole in self._holes)
        return f"{self.name}:{self.shape}" + (f"#{blocked}" if blocked else "")

    @property
    def blocked(self) -> tuple[Coordinates, ...]:
        return tuple(self.lattice.coordinates(hole) for hole in self._holes)

    def __len__(self) -> int:
        return self._size

    @property
    def cells(self) -> range:
        return range(self._size)

    @cached_property
    def _sites(self) -> NDArray[np.int64] | None:
        """The site of every cell; None if all are the same."""
        if not self._holes:
            return None
        return np.delete(np.arange(self._size + len(self._holes)), self._holes)

    @cached_property
    def _cell_of_site(self) -> NDArray[np.int32]:
        cells = np.ones(self._size + len(self._holes), dtype=np.int32)
        cells[list(self._holes)] = 0
        numbers = np.cumsum(cells, dtype=np.int32) - 1
        numbers[list(self._holes)] = -1
        return numbers

    def _site(self, cell: Place) -> int:
        """The number of a cell in the lattice, where blocked cells count too."""
        if type(cell) is not int or not 0 <= cell < self._size:
            cell = self.cell(cell)
        return cell if self._sites is None else int(self._sites[cell])

    def coordinates(self, cell: Place) -> Coordinates:
        return self.lattice.coordinates(self._site(cell))

    site = OldName(_site)

    def cell(self, place: Place) -> int:
        """The number of the cell that a number or coordinates name. Raises InputError.

        >>> Topology.parse("9x9").cell((1, 2))
        11
        """
        if isinstance(place, int | np.integer):
            if not 0 <= place < self._size or isinstance(place, bool):
                raise InputError(
                    f"cell {place} is not on the board; accepted: 0..{self._size - 1}, or"
                    " coordinates"
                )
            return int(place)
        coordinates = parse_coordinates(place) if isinstance(place, str) else _coordinates(place)
        site = self.lattice.site(coordinates)
        if site is not None and self._holes:
            found = int(self._cell_of_site[site])
            site = found if found >= 0 else None
        if site is None:
            count = len(self.lattice.dimensions)
            sizes = " x ".join(map(str, self.lattice.dimensions))
            raise InputError(
                f"cell {quoted(cell_name(coordinates))} is not on the board; accepted: {count}"
                f" coordinate{plural(count)} from 0 on a board of {sizes}"
            )
        return site

    def find(self, place: object) -> int | None:
        """The number of a cell; None for what names no cell of this board, as `in` asks."""
        try:
            return self.cell(place) if isinstance(place, _PLACES) else None
        except InputError:
            return None

    def cell_name(self, cell: Place) -> str:
        return cell_name(self.coordinates(cell))

    @cached_property
    def _adjacency(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        edges = self.lattice.edges().astype(np.int64)
        if self._holes:
            edges = self._cell_of_site[edges].astype(np.int64)
            edges = edges[(edges >= 0).all(axis=1)]
        # A lattice lists its edges offset by offset, so the keys are a few sorted runs, which a
        # stable sort merges in linear time.
        keys = np.sort(edges[:, 0] * self._size + edges[:, 1], kind="stable")
        keys = keys[np.concatenate([[True], np.diff(keys) > 0])] if keys.size else keys
        sources, targets = keys // self._size, (keys % self._size).astype(np.int32)
        degrees = np.bincount(sources, minlength=self._size)
        offsets = np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)
        offsets.flags.writeable = targets.flags.writeable = False
        return offsets, targets

    @property
    def offsets(self) -> NDArray[np.int32]:
        """Cell `c` touches `targets[offsets[c]:offsets[c + 1]]`, in ascending order."""
        return self._adjacency[0]

    @property
    def targets(self) -> NDArray[np.int32]:
        return self._adjacency[1]

    @cached_property
    def degrees(self) -> NDArray[np.int32]:
        return np.diff(self.offsets)

    def degree(self, cell: Place) -> int:
        """How many cells touch a cell."""
        if type(cell) is not int or not 0 <= cell < self._size:
            cell = self.cell(cell)
        return int(self.degrees[cell])

    def neighbours(self, cell: Place) -> tuple[int, ...]:
        """The cells that touch a cell, in ascending order."""
        if type(cell) is not int or not 0 <= cell < self._size:
            cell = self.cell(cell)
        if self._near and (known := self._near[cell]) is not None:
            return known
        offsets, targets = self._adjacency
        near = tuple(targets[offsets[cell] : offsets[cell + 1]].tolist())
        if self._near:
            self._near[cell] = near
        return near

    def rows(self) -> Iterator[list[int | None]]:
        """The rows of the text form: a cell's number, or None where no cell is."""
        site = 0
        numbers: Sequence[int] = self._cell_of_site.tolist() if self._holes else self.cells
        for length in self.lattice.row_lengths:
            row = numbers[site : site + length]
            yield [cell if cell >= 0 else None for cell in row]
            site += length

    def grid(self, values: NDArray[Any], empty: object) -> NDArray[Any]:
        """A value for every cell as an array in the board's shape, with `empty` off the board.

        Its axes are the coordinates: rows and columns, or layers, rows and columns.
        """
        grid = np.full(self.lattice.dimensions, empty, dtype=values.dtype)
        grid[self._axes] = values
        return grid

    @cached_property
    def _axes(self) -> tuple[NDArray[np.intp], ...]:
        """The coordinates of all cells, one array an axis."""
        where = [self.coordinates(cell) for cell in self.cells]
        return tuple(np.array(where, dtype=np.intp).T)

    def cells_of(self, places: Iterable[Place], what: str = "cells") -> list[int]:
        """The numbers of the cells that a list names. Raises InputError, which says `what`."""
        accepted = "a list of cells, such as [0, (1, 2)]"
        return [self.cell(place) for place in each_of(places, what, accepted)]

    def steps_to(self, cell: Place, wanted: Iterable[Place]) -> dict[int, int]:
        """Distances in steps from a cell to those cells that can be reached.

        Cells passed on the way are included; the search goes no farther than needed.
        """
        start = self.cell(cell)
        return distances([start], self.neighbours, until=self.cells_of(wanted, "wanted"))

    @property
    def corner(self) -> int:
        """The first cell."""
        return 0

    @property
    def centre(self) -> int:
        """The cell in the middle; if it is blocked, the first of the nearest by coordinates."""
        middle = self.lattice.centre

        def away(cell: int) -> int:
            return sum((x - y) ** 2 for x, y in zip(self.coordinates(cell), middle, strict=True))

        return min(self.cells, key=away) if self._holes else self.cell(middle)

    def polygon(self, cell: Place) -> tuple[Point, ...]:
        """The outline of a cell in the plane, y downwards."""
        return self.lattice.polygon(self._site(self.cell(cell)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Topology):
            return NotImplemented
        return self is other or (self.lattice == other.lattice and self._holes == other._holes)

    def __hash__(self) -> int:
        return hash((self.lattice, self._holes))

    def __repr__(self) -> str:
        return f"Topology.parse({self.text!r})"


def _coordinates(place: Sequence[int]) -> Coordinates:
    try:
        return tuple(map(index, place))
    except TypeError:
        raise InputError(
            f"cell {as_given(place)} cannot be read; accepted: a number, or coordinates such"
            " as (3, 4)"
        ) from None


def as_topology(topology: Topology | str) -> Topology:
    """The topology that a caller means by a value or its text. Raises InputError."""
    return topology if isinstance(topology, Topology) else Topology.parse(topology)


@lru_cache(maxsize=16)
def _topology(name: str, shape: str, blocked: tuple[Coordinates, ...]) -> Topology:
    return Topology(LATTICES[name].parse(shape), blocked)


# -- Sets of cells: a mask inside, a set outside, a board when printed ---------


@dataclass(frozen=True)
class CellSet:
    """A set of cells of one topology; bit `c` of `mask` is cell `c`.

    >>> board = mp.Topology.parse("2x3")
    >>> print(mp.CellSet.of(board, [0, (1, 1)]))
    x..
    .x.
    """

    topology: Topology
    mask: int = 0

    def __post_init__(self) -> None:
        check_kind(self.topology, Topology, "topology", "a Topology")
        if as_int(self.mask, "mask") < 0 or self.mask >> len(self.topology):
            raise InputError(
                f"mask holds cells off the board; accepted: 0..{len(self.topology) - 1}"
            )

    @classmethod
    def of(cls, topology: Topology | str, cells: Iterable[Place]) -> CellSet:
        """The set of these cells, each a number or coordinates. Raises InputError."""
        topology = as_topology(topology)
        size = len(topology)
        flags = bytearray((size + 7) // 8)
        for cell in each_of(cells, "cells", "a list of cells, such as [0, (1, 2)]"):
            if type(cell) is not int or not 0 <= cell < size:
                cell = topology.cell(cell)
            flags[cell >> 3] |= 1 << (cell & 7)
        return cls(topology, int.from_bytes(flags, "little"))

    @classmethod
    def parse(cls, topology: Topology | str, text: str) -> CellSet:
        """Read what `str` prints: rows of `x` (in), `.` (out) and `#` (no cell)."""
        topology = as_topology(topology)
        marks = [mark for line in text_of(text, "cell set").split("\n") for mark in line.strip()]
        places = [cell for row in topology.rows() for cell in row]
        if len(marks) != len(places):
            raise InputError(f"{len(marks)} marks for {len(places)} places of the board")
        chosen = []
        for mark, cell in zip(marks, places, strict=True):
            if mark not in ("#" if cell is None else "x."):
                raise InputError(f"mark {mark!r} in a cell set; accepted: x, . and # for no cell")
            if cell is not None and mark == "x":
                chosen.append(cell)
        return cls.of(topology, chosen)

    def __iter__(self) -> Iterator[int]:
        data = self.mask.to_bytes((len(self.topology) + 7) // 8, "little")
        for place, byte in enumerate(data):
            while byte:
                low = byte & -byte
                yield place * 8 + low.bit_length() - 1
                byte ^= low

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, cell: object) -> bool:
        number = cell if type(cell) is int else self.topology.find(cell)
        return number is not None and number >= 0 and bool(self.mask >> number & 1)

    def __or__(self, other: CellSet) -> CellSet:
        return CellSet(self.topology, self.mask | self._mask_of(other))

    def __and__(self, other: CellSet) -> CellSet:
        return CellSet(self.topology, self.mask & self._mask_of(other))

    def __sub__(self, other: CellSet) -> CellSet:
        return CellSet(self.topology, self.mask & ~self._mask_of(other))

    def __xor__(self, other: CellSet) -> CellSet:
        return CellSet(self.topology, self.mask ^ self._mask_of(other))

    def __le__(self, other: CellSet) -> bool:
        return not self.mask & ~self._mask_of(other)

    def isdisjoint(self, other: CellSet) -> bool:
        return not self.mask & self._mask_of(other)

    def _mask_of(self, other: CellSet) -> int:
        if not isinstance(other, CellSet):
            raise InputError(
                f"{as_given(other)} is no cell set; accepted: such as CellSet.of(topology, cells)"
            )
        if other.topology != self.topology:
            raise InputError("cell sets of different boards cannot be combined")
        return other.mask

    @property
    def names(self) -> tuple[str, ...]:
        """The cells by their coordinates."""
        return tuple(map(self.topology.cell_name, self))

    def __str__(self) -> str:
        chosen = set(self)
        return "\n".join(
            "".join("#" if cell is None else ".x"[cell in chosen] for cell in row)
            for row in self.topology.rows()
        )

    def __repr__(self) -> str:
        return f"CellSet.of({self.topology!r}, {list(self)})"


# -- Many cells in few words: neighbours in a row are named by the first and the last of them --

_SHORTEST = 3
"""A run of fewer cells is named cell by cell."""


def folded_names(topology: Topology, cells: Iterable[int]) -> list[str]:
    """The names of cells by rising number, and `2,3..2,9` for three or more in a row.

    >>> folded_names(Topology.parse("3x9"), [0, 1, 2, 3, 8, 12, 13])
    ['0,0..0,3', '0,8', '1,3', '1,4']
    """
    runs: list[list[tuple[int, ...]]] = []
    for cell in sorted(cells):
        here = topology.coordinates(cell)
        if runs and _follows(runs[-1][-1], here):
            runs[-1].append(here)
        else:
            runs.append([here])
    names: list[str] = []
    for run in runs:
        if len(run) < _SHORTEST:
            names += map(topology.cell_name, run)
        else:
            names.append(f"{topology.cell_name(run[0])}..{topology.cell_name(run[-1])}")
    return names


def _follows(before: tuple[int, ...], here: tuple[int, ...]) -> bool:
    return before[:-1] == here[:-1] and before[-1] + 1 == here[-1]
