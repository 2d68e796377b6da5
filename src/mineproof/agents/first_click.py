"""Where to begin: good first cells by the rule of the first click, on any topology.

If only the first cell is kept free of mines, or nothing is, a cell with the fewest neighbours is
best: it shows a 0 most often, and so opens an area. If its neighbours are kept free too, an area is
certain, and one with room on all sides is best: a cell near the first corner with no edge of the
board within two steps, or three where mines are dense. `docs/champion.md` has the measurements.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mineproof.board.topology import Topology
from mineproof.rules import FirstClick

__all__ = ["first_cells"]

_DENSE = 0.18
"""The share of mines from which on three steps of room are better than two: between Intermediate's
15.6 %, where two are, and Expert's 20.6 %, where three are."""


@lru_cache(maxsize=64)
def first_cells(topology: Topology, first_click: FirstClick, mines: int) -> tuple[int, ...]:
    """Equally good first cells, in ascending order; never empty on a board with a cell.

    Under `opening` they leave room for the mines, if any cell does.
    """
    if first_click is FirstClick.OPENING:
        steps = 3 if mines >= _DENSE * len(topology) else 2
        near = _within(topology, topology.corner, 2 * steps)
        roomy = [cell for cell in near if 1 + topology.degree(cell) + mines <= len(topology)]
        if roomy:
            # `near` goes from the corner outwards, and max keeps the first of equals.
            return (max(roomy, key=lambda cell: len(_within(topology, cell, steps))),)
    degrees = topology.degrees
    return tuple(np.flatnonzero(degrees == degrees.min()).tolist())


def _within(topology: Topology, start: int, steps: int) -> list[int]:
    """The cells up to some steps away, the nearest first, each ring in ascending order."""
    found, ring = {start}, [start]
    order = [start]
    for _ in range(steps):
        ring = sorted({x for cell in ring for x in topology.neighbours(cell)} - found)
        found.update(ring)
        order += ring
    return order
