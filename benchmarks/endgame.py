"""Best play: Expert endgames, optimal values of small boards, and chances to win before the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks.positions import expert_positions
from benchmarks.result import Result
from mineproof.engine.exact import analyze
from mineproof.errors import BudgetExceeded
from mineproof.search.endgame import endgame
from mineproof.search.optimal import optimal
from mineproof.search.win import cell_win_chances
from mineproof.view import View

GAMES = 300
SOLUTIONS = (400, 5000)
MIDDLE = 20
SAMPLES = 50


def bench() -> Iterator[Result]:
    stuck = [view for view in expert_positions(GAMES) if not analyze(view).safe]
    for most in SOLUTIONS:
        times = sorted(seconds for view in stuck if (seconds := _endgame(view, most)) is not None)
        said = f"every cell's chance by best play, at most {most} solutions a region"
        yield Result(f"{said}, {len(times)} positions", "positions", len(times), sum(times))
        yield Result(f"{said}, slowest", "positions", 1, times[-1])
    for board in ("4x4/4", "4x4/8", "5x5/4"):
        seconds = _seconds(partial(optimal, board, "any"))
        yield Result(f"optimal {board}, first click any", "boards", 1, seconds)
    middle = [view for view in stuck if _endgame(view, SOLUTIONS[-1]) is None][:MIDDLE]
    seconds = sum(_seconds(partial(cell_win_chances, view, samples=SAMPLES)) for view in middle)
    cells = sum(len(cell_win_chances(view, samples=1)) for view in middle)
    yield Result(
        f"a game played out for a chance to win, {len(middle)} positions",
        "games",
        cells * SAMPLES,
        seconds,
    )


def _endgame(view: View, solutions: int) -> float | None:
    """CPU time of best play; None if there are too many solutions."""
    start = time.process_time()
    try:
        endgame(view, solutions=solutions)
    except BudgetExceeded:
        return None
    return time.process_time() - start


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start
