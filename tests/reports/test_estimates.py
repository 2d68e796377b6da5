"""Numbers with intervals, and what they say about a published one."""

from __future__ import annotations

import numpy as np
import pytest

from mineproof.lab.report import Agreement, Estimate
from mineproof.reports.estimates import (
    Published,
    agreement,
    curve_of,
    difference_of,
    half_point,
    held,
    mean_of,
    rank_correlation,
    share_of,
)


def test_shares_and_means_have_intervals() -> None:
    share = share_of([True] * 30 + [False] * 70)
    assert share.text == "30.0 % (21.9 to 39.6)"
    mean = mean_of([0.0, 1.0] * 50)
    assert mean.value == 0.5
    assert 0.39 < mean.low < 0.42 < 0.58 < mean.high < 0.61


@pytest.mark.parametrize(
    ("share", "games", "won", "played", "outcome"),
    [
        (0.85, 20, 170, 200, Agreement.AGREES),
        (0.85, 20, 196, 200, Agreement.DIFFERS),
        (0.0, 20, 8, 100, Agreement.AGREES),
        (0.813, 1000, 700, 1000, Agreement.DIFFERS),
        (0.813, 1000, 800, 1000, Agreement.AGREES),
    ],
)
def test_agreement_is_judged_by_both_intervals(
    share: float, games: int, won: int, played: int, outcome: Agreement
) -> None:
    ours = share_of([True] * won + [False] * (played - won))
    assert agreement(Published(share, games), ours) is outcome


def test_differences_are_paired() -> None:
    rng = np.random.default_rng(1)
    hard = rng.normal(size=300)
    found = difference_of(hard + 0.05, hard)
    assert found.above
    assert found.p_value < 0.001
    assert difference_of(hard, hard).p_value == 1.0
    assert not difference_of(hard, hard).above
    shuffled = difference_of(hard + rng.normal(size=300), hard)
    assert not shuffled.above
    assert not shuffled.below
    assert difference_of(hard - 0.05, hard).below


def test_one_game_decides_nothing() -> None:
    assert not difference_of([1.0], [0.0]).above


def test_the_half_point_is_found_and_covers_the_truth() -> None:
    mines = np.arange(40, 111, 10)
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(50):
        chance = 1 / (1 + np.exp((mines - 75) / 8))
        found = half_point(mines, rng.binomial(100, chance), np.full(len(mines), 100))
        assert found is not None
        covered += found.low <= 75 <= found.high
    assert covered >= 43
    assert half_point([1, 2, 3], [9, 9, 9], [10, 10, 10]) is None
    steep = half_point([10, 20, 30], [50, 0, 0], [50, 50, 50])
    assert isinstance(steep, Estimate)
    assert 10 < steep.value < 20


def test_rank_correlation() -> None:
    rising = rank_correlation([1, 2, 3, 4, 5, 6], [1, 4, 9, 16, 25, 36])
    assert rising is not None
    assert rising.value == pytest.approx(1.0)
    # Worked out by hand: ranks 1, 2.5, 2.5, 4, 5 against 2, 1, 3, 5, 4.
    tied = rank_correlation([1, 2, 2, 3, 4], [20, 10, 30, 50, 40])
    assert tied is not None
    assert tied.value == pytest.approx(7.0 / (9.5 * 10) ** 0.5)
    assert tied.low < tied.value < tied.high
    assert rank_correlation([1, 1, 1, 1], [1, 2, 3, 4]) is None
    assert rank_correlation([1, 2, 3], [1, 2, 3]) is None


def test_a_claim_holds_fails_or_stays_open() -> None:
    assert [held(True), held(False)] == [Agreement.HOLDS, Agreement.FAILS]
    assert held(True, fails=False) is Agreement.HOLDS
    assert held(False, fails=True) is Agreement.FAILS
    assert held(False, fails=False) is Agreement.OPEN


def test_a_curve_runs_through_estimates_with_their_intervals() -> None:
    curve = curve_of("ours", [(10, Estimate(0.5, 0.4, 0.6)), (20, Estimate(0.2, 0.1, 0.3))], True)
    assert (curve.name, curve.published) == ("ours", True)
    assert [(point.x, point.y, point.low, point.high) for point in curve.points] == [
        (10, 0.5, 0.4, 0.6),
        (20, 0.2, 0.1, 0.3),
    ]
