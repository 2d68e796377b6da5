"""`mineproof puzzle`: solutions, nodes, clashes and bad input."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mineproof.cli import puzzle as puzzling
from mineproof.csp import SearchMethod, SearchResult
from mineproof.view.view import View

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


def test_a_trace_shows_every_value_and_the_board(command: Command, file: str) -> None:
    ran = command("puzzle", file, "--trace", "--order", "mrv")
    assert ran.status == 0
    lines = ran.out.splitlines()
    start = lines.index("pair, step by step:")
    assert lines[start : start + 8] == [
        "pair, step by step:",
        "    node depth  value tried",
        "       1     1  0,1 mine accepted",
        "pair: first solution; 1 nodes (mrv)",
        lines[start + 4],
        "1*.",
        "1..",
        "",
    ]
    assert re.fullmatch(r"1 expanded, \d+(\.\d+)? m?s", lines[start + 4])


LONG = "hard 3 4 4 -1 -1 -1 -1 -1 3 2 -1 -1 -1 -1 -1\n"


def test_a_trace_is_bounded_unless_all_of_it_is_asked_for(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(LONG)

    def lines(*options: str) -> list[str]:
        ran = command("puzzle", str(path), "--all", "--trace", *options)
        assert ran.status == 0
        assert all(len(line) <= 80 for line in ran.out.splitlines())
        return [line for line in ran.out.splitlines() if re.match(r" +\d+", line)]

    whole = lines("--trace-lines", "all")
    assert len(whole) > 60
    assert lines() == whole[:40]
    assert lines("--trace-lines", "3") == whole[:3]
    ran = command("puzzle", str(path), "--all", "--trace", "--trace-lines", "3")
    assert f"... and {len(whole) - 3} more lines; --trace-lines all shows them" in ran.out
    assert any("undone" in line for line in whole)
    assert any("| | 0,2 mine" in line for line in whole)


def test_json_carries_the_trace_where_asked(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text(LONG)
    (plain,) = json.loads(command("puzzle", str(path), "--json").out)["puzzles"]
    assert "trace" not in plain
    ran = command("puzzle", str(path), "--all", "--json", "--trace", "--trace-lines", "5")
    (some,) = json.loads(ran.out)["puzzles"]
    assert len(some["trace"]) == 5
    ran = command("puzzle", str(path), "--all", "--json", "--trace", "--trace-lines", "all")
    (whole,) = json.loads(ran.out)["puzzles"]
    assert whole["trace"][:5] == some["trace"]
    assert len(whole["trace"]) == 5 + some["trace_left_out"]
    assert whole["trace_left_out"] == 0
    tried = [one for one in whole["trace"] if one["fate"] != "undone"]
    assert len(tried) == whole["nodes"]
    assert tried[0] == {
        "node": 1,
        "depth": 1,
        "cell": [0, 0],
        "value": "mine",
        "fate": "kept",
        "why": "",
    }


def test_times_stand_in_the_table_and_in_json(command: Command, file: str) -> None:
    ran = command("puzzle", file, "--table")
    assert "nodes to the first solution" in ran.out
    below = ran.out[ran.out.index("time to the first solution") :]
    assert below.splitlines()[0].split()[-3:] == ["ring", "only", "pair"]
    assert len(re.findall(r"\d m?s", below)) == 16 * 3
    for options in ((), ("--table",)):
        puzzles = json.loads(command("puzzle", file, "--json", *options).out)["puzzles"]
        assert all(puzzle["seconds"] > 0 for puzzle in puzzles)


def test_a_wide_table_is_broken_between_puzzles(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"puzzle-number-{n} 1 2 1 1 -1\n" for n in range(7)))
    ran = command("puzzle", str(path), "--table")
    assert all(len(line) <= 80 for line in ran.out.splitlines())
    for number in range(7):
        assert ran.out.count(f"puzzle-number-{number}") == 2


def test_lines_without_a_name_are_named_by_their_place(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "nameless.txt"
    path.write_text("# no names\n2 2 2 2 -1 -1 2\nP2 1 2 1 1 -1\n  1 2 1 1 -1\n")
    puzzles = json.loads(command("puzzle", str(path), "--json").out)["puzzles"]
    assert [puzzle["name"] for puzzle in puzzles] == ["puzzle-1", "P2", "puzzle-3"]
    path.write_text("2 2 2 2 -1 -1\n")
    ran = command("puzzle", str(path))
    assert ran.status == 2
    assert "line 1: puzzle 'puzzle-1' has 3 numbers for 4 cells" in ran.err


def test_the_reports_own_searches(command: Command, file: str) -> None:
    for order in ("report", "listing"):
        ran = command("puzzle", file, "--order", order, "--json")
        assert ran.status == 0
        puzzles = json.loads(ran.out)["puzzles"]
        assert {(puzzle["order"], puzzle["children"]) for puzzle in puzzles} == {(order, 4)}
        assert all(puzzle["expanded"] <= puzzle["nodes"] for puzzle in puzzles)
    ran = command("puzzle", file, "--order", "report", "--children", "3")
    assert "only: first solution; 2 nodes (report children=3)" in ran.out
    ran = command("puzzle", file, "--children", "1", "--all")
    assert "within the children tried" in ran.out


def test_past_the_budget_the_others_are_still_solved(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "both.txt"
    path.write_text(LONG + "only 2 2 2 2 -1 -1 2\n")
    ran = command("puzzle", str(path), "--all", "--budget", "9")
    assert ran.status == 4
    assert ran.err.startswith("mineproof: hard: more than 9 nodes; accepted:")
    assert "only: 1 solution, the only one" in ran.out
    ran = command("puzzle", str(path), "--all", "--budget", "9", "--json")
    assert ran.status == 4
    hard, only = json.loads(ran.out)["puzzles"]
    assert (hard["nodes"], hard["more_than"], hard["complete"]) == (None, 9, False)
    assert only["solutions"] == 1


def test_what_was_found_is_not_lost_on_ctrl_c(
    command: Command, file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = puzzling.solve_puzzle

    def interrupted(view: View, method: SearchMethod, **options: Any) -> SearchResult:
        if options["name"] == "pair":
            raise KeyboardInterrupt
        return real(view, method, **options)

    monkeypatch.setattr(puzzling, "solve_puzzle", interrupted)
    ran = command("puzzle", file, "--json")
    assert (ran.status, ran.err) == (130, "mineproof: interrupted\n")
    assert [puzzle["name"] for puzzle in json.loads(ran.out)["puzzles"]] == ["ring", "only"]


@pytest.mark.parametrize(
    ("text", "arguments", "status", "said"),
    [
        (LINES, ("--order", "mrw"), 2, "did you mean mrv"),
        (LINES, ("--children", "0"), 2, "--children 0; accepted: 1 or more"),
        (LINES, ("--budget", "3", "--all"), 4, "more than 3 nodes"),
        (LINES, ("--table", "--order", "mrv"), 2, "accepted: without --order"),
        (LINES, ("--table", "--trace"), 2, "--table and --trace exclude each other"),
        (LINES, ("--trace-lines", "9"), 2, "accepted: together with --trace"),
        (LINES, ("--trace", "--trace-lines", "0"), 2, "accepted: a number from 1, or all"),
        (LINES, ("--trace", "--trace-lines", "-1"), 2, "accepted: a number from 1, or all"),
        (LINES, ("--order", "report,mrv"), 2, "order report stands alone"),
        (LINES, ("--order", "report", "--forward-checking"), 2, "no forward checking"),
        (LINES, ("--order", "listing", "--memo"), 2, "order listing has no memo"),
        (LINES, ("--order", "listing", "--all"), 2, "ends at its first solution"),
        ("hex 2x2 mines=1\n1.\n..\n", ("--order", "listing"), 2, "for square boards"),
        ("P1 2 2 1 -1 -1 -1\n", (), 2, "line 1: puzzle 'P1' has 3 numbers for 4 cells"),
        (
            "P\x1b[31m\x07 1 2 1 1 -1\n",
            (),
            2,
            "line 1: name 'P\\x1b[31m\\x07'; accepted: printable",
        ),
        ("P1 2 2 1 -1 -1 -1 9\n", (), 2, "accepted: -1 or a hint 0 to 8"),
        (LINES + "ring 1 1 0 -1\n", (), 2, "line 5: puzzle ring is defined twice"),
        ("", (), 2, "mineproof:"),
    ],
)
def test_bad_input_is_one_line(
    command: Command, tmp_path: Path, text: str, arguments: tuple[str, ...], status: int, said: str
) -> None:
    path = tmp_path / "file.txt"
    path.write_text(text)
    ran = command("puzzle", str(path), *arguments)
    assert ran.status == status
    assert said in ran.err
    assert ran.err.count("\n") == 1
