"""Clue channels: likelihoods that sum to 1, draws that follow them, and tables of likelihoods."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.cli.main import run
from mineproof.errors import InputError, NotationError
from mineproof.game.transcript import Transcript
from mineproof.lab.experiment import Experiment
from mineproof.rng import Stream
from mineproof.testing import strategies
from mineproof.testing.strategies import clue_tables
from mineproof.view.channels import (
    CHANNELS,
    ClueTable,
    channel,
    count_bounds,
    draw_shown,
    expand_table_file,
    proves_zero,
)

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
    counts = Counter(draw_shown(through, true, neighbours, stream) for _ in range(draws))
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
    assert count_bounds(channel(text), shown, 5) == expected


@given(strategies.channels(), st.integers(0, 12), st.data())
def test_bounds_hold_every_possible_count(text: str, neighbours: int, data: st.DataObject) -> None:
    through = channel(text)
    shown = data.draw(st.none() | st.integers(0, neighbours))
    low, high = count_bounds(through, shown, neighbours)
    for true in range(neighbours + 1):
        if through.likelihood(shown, true, neighbours):
            assert low <= true <= high
    assert proves_zero(through, neighbours) == (count_bounds(through, 0, neighbours)[1] <= 0)


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


# ---------------------------------- clue tables: files, the text that rules carry, what is refused

FILE = """\
# off by one below, now and then
0  0:1
1  0:0.2 1:80%
2  1:1/3 2:2/3
3  2:0.5 3:0.5
4  4:1
neighbours 2      # cells of a path
0  0:1
1  1:1
2  1:0.5 2:0.5
"""
TEXT = "table:0:1;0:0.2,1:0.8;1:1/3,2:2/3;2:0.5,3:0.5;4:1@2;0:1;1:1;1:0.5,2:0.5"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "clues.txt"
    path.write_text(FILE)
    return path


def test_a_file_and_its_text(file: Path) -> None:
    assert expand_table_file(f"table:{file}") == TEXT
    assert channel(TEXT).text == TEXT
    assert expand_table_file(TEXT) == TEXT
    assert [expand_table_file(text) for text in ("exact", "noisy:0.1", "table:")] == [
        *("exact", "noisy:0.1", "table:")
    ]


def test_rows_by_hand() -> None:
    through = channel(TEXT)
    assert through.likelihood(1, 2, 4) == Fraction(1, 3)
    assert through.likelihood(2, 3, 3) == Fraction(1, 2)
    assert through.likelihood(1, 1, 2) == 1
    assert through.likelihood(0, 1, 2) == 0
    # A cell that cannot show 4 shows the number of its neighbours.
    clipped = channel("table:0:0.5,4:0.5;0:0.5,4:0.5")
    assert clipped.likelihood(1, 0, 1) == Fraction(1, 2)
    assert count_bounds(through, 1, 4) == (1, 2)
    assert not proves_zero(through, 4)
    assert proves_zero(through, 2)


@given(clue_tables())
@settings(max_examples=50)
def test_texts_of_tables_read_back(text: str) -> None:
    assert channel(text).text == text
    for neighbours in (0, 3, 8):
        for true in range(neighbours + 1):
            words = [None, *range(neighbours + 1)]
            assert sum(channel(text).likelihood(word, true, neighbours) for word in words) == 1


def test_a_missing_clue_may_depend_on_the_count(tmp_path: Path) -> None:
    path = tmp_path / "clues.txt"
    path.write_text("0 0:0.9 -:0.1\n1 1:1/2 -:1/2\n2 -:1\nneighbours 1\n0 0:1\n1 1:1\n")
    text = "table:0:0.9,-:0.1;1:0.5,-:0.5;-:1@1;0:1;1:1"
    assert expand_table_file(f"table:{path}") == text
    through = channel(text)
    assert through.text == text
    assert [through.likelihood(None, true, 2) for true in range(3)] == [
        *(Fraction(1, 10), Fraction(1, 2), Fraction(1))
    ]
    assert through.tells_missing
    # Cells with one neighbour have rows of their own, which leave out nothing.
    assert count_bounds(through, None, 1) == (1, 0)
    assert not channel("table:0:0.9,-:0.1;1:0.9,-:0.1@1;0:1;1:1").tells_missing
    view = mp.View.parse(f"square 1x4 mines=1 clues={text}\n.?.0")
    assert mp.View.parse(view.text) == view
    game = mp.play("1x9/2", agent="exact", seed=4, clues=text)
    assert Transcript.parse(game.text) == game


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("table", "is no table written out"),
        ("table:clues.txt", "is no table written out; .* a file for --clues and in Python"),
        ("table:/etc/passwd", "is no table written out"),
        ("table:0:1;0:0.2,1:0.7", "row 1 of the clue table sums to 9/10"),
        ("table:0:1;0:1.2", "the share of clue 0 '1.2' is out of range; accepted: 0 to 1"),
        ("table:0:1;0:1,1:0", "clue 1 of the clue table has no possible cause"),
        ("table:0:1;0:0.5,0:0.5", "stands twice"),
        ("table:0:1@2;0:1;1:1", "for 2 neighbours has 2 rows; accepted: 3"),
        ("table:0:1@0;1:1", "shows 1; accepted: clues from 0 to 0"),
        ("table:0:1@1;0:1;1:1@1;0:1;1:1", "two parts for 1 neighbours"),
        ("table:0:1;;0:1", "is no SHOWN:SHARE pair"),
        ("table:0:", "is not a number"),
        ("table:999:1", "clue '999' cannot be read"),
    ],
)
def test_wrong_tables_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        channel(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 0:1\n2 0:1\n", "line 2: row 2 is out of order; accepted: row 1 here"),
        ("0 0:1\n1 0:x\n", "line 2: the share of clue 0"),
        ("neighbours two\n", "line 1: number of neighbours 'two'"),
        ("neighbours 1\n0 0:1\n1 1:1\nneighbours 1\n", "line 4: 1 neighbours are listed twice"),
        ("", "no row"),
        ("0 0:1\n1 0:0.5\n", "row 1 of the clue table sums to 1/2"),
    ],
)
def test_wrong_files_are_named_with_their_line(
    tmp_path: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "clues.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        ClueTable.read(path)
    assert run(["play", "--board", "1x3/1", "--quiet", "--clues", f"table:{path}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_missing_and_a_huge_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotationError, match="cannot be read"):
        expand_table_file(f"table:{tmp_path / 'none.txt'}")
    huge = tmp_path / "huge.txt"
    huge.write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(NotationError, match="longer than"):
        expand_table_file(f"table:{huge}")


def test_a_board_that_the_table_does_not_serve_is_refused(file: Path) -> None:
    with pytest.raises(InputError, match="a cell with 5 neighbours shows; accepted: rows for 0"):
        mp.play("9x9/10", clues=f"table:{file}")
    with pytest.raises(InputError, match="5 neighbours"):
        mp.View.parse(f"square 3x3 mines=1 clues={TEXT}\n...\n...\n...")


def test_a_game_holds_its_table(file: Path) -> None:
    game = mp.play("square4:6x6/5", agent="exact", seed=3, clues=f"table:{file}")
    assert game.rules.clues == TEXT
    file.unlink()
    assert Transcript.parse(game.text) == game
    view = mp.View.parse(f"square4 1x3 mines=1 clues={TEXT}\n.1.")
    assert mp.View.parse(view.text) == view


def test_an_experiment_holds_its_table(file: Path) -> None:
    asked = Experiment.of(["sat"], boards=["square4:4x4/3"], games=2, clues=f"table:{file}")
    assert asked.rules.clues == TEXT
    assert Experiment.parse(asked.text) == asked
    with pytest.raises(NotationError, match="no table written out"):
        Experiment.parse(asked.text.replace(TEXT, f"table:{file}"))


def test_a_text_from_elsewhere_opens_no_file(file: Path) -> None:
    with pytest.raises(NotationError, match="no table written out"):
        mp.View.parse(f"square4 1x3 mines=1 clues=table:{file}\n.1.")
    with pytest.raises(InputError, match="no table written out"):
        mp.View(mp.Topology.parse("1x3"), mp.Rules.parse(f"mines=1 clues=table:{file}"))
