"""Intervals and tests: wins, scores, the bootstrap, and tests that stop early."""

from __future__ import annotations

import csv
import io
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import mineproof as mp
from mineproof.errors import InputError
from mineproof.lab import statistics
from mineproof.lab.comparison import Comparison, class_csv, comparison_of, csv_columns
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.runner import run
from mineproof.lab.statistics import (
    AgentGames,
    PairedWins,
    SequentialJudge,
    SequentialTest,
    SequentialVerdict,
    by_score,
    mean_of,
    paired_mean,
    paired_scores,
    pairs_at,
    pairs_of,
    sign_flip,
)
from mineproof.rules import Rules
from mineproof.text import Interval

# ----------------------------------------------------------------------------
# Paired tests against figures worked out elsewhere.


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(both: int, a: int, b: int, neither: int) -> None:
    paired = PairedWins(both, a, b, neither)
    tail = sum(comb(a + b, k) for k in range(min(a, b) + 1))
    assert paired.p_value == pytest.approx(
        float(min(Fraction(1), Fraction(2 * tail, 2 ** (a + b))))
    )
    assert paired.interval.low <= paired.interval.high
    swapped = PairedWins(both, b, a, neither)
    assert swapped.difference == -paired.difference
    assert swapped.interval.low == pytest.approx(-paired.interval.high)


def test_nothing_played_says_nothing() -> None:
    assert PairedWins(0, 0, 0, 0).p_value == 1.0


