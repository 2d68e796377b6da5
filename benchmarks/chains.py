"""Chains of influence of whole Expert games, played by `exact`."""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.result import Result
from mineproof.chains.chains import of
from mineproof.chains.search import chain_row
from mineproof.game.play import play

GAMES = 200
SEED = 5
PROMISED = 1000 / 60
"""Games a second: a thousand in a minute."""


def bench() -> Iterator[Result]:
    games = [play("expert", "exact", SEED, index=index) for index in range(GAMES)]
    chain_row(of(games[0]))  # the distances of the board are computed once
    start = time.process_time()
    found = [of(game) for game in games]
    rows = [chain_row(chains) for chains in found]
    seconds = time.process_time() - start
    proofs = [one for chains in found for one in chains.proved]
    smallest = sum(one.smallest for one in proofs) / len(proofs)
    yield Result(
        f"chains of a game, {100 * smallest:.2f} % of {len(proofs)} proofs known to be smallest",
        "games",
        len(rows),
        seconds,
        promised=PROMISED,
    )
