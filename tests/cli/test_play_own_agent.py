"""`mineproof play` with an agent of one's own: what it prints, and what it wrongly calls proved."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from mineproof.cli.console import print_foreign
from mineproof.cli.play_display import LiveDisplay
from mineproof.game import Referee, Transcript
from mineproof.sandbox.wire import MARK, OutputCapture

Command = Callable[..., Any]

AGENTS = """
import sys
from mineproof import Decision, Proved

print("imported")

class Hopes:
    def begin(self, view, rng):
        print("begun")
    def act(self, view):
        print(f"{view.opened_count} open \\x1b[31mred")
        print("no line end", end="", file=sys.stderr)
        free = [c for c in view.hidden if not view.is_flagged(c)]
        if view.opened_count and not view.flag_count:
            return Decision.flag(free[-1], Proved("hope"))
        return Decision.open(free[0], Proved("hope"))
    def knowledge(self, view):
        print("asked")
        return "nothing"

class Falls:
    def act(self, view):
        print("about to fall")
        return [][0]
"""
MINESWEEPER = Path(__file__).parents[2] / "examples" / "cs50_style_minesweeper.py"
BOARD = ("--board", "5x5/4", "--seed", "0")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(AGENTS)
    return path


def test_lines_show_what_is_printed_before_the_move_it_led_to(command: Command, file: Path) -> None:
    ran = command("play", *BOARD, "--agent", f"{file}:Hopes")
    lines = ran.out.splitlines()
    assert lines[1:6] == [
        "agent| imported",
        "agent| begun",
        "agent| 0 open \\x1b[31mred",
        "agent| no line end",
        "1. open 0,0: 0 (16 cells opened) - proved safe by hope",
    ]
    assert lines[9:11] == [
        "2. flag 4,4 - proved a mine by hope",
        "   UNSOUND: called proved, but another layout fits (safe with a chance of 50.0 %)",
    ]
    assert "   UNSOUND: called proved, but certainly a mine" in lines
    assert "\x1b" not in ran.out


def test_an_agent_that_falls_is_heard_to_the_end(command: Command, file: Path) -> None:
    ran = command("play", *BOARD, "--agent", f"{file}:Falls")
    assert ran.status == 1
    assert ran.out.splitlines()[1:3] == ["agent| imported", "agent| about to fall"]
    assert "IndexError: list index out of range (own.py line 24)" in ran.out


def test_steps_show_it_before_the_question(process: Command, file: Path) -> None:
    ran = process("play", *BOARD, "--agent", f"{file}:Hopes", "--step", given="\n" * 9)
    first, second, third, *_ = ran.out.split("Enter makes the move")
    assert "agent| begun\n" in first
    assert first.index("agent| 0 open") < first.index("next: open 0,0")
    assert "UNSOUND" not in first
    told = second.index("next: flag 4,4 - proved a mine by hope\n  UNSOUND: called proved, but")
    assert second.index("agent| 16 open") < second.index("asked\nnext:") < told
    assert "2. flag 4,4 - proved a mine by hope\n   UNSOUND: called proved, but" in third


def test_json_has_a_key_where_something_was_printed(command: Command, file: Path) -> None:
    ran = command("play", *BOARD, "--agent", f"{file}:Hopes", "--json")
    said = json.loads(ran.out)
    assert said["printed"][:2] == [
        {"step": 0, "lines": ["imported", "begun"], "left_out_bytes": 0},
        {"step": 1, "lines": ["0 open \\x1b[31mred", "no line end"], "left_out_bytes": 0},
    ]
    assert [step.get("unsound") for step in said["steps"]] == [None, 0.5, 1.0]
    assert "unsound" not in said["steps"][0]
    ours = json.loads(command("play", *BOARD, "--json").out)
    assert "printed" not in ours
    chain = json.loads(command("play", *BOARD, "--agent", f"{file}:Hopes", "--json", "--chain").out)
    assert {"chain", "printed"} <= set(chain)


def test_the_transcript_and_its_review_are_marked(
    command: Command, file: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "game.txt"
    ran = command(
        *("play", *BOARD, "--agent", f"{file}:Hopes", "--quiet", "--proofs"),
        *("--transcript", str(kept)),
    )
    assert "agent|" not in ran.out
    game = Transcript.read(kept)
    assert [step.unsound for step in game.steps] == [None, 0.5, 1.0]
    assert "agent|" not in game.text
    said = json.loads(command("review", str(kept), "--json").out)
    assert said["unsound"] == [2, 3]
    assert [move["unsound"] for move in said["moves"]] == [False, True, True]
    assert said["moves"][1]["text"] == (
        "UNSOUND: called proved, but another layout fits (safe with a chance of 50.0 %)."
        " Nothing proves the flag at 4,4: its mine chance is 50.0 %."
    )
    lines = command("review", str(kept)).out.splitlines()
    assert "   2  flag 4,4  good, unsound" in lines
    assert lines[lines.index("called proved, and not certain") + 1] == "2. flag 4,4"
    assert max(map(len, lines[1:])) <= 80


def test_a_cs50_agent_is_heard_and_judged(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "minesweeper.py"
    hasty = MINESWEEPER.read_text().replace("if count == 0:", "if count <= 1 and len(cells) > 3:")
    path.write_text(
        hasty.replace("        self.safes.add(cell)\n", "        print('told', cell, count)\n", 1)
    )
    ran = command("play", *BOARD, "--agent", str(path))
    assert ran.out.count("agent| told") > 10
    assert "by cs50\n   UNSOUND: called proved, but" in ran.out


# ---------------------------------------------------------------- on a terminal


def terminal(width: int = 40, encoding: str = "utf-8") -> tuple[Console, Callable[[], str]]:
    """A terminal of this width, and what was written to it."""
    written = io.BytesIO()
    file = io.TextIOWrapper(written, encoding=encoding, write_through=True)
    console = Console(
        file=file,
        force_terminal=True,
        width=width,
        height=30,
        color_system=None,
        legacy_windows=False,
    )
    return console, lambda: written.getvalue().decode(encoding)


def test_foreign_text_is_marked_wherever_it_is_broken() -> None:
    console, text = terminal()
    print_foreign(console, [MARK + "x" * 70 + "漢字", MARK.strip(), "y" * 50], MARK)
    print_foreign(console, [], MARK)
    assert text().splitlines() == [
        MARK + "x" * 33,
        MARK + "x" * 33,
        MARK + "x" * 4 + "漢字",
        "agent|",
        "y" * 50,
    ]


def test_a_terminal_that_knows_only_ascii_gets_only_ascii() -> None:
    console, text = terminal(encoding="ascii")
    print_foreign(console, [MARK + "ü"], MARK)
    assert text() == f"{MARK}\\xfc\n"


def test_a_live_game_shows_it_above_the_board_with_its_step() -> None:
    console, text = terminal()
    listener = OutputCapture()
    with LiveDisplay(console, "a game", 0) as show:
        show.listener = listener
        referee = Referee("3x3/2", seed=1)
        show(referee, None)
        assert "agent|" not in text()
        listener.begin()
        listener.next_step()
        listener.hear(b"hello\n")
        show.tell_printed()
    assert "step 1:\nagent| hello\n" in text()
    assert text().rindex("a game") > text().index("agent| hello")
