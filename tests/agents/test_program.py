"""What a program is told and what it may answer: texts, without any process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mineproof.agents.adapters import AgentSource
from mineproof.agents.agent import Action, Decision, Guessed, Proved
from mineproof.agents.program import Manifest, _Game, decision_of, files_of
from mineproof.board.presets import Board
from mineproof.errors import AgentFailure, InputError
from mineproof.rules import Rules
from mineproof.view.view import View

VIEW = View.parse("square 3x3 mines=2\n1..\n12.\n01.")


@pytest.mark.parametrize(
    ("answer", "decision"),
    [
        ('{"open": [0, 1]}', Decision.open(1)),
        (
            '{"open": [0, 1], "proved": "mine", "clues": [[0, 0], [1, 1]], "total": true}',
            Decision.open(1, Proved("mine", [0, 4], total=True)),
        ),
        ('{"flag": [0, 2], "guess": "odd", "risk": 0.5}', Decision.flag(2, Guessed("odd", 4, 0.5))),
        ('{"open": [1, 2], "guess": "odd"}', Decision.open(5, Guessed("odd", 4))),
        ('{"unflag": [0, 2]}', Decision.unflag(2)),
        ('{"chord": [0, 0]}', Decision.chord(0)),
        ('{"stop": "no more"}', Decision.stop("no more")),
        ('{"stop": null}', Decision(Action.STOP, None, Decision.stop().reason)),
    ],
)
def test_an_answer_is_a_decision(answer: str, decision: Decision) -> None:
    assert decision_of(answer, VIEW) == decision


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("", "not JSON"),
        ("open 0 1", "not JSON"),
        ("[0, 1]", "no object"),
        ("{}", "names 0 moves"),
        ('{"open": [0, 1], "flag": [0, 1]}', "names 2 moves"),
        ('{"open": [0, 9]}', "field open"),
        ('{"open": 3}', "accepted: coordinates"),
        ('{"open": [0, 1], "proof": "mine"}', "field proof is not known"),
        ('{"open": [0, 1], "proved": 3}', "field proved is no text"),
        ('{"open": [0, 1], "proved": "a", "guess": "b"}', "proved and a guess"),
        ('{"open": [0, 1], "proved": "a", "clues": [[7, 7]]}', "field clues"),
        ('{"open": [0, 1], "guess": "a", "risk": "low"}', "field risk"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_any_other_answer_is_refused_in_one_line(answer: str, said: str) -> None:
    with pytest.raises(AgentFailure) as error:
        decision_of(answer, VIEW)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_the_rows_follow_the_game() -> None:
    """Row by row as the notation writes them, on every kind of board, with flags and mines."""
    for board in ("4x5/6", "hex:5x5/4", "square:5x5#1,1;2,3/5", "cube:3x3x3/8", "torus:4x5/3"):
        parsed = Board.parse(board)
        view = View(parsed.topology, Rules(parsed.mines))
        game = _Game(view, 7)
        flagged = set(list(view.topology.cells)[::4])
        for number, cell in enumerate(view.topology.cells):
            told = json.loads(game.line(view, 10.0, 120.0))
            rows = [row for row in view.text.split("\n")[1:] if row]
            assert [row.replace(" ", "") for row in told["rows"]] == rows
            assert told["move"] == number + 1
            if cell in flagged:
                view = view.toggle_flag(cell)
            else:
                view = view.reveal({cell: 1 if number % 3 else 0})


def test_a_manifest_is_two_lines_of_toml() -> None:
    manifest = Manifest.parse('command = "java -cp out Sweeper"\nbuild = "javac Sweeper.java"')
    assert manifest == Manifest("java -cp out Sweeper", "javac Sweeper.java")
    for text, said in (
        ("", "field command is missing"),
        ("command = 3", "no text"),
        ('command = ""', "the command is empty"),
        ('command = "a \'b"', "cannot be read"),
        ('command = "a"\nshell = true', "field shell is not known"),
        ("command", "not TOML"),
    ):
        with pytest.raises(InputError, match=said):
            Manifest.parse(text)


def test_a_command_names_files_of_its_folder_only(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other.py"
    (own / "lib").mkdir(parents=True)
    (own / "run.py").write_text("")
    other.write_text("")
    (own / "link").symlink_to(other)
    words = ["./nothing", "run.py", "-cp=lib", "lib:run.py", "../other.py", str(other), "link", "/"]
    assert set(files_of(words, own)) == {own / "run.py", own / "lib"}


def test_a_command_is_an_agent_by_its_text() -> None:
    source = AgentSource.parse("command: java -cp out Sweeper")
    assert source is not None
    assert source.program() == ["java", "-cp", "out", "Sweeper"]
    for text in ("command:", "command: 'a"):
        with pytest.raises(InputError):
            AgentSource.parse(text)
