"""`mineproof puzzle`: solutions, nodes, clashes and bad input."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

LINES = """# puzzles of our own
ring 3 3 1 -1 -1 -1 -1 1 -1 -1 -1 -1
only 2 2 2 2 -1 -1 2
pair 2 3 1 1 -1 -1 1 -1 -1
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "puzzles.txt"
    path.write_text(LINES)
    return str(path)


def test_all_solutions_as_json(command: Command, file: str) -> None:
    ran = command("puzzle", file, "--all", "--json")
    assert ran.status == 0
    puzzles = json.loads(ran.out)["puzzles"]
    assert [puzzle["name"] for puzzle in puzzles] == ["ring", "only", "pair"]
    assert [puzzle["solutions"] for puzzle in puzzles] == [8, 1, 2]
    assert [puzzle["unique"] for puzzle in puzzles] == [False, True, False]
    assert all(puzzle["complete"] for puzzle in puzzles)
    assert {puzzle["order"] for puzzle in puzzles} == {"none"}
    assert puzzles[1]["first"] == [[0, 1], [1, 0]]
    assert all(puzzle["nodes"] > 0 for puzzle in puzzles)


def test_the_first_solution_is_drawn(command: Command, file: str) -> None:
    ran = command("puzzle", file, "--order", "mrv,degree,lcv", "--forward-checking", "--memo")
    assert ran.status == 0
    assert "only: first solution; 2 nodes (mrv,degree,lcv forward-checking memo)" in ran.out
    assert "2*\n*2" in ran.out


def test_few_children_may_miss_solutions(command: Command, file: str) -> None:
    ran = command("puzzle", file, "--all", "--children", "2", "--json")
    puzzles = {puzzle["name"]: puzzle for puzzle in json.loads(ran.out)["puzzles"]}
    assert puzzles["ring"]["solutions"] == 2
    assert puzzles["ring"]["complete"] is False


def test_the_table_has_every_order(command: Command, file: str) -> None:
    ran = command("puzzle", file, "--table", "--all")
    assert ran.status == 0
    assert "nodes to all solutions" in ran.out
    assert "mrv,degree,lcv forward-checking" in ran.out
    ran = command("puzzle", file, "--table", "--json")
    assert len(json.loads(ran.out)["puzzles"]) == 16 * 3


def test_a_table_tells_which_searches_were_too_long(command: Command, file: str) -> None:
    ran = command("puzzle", file, "--table", "--all", "--json", "--budget", "5")
    assert ran.status == 0
    puzzles = json.loads(ran.out)["puzzles"]
    assert len(puzzles) == 16 * 3
    unfinished = [puzzle for puzzle in puzzles if puzzle["nodes"] is None]
    assert unfinished
    assert {puzzle["more_than"] for puzzle in unfinished} == {5}


def test_any_notation_is_a_puzzle(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "flower.txt"
    path.write_text("hex 3x3 mines=2\n...\n.2.\n...\n")
    ran = command("puzzle", str(path), "--all", "--json")
    puzzle = json.loads(ran.out)["puzzles"][0]
    assert (puzzle["name"], puzzle["solutions"]) == ("flower", 15)


def test_an_unsolvable_puzzle_says_why(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "clash.txt"
    path.write_text(LINES + "never 2 3 1 0 -1 1 -1 -1 -1\nclash 2 2 1 1 -1 -1 0\n")
    ran = command("puzzle", str(path))
    assert ran.status == 3
    assert ran.err == ("mineproof: clash has no solution: the hints at 0,0 1,1 cannot all be met\n")
    assert "ring: first solution" in ran.out
    ran = command("puzzle", str(path), "--json")
    assert ran.status == 3
    found = json.loads(ran.out)["puzzles"][-1]
    assert found["clash"]["hints"] == [[0, 0], [1, 1]]
    assert (found["solutions"], found["complete"], found["first"]) == (0, True, None)


@pytest.mark.parametrize(
    ("text", "arguments", "status", "said"),
    [
        (LINES, ("--order", "mrw"), 2, "did you mean mrv"),
        (LINES, ("--children", "0"), 2, "--children 0; accepted: 1 or more"),
        (LINES, ("--budget", "3", "--all"), 4, "more than 3 nodes"),
        (LINES, ("--table", "--order", "mrv"), 2, "accepted: without --order"),
        ("P1 2 2 1 -1 -1 -1\n", (), 2, "line 1: puzzle 'P1' has 3 numbers for 4 cells"),
        ("P1 2 2 1 -1 -1 -1 9\n", (), 2, "accepted: -1 or a hint 0 to 8"),
        (LINES + "ring 1 1 0 -1\n", (), 2, "line 5: puzzle ring is defined twice"),
        ("", (), 2, "mineproof:"),
    ],
)
def test_bad_input_is_one_line(
    command: Command,
    tmp_path: Path,
    text: str,
    arguments: tuple[str, ...],
    status: int,
    said: str,
) -> None:
    path = tmp_path / "file.txt"
    path.write_text(text)
    ran = command("puzzle", str(path), *arguments)
    assert ran.status == status
    assert said in ran.err
    assert ran.err.count("\n") == 1
