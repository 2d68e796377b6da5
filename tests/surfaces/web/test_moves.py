"""Moves that are asked for twice are made once, and may be answered with their analysis."""

from __future__ import annotations

import sys
from dataclasses import replace
from threading import Thread
from typing import Any

from mineproof.inference.engine.budget import Budget
from mineproof.surfaces.web.app import make_app
from mineproof.surfaces.web.games import Game
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.service import Coach


def moves_of(client: Any, path: str) -> list[tuple[str, int]]:
    return [(move["action"], move["cell"]) for move in client.get(path).json["moves"]]


def test_a_move_whose_answer_broke_off_is_answered_again_and_made_once(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=3, first_click="opening")
    first = client.post(f"{path}/open", cell=40, at=0).json
    again = client.post(f"{path}/open", cell=40, at=0).json
    assert again["changed"] == first["changed"] != []
    assert moves_of(client, path) == [("open", 40)]
    mine = next(
        cell for cell, one in enumerate(client.get(path).json["view"]["shown"]) if one is None
    )
    flag = client.post(f"{path}/flag", cell=mine, on=True, at=1).json
    assert flag["changed"] == [[mine, "F"]]
    again = client.post(f"{path}/flag", cell=mine, on=True, at=1).json
    assert again["changed"] == flag["changed"]
    assert moves_of(client, path) == [("open", 40), ("flag", mine)]


def test_an_undo_whose_answer_broke_off_is_done_once(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=3, first_click="opening")
    client.post(f"{path}/open", cell=40)
    client.post(f"{path}/flag", cell=0, on=True)
    client.post(f"{path}/flag", cell=1, on=True)
    one = client.post(f"{path}/undo", at=3).json
    again = client.post(f"{path}/undo", at=3).json
    assert one["moves"] == again["moves"]
    assert len(again["moves"]) == 2
    assert again["practice"]
    assert len(client.post(f"{path}/undo", at=2).json["moves"]) == 1
    # Without the number of moves, every question is a new one.
    assert client.post(f"{path}/undo").json["moves"] == []


def test_a_flag_that_is_changed_is_changed_once(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=3, first_click="opening")
    for at, mark in enumerate(("F", None)):
        first = client.post(f"{path}/flag", cell=0, at=at).json
        assert first["changed"] == [[0, mark]]
        assert client.post(f"{path}/flag", cell=0, at=at).json["changed"] == first["changed"]
    assert moves_of(client, path) == [("flag", 0), ("unflag", 0)]


def test_a_move_is_answered_again_as_it_was_after_an_undo(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=3, first_click="opening")
    first = client.post(f"{path}/open", cell=40, at=0).json
    client.post(f"{path}/flag", cell=0, on=True, at=1)
    client.post(f"{path}/undo", at=2)
    assert client.post(f"{path}/open", cell=40, at=0).json["changed"] == first["changed"]


def test_an_analysis_with_a_move_is_that_of_its_position() -> None:
    """Another tab plays on as soon as it can: it asks while the answer to the move is made."""
    others: list[Thread] = []

    def clock() -> float:
        answering = sys._getframe(1).f_code is Game._elapsed.__code__
        if armed and answering and not others:
            others.append(Thread(target=lambda: coach.open(name, 80)))
            others[0].start()
        return 0.0

    armed = False
    coach = Coach(clock=clock)
    name = coach.new_game("9x9/10", 3, "opening", None)["game"]
    coach.open(name, 40)
    armed = True
    told = coach.open(name, 0, see=True)
    others[0].join()
    assert told["analysis"]["p"][80] is not None
    assert coach.game_analysis(name, None)["p"][80] is None
    coach.workers.close()


def test_a_move_that_others_followed_is_a_new_one(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=3, first_click="opening")
    client.post(f"{path}/open", cell=40, at=0)
    client.post(f"{path}/flag", cell=0, on=True, at=1)
    client.post(f"{path}/flag", cell=0, on=False, at=2)
    assert client.post(f"{path}/flag", cell=0, on=True, at=1).json["changed"] == [[0, "F"]]
    assert len(moves_of(client, path)) == 4


def test_an_analysis_with_a_move_is_the_one_that_is_asked_for_alone(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=3, first_click="opening")
    told = client.post(f"{path}/open", cell=40, see=True).json["analysis"]
    alone = client.get(f"{path}/analysis").json
    assert {**told, "elapsed_us": 0} == {**alone, "elapsed_us": 0}
    assert client.post(f"{path}/flag", cell=0, on=True).json["analysis"] is None


def test_no_analysis_comes_with_the_end_of_a_game_or_past_the_quick_budget(client: Any) -> None:
    path, _ = client.new("2x2/1", seed=1, first_click="any")
    states = [client.post(f"{path}/open", cell=cell, see=True) for cell in range(4)]
    told = [answer.json for answer in states if answer.status == 200]
    assert told[-1]["state"] in ("won", "lost")
    assert told[-1]["analysis"] is None
    limits = replace(CoachLimits(), quick_budget=Budget(states=1, memory=16 << 20))
    coach = Coach(limits)
    narrow = type(client)(make_app(coach), coach)
    path, _ = narrow.new("9x9/10", seed=3, first_click="opening")
    assert narrow.post(f"{path}/open", cell=40, see=True).json["analysis"] is None
    assert narrow.get(f"{path}/analysis").json["best"] is not None
