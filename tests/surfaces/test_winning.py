"""`mineproof solve --win` and `mineproof optimal`: text, JSON, picture, and what is refused."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.core import needs_core

Command = Callable[..., Any]

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "risk-or-win.txt")
EARLY = "square 9x9 mines=10\n1........\n" + 8 * ".........\n"


def test_the_table_tells_risk_and_win_apart(command: Command) -> None:
    ran = command("solve", EXAMPLE, "--win", "--table")
    assert (ran.status, ran.err) == (0, "")
    assert "chance to win" in ran.out
    assert "0,1     50.0 %        50.0 %, exact" in ran.out
    assert "best move: 0,1, 50.0 % mine, wins 50.0 %\n" in ran.out
    said = " ".join(ran.out.split())
    assert "0,0 has less risk, 20.0 % against 50.0 %, but best play wins with" in said
    assert "50.0 % after 0,1 and 40.0 % after 0,0. 3 other cells are as good." in said


def test_the_heat_map_alone_still_names_the_best(command: Command) -> None:
    ran = command("solve", EXAMPLE, "--win", "--heat")
    assert "exact" not in ran.out
    assert "best move: 0,1" in ran.out


def test_json_has_the_chances_best_first(command: Command) -> None:
    answer = json.loads(command("solve", EXAMPLE, "--win", "--json").out)
    assert len(answer["win"]) == 9
    best = {"cell": [0, 1], "chance": 0.5, "low": 0.5, "high": 0.5, "exact": True}
    assert answer["win"][0] == best
    assert "win" not in json.loads(command("solve", EXAMPLE, "--json").out)


@needs_core
def test_estimates_have_an_interval_and_repeat(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "early.txt"
    path.write_text(EARLY)
    options = ("--win", "--samples", "20", "--seed", "3")
    ran = command("solve", str(path), *options, "--table")
    assert ran.status == 0
    assert re.search(r"\d+\.\d ± \d+\.\d %, estimated", ran.out)
    assert "Games played out from here win with" in " ".join(ran.out.split())
    first, again = (json.loads(command("solve", str(path), *options, "--json").out) for _ in "ab")
    assert first["win"] == again["win"]
    assert not any(win["exact"] for win in first["win"])


def test_the_picture_has_the_chances_and_marks_the_best(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "win.svg"
    assert command("solve", EXAMPLE, "--win", "--svg", str(path), "--heat").status == 0
    picture = ElementTree.parse(path).getroot()
    marked = [node for node in picture.iter() if node.get("class") == "mark"]
    assert len(marked) == 4
    small = [node for node in picture.iter() if node.get("font-weight") == "bold"]
    assert sorted(node.text or "" for node in small) == 5 * ["40"] + 4 * ["50"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--samples", "5"), "together with --win"),
        (("--seed", "5"), "together with --win"),
        (("--win", "--trust-flags"), "without --trust-flags"),
        (("--win", "--samples", "0"), "1 or more"),
        (("--win", "--seconds", "-1"), "more than 0"),
        (("--win", "--clues", "optimistic"), "clues exact"),
    ],
)
def test_what_win_cannot_do_is_refused(
    command: Command, options: tuple[str, ...], words: str
) -> None:
    ran = command("solve", EXAMPLE, *options)
    assert ran.status == 2
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_optimal_prints_the_fraction_and_the_best_cells(command: Command) -> None:
    ran = command("optimal", "3x3/2", "--first-click", "any")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "square:3x3/2, first click any: best play wins 24 of 36 layouts",
        "chance to win: 2/3, or 0.6666666667",
        "best first cells: 0,1 1,0 1,2 2,1",
    ]


def test_optimal_as_json(command: Command) -> None:
    ran = command("optimal", "4x4/4", "--first-click", "any", "--json")
    answer = json.loads(ran.out)
    assert (answer["wins"], answer["total"]) == (961, 1820)
    assert answer["best"][:2] == [[0, 1], [0, 2]]
    safe = json.loads(command("optimal", "4x4/4", "--json").out)
    assert (safe["wins"], safe["total"]) == (961, 1365)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (("beginner",), 4, "1878392407320 layouts"),
        (("4x4/4", "--budget", "100"), 4, "more than 100 rows"),
        (("4x4/4", "--budget", "0"), 2, "1 or more"),
        (("4x4",), 2, "names no mines"),
        (("4x4/~20%",), 2, "no fixed number"),
        (("4x4/4", "--first-click", "sure"), 2, "any, safe, opening"),
        (("3x3/9",), 2, "do not fit"),
    ],
)
def test_optimal_refuses_in_one_line(
    command: Command, arguments: tuple[str, ...], status: int, words: str
) -> None:
    ran = command("optimal", *arguments)
    assert ran.status == status
    assert words in ran.err
    assert ran.err.count("\n") == 1
