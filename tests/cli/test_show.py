"""`mineproof show`: the position after a step of a game, for other commands to read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mineproof.game import Transcript
from mineproof.view import View


@pytest.fixture
def game(command, tmp_path) -> Path:
    path = tmp_path / "game.txt"
    words = ("--board", "beginner", "--agent", "exact", "--seed", "3")
    assert command("play", *words, "--quiet", "--transcript", str(path)).status == 0
    return path


def test_every_step_is_the_view_of_the_replay(command, game):
    views = list(Transcript.read(game).views())
    for number in (0, 1, 5, len(views) - 1):
        ran = command("show", str(game), "--step", str(number))
        assert ran.status == 0
        assert View.parse(ran.out) == views[number]
    assert View.parse(command("show", str(game)).out) == views[-1]


def test_its_output_is_read_by_other_commands(process, game, tmp_path):
    shown = process("show", str(game), "--step", "5")
    assert shown.status == 0, shown.err
    assert "solutions" in process("solve", "-", given=shown.out).out
    assert process("explain", "-", "--all", given=shown.out).status == 0
    clauses = tmp_path / "clauses.cnf"
    assert process("solve", "-", "--dimacs", str(clauses), given=shown.out).status == 0
    assert "p cnf" in clauses.read_text()
    piped = process("show", "-", "--step", "5", given=game.read_text())
    assert piped.out == shown.out


def test_a_board_for_people(command, game):
    out = command("show", str(game), "--step", "2", "--board").out
    assert out.startswith("2. open ")
    assert "\n  0 1 2 3 4 5 6 7 8\n" in out
    assert out.endswith("cells hidden\n")


def test_a_picture_and_json(command, game, tmp_path):
    picture = tmp_path / "step.svg"
    ran = command("show", str(game), "--step", "2", "--svg", str(picture), "--json")
    told = json.loads(ran.out)
    assert told["step"] == 2
    assert told["made"]["cell"]
    assert told["next"]["reason"]
    assert View.parse(told["position"]) == list(Transcript.read(game).views())[2]
    assert f"<title>{told['text']}</title>" in picture.read_text()
    start = json.loads(command("show", str(game), "--step", "0", "--json").out)
    assert start["made"] is None
    assert json.loads(command("show", str(game), "--json").out)["next"] is None


def test_a_step_past_the_end_says_how_many_there_are(command, game):
    steps = len(Transcript.read(game).steps)
    for wrong in (steps + 1, -1):
        ran = command("show", str(game), f"--step={wrong}")
        assert ran.status == 2
        assert ran.err == (
            f"mineproof: --step {wrong}: the game has {steps} steps; accepted: 0 to {steps}\n"
        )


def test_what_is_no_game_is_refused_in_one_line(command, game, tmp_path):
    strange = tmp_path / "strange.txt"
    strange.write_text("not a game")
    for words in (
        [str(strange)],
        [str(tmp_path / "missing")],
        [str(game), "--board", "--json"],
        [str(game), "--svg", str(tmp_path)],
    ):
        ran = command("show", *words)
        assert ran.status == 2
        assert len(ran.err.splitlines()) == 1
        assert not ran.out
