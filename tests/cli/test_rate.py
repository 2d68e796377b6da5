"""`mineproof rate`: positions, boards and refusals."""

from __future__ import annotations

import json

import pytest

from mineproof.board import Board, Layout
from mineproof.board.layout import measure
from mineproof.errors import InputError
from mineproof.game.difficulty import rate_deal, rate_layout
from mineproof.proofs.techniques import Technique
from mineproof.rules import Rules
from mineproof.view.setting import Setting

POSITION = "square 3x3 mines=2\n1..\n12.\n01."


@pytest.fixture
def position(tmp_path):
    file = tmp_path / "position.txt"
    file.write_text(POSITION)
    return str(file)


def test_a_position(command, position):
    said = json.loads(command("rate", position, "--json").out)
    assert said == {
        "next_step": "3 clues",
        "hardest": "3 clues",
        "certain": 2,
        "techniques": {"single clue": 1, "3 clues": 1},
        "sizes": {"1": 1, "3": 1},
    }
    out = command("rate", position).out
    assert "next step: 3 clues\nhardest: 3 clues\n2 certain cells by technique:\n" in out


def test_nothing_certain(command, tmp_path):
    file = tmp_path / "guess.txt"
    file.write_text("square 1x3 mines=1\n.1.")
    assert command("rate", str(file)).out == "next step: a guess\nnothing is certain\n"


@pytest.mark.parametrize("board", ["beginner", "hex:7x7/8", "cube:3x3x4/4", "triangle:5x9/6"])
def test_a_board(command, board):
    said = json.loads(command("rate", "--board", board, "--seed", "2", "--json").out)
    chosen = Board.parse(board)
    rules = Rules.parse(said["rules"])
    rated = rate_deal(Setting.of(chosen, rules), 2, 0, chosen.topology.cell(said["first"]))
    assert said["first"] == list(chosen.topology.coordinates(chosen.topology.centre))
    found = measure(rated.layout)
    assert (said["three_bv"], said["openings"], said["islands"]) == (
        found.three_bv,
        found.openings,
        found.islands,
    )
    assert said["mines"] == rated.layout.total
    assert sum(said["sizes"].values()) == sum(said["techniques"].values()) == said["steps"]
    assert said["hard_steps"] == said["steps"] - said["techniques"].get("single clue", 0)
    hardest = [Technique.parse(name).rung for name in said["techniques"]]
    assert hardest == sorted(hardest)
    assert hardest[-1:] == [Technique.parse(said["hardest"]).rung]
    out = command("rate", "--board", board, "--seed", "2").out
    assert f"3BV {found.three_bv}" in out
    assert f"{said['guesses']} guess" in out


def test_a_first_cell_that_is_a_mine():
    layout = Layout.of(Board.parse("3x3/1").topology, [4])
    with pytest.raises(InputError, match="cell 1,1 is a mine; accepted: a safe first cell"):
        rate_layout(Setting.of(layout), 4)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "accepted: one of POSITION and --board BOARD"),
        (["x.txt", "--board", "beginner"], "accepted: one of POSITION and --board BOARD"),
        (["x.txt", "--seed", "1"], "--seed is for a board; accepted: with --board"),
        (["x.txt", "--first", "0,0"], "--first is for a board; accepted: with --board"),
        (["--board", "beginner", "--first", "9,9"], "cell '9,9' is not on the board"),
        (["--board", "beginner", "--seed", "-1"], "seed"),
    ],
)
def test_refusals(command, arguments, said):
    ran = command("rate", *arguments)
    assert ran.status == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1
