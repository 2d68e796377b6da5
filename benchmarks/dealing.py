"""Dealing and counting the clues of 10,000 Expert boards in the C++ core, on one CPU core."""

from __future__ import annotations

import numpy as np

from benchmarks.result import Result, UnavailableError, best_of
from mineproof import kernel
from mineproof.board import Topology

BOARD, MINES, GAMES = "16x30", 99, 10_000


def bench() -> Result:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    board = Topology.parse(BOARD)
    offsets, targets = board.offsets, board.targets
    excluded = np.zeros(len(board), np.uint8)
    seconds = best_of(
        5, lambda: kernel.core.deal_many(1, 0, GAMES, offsets, targets, excluded, MINES)
    )
    return Result("deal and count Expert boards", "boards", GAMES, seconds, promised=20_000)