# ----------------------------------------------------------------------------
# The bootstrap's interval holds the truth as often as it says, and repeats itself.


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
    exact = PairedWins(
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
    pairs = [PairedWins(0, int(k), n - int(k), 0) for k in rng.binomial(n, share, 2000)]
    exact = np.mean([pair.p_value < 0.05 for pair in pairs])
    middle = np.mean([pair.mid_p_value < 0.05 for pair in pairs])
    assert exact <= middle <= 0.065
    assert exact <= 0.055


def test_odds_say_how_much() -> None:
    assert PairedWins(5, 30, 10, 5).odds == 3
    low, high = (
        PairedWins(5, 30, 10, 5).odds_interval.low,
        PairedWins(5, 30, 10, 5).odds_interval.high,
    )
    assert low < 3 < high
    assert PairedWins(5, 3, 0, 5).to_json("a", "b")["odds"] is None
    assert PairedWins(5, 0, 0, 5).odds == 1


# ----------------------------------------------------------------------------
# Where games go on after a mine, agents are compared by score, and only there.


@pytest.fixture(scope="module")
def scored() -> Comparison:
    """Three agents on two boards on which games go on."""
    agents = ["random", "single-point", "sat"]
    return mp.compare(agents, "6x6/5..10:5", games=30, seed=1, on_mine="continue")


@pytest.mark.parametrize(
    ("rules", "by", "measures"),
    [
        ("", "won", ("finer",)),
        ("goal=mark-all", "won", ("marked_share",)),
        ("on-mine=continue", "score", ("score",)),
        ("on-mine=continue goal=mark-all", "score", ("score", "marked_share")),
    ],
)
def test_the_rules_say_what_counts(rules: str, by: str, measures: tuple[str, ...]) -> None:
    found = mp.compare(["single-point", "random"], "4x4/3", games=3, rules=rules)
    assert (found.by, found.measures) == (by, measures)
    assert by_score(Rules.parse(rules)) == (by == "score")
    assert (found.results[0].scores is None) == (by == "won")
    assert (found.paired[0][2].scores is None) == (by == "won")
    assert f"{by}: single-point" in repr(found)
    told = found.to_json()
    assert (told["by"], told["measures"]) == (by, list(measures))
    assert ("score" in told["paired"][0]) == (by == "score")
    assert ("score_low" in told["results"][0]) == (by == "score")
    assert {"score", "finer", "marked_share", "rate", "low", "high"} <= set(told["results"][0])


def test_scores_are_those_of_the_rows(scored: Comparison) -> None:
    for result in scored.results:
        rows = [row for row in scored.rows if row.agent == result.agent]
        # Both boards share each deal, whose games come one after the other.
        deals = np.array([row.score for row in rows]).reshape(-1, 2).mean(axis=1)
        assert result.scores is not None
        assert result.scores.value == pytest.approx(deals.mean())
        assert result.scores.interval == mean_of(np.round(deals, 12), SHARE, shared=True).interval
        assert result.reached == result.scores
        assert result.scores.value == pytest.approx(result.score)
        assert 0 <= result.scores.interval.low <= result.score <= result.scores.interval.high <= 1
    by_agent = {
        agent: np.array([row.score for row in scored.rows if row.agent == agent])
        for agent in ("random", "sat")
    }
    pair = next(pair for a, b, pair in scored.paired if (a, b) == ("random", "sat"))
    assert pair.scores == paired_scores(*by_agent.values(), np.arange(60), 2)
    assert pair.scores.difference == pytest.approx(-by_agent["sat"].mean())
    assert pair.scores.p_value < 0.001
    assert pair.scores.interval.high < 0
    assert pair.scores.higher_b == (by_agent["sat"] > 0).sum()


def test_each_place_has_its_own(scored: Comparison) -> None:
    boards = ["square:6x6/5", "square:6x6/10"]
    assert [(place.agent, place.board) for place in scored.places] == [
        (result.agent, board) for result in scored.results for board in boards
    ]
    assert [(one.board, one.a, one.b) for one in scored.paired_places] == [
        (board, a, b) for board in boards for a, b, _ in scored.paired
    ]
    alone = mp.compare(
        ["random", "single-point", "sat"], "6x6/10", games=30, seed=1, on_mine="continue"
    )
    places = [place for place in scored.places if place.board == boards[1]]
    assert [place.scores for place in places] == [result.scores for result in alone.results]
    paired = [one.pair for one in scored.paired_places if one.board == boards[1]]
    assert paired == [pair for _, _, pair in alone.paired]


def test_memory_and_folder_say_the_same(scored: Comparison, tmp_path: Path) -> None:
    experiment = Experiment.of(
        ["random", "single-point", "sat"],
        boards=["6x6/5..10:5"],
        games=30,
        seed=1,
        on_mine="continue",
    )
    in_folder = comparison_of(run(experiment, folder=tmp_path))
    assert [one.scores for one in in_folder.results] == [one.scores for one in scored.results]
    assert [one.scores for one in in_folder.places] == [one.scores for one in scored.places]
    assert in_folder.paired == scored.paired
    assert in_folder.paired_places == scored.paired_places
    with Results(tmp_path) as results:
        assert results.paired_by_place() == scored.paired_places


def test_equal_agents_do_not_differ() -> None:
    same = paired_scores(np.array([0.1, 0.2, 1.0]), np.array([0.1, 0.2, 1.0]))
    assert (same.difference, same.p_value, same.higher_a, same.higher_b) == (0, 1, 0, 0)
    assert -1 < same.interval.low < 0 < same.interval.high < 1
    # Sums of thirds that differ by rounding alone are equal.
    close = paired_scores(np.array([0.1 + 0.2] * 4), np.array([0.3] * 4))
    assert (close.higher_a, close.p_value) == (0, 1)


def test_few_games_stay_within_the_range() -> None:
    one = paired_scores(np.array([1.0]), np.array([0.0]))
    assert one.interval.low < one.difference == one.interval.high == 1
    none = np.array([])
    unscored = AgentGames(none, none, none).mean_score
    assert unscored is not None
    assert unscored.interval == Interval(0.0, 1.0)


def test_only_games_that_both_have_played_are_paired() -> None:
    played = {
        "a": AgentGames(np.array([0, 1, 2]), np.zeros(3, bool), np.array([0.5, 0.5, 0.5])),
        "b": AgentGames(np.array([2, 1]), np.zeros(2, bool), np.array([0.25, 1.0])),
        "c": AgentGames(np.array([], dtype=int), np.zeros(0, bool), np.array([])),
    }
    ((a, b, pair),) = pairs_of(played)
    assert (a, b, pair.games, pair.scores.games) == ("a", "b", 2, 2)
    assert (pair.scores.higher_a, pair.scores.higher_b) == (1, 1)
    (at,) = pairs_at([("x", None), ("y", None)], played)[1:]
    assert (at.board, at.pair.scores.higher_b) == ("y", 1)


def test_of_very_many_agents_each_is_tested_against_the_best(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(statistics, "_MOST_SCORED", 2)
    monkeypatch.setattr(statistics, "_MOST_SCORED_AT_PLACES", 2)
    games = np.arange(4)
    played = {
        name: AgentGames(games, np.zeros(4, bool), np.full(4, score))
        for name, score in (("a", 0.1), ("b", 0.9), ("c", 0.5))
    }
    luck_test = {(a, b): pair.scores is not None for a, b, pair in pairs_of(played)}
    assert luck_test == {("a", "b"): True, ("a", "c"): False, ("b", "c"): True}
    assert all(one.pair.scores is None for one in pairs_at([("x", None)], played))


def test_the_csv_has_the_measures_that_count_best_first(scored: Comparison) -> None:
    text = class_csv(scored.results, scored.measures)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == csv_columns(("score",))
    assert "finer" not in rows[0]
    assert [row["agent"] for row in rows][-1] == "random"
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores, reverse=True)
    for row in rows:
        assert float(row["score_low"]) <= float(row["score"]) <= float(row["score_high"])
    assert csv_columns(("finer",)) == (
        *("agent", "played", "won", "rate", "low", "high", "finer"),
        *("luck_p", "stuck", "failed", "seconds", "failures"),
    )
    assert csv_columns(("score", "marked_share"))[6:10] == (
        *("score", "score_low", "score_high", "marked_share"),
    )


def test_unequal_columns_are_refused() -> None:
    with pytest.raises(InputError, match="at least one"):
        paired_scores(np.array([]), np.array([]))


# ----------------------------------------------------------------------------
# The sequential test keeps its promises, counted by simulation, and stops early.


TESTS = 1000
TOLERANCE = 0.02  # about three standard deviations of a rate of 5 % in so many tests


def simulated(
    test: SequentialTest, share: float, seed: int
) -> tuple[Counter[SequentialVerdict], float]:
    """What is said where the first agent wins this share of the games that only one wins."""
    rng = np.random.default_rng(seed)
    said: Counter[SequentialVerdict] = Counter()
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
    assert (
        equal[SequentialVerdict.FIRST] + equal[SequentialVerdict.SECOND]
    ) / TESTS <= error + TOLERANCE
    stronger, games = simulated(test, edge, seed=2)
    assert 1 - stronger[SequentialVerdict.FIRST] / TESTS <= error + TOLERANCE
    weaker, _ = simulated(test, 1 - edge, seed=3)
    assert 1 - weaker[SequentialVerdict.SECOND] / TESTS <= error + TOLERANCE
    assert games < 1000
    assert not equal[SequentialVerdict.OPEN]


def test_a_large_difference_is_decided_sooner() -> None:
    test = SequentialTest()
    assert simulated(test, 0.9, seed=4)[1] < simulated(test, 0.6, seed=5)[1] / 3


@given(arrays(np.bool_, 400), arrays(np.bool_, 400), st.integers(0, 400))
def test_more_games_never_change_a_decision(
    first: np.ndarray, second: np.ndarray, cut: int
) -> None:
    test = SequentialTest(0.7, 0.2)
    early, late = test.decide(first[:cut], second[:cut]), test.decide(first, second)
    if early.verdict is not SequentialVerdict.OPEN:
        assert early == late
    assert late.games <= 400
    swapped = {
        SequentialVerdict.FIRST: SequentialVerdict.SECOND,
        SequentialVerdict.SECOND: SequentialVerdict.FIRST,
    }
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
    assert SequentialTest().decide(nothing, nothing).verdict is SequentialVerdict.OPEN


@pytest.mark.parametrize(("edge", "error"), [(0.5, 0.05), (1, 0.05), (0.6, 0), (0.6, 0.5)])
def test_impossible_numbers_are_refused(edge: float, error: float) -> None:
    with pytest.raises(InputError, match="accepted"):
        SequentialTest(edge, error)
