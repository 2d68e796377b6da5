"""Games that need no guess: made at the first click, the same for a seed, with a certificate."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from threading import Event, Thread
from typing import Any

import pytest

import mineproof as mp
from mineproof.generation.certificate import check_certificate, read_certificates
from mineproof.web.coach import Coach
from mineproof.web.games import daily_json
from mineproof.web.requests import CoachLimits, Refusal, TaskWorkers
from mineproof.web.tasks import TaskProcesses
from tests.core import needs_core
from tests.interrupts import PATIENCE

EVIL = "20x30/130"


def finish(client: Any, path: str) -> Any:
    """Play what is certain until the game is over; a guess fails."""
    while True:
        game = client.get(path).json
        if game["state"] in ("won", "lost"):
            return game
        certain = client.get(f"{path}/analysis").json["certain"]
        assert "safe" in certain, "a guess is needed"
        assert client.post(f"{path}/open", cell=certain.index("safe")).status == 200


@needs_core
@pytest.mark.parametrize(
    ("board", "first"),
    [("beginner", 0), ("intermediate", 136), ("hex:9x9/12", 40), ("torus:9x9/10", 7)],
)
def test_a_game_is_won_without_a_guess(client: Any, board: str, first: int) -> None:
    path, begun = client.new(board, seed=3, no_guess=True)
    assert begun["no_guess"] is True
    assert "first-click=opening" in begun["view"]["rules"]
    opened = client.post(f"{path}/open", cell=first).json
    assert len(opened["changed"]) > 1
    over = finish(client, path)
    assert over["state"] == "won"
    # The command line makes the same board.
    made = mp.generate(board, first=first, seed=3)[0]
    assert over["layout"] == list(made.layout.cells)


@needs_core
@pytest.mark.parametrize("board", ["expert", EVIL])
def test_every_level_is_made_at_the_first_click(client: Any, board: str) -> None:
    path, _ = client.new(board, seed=11, no_guess=True)
    opened = client.post(f"{path}/open", cell=200).json
    assert opened["state"] == "running"
    assert opened["layout"] is None


@needs_core
def test_undo_and_the_moves_of_a_page_bring_the_same_board(client: Any) -> None:
    path, _ = client.new("beginner", seed=5, no_guess=True)
    client.post(f"{path}/flag", cell=0, on=True)
    client.post(f"{path}/open", cell=40)
    before = client.get(path).json["view"]["shown"]
    back = client.post(f"{path}/undo").json
    assert back["state"] == "ready"
    assert back["practice"] is True
    client.post(f"{path}/open", cell=40)
    assert client.get(path).json["view"]["shown"] == before
    _, again = client.new("beginner", seed=5, no_guess=True, moves="f0o40")
    assert again["view"]["shown"] == before
    # Another first cell has a board of its own, and that needs no guess either.
    client.post(f"{path}/undo", moves=2)
    client.post(f"{path}/open", cell=80)
    assert finish(client, path)["state"] == "won"
    assert client.get(f"{path}/review").status == 200


@needs_core
def test_the_certificate_is_given_at_the_end_and_holds(client: Any) -> None:
    path, _ = client.new("beginner", seed=2, no_guess=True)
    client.post(f"{path}/open", cell=40)
    early = client.get(f"{path}/certificate")
    assert (early.status, early.code) == (409, "illegal")
    assert "when the game is over" in early.json["error"]["message"]
    over = finish(client, path)
    line = client.get(f"{path}/certificate").json["text"]
    [certificate] = read_certificates(line)
    assert list(certificate.layout.cells) == over["layout"]
    assert certificate.beginning.first == 40
    assert check_certificate(certificate)


def test_other_games_have_no_certificate(client: Any) -> None:
    path, begun = client.new("2x2/3", seed=1)
    assert begun["no_guess"] is False
    client.post(f"{path}/open", cell=0)
    answer = client.get(f"{path}/certificate")
    assert (answer.status, answer.code) == (409, "illegal")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"first_click": "any"}, "first-click=any makes a guess of the first click"),
        ({"clues": "withheld:0.3"}, "clues=withheld:0.3 has no boards without guesses"),
        ({"board": "40x40/99"}, "a board of 1600 cells is too large for a game without guesses"),
        ({"board": "9x9/81"}, "81 mines do not fit"),
        ({"board": "9x9/~20%"}, "no fixed number"),
        ({"no_guess": "yes"}, "field no_guess is 'yes'; accepted: true or false"),
    ],
)
def test_what_cannot_be_is_refused_before_the_first_click(
    client: Any, fields: dict[str, object], said: str
) -> None:
    answer = client.post("/api/games", **{"board": "9x9/10", "no_guess": True, **fields})
    assert answer.status == 400
    assert said in answer.json["error"]["message"]


@needs_core
@pytest.mark.parametrize("board", ["cube:4x4x4/6", "3x3/1"])
def test_what_may_take_long_is_made_in_a_process(board: str) -> None:
    coach = Coach()
    try:
        game = coach.new_game("beginner", 1, None, None, no_guess=True)["game"]
        coach.open(game, 40)
        assert not coach.workers.pids
        game = coach.new_game(board, 1, None, None, no_guess=True)["game"]
        coach.open(game, 0)
        assert coach.workers.pids
    finally:
        coach.workers.close()


def test_no_more_than_so_many_slow_boards_are_made_at_once() -> None:
    coach = Coach(replace(CoachLimits(), dealers=0))
    game = coach.new_game("cube:4x4x4/6", 1, None, None, no_guess=True)["game"]
    with pytest.raises(Refusal, match="too many boards are made at once; ask again shortly"):
        coach.open(game, 0)
    assert coach.game(game)["state"] == "ready"


@needs_core
def test_a_board_that_has_no_such_layout_says_so(client: Any) -> None:
    path, _ = client.new("2x4/3", seed=1, no_guess=True)
    answer = client.post(f"{path}/open", cell=0)
    assert answer.status == 400
    assert "can be cleared without a guess" in answer.json["error"]["message"]
    assert client.get(path).json["state"] == "ready"


class HeldWorkers:
    """Real processes, which begin when they are told to."""

    def __init__(self, workers: TaskWorkers) -> None:
        self._workers = workers
        self.asked, self.go = Event(), Event()

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        self.asked.set()
        assert self.go.wait(PATIENCE)
        return self._workers.ask(task, asked, seconds, otherwise)

    def warm_up(self) -> None:
        self._workers.warm_up()

    def close(self) -> None:
        self._workers.close()


def test_a_board_that_takes_long_to_make_leaves_its_game_to_others() -> None:
    limits = CoachLimits(no_guess_seconds=PATIENCE)
    workers = HeldWorkers(TaskProcesses(1))
    coach = Coach(limits, workers=workers)
    name = coach.new_game("cube:3x3x3/3", 1, None, None, no_guess=True)["game"]
    opened: list[Any] = []
    player = Thread(target=lambda: opened.append(coach.open(name, 0, see=True)))
    player.start()
    assert workers.asked.wait(PATIENCE)
    assert coach.game(name)["state"] == "ready"
    assert coach.flag(name, 26, True)["changed"] == [(26, "F")]
    workers.go.set()
    player.join()
    assert opened[0]["state"] == "running"
    assert [move["cell"] for move in coach.game(name)["moves"]] == [26, 0]
    coach.workers.close()


# -- the boards of the day --

NOW = datetime(2026, 11, 19, 21, 30, tzinfo=UTC)


def won(day: str, board: str = "beginner", first: int = 40, began: str | None = None) -> str:
    when = datetime.fromisoformat(f"{began or day}T07:00+00:00")
    return f"{board}:{day.replace('-', '')}:{first}:{round(1000 * when.timestamp())}"


def test_the_boards_of_the_day_are_those_of_the_command_line(client: Any) -> None:
    answer = client.post("/api/daily").json
    today = answer["today"]
    assert [one["board"] for one in today["boards"]] == ["beginner", "intermediate", "expert"]
    assert {one["seed"] for one in today["boards"]} == {int(today["day"].replace("-", ""))}
    assert answer["yesterday"]["day"] < today["day"]
    assert 0 < answer["seconds_left"] <= 24 * 3600
    one = today["boards"][0]
    begun = {"seed": one["seed"], "no_guess": True, "moves": f"o{one['start']}"}
    path, game = client.new(one["board"], **begun)
    assert game["view"]["shown"][one["start"]] == 0
    made = mp.generate(one["board"], seed=one["seed"])[0]
    assert made.first == one["start"]
    assert finish(client, path)["layout"] == list(made.layout.cells)


@pytest.mark.parametrize(
    ("wins", "streak", "longest"),
    [
        ([], 0, 0),
        ([won("2026-11-19")], 1, 1),
        ([won("2026-11-18"), won("2026-11-17"), won("2026-11-17", "expert", 232)], 2, 2),
        ([won("2026-11-17"), won("2026-11-16"), won("2026-11-15")], 0, 3),
        ([won("2026-02-28"), won("2026-03-01"), won("2026-11-19")], 1, 2),
        # Begun on another day, at another cell, on another board, on no day at all.
        ([won("2026-11-19", began="2026-11-20")], 0, 0),
        ([won("2026-11-19", first=41)], 0, 0),
        ([won("2026-11-19", "expert")], 0, 0),
        (
            ["evil:20261119:40:1", "beginner:20261199:40:1", "beginner:20261119:40:99999999999999"],
            0,
            0,
        ),
    ],
)
def test_days_in_a_row_are_counted(wins: list[str], streak: int, longest: int) -> None:
    answer = daily_json(NOW, " ".join(wins))
    assert (answer["streak"], answer["longest"]) == (streak, longest)
    assert answer["seconds_left"] == 2.5 * 3600


def test_wins_that_cannot_be_read_are_refused(client: Any) -> None:
    answer = client.post("/api/daily", won="beginner:20261117")
    assert (answer.status, answer.code) == (400, "malformed")
    assert "accepted: BOARD:SEED:FIRST:BEGAN" in answer.json["error"]["message"]
