"""Dealing and clue counts of 10,000 Expert boards in the core, on one core of the processor."""

from __future__ import annotations

import numpy as np

from benchmarks.result import Result, UnavailableError, best_of
from mineproof import kernel

ROWS, COLS, MINES, GAMES = 16, 30, 99, 10_000


def _square(rows: int, cols: int) -> tuple[np.ndarray, np.ndarray]:
    """The neighbours of a square board in compressed rows."""
    offsets, targets = [0], []
    for cell in range(rows * cols):
        row, col = divmod(cell, cols)
        targets += [
            r * cols + c
            for r in range(max(row - 1, 0), min(row + 2, rows))
            for c in range(max(col - 1, 0), min(col + 2, cols))
            if (r, c) != (row, col)
        ]
        offsets.append(len(targets))
    return np.array(offsets, np.int32), np.array(targets, np.int32)


def bench() -> Result:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    offsets, targets = _square(ROWS, COLS)
    excluded = np.zeros(ROWS * COLS, np.uint8)
    seconds = best_of(
        5, lambda: kernel.core.deal_many(1, 0, GAMES, offsets, targets, excluded, MINES)
    )
    return Result("deal and count Expert boards", "boards", GAMES, seconds, promised=20_000)
