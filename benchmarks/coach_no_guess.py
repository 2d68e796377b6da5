"""Games without guesses in the coach: from the first click to the answer, on every level."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from benchmarks.result import Result
from mineproof.board.presets import Board
from mineproof.web.coach import Coach

LEVELS = ("beginner", "intermediate", "expert", "20x30/130")
GAMES = 500
SHARE = 0.99


def bench() -> Iterator[Result]:
    coach = Coach()
    stream = random.Random(1)
    try:
        for board in LEVELS:
            cells = len(Board.parse(board).topology)
            times = sorted(_first_click(coach, board, cells, stream) for _ in range(GAMES))
            yield Result(f"{board}: the first click, p50", "clicks", 1, times[GAMES // 2])
            last = times[int(SHARE * GAMES)]
            yield Result(f"{board}: p99 of {GAMES}", "clicks", 1, last, promised=1 / 0.1)
    finally:
        coach.workers.close()


def _first_click(coach: Coach, board: str, cells: int, stream: random.Random) -> float:
    """Seconds in which a board is made for a random cell, and that cell opened."""
    seed, cell = stream.randrange(2**32), stream.randrange(cells)
    game = coach.new_game(board, seed, None, None, no_guess=True)["game"]
    start = time.perf_counter()
    coach.open(game, cell)
    return time.perf_counter() - start
