"""`mineproof review`: text, JSON and picture of a game, and what is refused."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.advice.game_review import Effort
from tests.core import needs_core
from tests.interrupts import PATIENCE, interrupt_at_work

Command = Callable[..., Any]

ROOT = Path(__file__).parents[2]
GAME = str(ROOT / "examples" / "lost_game.txt")


@needs_core
def test_the_example_in_words(command: Command) -> None:
    ran = command("review", GAME)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "square:8x8/14, exact, seed 5: lost (exploded)"
    assert max(map(len, lines)) <= 80
    row = next(line for line in lines if line.startswith("  32"))
    assert " ".join(row.split()) == "32 open 6,0 blunder 15.4 % 1,6 33.3 % 8.2 % 59.0 %"
    worst = lines[lines.index("the worst moves") + 1 :]
    assert worst[0] == "32. open 6,0: blunder, lost 8.2 %"
    assert lines[-2:] == [
        "lost by all moves together: 15.6 % of the chance to win",
        "luck: 9 of 10 guesses held, 8.08 expected: +0.92",
    ]
    assert "38 more moves risked nothing; --all lists every move" in lines
    assert " 41  open 5,5  good" in command("review", GAME, "--all").out


def test_json_says_what_the_package_says(command: Command) -> None:
    answer = json.loads(command("review", GAME, "--json").out)
    game = mp.Transcript.read(GAME)
    found = mp.review(game, effort=Effort(ends=True))
    assert (answer["board"], answer["won"], answer["outcome"]) == (game.board, False, "exploded")
    assert (answer["lost"], answer["luck"]) == (found.lost, found.luck.difference)
    assert answer["worst"] == list(found.worst)
    assert answer["lost"] == pytest.approx(answer["lost_win"] + answer["lost_risk"])
    for number, (said, move) in enumerate(zip(answer["moves"], found.moves, strict=True), 1):
        assert said["n"] == number
        assert (said["risk"], said["lost"], said["text"]) == (move.risk, move.lost, move.text)
        assert said["cell"] == list(game.topology.coordinates(move.decision.cell or 0))
        assert (said["win"] and said["win"]["chance"]) == (move.win and move.win.chance)


@needs_core
def test_games_played_out_repeat(command: Command) -> None:
    options = ("--win", "--samples", "5", "--json")
    first, again = (command("review", GAME, *options) for _ in "ab")
    assert first.out == again.out
    wins = [move["win"] for move in json.loads(first.out)["moves"] if move["action"] == "open"]
    assert all(wins)
    assert {win["exact"] for win in wins} == {True, False}
    told = command("review", GAME, *options[:-1])
    assert " ± " in told.out


@needs_core
def test_the_picture_is_that_of_the_docs(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "review.svg"
    assert command("review", GAME, "--svg", str(file)).status == 0
    drawn = file.read_text(encoding="utf-8")
    docs = ROOT / "docs" / "pictures" / "review.svg"
    assert drawn == docs.read_text(encoding="utf-8"), "run docs/pictures/make.py"
    picture = ElementTree.fromstring(drawn)
    bold = [node.text for node in picture.iter() if node.get("font-weight") == "bold"]
    assert bold == ["32", "33"]
    assert len(picture.findall(".//{*}circle")) == 20


def test_from_play_to_review(command: Command, process: Command, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    asked = ("--board", "hex:5x5/5", "--agent", "random", "--seed", "3", "--transcript", str(file))
    assert command("play", *asked, "--quiet").status == 0
    ran = command("review", str(file))
    assert ran.status == 0
    assert ran.out.startswith("hex:5x5/5, random, seed 3: ")
    assert process("review", "-", given=file.read_text()).out == ran.out


@pytest.mark.parametrize("rules", [("--clues", "noisy:0.1"), ("--on-mine", "continue")])
def test_games_by_other_rules(command: Command, tmp_path: Path, rules: tuple[str, str]) -> None:
    file = tmp_path / "game.txt"
    asked = ("--board", "5x5/5", "--agent", "random", "--transcript", str(file), "--quiet")
    assert command("play", *asked, *rules).status == 0
    ran = command("review", str(file), "--all")
    assert (ran.status, ran.err) == (0, "")
    refused = command("review", str(file), "--win")
    assert (refused.status, refused.out) == (2, "")
    assert "accepted: without --win" in refused.err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a game"),
        ("square 3x3 mines=2\n1..\n12.\n01.", "not a game"),
        ("mineproof game\nboard: 3x3/1\n", "has no line"),
        ("\0", "not a game"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(
    command: Command, tmp_path: Path, text: str, words: str
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text)
    ran = command("review", str(file))
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_a_forged_game_is_refused_in_one_line(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text(Path(GAME).read_text().replace("2 open 0,0 -> 0", "2 open 0,0 -> 1"))
    ran = command("review", str(file))
    assert (ran.status, ran.out) == (2, "")
    assert "step 2 shows something else when replayed" in ran.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--samples", "5"), "together with --win"),
        (("--seed", "5"), "together with --win"),
        (("--win", "--samples", "0"), "1 or more"),
        (("--svg", "no/such/folder.svg"), "--svg"),
    ],
)
def test_bad_options(command: Command, options: tuple[str, ...], words: str) -> None:
    ran = command("review", GAME, *options)
    assert (ran.status, ran.out) == (2, "")
    assert words in ran.err
    assert ran.err.count("\n") == 1


@needs_core
def test_control_c() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "mineproof", "review", GAME, "--win", "--samples", "1000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        interrupt_at_work(process, 1.5)
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (130, "")
    assert err == "mineproof: interrupted\n"
