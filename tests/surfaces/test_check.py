"""`mineproof check`: the first fault of an agent, with its position."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., Any]

EXAMPLE = Path(__file__).parents[2] / "examples" / "cs50_style_minesweeper.py"
PATIENT = ("--move-seconds", "120", "--game-seconds", "600")
AGENTS = """
import time
from mineproof import Decision, Proved

class Unsound:
    def act(self, view):
        return Decision.open(view.hidden[0], Proved("hope"))

class Flags:
    def act(self, view):
        if not view.opened_count:
            return 12
        return Decision.flag(next(c for c in view.hidden if not view.is_flagged(c)))

class Again:
    def act(self, view):
        return 0

class Hangs:
    def act(self, view):
        time.sleep(600)

class Raises:
    def act(self, view):
        return view.no_such_thing

class Off:
    def act(self, view):
        return -1
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "agents.py"
    path.write_text(AGENTS)
    return path


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("Unsound", "unsound", "called proved safe"),
        ("Flags", "wrong flag", "is flagged and safe"),
        ("Again", "illegal move", "is open already"),
        ("Hangs", "time-out", "no answer within 0.3 s"),
        ("Raises", "exception", "AttributeError"),
        ("Off", "exception", "not on the board"),
    ],
)
def test_the_first_fault_is_shown_with_its_position(
    command: Command, file: Path, name: str, kind: str, said: str
) -> None:
    # Only the one that hangs is hurried: another might be late by chance.
    hurry = ("--move-seconds", "0.3") if name == "Hangs" else PATIENT
    arguments = ("check", f"{file}:{name}", "--games", "3", *hurry)
    ran = command(*arguments)
    assert ran.status == 1
    assert kind in ran.out
    assert said in ran.out
    assert "the position it saw:\nsquare 5x5 mines=4" in ran.out
    fault = json.loads(command(*arguments, "--json").out)["fault"]
    assert fault["kind"] == kind
    assert fault["position"].startswith("square 5x5 mines=4")


def test_sound_agents_pass(command: Command) -> None:
    assert command("check", str(EXAMPLE), "--games", "4", *PATIENT).status == 0
    ran = command("check", "single-point", "--games", "3")
    assert ran.status == 0
    assert "no fault" in ran.out


def test_a_cs50_agent_that_jumps_to_conclusions_is_found(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "minesweeper.py"
    path.write_text(
        EXAMPLE.read_text().replace("if count == 0:", "if count <= 1 and len(cells) > 3:")
    )
    ran = command("check", str(path), "--games", "10", *PATIENT)
    assert ran.status == 1
    assert "called proved" in ran.out


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("single-poin", "did you mean single-point"),
        ("nowhere.py", "is not there"),
        ("{file}:Nobody", "unknown class 'Nobody'"),
        ("{file}", "several agents"),
    ],
)
def test_an_agent_that_does_not_exist(command: Command, file: Path, agent: str, said: str) -> None:
    ran = command("check", agent.format(file=file))
    assert ran.status == 2
    assert said in ran.err
    assert ran.err.count("\n") == 1
