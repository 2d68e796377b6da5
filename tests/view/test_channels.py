"""Clue channels: likelihoods that sum to 1, draws that follow them, what clues leave possible."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.errors import InputError
from mineproof.rng import Stream
from mineproof.testing import strategies
from mineproof.view.channels import CHANNELS, bounds, channel, proves_zero, show

SAMPLES = {
    "exact": ("exact",),
    "withheld": ("withheld:0", "withheld:0.3", "withheld:1"),
    "optimistic": ("optimistic",),
    "cautious": ("cautious",),
    "noisy": ("noisy:0", "noisy:0.3", "noisy:1"),
    "table": (
        "table:"
        + ";".join(f"{n // 2}:0.5,{n}:0.25,-:0.25" if n else "0:0.75,-:0.25" for n in range(27)),
    ),
}
TEXTS = [text for name in CHANNELS for text in SAMPLES[name]]


def test_every_channel_has_samples() -> None:
    assert set(SAMPLES) == set(CHANNELS)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("neighbours", [0, 1, 2, 8, 26])
def test_likelihoods_sum_to_one(text: str, neighbours: int) -> None:
    through = channel(text)
    for true in range(neighbours + 1):
        words = [None, *range(-1, neighbours + 3)]
        assert sum(through.likelihood(word, true, neighbours) for word in words) == 1
        assert all(through.likelihood(word, true, neighbours) >= 0 for word in words)


@pytest.mark.parametrize("text", TEXTS)
def test_draws_follow_the_likelihoods(text: str) -> None:
    through, true, neighbours, draws = channel(text), 2, 5, 3000
    stream = Stream(11)
    counts = Counter(show(through, true, neighbours, stream) for _ in range(draws))
    chi_square = 0.0
    for word in (None, *range(neighbours + 1)):
        expected = float(through.likelihood(word, true, neighbours)) * draws
        if expected:
            chi_square += (counts.pop(word, 0) - expected) ** 2 / expected
    assert not counts
    assert chi_square < 20.6  # the 0.1 % point with 5 degrees of freedom; fewer have a lower one


@pytest.mark.parametrize(
    ("text", "shown", "expected"),
    [
        ("exact", 2, (2, 2)),
        ("exact", 6, (1, 0)),
        ("exact", None, (1, 0)),
        ("withheld:0.3", 2, (2, 2)),
        ("withheld:0.3", None, (0, 5)),
        ("withheld:0", None, (1, 0)),
        ("withheld:1", 2, (1, 0)),
        ("optimistic", 2, (2, 5)),
        ("cautious", 2, (0, 2)),
        ("noisy:0.3", 2, (1, 3)),
        ("noisy:0.3", 0, (0, 1)),
        ("noisy:0.3", 5, (4, 5)),
        ("noisy:0", 2, (2, 2)),
    ],
)
def test_bounds(text: str, shown: int | None, expected: tuple[int, int]) -> None:
    assert bounds(channel(text), shown, 5) == expected


@given(strategies.channels(), st.integers(0, 12), st.data())
def test_bounds_hold_every_possible_count(text: str, neighbours: int, data: st.DataObject) -> None:
    through = channel(text)
    shown = data.draw(st.none() | st.integers(0, neighbours))
    low, high = bounds(through, shown, neighbours)
    for true in range(neighbours + 1):
        if through.likelihood(shown, true, neighbours):
            assert low <= true <= high
    assert proves_zero(through, neighbours) == (bounds(through, 0, neighbours)[1] <= 0)


@given(strategies.channels())
def test_texts_read_back(text: str) -> None:
    assert channel(text).text == text


def test_likelihoods_by_hand() -> None:
    assert channel("optimistic").likelihood(1, 3, 8) == Fraction(1, 4)
    assert channel("cautious").likelihood(5, 3, 8) == Fraction(1, 6)
    assert channel("withheld:0.3").likelihood(None, 3, 8) == Fraction(3, 10)
    assert channel("noisy:0.5").likelihood(0, 0, 8) == Fraction(3, 4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exac", "did you mean exact"),
        ("exact:1", "takes no parameter"),
        ("withheld", "needs a probability; accepted: such as withheld:0.3"),
        ("withheld:", "is not a number"),
        ("withheld:2", "the probability of withheld '2' is out of range; accepted: 0 to 1"),
        ("noisy:x", "is not a number"),
        ("", "unknown clue channel"),
    ],
)
def test_other_channels_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        channel(text)
