"""`mineproof transcript`: a kept game, one played again, and the way to `review`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp

Command = Callable[..., Any]


@pytest.fixture
def folder(command: Command, tmp_path: Path) -> Path:
    ran = command(
        *("compare", "--agents", "single-point,random", "--board", "5x5/3..4:1", "--games", "6"),
        *("--seed", "2", "--out", str(tmp_path / "kept"), "--transcripts"),
    )
    assert (ran.status, ran.err) == (0, "")
    return tmp_path / "kept"


def test_a_kept_game(command: Command, folder: Path) -> None:
    asked = ("--agent", "single-point", "--game", "4", "--board", "5x5/4")
    ran = command("transcript", str(folder), *asked)
    assert (ran.status, ran.err) == (0, "")
    game = mp.play("5x5/4", "single-point", seed=2, index=4)
    assert ran.out == game.text
    assert json.loads(command("transcript", str(folder), *asked, "--json").out) == game.to_json()


def test_a_game_played_again_says_so(command: Command, tmp_path: Path) -> None:
    out = str(tmp_path / "rows")
    command("compare", "--agents", "random", "--board", "5x5/4", "--games", "3", "--out", out)
    ran = command("transcript", out, "--game", "2")
    assert ran.status == 0
    assert ran.out == mp.play("5x5/4", "random", index=2).text
    assert "no transcript here; it was played again from its seed" in ran.err
    assert ran.err.count("\n") == 1


def test_review_reads_it(process: Command, folder: Path) -> None:
    text = process("transcript", str(folder), "--agent", "single-point", "--board", "5x5/3").out
    ran = process("review", "-", given=text)
    assert ran.status == 0
    assert "luck" in ran.out


def test_a_game_in_a_world(command: Command, tmp_path: Path) -> None:
    from mineproof.board.layout import Layout
    from mineproof.board.presets import World, format_worlds
    from mineproof.board.topology import Topology

    layout = Layout.of(Topology.parse("hex:5x5"), [4, 18, 20])
    worlds = tmp_path / "worlds.txt"
    worlds.write_text(format_worlds((World("A1", layout), World("A2", layout))))
    out = str(tmp_path / "kept")
    command(
        *("compare", "--agents", "single-point", "--worlds", str(worlds), "--games", "2"),
        *("--out", out, "--transcripts"),
    )
    ran = command("transcript", out, "--world", "A2", "--game", "1")
    assert (ran.status, ran.err) == (0, "")
    assert "world: A2" in ran.out
    assert mp.Transcript.parse(ran.out).index == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ((), "no agent is named; accepted: single-point, random"),
        (("--agent", "sat"), "does not play here"),
        (("--agent", "random", "--game", "6", "--board", "5x5/3"), "accepted: 0 to 5"),
        (("--agent", "random", "--board", "5x5/3", "--world", "A"), "accepted: one of them"),
        (("--agent", "random", "--board", "5x5/9"), "not played here"),
    ],
)
def test_bad_input_is_one_line(
    command: Command, folder: Path, asked: tuple[str, ...], said: str
) -> None:
    ran = command("transcript", str(folder), *asked)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1
