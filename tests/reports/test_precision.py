"""How many games a table needs, against games drawn at random."""

from __future__ import annotations

import numpy as np
import pytest

from mineproof.interval import Z95, wilson
from mineproof.reports.estimates import rank_correlation
from mineproof.reports.precision import for_correlation, for_difference, for_share

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
