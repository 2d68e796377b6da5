"""Windows: the part of a board that holds what a proof needs, as a board of its own.

A window keeps which of its cells touch, and shows each clue that a proof needs with all around it.
Any other clue may be shown where everything hidden or mined beside it is inside; the other open
cells are shown without a number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from mineproof.board.topology import Topology
from mineproof.rules import Mines, Rules
from mineproof.view.marks import MAX_CLUE, Mark
from mineproof.view.view import View

__all__ = ["Window", "complete_clues", "cut_view", "surroundings", "window_around"]

_HIDDEN, _MINE, _BLANK = Mark.HIDDEN.value, Mark.MINE.value, Mark.BLANK.value
_OTHER_LATTICES = {"torus": ("square",), "hexagon": ("hex",)}
"""What a window that does not reach over an edge looks like on these boards."""
_LEAST_DENSITY = Fraction(1, 100)


@dataclass(frozen=True)
class Window:
    """A board cut from another: `cells` maps the cells of the old board to those of the new."""

    topology: Topology
    cells: dict[int, int]


def window_around(topology: Topology, cells: Collection[int]) -> Window:
    """The smallest window with these cells; the whole board where none keeps who touches whom."""
    for corner, sizes in _boxes(topology, cells):
        for name in (topology.name, *_OTHER_LATTICES.get(topology.name, ())):
            found = _cropped(topology, name, corner, sizes)
            if found is not None and found.cells.keys() >= set(cells):
                return found
    return Window(topology, {cell: cell for cell in topology.cells})


def _boxes(
    topology: Topology, cells: Collection[int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Boxes around cells: the smallest, and those that begin a step earlier."""
    places = [topology.coordinates(cell) for cell in cells]
    lows = tuple(map(min, zip(*places, strict=True)))
    highs = tuple(map(max, zip(*places, strict=True)))
    # Triangles point up or down by their place, so a box may have to begin one earlier.
    for earlier in product((0, 1), repeat=len(lows)):
        corner = tuple(low - step for low, step in zip(lows, earlier, strict=True))
        if min(corner) >= 0:
            yield (
                corner,
                tuple(high - start + 1 for high, start in zip(highs, corner, strict=True)),
            )


def _cropped(
    topology: Topology, name: str, corner: tuple[int, ...], sizes: tuple[int, ...]
) -> Window | None:
    """The box as a board of this lattice; None if its cells would touch otherwise."""
    if len(topology.lattice.dimensions) != len(sizes) or name in ("graph", "hexagon"):
        return None
    inside: dict[int, tuple[int, ...]] = {}
    blocked = []
    for step in product(*map(range, sizes)):
        cell = topology.find(tuple(a + b for a, b in zip(corner, step, strict=True)))
        if cell is None:
            blocked.append(step)
        else:
            inside[cell] = step
    fresh = Topology.of(name, "x".join(map(str, sizes)), blocked, files=False)
    if len(fresh.lattice.dimensions) != len(sizes):
        return None
    cells = {cell: fresh.cell(step) for cell, step in inside.items()}
    for cell, new in cells.items():
        near = {cells[other] for other in topology.neighbours(cell) if other in cells}
        if near != set(fresh.neighbours(new)):
            return None
    return Window(fresh, cells)


def surroundings(view: View, clues: Collection[int]) -> set[int]:
    """The clues and everything they touch: what one must see to read them."""
    return {near for clue in clues for near in view.topology.neighbours(clue)}.union(clues)


def complete_clues(view: View, window: Window) -> dict[int, int]:
    """The clues that are true in a window, and how many hidden cells each touches.

    Everything hidden or mined beside such a clue is inside.
    """
    found = {}
    for cell in window.cells:
        if view.code(cell) <= MAX_CLUE:
            near = view.topology.neighbours(cell)
            counted = [other for other in near if view.code(other) in (_HIDDEN, _MINE)]
            if all(other in window.cells for other in counted):
                found[cell] = sum(map(view.is_hidden, counted))
    return found


def cut_view(view: View, window: Window, shown: Collection[int], total: bool) -> View:
    """The part of a view in a window, with the numbers of these clues.

    With `total` the mines outside are subtracted, which must all be open; without it the number of
    mines is not told, only the density of the game.
    """
    topology = window.topology
    codes = np.full(len(topology), _HIDDEN, dtype=np.uint8)
    for cell, new in window.cells.items():
        code = view.code(cell)
        codes[new] = _BLANK if code <= MAX_CLUE and cell not in shown else code
    assert view.total is not None
    if total:
        outside = sum(cell not in window.cells for cell in view.opened_mines)
        rules = Rules(mines=Mines.number(view.total - outside))
    else:
        share = Fraction(round(100 * view.total / len(view)), 100)
        share = min(max(share, _LEAST_DENSITY), 1 - _LEAST_DENSITY)
        rules = Rules(mines=Mines.independent(share), total_known=False)
    return View.of_codes(topology, rules, codes)
