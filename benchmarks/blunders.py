"""Reviews of the champion's own games, which should have no blunders: `benchmarks blunders`.

One judge is used everywhere (`mineproof.advice`), so what the strongest player does must not be
called a mistake by it. Every move of 200 Expert games is judged; any blunder breaks the promise.
"""

from __future__ import annotations

from time import perf_counter

import mineproof as mp
from benchmarks.result import Result
from mineproof.advice.game_review import MoveVerdict

GAMES = 200


def bench() -> Result:
    start = perf_counter()
    moves = blunders = inaccuracies = 0
    for seed in range(GAMES):
        review = mp.review(mp.play("expert", agent="champion", seed=seed))
        moves += len(review.moves)
        blunders += len(review.blunders)
        inaccuracies += sum(move.kind is MoveVerdict.INACCURACY for move in review.moves)
    work = f"review an Expert game of champion: {blunders} blunders, {inaccuracies} inaccuracies"
    return Result(
        f"{work} in {moves} moves", "games", GAMES, perf_counter() - start, holds=not blunders
    )
