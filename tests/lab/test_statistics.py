"""Intervals and tests against figures worked out elsewhere."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.lab.statistics import Paired, wilson


# Newcombe (1998), table I, method 3: Wilson's interval without continuity correction.
@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_published(won: int, played: int, low: float, high: float) -> None:
    interval = wilson(won, played)
    assert (round(interval.low, 4), round(interval.high, 4)) == (low, high)


@given(st.integers(0, 500), st.integers(0, 500))
def test_wilson_holds_the_share_and_stays_in_bounds(won: int, lost: int) -> None:
    interval = wilson(won, won + lost)
    share = won / (won + lost) if won + lost else 0.5
    assert 0 <= interval.low <= share + 1e-12
    assert share - 1e-12 <= interval.high <= 1


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(both: int, a: int, b: int, neither: int) -> None:
    paired = Paired(both, a, b, neither)
    tail = sum(comb(a + b, k) for k in range(min(a, b) + 1))
    assert paired.p_value == pytest.approx(
        float(min(Fraction(1), Fraction(2 * tail, 2 ** (a + b))))
    )
    assert paired.interval.low <= paired.interval.high
    swapped = Paired(both, b, a, neither)
    assert swapped.difference == -paired.difference
    assert swapped.interval.low == pytest.approx(-paired.interval.high)


def test_nothing_played_says_nothing() -> None:
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0.0, 1.0)
    assert Paired(0, 0, 0, 0).p_value == 1.0
