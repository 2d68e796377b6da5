"""A game that the server forgot is taken up again from what its page keeps."""

from __future__ import annotations

from typing import Any

import pytest

from mineproof.board.deal import deal
from mineproof.board.presets import Board

LETTERS = {"open": "o", "flag": "f", "unflag": "u", "chord": "c"}


def kept(moves: list[dict[str, Any]]) -> str:
    return "".join(f"{LETTERS[move['action']]}{move['cell']}" for move in moves)


@pytest.mark.parametrize("clues", ["exact", "withheld:0.3", "optimistic"])
def test_a_game_is_taken_up_where_it_was(client: Any, clues: str) -> None:
    path, _ = client.new("9x9/10", seed=5, first_click="opening", clues=clues)
    client.post(f"{path}/open", cell=40)
    hidden = client.get(path).json["view"]["shown"].index(None)
    client.post(f"{path}/flag", cell=hidden, on=True)
    client.post(f"{path}/flag", cell=hidden, on=False)
    client.post(f"{path}/flag", cell=hidden, on=True)
    before = client.get(path).json
    again_path, again = client.new(
        "9x9/10",
        seed=5,
        first_click="opening",
        clues=clues,
        moves=kept(before["moves"]),
        elapsed_ms=12_345,
        practice=True,
    )
    assert again_path != path
    for same in ("board", "view", "moves", "state", "mines_left", "layout", "version"):
        assert again[same] == before[same]
    assert again["practice"] is True
    assert again["elapsed_ms"] >= 12_345


def test_the_clock_stands_still_while_a_game_is_over(small: Any, clock: Any) -> None:
    board = Board.parse("3x3/1")
    (mine,) = deal(board.topology, board.mines, 1, 0, ()).cells
    path, _ = small.new("3x3/1", seed=1, first_click="any")
    small.post(f"{path}/open", cell=next(iter(board.topology.neighbours(mine))))
    clock.now += 3
    lost = small.post(f"{path}/open", cell=mine).json
    assert (lost["state"], lost["elapsed_ms"]) == ("lost", 3000)
    clock.now += 30
    assert small.post(f"{path}/undo").json["elapsed_ms"] == 3000
    clock.now += 2
    assert small.get(path).json["elapsed_ms"] == 5000
    back = small.post(f"{path}/undo").json
    assert (back["state"], back["elapsed_ms"]) == ("ready", 0)


def test_a_finished_game_keeps_its_time(small: Any, clock: Any) -> None:
    path, over = small.new("2x2/3", seed=1, first_click="safe", moves="o0", elapsed_ms=700)
    assert (over["state"], over["elapsed_ms"]) == ("won", 700)
    clock.now += 30
    assert small.get(path).json["elapsed_ms"] == 700


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("o1x2", "move 2 is 'x2'; accepted: o, f, u or c and the number of a cell"),
        ("o", "move 1 is 'o'; accepted"),
        ("o1 o2", "move 2 is ' o2'"),
        ("o-1", "move 1 is 'o-1'"),
        ("o99", "move 1 of 1: cell 99 is not on the board; accepted: 0..80"),
        ("o4u5", "move 2 of 2: "),
        ("f1" * 2000, "there are more than 1162 moves"),
    ],
)
def test_moves_that_cannot_be_played_are_refused(client: Any, moves: str, said: str) -> None:
    answer = client.post("/api/games", board="9x9/10", seed=1, moves=moves)
    assert answer.status in (400, 409)
    assert said in answer.json["error"]["message"]


def test_moves_need_the_seed_they_were_played_on(client: Any) -> None:
    answer = client.post("/api/games", board="9x9/10", moves="o1")
    assert (answer.status, answer.code) == (400, "malformed")
    assert "field seed is missing" in answer.json["error"]["message"]
