"""Clue tables: files, the text that rules carry, and everything that is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings

import mineproof as mp
from mineproof.errors import InputError, NotationError
from mineproof.lab.experiment import Experiment
from mineproof.match.transcript import Transcript
from mineproof.surfaces.cli.main import run
from mineproof.testing.strategies import clue_tables
from mineproof.view.channels import bounds, channel, proves_zero
from mineproof.view.clue_table import ClueTable, spelled_out

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
    assert spelled_out(f"table:{file}") == TEXT
    assert channel(TEXT).text == TEXT
    assert spelled_out(TEXT) == TEXT
    assert [spelled_out(text) for text in ("exact", "noisy:0.1", "table:")] == [
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
    assert bounds(through, 1, 4) == (1, 2)
    assert not proves_zero(through, 4)
    assert proves_zero(through, 2)


@given(clue_tables())
@settings(max_examples=50)
def test_texts_read_back(text: str) -> None:
    assert channel(text).text == text
    for neighbours in (0, 3, 8):
        for true in range(neighbours + 1):
            words = [None, *range(neighbours + 1)]
            assert sum(channel(text).likelihood(word, true, neighbours) for word in words) == 1


def test_a_missing_clue_may_depend_on_the_count(tmp_path: Path) -> None:
    path = tmp_path / "clues.txt"
    path.write_text("0 0:0.9 -:0.1\n1 1:1/2 -:1/2\n2 -:1\nneighbours 1\n0 0:1\n1 1:1\n")
    text = "table:0:0.9,-:0.1;1:0.5,-:0.5;-:1@1;0:1;1:1"
    assert spelled_out(f"table:{path}") == text
    through = channel(text)
    assert through.text == text
    assert [through.likelihood(None, true, 2) for true in range(3)] == [
        *(Fraction(1, 10), Fraction(1, 2), Fraction(1))
    ]
    assert through.tells_missing
    # Cells with one neighbour have rows of their own, which leave out nothing.
    assert bounds(through, None, 1) == (1, 0)
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
        spelled_out(f"table:{tmp_path / 'none.txt'}")
    huge = tmp_path / "huge.txt"
    huge.write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(NotationError, match="longer than"):
        spelled_out(f"table:{huge}")


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
