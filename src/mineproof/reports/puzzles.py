"""Puzzles of report 3's kind, made from a seed: a deal of which some safe cells show their clue.

The report's own are 6x6 with 10 mines and about 18 hints; larger ones keep these shares.
"""

from __future__ import annotations

import numpy as np

from mineproof.board.deal import deal
from mineproof.board.topology import Topology
from mineproof.rng import Purpose, Stream
from mineproof.rules import Mines, Rules
from mineproof.view.marks import Mark
from mineproof.view.notation.csp import Puzzle
from mineproof.view.view import View

__all__ = ["made_puzzle"]

_MINES, _HINTS, _CELLS = 10, 18, 36


def made_puzzle(side: int, seed: int, index: int) -> Puzzle:
    """Puzzle `index` of a seed, on a square of `side` cells; it has at least one solution."""
    topology = Topology.of("square", f"{side}x{side}")
    mines = Mines.number(round(len(topology) * _MINES / _CELLS))
    layout = deal(topology, mines, seed, index)
    safe = [cell for cell in topology.cells if not layout.is_mine(cell)]
    Stream(seed, index, Purpose.GIVEN).shuffle(safe)
    codes = np.full(len(topology), Mark.HIDDEN.value, dtype=np.uint8)
    for cell in safe[: round(len(topology) * _HINTS / _CELLS)]:
        codes[cell] = layout.counts[cell]
    return Puzzle(f"G{index + 1}", View.of_codes(topology, Rules(mines=mines), codes))
