"""The sequential test keeps its promises, counted by simulation, and stops early."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mineproof.errors import InputError
from mineproof.lab.sequential import SequentialJudge, SequentialTest, Stronger

TESTS = 1000
TOLERANCE = 0.02  # about three standard deviations of a rate of 5 % in so many tests


def simulated(test: SequentialTest, share: float, seed: int) -> tuple[Counter[Stronger], float]:
    """What is said where the first agent wins this share of the games that only one wins."""
    rng = np.random.default_rng(seed)
    said: Counter[Stronger] = Counter()
    games = 0
    for _ in range(TESTS):
        first = rng.random(4000) < share
        decided = test.decide(first, ~first)
        said[decided.verdict] += 1
        games += decided.games
    return said, games / TESTS


@pytest.mark.parametrize(("edge", "error"), [(0.6, 0.05), (0.7, 0.1), (0.75, 0.01)])
def test_the_error_rates_are_those_promised(edge: float, error: float) -> None:
    test = SequentialTest(edge, error)
    equal, _ = simulated(test, 0.5, seed=1)
    assert (equal[Stronger.FIRST] + equal[Stronger.SECOND]) / TESTS <= error + TOLERANCE
    stronger, games = simulated(test, edge, seed=2)
    assert 1 - stronger[Stronger.FIRST] / TESTS <= error + TOLERANCE
    weaker, _ = simulated(test, 1 - edge, seed=3)
    assert 1 - weaker[Stronger.SECOND] / TESTS <= error + TOLERANCE
    assert games < 1000
    assert not equal[Stronger.OPEN]


def test_a_large_difference_is_decided_sooner() -> None:
    test = SequentialTest()
    assert simulated(test, 0.9, seed=4)[1] < simulated(test, 0.6, seed=5)[1] / 3


@given(arrays(np.bool_, 400), arrays(np.bool_, 400), st.integers(0, 400))
def test_more_games_never_change_a_decision(
    first: np.ndarray, second: np.ndarray, cut: int
) -> None:
    test = SequentialTest(0.7, 0.2)
    early, late = test.decide(first[:cut], second[:cut]), test.decide(first, second)
    if early.verdict is not Stronger.OPEN:
        assert early == late
    assert late.games <= 400
    swapped = {Stronger.FIRST: Stronger.SECOND, Stronger.SECOND: Stronger.FIRST}
    other_way = test.decide(second, first)
    assert other_way.verdict is swapped.get(late.verdict, late.verdict)
    assert (other_way.only_b, other_way.only_a) == (late.only_a, late.only_b)


def test_the_judge_waits_for_every_pair() -> None:
    judge = SequentialJudge(SequentialTest())
    won = np.zeros((3, 100), dtype=np.bool_)
    won[0] = True
    won[2] = True
    assert not judge(won)
    won[2] = False
    assert judge(won)
    assert judge.games == judge.decisions[0].games < 100


def test_no_games_say_nothing() -> None:
    nothing = np.zeros(0, dtype=np.bool_)
    assert SequentialTest().decide(nothing, nothing).verdict is Stronger.OPEN


@pytest.mark.parametrize(("edge", "error"), [(0.5, 0.05), (1, 0.05), (0.6, 0), (0.6, 0.5)])
def test_impossible_numbers_are_refused(edge: float, error: float) -> None:
    with pytest.raises(InputError, match="accepted"):
        SequentialTest(edge, error)
