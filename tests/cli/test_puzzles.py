"""`mineproof puzzles`: puzzles that teach, as their users meet them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mineproof.generation.patterns import PATTERNS
from mineproof.generation.puzzle_files import FORMAT, parse_puzzles, read_puzzle_file
from mineproof.view.view import View
from tests.cli.conftest import Command


def test_puzzles_are_shown_with_answers_and_proofs(command: Command) -> None:
    ran = command("puzzles", "--technique", "1-2-1", "--count", "2", "--seed", "7")
    assert ran.status == 0
    assert "puzzle 1 of 2: 1-2-1 (mines beside the ones), level 3" in ran.out
    assert "Which hidden cells are certain?" in ran.out
    assert "mines: " in ran.out
    assert "is a mine." in ran.out


def test_questions_are_shown_without_answers(command: Command) -> None:
    ran = command("puzzles", "--shipped", "--technique", "1-2", "--count", "3", "--ask")
    assert ran.status == 0
    assert ran.out.count("Which hidden cells are certain?") == 3
    assert "1-2" not in ran.out
    assert "mines:" not in ran.out
    assert "X" not in ran.out


def test_a_guess_is_shown_with_exact_chances(command: Command) -> None:
    ran = command("puzzles", "--shipped", "--technique", "guess", "--count", "1")
    assert ran.status == 0
    assert "mines left: " in ran.out
    assert "wins with" in ran.out


def test_lines_fit_a_terminal(command: Command) -> None:
    ran = command("puzzles", "--shipped", "--level", "2", "--ask")
    assert max(map(len, ran.out.splitlines())) <= 80


def test_json_and_files_hold_the_same_puzzles(command: Command, tmp_path: Path) -> None:
    asked = ("puzzles", "--technique", "1-1", "--count", "2", "--seed", "3", "--board", "9x9/14")
    plain, packed = tmp_path / "p.json", tmp_path / "p.json.gz"
    ran = command(*asked, "--out", str(plain))
    assert (ran.status, ran.out) == (0, "2 puzzles of 1 patterns: 2 of level 2\n")
    assert command(*asked, "--out", str(packed), "--json").status == 0
    assert read_puzzle_file(plain) == read_puzzle_file(packed)
    printed = json.loads(command(*asked, "--json").out)
    found = parse_puzzles(json.dumps({"format": FORMAT, **printed}))
    assert found == read_puzzle_file(plain)
    for one in printed["puzzles"]:
        assert View.parse(one["position"]).text == one["position"]
    ran = command("puzzles", "--check", str(packed))
    assert (ran.status, ran.out) == (0, "2 of 2 puzzles are right in answer and proof\n")
    assert command("puzzles", "--read", str(plain), "--json").out == command(*asked, "--json").out


def test_a_wrong_answer_is_found(command: Command, tmp_path: Path) -> None:
    printed = json.loads(command("puzzles", "--shipped", "--technique", "1-2", "--json").out)
    printed["puzzles"][1]["mines"] = []
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps({"format": FORMAT, **printed}), encoding="utf-8")
    ran = command("puzzles", "--check", str(file))
    assert ran.status == 1
    assert ran.out.startswith("puzzle 2 (")
    assert "the mines are not those that are certain" in ran.out
    told = json.loads(command("puzzles", "--check", str(file), "--json").out)
    assert [fault["puzzle"] for fault in told["faults"]] == [2]


def test_the_patterns_are_listed(command: Command) -> None:
    told = json.loads(command("puzzles", "--patterns", "--json").out)["patterns"]
    assert [one["pattern"] for one in told] == list(PATTERNS)
    ran = command("puzzles", "--patterns")
    assert all(f"{name}: " in ran.out for name in PATTERNS)


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (("--technique", "1-9"), 2, "did you mean"),
        (("--level", "9"), 2, "accepted: 1 to 5"),
        (("--count", "0"), 2, "count 0"),
        (("--shipped", "--count", "0"), 2, "--count 0"),
        (("--shipped", "--read", "x"), 2, "exclude each other"),
        (("--shipped", "--seed", "3"), 2, "--seed is for puzzles made from games"),
        (("--balanced", "--level", "3"), 2, "--balanced has all patterns"),
        (("--balanced", "--count", "7"), 2, "a multiple of 5"),
        (("--board", "9x9/99"), 2, "99 mines"),
        (("--board", "3x3/1", "--games", "1", "--technique", "4+"), 4, "1 games have 0 4+ puzzles"),
        (("--read", "nowhere.json"), 2, "cannot be read"),
        (("--check", "pyproject.toml"), 2, "not JSON"),
        (("--out", "no/such/folder/p.json"), 2, "--out"),
    ],
)
def test_bad_input_is_a_line(
    command: Command, options: tuple[str, ...], status: int, said: str
) -> None:
    ran = command("puzzles", *options)
    assert ran.status == status
    assert ran.out == ""
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_nothing_is_written_where_there_are_not_enough(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    ran = command("puzzles", "--board", "3x3/1", "--games", "1", "--out", str(file))
    assert ran.status == 4
    assert not list(tmp_path.iterdir())
