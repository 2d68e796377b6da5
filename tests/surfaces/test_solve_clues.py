"""`mineproof solve` where clues may lie: the channel, and how far each clue is believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]


@pytest.fixture
def position(tmp_path: Path) -> str:
    path = tmp_path / "position.txt"
    path.write_text("square 1x3 mines=unknown density=0.5\n.1.\n")
    return str(path)


def test_beliefs_as_json(command: Command, position: str) -> None:
    answer = json.loads(command("solve", position, "--clues", "optimistic", "--json").out)
    (belief,) = answer["beliefs"]
    assert (belief["cell"], belief["shown"]) == ([0, 1], 1)
    assert belief["counts"] == pytest.approx({"1": 0.75, "2": 0.25})
    assert "beliefs" not in json.loads(command("solve", position, "--json").out)


def test_beliefs_as_text(command: Command, position: str) -> None:
    out = command("solve", position, "--clues", "optimistic").out
    assert "0,1       1  1: 75.0 %, 2: 25.0 %\n" in out
    assert "true count" not in command("solve", position).out


def test_a_table_from_a_file(command: Command, position: str, tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0 0:1\n1 1:1\n2 1:1\n")
    answer = json.loads(command("solve", position, "--clues", f"table:{table}", "--json").out)
    assert answer["beliefs"][0]["counts"] == pytest.approx({"1": 2 / 3, "2": 1 / 3})


@pytest.mark.parametrize(
    ("clues", "status", "said"),
    [
        ("noisy:1.2", 2, "out of range; accepted: 0 to 1"),
        ("table:0:1;0:0.5", 2, "sums to 1/2"),
        ("table:0:1;0:1;2:1,1:0", 2, "clue 1 of the clue table has no possible cause"),
        ("table:0:1;0:1;2:1", 3, "the clue at 0,1 cannot be met"),
        ("nothing", 2, "unknown clue channel"),
    ],
)
def test_endings(command: Command, position: str, clues: str, status: int, said: str) -> None:
    ran = command("solve", position, "--clues", clues)
    assert (ran.status, ran.out) == (status, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1
