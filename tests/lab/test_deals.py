"""Games that share a deal: intervals and tests hold what they say where boards are pooled."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mineproof.lab.comparison import compare
from mineproof.lab.deals import SharedDeals, by_deal, flip_test, games_worth, share_interval
from mineproof.lab.statistics import (
    AgentGames,
    SequentialTest,
    SequentialVerdict,
    paired_scores,
    pairs_of,
)
from mineproof.reports.estimates import half_point
from mineproof.text import Interval, wilson

MINES = np.arange(5)
REPLICATES, DEALS = 500, 60
LEAST, MOST = 0.935, 0.965
"""How often an interval must hold the truth; `python -m benchmarks coverage` plays real games."""


def drawn(
    strength: float, hard: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.bool_]:
    """Wins of an agent: a row for each deal, as hard on all boards, and a column for each board."""
    luck = rng.normal(size=(len(hard), len(MINES)))
    return strength - (MINES - 2) + 1.5 * hard[:, None] + luck > 0


def comparisons(strength: float = 0.0) -> list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]:
    """Two agents on the same deals; the second is of strength 0."""
    rng = np.random.default_rng(1)
    hards = (rng.normal(size=DEALS) for _ in range(REPLICATES))
    return [(drawn(strength, hard, rng), drawn(0.0, hard, rng)) for hard in hards]


def games(won: NDArray[np.bool_]) -> AgentGames:
    return AgentGames(np.arange(won.size), won.ravel(), None, won.shape[1])


def holds(interval: Interval, truth: float) -> bool:
    return interval.low <= truth <= interval.high


def truth_of(strength: float) -> float:
    rng = np.random.default_rng(2)
    return float(drawn(strength, rng.normal(size=200_000), rng).mean())


def test_the_interval_of_a_share_covers_the_truth() -> None:
    # By symmetry an agent of strength 0 wins half its games.
    intervals = [games(won).share_interval for _, won in comparisons()]
    covered = np.mean([one is not None and holds(one, 0.5) for one in intervals])
    assert LEAST <= covered <= MOST
    # As if all games were independent, it would be too short.
    alone = np.mean([holds(wilson(int(won.sum()), won.size), 0.5) for _, won in comparisons()])
    assert alone < 0.9


def test_the_interval_of_a_mean_score_covers_the_truth() -> None:
    scored = [games(won)._replace(scores=won.ravel().astype(float)) for _, won in comparisons()]
    found = [one.mean_score for one in scored]
    covered = np.mean([one is not None and holds(one.interval, 0.5) for one in found])
    assert LEAST <= covered <= MOST


def test_the_interval_of_a_paired_difference_covers_the_truth() -> None:
    truth = truth_of(0.5) - 0.5
    pairs = [pairs_of({"a": games(a), "b": games(b)})[0][2] for a, b in comparisons(0.5)]
    assert LEAST <= np.mean([holds(one.interval, truth) for one in pairs]) <= MOST


def test_equal_agents_are_called_different_in_one_test_of_twenty() -> None:
    pairs = [pairs_of({"a": games(a), "b": games(b)})[0][2] for a, b in comparisons()]
    called = [one.p_value < 0.05 for one in pairs]
    assert 1 - MOST - 0.01 <= np.mean(called) <= 1 - LEAST
    assert all(one.mid_p_value <= one.p_value for one in pairs)


def test_where_half_is_won_covers_the_truth() -> None:
    found = [half_point(MINES, won) for _, won in comparisons()]
    covered = np.mean([one is not None and one.low <= 2 <= one.high for one in found])
    assert LEAST <= covered <= MOST


def test_copies_of_a_game_are_worth_one() -> None:
    won = np.repeat(np.arange(40) % 2, 5)
    deal, place = np.divmod(np.arange(200), 5)
    assert games_worth(won, deal, place) == pytest.approx(40, rel=0.1)
    # Nothing was lost: the games say as much as their deals.
    assert games_worth(np.ones(200), deal, place) == pytest.approx(40, rel=0.1)
    assert share_interval([], [], []) == (0.0, 1.0)
    one = share_interval([1, 1, 1], [0, 0, 0], [0, 1, 2])
    assert one.low < 0.25


def test_boards_that_differ_widen_nothing() -> None:
    # Always won on one board and never on the other: the share is known.
    won = np.tile([1, 0], 100)
    deal, place = np.divmod(np.arange(200), 2)
    assert set(by_deal(won, deal, place)) == {0.5}
    # A deal that is missing on the easy board is no hard deal.
    assert set(by_deal(won[1:], deal[1:], place[1:])) == {np.round(99 / 199, 12)}


def test_deals_are_flipped_as_a_whole() -> None:
    # Ten deals, each won on four boards: as odd as ten wins, not as forty.
    p_value, mid = flip_test([4.0] * 10)
    assert p_value == pytest.approx(2 / 2**10, abs=0.002)
    assert mid < p_value
    assert flip_test([0.0, 0.0]) == (1.0, 1.0)
    won = np.ones(40, dtype=bool)
    shared = SharedDeals.of(won, ~won, np.arange(40), 4)
    assert (shared.deals, shared.p_value) == (10, p_value)


def test_scores_are_compared_by_deal() -> None:
    rng = np.random.default_rng(3)
    hard = np.repeat(rng.normal(size=30), 4)
    first, second = hard + rng.normal(size=120), np.zeros(120)
    alone, shared = paired_scores(first, second), paired_scores(first, second, np.arange(120), 4)
    assert shared.difference == pytest.approx(alone.difference)
    assert (shared.games, shared.higher_a) == (alone.games, alone.higher_a)
    wide, narrow = (one.interval.high - one.interval.low for one in (shared, alone))
    assert wide > 1.3 * narrow


def test_a_sequential_test_reads_deals() -> None:
    won = np.ones(400, dtype=bool)
    test = SequentialTest()
    alone, shared = test.decide(won, ~won), test.decide(won, ~won, 4)
    assert shared.verdict is alone.verdict is SequentialVerdict.FIRST
    assert (shared.games, shared.only_a) == (4 * alone.games, alone.only_a)
    # The last deal is not whole: it waits.
    assert test.decide(won[:3], ~won[:3], 4).games == 3


def test_compare_pools_boards_by_deal() -> None:
    boards = [f"5x5/{mines}" for mines in range(3, 7)]
    found = compare(["random", "single-point"], [*boards], games=40, seed=3)
    result, (_, _, pair) = found.results[1], found.paired[0]
    assert result.pooled is not None
    assert result.interval != wilson(result.won, result.played)
    assert pair.shared is not None
    assert (pair.shared.deals, pair.games) == (40, 160)
    assert found.to_json()["paired"][0]["deals"] == 40
    # One board, and each place by itself, are as ever.
    alone = compare(["random", "single-point"], boards[0], games=40, seed=3)
    assert alone.results[1].pooled is None
    assert "deals" not in alone.to_json()["paired"][0]
    assert found.places[1].interval == wilson(found.places[1].won, 40)


def test_deals_are_alike_in_truth() -> None:
    """More mines are those of the deal with fewer and some more: what all of this is about."""
    found = compare(["single-point"], ["6x6/4", "6x6/5"], games=150, seed=1, first_click="safe")
    columns = np.array([row.won for row in found.rows]).reshape(150, 2)
    assert np.corrcoef(columns.T)[0, 1] > 0.1
