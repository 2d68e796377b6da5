"""Wilson's interval against figures worked out elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.interval import wilson, wilson_share


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
    assert 0 <= interval.low <= share <= interval.high <= 1


def test_nothing_played_says_nothing() -> None:
    low, high = wilson(0, 0)
    assert (low, high) == (0.0, 1.0)


def test_a_share_of_part_of_a_game_lies_between() -> None:
    assert wilson_share(0.25, 4) == wilson(1, 4)
    narrow, between, wide = (wilson_share(0.25, trials) for trials in (5, 4.5, 4))
    assert wide.low < between.low < narrow.low < narrow.high < between.high < wide.high
