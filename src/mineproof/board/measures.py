"""The players' measures of a board: 3BV, openings and islands."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from mineproof.board.layout import Layout
from mineproof.board.topology import Topology

__all__ = ["Measures", "measure"]


@dataclass(frozen=True)
class Measures:
    """What it takes to clear a layout by opening cells alone.

    `openings` are the areas of zeros. `three_bv` is the fewest clicks that open every safe cell:
    one for each opening, and one for every safe cell that no opening uncovers. `islands` are the
    areas that those cells form.
    """

    three_bv: int
    openings: int
    islands: int


def measure(layout: Layout) -> Measures:
    """The measures of a layout, on any topology.

    >>> measure(Layout.of(Topology.parse("1x5"), [2]))
    Measures(three_bv=2, openings=2, islands=0)
    """
    topology = layout.topology
    counts, mines = layout.counts.tolist(), layout.mines.tolist()
    zeros = {cell for cell in topology.cells if not mines[cell] and not counts[cell]}
    uncovered = {near for cell in zeros for near in topology.neighbours(cell)} | zeros
    alone = {cell for cell in topology.cells if not mines[cell] and cell not in uncovered}
    openings = _areas(topology, zeros)
    return Measures(openings + len(alone), openings, _areas(topology, alone))


def _areas(topology: Topology, cells: Collection[int]) -> int:
    """The number of connected areas that some cells form."""
    left = set(cells)
    areas = 0
    while left:
        areas += 1
        layer = [left.pop()]
        while layer:
            near = {other for cell in layer for other in topology.neighbours(cell)} & left
            left -= near
            layer = list(near)
    return areas
