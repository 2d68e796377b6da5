"""`mineproof generate` and `mineproof check-certificate`, as they are typed."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.generation.no_guess import daily_seed, parse_day


def test_it_prints_boards_and_how_they_were_made(command) -> None:
    ran = command("generate", "--board", "9x9/10", "--no-guess", "--seed", "3", "--count", "2")
    assert ran.status == 0
    first, second, *_ = ran.out.splitlines()
    assert first == "square:9x9/10 from 4,4 (first click opening), seed 3"
    assert second.startswith("uniform: every such board is equally likely; kept 2 of ")
    made = mp.generate("9x9/10", seed=3, count=2)
    for one in made:
        assert str(one.layout) in ran.out


def test_json_holds_the_same(command) -> None:
    ran = command("generate", "--board", "hex:6x6/6", "--no-guess", "--first", "1,2", "--json")
    said = json.loads(ran.out)
    (made,) = mp.generate("hex:6x6/6", first=(1, 2))
    assert said["method"] == "uniform"
    assert said["first"] == [1, 2]
    topology = made.layout.topology
    (board,) = said["boards"]
    assert [topology.cell(place) for place in board["mines"]] == list(made.layout.cells)
    assert said["kept"] == 1
    assert said["tried"] == made.index + 1


def test_out_is_a_file_that_check_certificate_accepts(command, tmp_path: Path) -> None:
    file = tmp_path / "boards.cert"
    words = ("--board", "8x8/12", "--no-guess", "--count", "2", "--out", str(file))
    assert command("generate", *words).status == 0
    ran = command("check-certificate", str(file))
    assert ran.status == 0
    assert ran.out.count("accepted: square:8x8/12") == 2
    told = json.loads(command("check-certificate", str(file), "--json").out)["certificates"]
    assert [one["accepted"] for one in told] == [True, True]
    assert all(one["reason"].startswith("square:8x8/12") for one in told)


def test_a_damaged_file_is_refused(command, tmp_path: Path) -> None:
    file = tmp_path / "board.cert"
    command("generate", "--board", "9x9/10", "--no-guess", "--out", str(file))
    file.write_text(file.read_text().replace('"first":[4,4]', '"first":[4,3]'))
    ran = command("check-certificate", str(file))
    assert ran.status == 2
    assert "line 1" in ran.err
    assert "digest does not fit" in ran.err
    assert ran.err.count("\n") == 1


def test_the_board_of_a_day_is_the_same_for_everybody(command) -> None:
    ran = command("generate", "--daily", "2026-11-17", "--board", "beginner", "--json")
    said = json.loads(ran.out)
    assert (
        said["seed"]
        == 20261117
        == daily_seed(date(2026, 11, 17))
        == daily_seed(parse_day("2026-11-17"))
    )
    again = command("generate", "--board", "beginner", "--no-guess", "--seed", "20261117", "--json")
    assert json.loads(again.out) == said
    assert command("generate", "--daily", "--board", "beginner").status == 0


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ((), 2, "accepted: --no-guess or --daily"),
        (("2026-11-17", "--no-guess"), 2, "accepted: a date with --daily"),
        (("--daily", "17.11.2026"), 2, "accepted: such as 2026-11-17"),
        (("--daily", "--seed", "1"), 2, "accepted: one of them"),
        (("--no-guess", "--first", "99,0"), 2, "99,0"),
        (("--no-guess", "--board", "3x3/5"), 2, "accepted: at most 0"),
        (("--no-guess", "--rules", "clues=optimistic"), 2, "accepted: exact"),
        (("--no-guess", "--out", "/no/such/folder/x"), 2, "--out"),
        (("--no-guess", "--3bv", "x"), 2, "3BV 'x' cannot be read"),
        (
            ("--no-guess", "--board", "6x6/6", "--chain", "99", "--judged", "3"),
            4,
            "no board with chain=99 among 3 without guesses",
        ),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_line(
    command, words: tuple[str, ...], status: int, message: str
) -> None:
    ran = command("generate", *words)
    assert ran.status == status
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""
