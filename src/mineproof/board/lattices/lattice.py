"""What a lattice is: sites in rows, their coordinates, who touches whom, and how to draw them.

A lattice knows nothing of mines or of blocked cells. `Topology` takes a lattice, leaves out the
blocked sites and numbers what remains; nothing after `board/` ever asks which lattice it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import BoardError, quoted

__all__ = ["MAX_CELLS", "Coordinates", "Edges", "Lattice", "Point", "grid_edges", "parse_sizes"]

Coordinates: TypeAlias = tuple[int, ...]
Point: TypeAlias = tuple[float, float]
Edges: TypeAlias = NDArray[np.int32]

MAX_CELLS = 4_000_000


class Lattice(Protocol):
    """One family of boards. Sites are numbered row by row, as a text lists them."""

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
        ...

    @property
    def dimensions(self) -> Coordinates:
        """The sizes: rows and columns on plane boards."""
        ...

    @property
    def row_lengths(self) -> Sequence[int]:
        """How many sites stand in each row of the text form."""
        ...

    @property
    def rows_per_layer(self) -> int:
        """After how many rows the text form has an empty line."""
        ...

    @property
    def centre(self) -> Coordinates: ...

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
        ...


def parse_sizes(name: str, shape: str, count: int, example: str) -> Coordinates:
    """`count` sizes written `16x30`, each at least 1 and together at most MAX_CELLS cells."""
    words = shape.split("x")
    if len(words) != count or not all(w.isascii() and w.isdigit() and len(w) <= 9 for w in words):
        raise BoardError(f"{name} size {quoted(shape)} cannot be read; accepted: such as {example}")
    sizes = tuple(map(int, words))
    if min(sizes) < 1:
        raise BoardError(f"{name} size {shape} has a side of 0; accepted: sides of 1 and more")
    check_cells(name, shape, int(np.prod(np.array(sizes, dtype=object))))
    return sizes


def check_cells(name: str, shape: str, cells: int) -> None:
    """Refuse boards past the limit."""
    if cells > MAX_CELLS:
        raise BoardError(
            f"{name} size {quoted(shape)} has {cells} cells; accepted: at most {MAX_CELLS}"
        )


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
