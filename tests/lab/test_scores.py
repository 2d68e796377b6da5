"""Where games go on after a mine, agents are compared by score, and only there."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import mineproof as mp
from mineproof.errors import InputError
from mineproof.interval import Interval
from mineproof.lab import statistics
from mineproof.lab.classroom import class_csv, csv_columns
from mineproof.lab.comparison import Comparison
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.runner import run
from mineproof.lab.scores import by_score, mean_score, paired_scores
from mineproof.lab.statistics import Played, pairs_at, pairs_of
from mineproof.rules import Rules


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
        assert result.scores == mean_score(np.array([row.score for row in rows]))
        assert result.reached == result.scores
        assert result.scores.value == pytest.approx(result.score)
        assert 0 <= result.scores.interval.low <= result.score <= result.scores.interval.high <= 1
    by_agent = {
        agent: np.array([row.score for row in scored.rows if row.agent == agent])
        for agent in ("random", "sat")
    }
    pair = next(pair for a, b, pair in scored.paired if (a, b) == ("random", "sat"))
    assert pair.scores == paired_scores(by_agent["random"], by_agent["sat"])
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
    in_folder = Comparison.of_run(run(experiment, folder=tmp_path))
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
    assert mean_score(np.array([])).interval == Interval(0.0, 1.0)


def test_only_games_that_both_have_played_are_paired() -> None:
    played = {
        "a": Played(np.array([0, 1, 2]), np.zeros(3, bool), np.array([0.5, 0.5, 0.5])),
        "b": Played(np.array([2, 1]), np.zeros(2, bool), np.array([0.25, 1.0])),
        "c": Played(np.array([], dtype=int), np.zeros(0, bool), np.array([])),
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
        name: Played(games, np.zeros(4, bool), np.full(4, score))
        for name, score in (("a", 0.1), ("b", 0.9), ("c", 0.5))
    }
    tested = {(a, b): pair.scores is not None for a, b, pair in pairs_of(played)}
    assert tested == {("a", "b"): True, ("a", "c"): False, ("b", "c"): True}
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
