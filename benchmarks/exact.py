"""The exact engine on mid-game Expert positions, beside ms_toollib in the same run."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.peers import ms_toollib_times
from benchmarks.positions import expert_positions
from benchmarks.result import Result, UnavailableError, best_of
from mineproof import kernel
from mineproof.engine.analysis import Analysis
from mineproof.engine.exact import analyze, analyze_many
from mineproof.rng import Stream
from mineproof.view import Mark, View
from mineproof.view.channels import channel, draw_shown

GAMES, RUNS = 110, 25
FEWEST_RUNS = 5


def bench(seed: int = 1) -> Iterator[Result]:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    views = expert_positions(GAMES, seed)
    peers = ms_toollib_times(views)
    count = len(views)

    together = best_of(RUNS, lambda: _read(analyze_many(views, threads=1)))
    yield Result(
        "Expert mid-game, analyze_many on one thread, mean",
        "positions",
        count,
        together,
        peer=sum(peers),
        least_ratio=60,
    )
    alone = _each(views)
    yield Result(
        "Expert mid-game, p99", "positions", 1, _p99(alone), peer=_p99(peers), least_ratio=40
    )
    yield Result(
        "Expert mid-game, mp.analyze one by one, mean",
        "positions",
        count,
        sum(alone),
        peer=sum(peers),
        least_ratio=20,
    )
    lying = [optimistic(view, index) for index, view in enumerate(views)]
    slower = best_of(FEWEST_RUNS, lambda: _read(analyze_many(lying, threads=1)))
    yield Result(
        f"the same with optimistic clues: {slower / together:.1f}x the time of exact ones",
        "positions",
        count,
        slower,
        promised=count / (6 * together),
    )
    many = views * 20
    one, two = _one_and_two_threads(many)
    yield Result(
        f"two threads: {one / two:.2f}x one, by wall time",
        "positions",
        len(many),
        two,
        promised=len(many) * 1.85 / one,
    )


def _read(analyses: Sequence[Analysis]) -> list[float]:
    """Read every chance."""
    return [analysis.p.array[0] for analysis in analyses]


def _each(views: Sequence[View]) -> list[float]:
    """The best time of every position, one call each, with every chance read."""
    best = [float("inf")] * len(views)
    for _ in range(RUNS):
        for place, view in enumerate(views):
            start = time.perf_counter()
            _ = analyze(view).p.array
            best[place] = min(best[place], time.perf_counter() - start)
    return best


def _p99(times: Sequence[float]) -> float:
    return sorted(times)[len(times) * 99 // 100]


def _one_and_two_threads(views: Sequence[View]) -> tuple[float, float]:
    """The best wall time with one thread and with two, alternating; needs two idle cores."""
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(4 * RUNS):
        for threads in best:
            start = time.perf_counter()
            analyze_many(views, threads=threads)
            best[threads] = min(best[threads], time.perf_counter() - start)
    return best[1], best[2]


def optimistic(view: View, seed: int) -> View:
    """The same cells open, with a clue drawn uniformly from 0 to the true one."""
    through = channel("optimistic")
    codes = view.codes()
    for cell, clue in view.clues:
        drawn = draw_shown(through, clue, view.topology.degree(cell), Stream(seed, cell))
        codes[cell] = Mark.BLANK.value if drawn is None else drawn
    rules = view.rules.with_words(clues="optimistic")
    return View.of_codes(view.topology, rules, np.asarray(codes, dtype=np.uint8))
