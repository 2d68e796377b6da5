"""Paired tests against figures worked out elsewhere."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.lab.statistics import Paired


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
    assert Paired(0, 0, 0, 0).p_value == 1.0
