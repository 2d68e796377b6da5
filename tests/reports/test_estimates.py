"""Numbers beside published ones: intervals, outcomes of claims, and how many games they need."""

from __future__ import annotations

import numpy as np
import pytest

from mineproof.lab.report import Agreement, Estimate
from mineproof.reports.estimates import (
    PairedDifference,
    PublishedShare,
    agreement,
    claim_outcome,
    common_correlation,
    curve_of,
    difference_of,
    for_correlation,
    for_difference,
    for_share,
    gain_outcome,
    gap_of,
    half_point,
    mean_of,
    rank_correlation,
    ratio_of,
    share_of,
)
from mineproof.reports.report_1 import FULL_PERCENTS, QUICK_PERCENTS, SIZES, mine_counts
from mineproof.text import Z95, Interval, wilson

# ----------------------------------------------------------------------------
# Numbers with intervals, and what they say about a published one.


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
        # Fisher's exact test: p = 0.094, where Newcombe's interval leaves out zero.
        (0.9, 20, 196, 200, Agreement.AGREES),
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
    assert agreement(PublishedShare(share, games), ours) is outcome


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
        found = half_point(mines, rng.random((100, len(mines))) < chance)
        assert found is not None
        covered += found.low <= 75 <= found.high
    assert covered >= 43
    assert half_point([1, 2, 3], np.ones((10, 3))) is None
    steep = half_point([10, 20, 30], np.array([[1, 0, 0]] * 49 + [[1, 1, 0]]))
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
    assert [claim_outcome(True), claim_outcome(False)] == [Agreement.HOLDS, Agreement.FAILS]
    assert claim_outcome(True, fails=False) is Agreement.HOLDS
    assert claim_outcome(False, fails=True) is Agreement.FAILS
    assert claim_outcome(False, fails=False) is Agreement.OPEN


def test_a_curve_runs_through_estimates_with_their_intervals() -> None:
    curve = curve_of("ours", [(10, Estimate(0.5, 0.4, 0.6)), (20, Estimate(0.2, 0.1, 0.3))], True)
    assert (curve.name, curve.published) == ("ours", True)
    assert [(point.x, point.y, point.low, point.high) for point in curve.points] == [
        (10, 0.5, 0.4, 0.6),
        (20, 0.2, 0.1, 0.3),
    ]


# ------------------------------------------------------------------- ranges, ratios, pooling


def test_no_interval_leaves_the_range_of_its_values() -> None:
    few = mean_of([1.0, 1.0, 1.0, 0.9])
    assert 0.9 <= few.low < few.value < few.high == 1.0
    assert mean_of([0, 0, 0, 5]).low == 0.0
    always = difference_of([1.0, 1.0, 1.0], [0.0, 0.0, 0.1])
    assert always.high <= 1.0
    # Half won below the fewest mines that were tried: the number of mines stays a number.
    early = half_point([1, 2, 3], [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
    assert early is not None
    assert early.low == 0.0


def test_a_ratio_is_one_of_sums() -> None:
    ratio = ratio_of([1, 3], [2, 8])
    assert ratio.value == 0.4
    assert 0.375 <= ratio.low <= 0.4 <= ratio.high <= 0.5
    assert ratio_of([0, 0], [0, 0]).text == "0.0 (0.0 to 0.0)"
    assert ratio_of([1, 1], [1, 1], percent=True).text == "100.0 % (100.0 to 100.0)"


def test_correlations_of_several_boards_are_pooled() -> None:
    rng = np.random.default_rng(2)
    series = []
    for _ in range(3):
        first = rng.normal(size=200)
        one = rank_correlation(first, first + 4 * rng.normal(size=200))
        assert one is not None
        series.append((one, 200))
    common = common_correlation(series)
    assert common is not None
    assert min(one.low for one, _ in series) < common.low < common.value
    assert common.high - common.low < min(one.high - one.low for one, _ in series)
    alone = common_correlation(series[:1])
    assert alone is not None
    assert alone.text == series[0][0].text
    assert common_correlation([]) is None


def test_the_gap_between_two_numbers_measured_apart() -> None:
    gap = gap_of(Estimate(0.6, 0.5, 0.7), Estimate(0.3, 0.3, 0.3))
    assert (gap.value, gap.low, gap.high) == (
        pytest.approx(0.3),
        pytest.approx(0.2),
        pytest.approx(0.4),
    )


def test_a_gain_is_there_or_not_or_open() -> None:
    assert PairedDifference(0.05, 0.01, 0.09, 0.01, 50).gain(0.02) is Agreement.HOLDS
    assert PairedDifference(0.05, 0.01, 0.09, 0.06, 50).gain(0.02) is Agreement.OPEN
    assert PairedDifference(-0.05, -0.09, -0.01, 0.01, 50).gain(0.02) is Agreement.FAILS
    assert PairedDifference(0.0, -0.01, 0.01, 0.9, 500).gain(0.02) is Agreement.NOTHING
    assert PairedDifference(0.01, -0.02, 0.04, 0.5, 20).gain(0.02) is Agreement.OPEN
    # An interval around zero never fails a claim.
    interval = Interval(-0.0101, 0.0207)
    assert gain_outcome(interval, 0.03) is Agreement.NOTHING
    assert gain_outcome(interval, 0.02) is Agreement.OPEN
    assert PairedDifference(0.0, -0.01, 0.01, 0.9, 500).none(0.02)
    assert not PairedDifference(0.0, -0.03, 0.01, 0.9, 500).none(0.02)


@pytest.mark.parametrize("percents", [QUICK_PERCENTS, FULL_PERCENTS])
@pytest.mark.parametrize("size", SIZES)
def test_no_number_of_mines_is_tried_twice(size: tuple[int, int], percents: list[int]) -> None:
    tried = mine_counts(size, percents)
    assert tried == sorted(set(tried))
    assert len(tried) >= 5


# ----------------------------------------------------------------------------
# How many games a table needs, against games drawn at random.


TRIALS = 400


@pytest.mark.parametrize(("half", "share"), [(0.1, 0.5), (0.05, 0.5), (0.05, 0.9)])
def test_a_share_is_known_as_well_as_planned(half: float, share: float) -> None:
    games = for_share(half, share)
    low, high = wilson(round(share * games), games)
    assert (high - low) / 2 == pytest.approx(half, rel=0.06)


@pytest.mark.parametrize("size", [0.02, 0.05])
def test_a_difference_of_the_planned_size_is_found_nine_times_in_ten(size: float) -> None:
    rng = np.random.default_rng(1)
    games = for_difference(size, 0.1)
    drawn = rng.normal(size, 0.1, (TRIALS, games))
    apart = np.abs(drawn.mean(axis=1)) > Z95 * drawn.std(axis=1, ddof=1) / np.sqrt(games)
    assert 0.86 < apart.mean() < 0.94


def test_a_correlation_of_the_planned_size_is_found_nine_times_in_ten() -> None:
    rng = np.random.default_rng(1)
    size = 0.2
    games = for_correlation(size)
    hits = 0
    for _ in range(TRIALS):
        first = rng.normal(size=games)
        second = size * first + np.sqrt(1 - size**2) * rng.normal(size=games)
        one = rank_correlation(first, second)
        assert one is not None
        hits += one.low > 0
    # Ranks lose a little of what the numbers themselves would tell.
    assert 0.82 < hits / TRIALS < 0.94
