"""Agents that are watched: whole games, the same deal for both, and no agents of files."""

from __future__ import annotations

from typing import Any

import pytest

import mineproof as mp
from mineproof.agents.catalog import AGENTS
from mineproof.web.tasks import watch_games


def test_two_agents_meet_the_same_deal(client: Any) -> None:
    answer = client.post(
        "/api/watch", board="hex:6x6/6", seed=5, agents=["exact", "single-point+corner-first"]
    ).json
    first, second = answer["games"]
    assert answer["seed"] == 5
    alone = mp.play("hex:6x6/6", agent="exact", seed=5)
    assert (first["won"], len(first["steps"])) == (alone.outcome.won, len(alone.steps))
    for game in (first, second):
        shown = list(game["view"]["shown"])
        assert set(shown) == {None}
        for step in game["steps"]:
            for cell, mark in step["changed"]:
                shown[cell] = mark
            assert step["reason"]["text"]
        opened_mines = [cell for cell, mark in enumerate(shown) if mark == "*"]
        assert bool(opened_mines) is not game["won"]
        assert set(opened_mines) <= set(game["layout"])
        flags = {cell for cell, mark in enumerate(shown) if mark == "F"}
        assert flags <= set(game["layout"])
    assert len(first["layout"]) == 6
    kinds = {step["reason"]["kind"] for step in first["steps"]}
    assert kinds <= {"proved", "guessed"}


def test_a_random_deal_is_told(client: Any) -> None:
    answer = client.post("/api/watch", board="5x5/3", agents=["random"]).json
    again = client.post("/api/watch", board="5x5/3", agents=["random"], seed=answer["seed"]).json
    assert answer == again


def test_games_end_when_their_time_is_over() -> None:
    asked = {
        "board": "expert",
        "agents": ["exact"],
        "seed": 1,
        "rules": "first-click=safe",
        "seconds": 0.0,
    }
    (game,) = watch_games(asked)
    assert (game["steps"], game["won"], game["outcome"]) == ([], False, "unfinished")
    assert game["note"] == "out of time after 0 s"


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        (["agent.py:Mine"], "unknown agent"),
        (["/etc/passwd:X"], "unknown agent"),
        (["human"], "unknown agent"),
        ([], "one or two"),
        (["exact"] * 3, "one or two"),
        (["exact" * 99], "longer than"),
        (["sat[safe-onl]"], "did you mean safe-only"),
    ],
)
def test_other_agents_are_refused(client: Any, agents: list[str], said: str) -> None:
    answer = client.post("/api/watch", board="expert", agents=agents)
    assert answer.code == "malformed"
    assert said in answer.json["error"]["message"]


@pytest.mark.parametrize("clues", ["table:/etc/passwd", "nothing", "withheld:2"])
def test_clues_that_cannot_be_are_refused(client: Any, clues: str) -> None:
    answer = client.post("/api/watch", board="5x5/3", agents=["random"], clues=clues)
    assert answer.code == "malformed"
    assert "root" not in answer.json["error"]["message"]


def test_large_boards_are_refused(client: Any) -> None:
    answer = client.post("/api/watch", board="40x40/200", agents=["exact"])
    assert "watched on at most 1000" in answer.json["error"]["message"]


def test_every_agent_of_the_catalog_is_offered(client: Any) -> None:
    assert [one["name"] for one in client.get("/api/agents").json] == list(AGENTS)
