"""Do the intervals hold what they promise? Real games that share deals, 500 comparisons of them.

    python -m benchmarks coverage

Every comparison plays the same deals on five boards, as `compare` does, and pools them. The truth
is the mean over all the games. A 95 % interval should hold it in 93.5 to 96.5 % of the comparisons,
which leaves room for the chance of 500; a test of two equal agents should call them different in
3.5 to 6.5 %. Without the deals, as if all games were independent, the same intervals are too short.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

import mineproof as mp
from benchmarks.result import Result
from mineproof.lab.statistics import AgentGames, PairedWins, pairs_of
from mineproof.reports.estimates import half_point, share_of
from mineproof.text import Interval, wilson

MINES = (3, 4, 5, 6, 7)
BOARDS = tuple(f"5x5/{mines}" for mines in MINES)
REPLICATES, DEALS = 500, 40
NOMINAL, ROOM = 0.95, 0.015

Wins = NDArray[np.bool_]
"""A row for each deal, a column for each board."""


def bench(seed: int) -> Iterator[Result]:
    """Plays the games, then asks each interval and test of each comparison."""
    total = REPLICATES * DEALS
    exact, same = played("exact", total, seed, 1), played("exact", total, seed, 2)
    weaker = played("single-point", total, seed, 1)
    at_half = half_point(MINES, weaker)
    assert at_half is not None
    share, gap = float(exact.mean()), float(exact.mean() - weaker.mean())

    def together(part: slice) -> bool:
        interval = _games(exact[part]).share_interval
        return interval is not None and holds(interval, share)

    def alone(part: slice) -> bool:
        return holds(wilson(int(exact[part].sum()), exact[part].size), share)

    def difference(part: slice) -> bool:
        return holds(pair(exact[part], weaker[part]).interval, gap)

    def crossing(part: slice) -> bool:
        found = half_point(MINES, weaker[part])
        return found is not None and found.low <= at_half.value <= found.high

    yield measured("all together: share won", together)
    yield measured("all together: paired difference", difference)
    yield measured("half won at", crossing)
    yield measured(
        "equal agents: not called different",
        lambda part: pair(exact[part], same[part]).p_value > 0.05,
    )
    yield measured("share won, deals left out of account", alone, promised=False)


def played(agent: str, deals: int, seed: int, agent_seed: int) -> Wins:
    """An agent's wins on every board, the same deals on each."""
    columns = [
        mp.play_many(board, agent, deals, seed, agent_seed=agent_seed, first_click="safe").won
        for board in BOARDS
    ]
    return np.stack(columns, axis=1)


def _games(won: Wins) -> AgentGames:
    return AgentGames(np.arange(won.size), won.ravel(), None, won.shape[1])


def pair(first: Wins, second: Wins) -> PairedWins:
    """Two agents as `compare` pools them."""
    ((_, _, found),) = pairs_of({"a": _games(first), "b": _games(second)})
    return found


def holds(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


def measured(what: str, ask: Callable[[slice], bool], *, promised: bool = True) -> Result:
    """How often the answer is yes, over all comparisons."""
    edges = range(0, (REPLICATES + 1) * DEALS, DEALS)
    began = time.process_time()
    found = share_of([ask(slice(*ends)) for ends in pairwise(edges)])
    return Result(
        f"{what}: {found.text}; {REPLICATES} comparisons, {DEALS} deals on {len(BOARDS)} boards",
        "comparisons",
        REPLICATES,
        time.process_time() - began,
        holds=not promised or abs(found.value - NOMINAL) <= ROOM,
    )
