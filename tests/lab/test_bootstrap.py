"""The bootstrap's interval holds the truth as often as it says, and repeats itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.errors import InputError
from mineproof.interval import Interval
from mineproof.lab.bootstrap import mean_of, paired_mean, sign_flip
from mineproof.lab.statistics import Paired


def test_the_interval_holds_the_truth_in_95_of_100() -> None:
    rng = np.random.default_rng(7)
    held = 0
    for seed in range(300):
        board = rng.normal(size=60)  # what both agents share on a game
        first, second = board + rng.normal(0.3, 1, 60), board + rng.normal(0, 1, 60)
        interval = paired_mean(first, second, seed, resamples=1000).interval
        held += interval.low <= 0.3 <= interval.high
    assert 0.91 <= held / 300 <= 0.985


def test_it_agrees_with_the_interval_for_wins() -> None:
    rng = np.random.default_rng(1)
    first, second = rng.random(2000) < 0.6, rng.random(2000) < 0.55
    boot = paired_mean(first, second)
    exact = Paired(
        int((first & second).sum()),
        int((first & ~second).sum()),
        int((~first & second).sum()),
        int((~first & ~second).sum()),
    )
    assert boot.difference == pytest.approx(exact.difference)
    assert boot.interval.low == pytest.approx(exact.interval.low, abs=0.003)
    assert boot.interval.high == pytest.approx(exact.interval.high, abs=0.003)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = np.random.default_rng(2).random((2, 100))
    assert paired_mean(*values, seed=3) == paired_mean(*values, seed=3)
    assert paired_mean(*values, seed=3) != paired_mean(*values, seed=4)


def test_no_difference_at_all() -> None:
    same = paired_mean([1, 2, 3], [1, 2, 3])
    assert (same.difference, same.effect) == (0, 0)
    assert not same.significant
    sure = paired_mean([2, 3, 4], [1, 2, 3])
    assert (sure.interval.low, sure.interval.high) == (1, 1)


SHARE, DIFFERENCE = Interval(0.0, 1.0), Interval(-1.0, 1.0)
shares = st.lists(st.sampled_from([0.0, 0.125, 0.5, 0.75, 1.0]), min_size=1, max_size=12)


@settings(deadline=None, max_examples=60)
@given(shares)
def test_the_interval_of_a_share_stays_within_0_and_1_and_holds_it(values: list[float]) -> None:
    found = mean_of(values, SHARE)
    assert found.value == pytest.approx(sum(values) / len(values))
    assert 0 <= found.interval.low <= found.value <= found.interval.high <= 1
    assert found.interval.low < found.interval.high
    unbounded = paired_mean(values, [0.0] * len(values)).interval
    assert 0 <= unbounded.low <= unbounded.high <= 1


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0])), min_size=1)
)
def test_the_interval_of_a_difference_of_shares_stays_within_its_range(
    pairs: list[tuple[float, float]],
) -> None:
    found = paired_mean(*zip(*pairs, strict=True), bounds=DIFFERENCE)
    assert -1 <= found.interval.low <= found.difference <= found.interval.high <= 1


@pytest.mark.parametrize("value", [0.0, 0.4, 1.0])
def test_games_that_all_say_the_same_leave_room_that_shrinks(value: float) -> None:
    widths = []
    for games in (1, 10, 100):
        low, high = mean_of([value] * games, SHARE).interval
        assert 0 <= low <= value <= high <= 1
        widths.append(high - low)
    assert widths[0] > widths[1] > widths[2] > 0


def test_without_games_nothing_is_known() -> None:
    assert mean_of([], SHARE).interval == SHARE


def test_the_sign_flip_test_is_calibrated() -> None:
    rng = np.random.default_rng(9)
    same = [sign_flip(rng.normal(size=30), seed) for seed in range(300)]
    assert 0.02 <= np.mean([p < 0.05 for p in same]) <= 0.09
    other = [sign_flip(rng.normal(0.9, size=30), seed) for seed in range(50)]
    assert np.mean([p < 0.05 for p in other]) > 0.9
    assert sign_flip(np.zeros(5)) == 1.0


@pytest.mark.parametrize(("first", "second"), [([], []), ([1], [1, 2]), ([[1]], [[1]])])
def test_what_cannot_be_paired_is_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(InputError, match="accepted"):
        paired_mean(first, second)


@pytest.mark.parametrize(("n", "share"), [(40, 0.5), (200, 0.5)])
def test_mcnemar_and_its_mid_p_are_calibrated(n: int, share: float) -> None:
    """Where nothing differs, 5 % of the tests say so: the exact one fewer, mid-p near it."""
    rng = np.random.default_rng(5)
    pairs = [Paired(0, int(k), n - int(k), 0) for k in rng.binomial(n, share, 2000)]
    exact = np.mean([pair.p_value < 0.05 for pair in pairs])
    middle = np.mean([pair.mid_p_value < 0.05 for pair in pairs])
    assert exact <= middle <= 0.065
    assert exact <= 0.055


def test_odds_say_how_much() -> None:
    assert Paired(5, 30, 10, 5).odds == 3
    low, high = Paired(5, 30, 10, 5).odds_interval.low, Paired(5, 30, 10, 5).odds_interval.high
    assert low < 3 < high
    assert Paired(5, 3, 0, 5).to_json("a", "b")["odds"] is None
    assert Paired(5, 0, 0, 5).odds == 1
