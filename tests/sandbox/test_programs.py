"""Agents in other languages, as real programs: those of examples/, and such that misbehave."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.game.check import FaultKind, check
from mineproof.game.play import play
from mineproof.game.referee import Termination
from mineproof.lab.comparison import submissions
from mineproof.lab.experiment import source_digest
from mineproof.sandbox.agent import IsolatedAgent, Limits, make_player

EXAMPLES = Path(__file__).parents[2] / "examples" / "programs"
PATIENT = Limits(move_seconds=120.0, game_seconds=600.0, start_seconds=120.0)
LANGUAGES = {
    "python": ("sweeper.py", None, "python3 sweeper.py"),
    "java": ("Sweeper.java", "javac -d . Sweeper.java", "java -XX:+UseSerialGC -cp . Sweeper"),
    "c++": ("sweeper.cpp", "g++ -std=c++17 -O1 -o sweeper sweeper.cpp", "./sweeper"),
    "javascript": ("sweeper.js", None, "node sweeper.js"),
}


def program(folder: Path, source: str) -> str:
    """A folder with a program in Python, as `--agents` names it."""
    folder.mkdir(exist_ok=True)
    (folder / "run.py").write_text(source)
    (folder / "agent.toml").write_text('command = "python3 run.py"')
    return str(folder)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_in_every_language_plays_soundly(tmp_path: Path, language: str) -> None:
    file, build, command = LANGUAGES[language]
    tool = (build or command).split()[0]
    if tool != "python3" and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    folder = tmp_path / "agent"
    folder.mkdir()
    shutil.copy(EXAMPLES / file, folder)
    if build is not None:
        subprocess.run(build.split(), cwd=folder, check=True, timeout=120)
    (folder / "agent.toml").write_text(f'command = "{command}"')
    assert submissions(tmp_path) == (str(folder),)
    player = make_player(str(folder), PATIENT)
    assert isinstance(player, IsolatedAgent)
    player.probe()
    report = check(lambda: player, boards=["5x5/4", "9x9/10"], games=3)
    player.close()
    assert report.faults == ()
    assert report.games == 6
    assert report.judged > 20, "what it calls proved is confirmed"


ANSWERS = """
import json, os, socket, sys
for line in sys.stdin:
    rows = json.loads(line)["rows"]
    print("seen", file=sys.stderr)
    {}
"""
FAULTS = {
    "print('hello', flush=True)": "the program answered 'hello': not JSON",
    r"os.write(1, b'{}\n{}\n')": "more than one line",
    "sys.exit(7)": "the program ended with status 7",
    "os.close(1); sys.stdin.read()": "the program closed its standard output",
    "print('x' * 100_000, flush=True)": "longer than 65536 bytes",
    "print('{\"open\": [0, 99]}', flush=True)": "field open",
}


@pytest.mark.parametrize("answer", FAULTS)
def test_what_is_no_move_loses_the_game_in_one_line(tmp_path: Path, answer: str) -> None:
    game = play("beginner", program(tmp_path / "one", ANSWERS.replace("{}", answer, 1)), seed=1)
    assert game.outcome.termination is Termination.FAILED
    assert FAULTS[answer] in game.outcome.note
    assert "\n" not in game.outcome.note


def test_a_false_proof_is_found_with_its_position(tmp_path: Path) -> None:
    answer = (
        "print(json.dumps({'open': next([r, c] for r, row in enumerate(rows)"
        " for c, mark in enumerate(row) if mark == '.'), 'proved': 'luck'}), flush=True)"
    )
    player = make_player(program(tmp_path / "one", ANSWERS.replace("{}", answer, 1)), PATIENT)
    assert isinstance(player, IsolatedAgent)
    report = check(lambda: player, boards=["9x9/20"], games=2, rules={"first_click": "any"})
    player.close()
    assert {fault.kind for fault in report.faults} == {FaultKind.UNSOUND}
    assert report.fault is not None
    assert report.fault.refutation is not None


def test_a_program_is_confined_as_a_python_file_is(tmp_path: Path) -> None:
    """It may read its own folder, nothing beside it, and open no network."""
    (tmp_path / "secret.txt").write_text("private")
    answer = """
    found = []
    for name in ("run.py", "../secret.txt"):
        try:
            open(name).close()
            found.append("read " + name)
        except OSError:
            found.append("not " + name)
    try:
        socket.socket()
        found.append("network")
    except OSError:
        found.append("no network")
    print(json.dumps({"stop": ", ".join(found)}), flush=True)
    """
    name = program(tmp_path / "one", ANSWERS.replace("{}", answer.strip(), 1))
    assert (
        play("beginner", name, seed=1).outcome.note == "read run.py, not ../secret.txt, no network"
    )


def test_one_that_hangs_is_ended_and_one_that_is_missing_is_named(tmp_path: Path) -> None:
    hangs = program(tmp_path / "one", ANSWERS.replace("{}", "sys.stdin.read()", 1))
    player = make_player(hangs, Limits(move_seconds=1.0))
    assert isinstance(player, IsolatedAgent)
    assert "no answer within 1 s" in play("beginner", player, seed=1).outcome.note
    assert player.pid is None
    missing = make_player("command: no-such-program-anywhere")
    assert isinstance(missing, IsolatedAgent)
    with pytest.raises(mp.InputError, match="cannot be started"):
        missing.probe()


def test_a_changed_program_is_another_agent(tmp_path: Path) -> None:
    name = program(tmp_path / "one", "")
    before = source_digest(name)
    assert before is not None
    assert source_digest(program(tmp_path / "one", "print()")) != before
