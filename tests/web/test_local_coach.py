"""The coach of a page without a server answers as the server does."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from mineproof.web.api import ENDPOINTS
from mineproof.web.local_coach import LocalCoach
from mineproof.web.requests import CoachLimits
from mineproof.web.tasks import run_task
from tests.core import needs_core

RECORDED = Path("examples/recorded_game.rawvf")
SMALL = "square 3x3 mines=2\n1..\n12.\n01."
TIMES = ("elapsed_us", "elapsed_ms", "seconds_left", "game")


class Page:
    """Asks as the page does, and has the tasks done that are wanted; `tasks` lists them."""

    def __init__(self, coach: LocalCoach | None = None, *, slow: bool = False) -> None:
        self.coach, self.slow = coach or LocalCoach(), slow
        self.tasks: list[str] = []
        self._number = 0

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        self._number += 1
        text = None if body is None else json.dumps(body)
        answer = json.loads(self.coach.ask(self._number, path, text))
        while "wanted" in answer:
            wanted = answer["wanted"]
            self.tasks.append(wanted["task"])
            told = None if self.slow else run_task(json.loads(json.dumps(wanted)))
            answer = json.loads(self.coach.go_on(self._number, json.dumps(told)))
        return answer

    def get(self, path: str, **fields: object) -> Any:
        return self.ask(path + (f"?{urlencode(fields)}" if fields else ""))["answer"]

    def post(self, path: str, **fields: object) -> Any:
        return self.ask(path, fields)["answer"]

    def refused(self, path: str, body: dict[str, Any] | None = None) -> str:
        return str(self.ask(path, body)["error"]["code"])


def timeless(answer: Any) -> Any:
    """An answer without what differs from one time to the next."""
    if isinstance(answer, dict):
        return {name: timeless(value) for name, value in answer.items() if name not in TIMES}
    return [timeless(one) for one in answer] if isinstance(answer, list) else answer


def test_every_endpoint_answers_as_the_server(client: Any) -> None:
    page, asked = Page(), set()
    games = [{"game": ""}, {"game": ""}]

    def same(path: str, query: str = "", **fields: object) -> list[Any]:
        """The answers of both, which are the same."""
        asked.add(path)
        here, there = (path.format(**game) + query for game in games)
        if fields:
            answers = [page.post(here, **fields), client.post(there, **fields).json]
        else:
            answers = [page.get(here), client.get(there).json]
        assert timeless(answers[0]) == timeless(answers[1]), path
        return answers

    for path in ("/api/boards", "/api/agents", "/api/lessons"):
        same(path)
    same("/api/daily", won="beginner:20260101:0:1767225600000")
    recorded = b64encode(RECORDED.read_bytes()).decode()
    games = same("/api/recordings", file=recorded, name=RECORDED.name)
    same("/api/games/{game}/review")
    games = same("/api/games", board="beginner", seed=3, no_guess=True)
    same("/api/games/{game}/open", cell=40)
    same("/api/games/{game}/flag", cell=0)
    same("/api/games/{game}/chord", cell=40)
    same("/api/games/{game}/analysis", "?win=0")
    same("/api/games/{game}/explain", "?cell=0")
    same("/api/games/{game}/hint", "?level=4")
    same("/api/games/{game}")
    same("/api/games/{game}/undo", moves=1)
    games = same("/api/games", board="4x4/15", seed=1, first_click="any")
    same("/api/games/{game}/open", cell=5)
    same("/api/games/{game}/review")
    same("/api/positions", text=SMALL)
    same("/api/positions/analysis", text=SMALL)
    same("/api/positions/explain", text=SMALL, cell=2)
    same("/api/positions/export", text=SMALL, to="board")
    puzzle = page.get("/api/lessons")["levels"][0]["puzzles"][0]
    games = [{"puzzle": puzzle}] * 2
    shown = same("/api/puzzles/{puzzle}")[0]["view"]["shown"]
    same("/api/puzzles/{puzzle}/explain", f"?cell={shown.index(None)}")
    same("/api/watch", board="5x5/4", seed=2, agents=["single-point", "exact"])
    assert {"explain", "hint", "watch"} <= set(page.tasks)
    assert {one.path for one in ENDPOINTS} - asked == {"/api/games/{game}/certificate"}


@needs_core
def test_a_board_without_guesses_and_its_certificate_are_made_as_tasks(client: Any) -> None:
    page = Page()
    game = page.post("/api/games", board="3x3/1", seed=0, no_guess=True)["game"]
    state = page.post(f"/api/games/{game}/open", cell=0)
    assert page.tasks == ["no-guess"]
    shown = page.get(f"/api/games/{game}")
    assert [move["cell"] for move in shown["moves"]] == [0]
    there = client.post("/api/games", board="3x3/1", seed=0, no_guess=True).json["game"]
    assert timeless(client.post(f"/api/games/{there}/open", cell=0).json) == timeless(state)
    assert state["state"] == "won"
    page.get(f"/api/games/{game}/certificate")
    assert page.tasks == ["no-guess", "certificate"]


@needs_core
def test_the_chance_to_win_is_a_task_and_its_end_is_a_note() -> None:
    page, hurried = Page(), Page(slow=True)
    answer = page.post("/api/positions/analysis", text=SMALL, win=True)
    assert answer["win"]["method"] == "endgame"
    cut = hurried.post("/api/positions/analysis", text=SMALL, win=True)
    assert cut["win"] is None
    assert "within 9 seconds" in cut["note"]
    assert cut["p"] == answer["p"]


def test_a_task_that_was_ended_is_too_wide() -> None:
    page = Page(slow=True)
    assert page.refused("/api/positions/explain", {"text": SMALL, "cell": 2}) == "too-wide"


def test_a_seed_that_nobody_chose_is_the_same_when_the_request_goes_on() -> None:
    page = Page()
    watched = page.post("/api/watch", board="5x5/4", agents=["exact"])
    again = page.post("/api/watch", board="5x5/4", agents=["exact"], seed=watched["seed"])
    assert again == watched


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/api/nowhere", None, "not-found"),
        ("/api/games", None, "not-found"),
        ("/api/games/none", None, "not-found"),
        ("/api/games", {"board": "nonsense"}, "malformed"),
        ("/api/games", {"bored": "9x9/10"}, "malformed"),
        ("/api/positions/analysis", {"text": "square 1x2 mines=2\n0."}, "contradiction"),
    ],
)
def test_refusals(path: str, body: dict[str, Any] | None, code: str) -> None:
    assert Page().refused(path, body) == code


def test_a_dropped_request_is_forgotten_and_old_games_are_let_go() -> None:
    limits = CoachLimits(games=2, games_each=2)
    page = Page(LocalCoach(limits))
    names = [page.post("/api/games", board="5x5/4")["game"] for _ in range(3)]
    assert page.refused(f"/api/games/{names[0]}") == "gone"
    coach = page.coach
    wanted = coach.ask(99, "/api/positions/explain", json.dumps({"text": SMALL, "cell": 2}))
    assert "wanted" in json.loads(wanted)
    coach.drop(99)
    with pytest.raises(KeyError):
        coach.go_on(99, "null")
