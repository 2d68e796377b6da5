"""Boards without guesses beside ms_toollib's laymine_solvable, in one run, each on one CPU core."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator

import mineproof as mp
from benchmarks.result import Result, UnavailableError, best_of
from mineproof import kernel

_SCRIPT = """
import json, sys, time
import ms_toollib
rows, cols, mines, row, col, boards = json.load(sys.stdin)
start = time.process_time()
for _ in range(boards):
    ms_toollib.laymine_solvable(rows, cols, mines, row, col, 1_000_000)
print(json.dumps((time.process_time() - start) / boards))
"""
CASES = [
    # rows, columns, mines, first cell, boards of ours, boards of theirs, least ratio, promised
    (16, 30, 99, (7, 14), 1_000, 100, 20.0, None),
    (20, 30, 130, (10, 15), 400, 50, 20.0, None),
    (20, 30, 140, (10, 15), 100, 0, None, 200.0),
]
REPAIRED = (24, 30, 200, (12, 15), 50)


def bench() -> Iterator[Result]:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    if importlib.util.find_spec("ms_toollib") is None:
        raise UnavailableError("needs ms_toollib, of the extra dev")
    for rows, cols, mines, first, ours, theirs, least, promised in CASES:
        board = f"{rows}x{cols}/{mines}"
        seconds = _seconds(board, first, ours, "uniform")
        peer = ours * _peer(rows, cols, mines, first, theirs) if theirs else None
        work = f"{board} without guesses from {first[0]},{first[1]}, uniform"
        yield Result(work, "boards", ours, seconds, promised, peer, least)
    rows, cols, mines, first, ours = REPAIRED
    board = f"{rows}x{cols}/{mines}"
    seconds = _seconds(board, first, ours, "repair")
    work = f"{board} without guesses from {first[0]},{first[1]}, repaired"
    yield Result(work, "boards", ours, seconds, promised=10.0)


def _seconds(board: str, first: tuple[int, int], count: int, method: str) -> float:
    """CPU seconds for so many boards on one thread, layouts included."""
    return best_of(3, lambda: mp.generate(board, first=first, count=count, seed=1, method=method))


def _peer(rows: int, cols: int, mines: int, first: tuple[int, int], boards: int) -> float:
    """CPU seconds for a board of ms_toollib, in a process of its own: it can abort."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        input=json.dumps([rows, cols, mines, *first, boards]),
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    seconds: float = json.loads(done.stdout.splitlines()[-1])
    return seconds
