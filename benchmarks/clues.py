"""Expert mid-game positions with unreliable clues, beside the same ones with exact clues."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.positions import expert_positions, reached
from benchmarks.result import Result, UnavailableError, best_of
from mineproof import kernel
from mineproof.engine.exact import analyze_many
from mineproof.game.play import play
from mineproof.rng import Stream
from mineproof.view import Mark, View
from mineproof.view.channels import channel, draw_shown

GAMES, RUNS = 40, 5
PROMISED = {"optimistic": 6.0, "cautious": 6.0, "noisy:0.1": 15.0}
PLAYED = ("exact", "withheld:0.3", "optimistic", "cautious", "noisy:0.1")
PLAYED_GAMES = 20


def bench(seed: int = 1) -> Iterator[Result]:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    views = expert_positions(GAMES, seed)
    plain = best_of(RUNS, partial(analyze_many, views, threads=1))
    for clues, most in PROMISED.items():
        lying = [told(view, clues, index) for index, view in enumerate(views)]
        seconds = best_of(RUNS, partial(analyze_many, lying, threads=1))
        yield Result(
            f"Expert mid-game, {clues}: {seconds / plain:.1f}x the time of exact clues",
            "positions",
            len(views),
            seconds,
            promised=len(views) / (most * plain),
        )
    for clues in PROMISED:
        yield reached_in_games(clues, seed)
    for clues in PLAYED:
        start = time.process_time()
        for index in range(PLAYED_GAMES):
            play("beginner", agent="exact", seed=1, index=index, clues=clues)
        seconds = time.process_time() - start
        yield Result(f"Beginner games of exact, clues {clues}", "games", PLAYED_GAMES, seconds)


def reached_in_games(clues: str, seed: int) -> Result:
    """Positions that games with these clues really reach: most end early, with few cells open."""
    pairs = reached(GAMES, clues, seed)
    lying = [view for view, _ in pairs]
    plain = best_of(RUNS, partial(analyze_many, [view for _, view in pairs], threads=1))
    seconds = best_of(RUNS, partial(analyze_many, lying, threads=1))
    opened = sum(view.opened_count for view in lying) / len(lying)
    return Result(
        f"Expert games of {clues} clues, {opened:.0f} cells open: {seconds / plain:.1f}x the time "
        "of exact clues",
        "positions",
        len(lying),
        seconds,
    )


def told(view: View, clues: str, seed: int) -> View:
    """The same cells open, each showing what the channel makes of its true clue."""
    through = channel(clues)
    codes = view.codes()
    for cell, clue in view.clues:
        drawn = draw_shown(through, clue, view.topology.degree(cell), Stream(seed, cell))
        codes[cell] = Mark.BLANK.value if drawn is None else drawn
    rules = view.rules.with_words(clues=clues)
    return View.of_codes(view.topology, rules, np.asarray(codes, dtype=np.uint8))
