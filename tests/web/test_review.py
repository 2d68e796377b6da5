"""Reviews judge moves by what their player could see."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof.search.endgame import endgame
from mineproof.view import View
from tests.core import needs_core


def played(client: Any, board: str, seed: int, *moves: tuple[str, int], **rules: str) -> Any:
    path, _ = client.new(board, seed=seed, **rules)
    views = []
    for what, cell in moves:
        views.append(View.parse(client.get(path).json["view"]["short"]))
        assert client.post(f"{path}/{what}", cell=cell).status == 200
    return client.get(f"{path}/review").json, views


@needs_core  # without it a move so far from the end is judged by its risk
def test_risks_are_those_of_analyze(client: Any) -> None:
    review, views = played(client, "9x9/10", 8, ("open", 0), ("open", 80))
    first, second = review["moves"]
    assert (first["risk"], first["kind"]) == (0.0, "good")
    analysis = mp.analyze(views[1])
    assert analysis.least_risk is not None
    assert second["risk"] == analysis.p[80]
    assert second["measure"] == ("risk" if second["risk"] == 0.0 else "win")
    assert review["lost"] == pytest.approx(first["lost"] + second["lost"])


def test_a_guess_beside_a_safe_cell_is_a_blunder(client: Any) -> None:
    path, _ = client.new("9x9/10", seed=21, first_click="opening")
    client.post(f"{path}/open", cell=40)
    analysis = client.get(f"{path}/analysis").json
    assert "safe" in analysis["certain"]
    mine = analysis["certain"].index("mine")
    safe = analysis["certain"].index("safe")
    client.post(f"{path}/flag", cell=mine)
    client.post(f"{path}/flag", cell=safe)
    client.post(f"{path}/flag", cell=safe)
    client.post(f"{path}/flag", cell=mine)
    assert client.post(f"{path}/open", cell=mine).json["state"] == "lost"
    review = client.get(f"{path}/review").json
    good, right, wrong, off, off_again, last = review["moves"]
    assert [one["kind"] for one in (good, right, wrong)] == ["good", "good", "inaccuracy"]
    assert (wrong["certain"], off["action"], off_again["kind"]) == ("safe", "unflag", "good")
    assert (last["kind"], last["risk"], last["best_risk"], last["lost"]) == (
        "blunder",
        1.0,
        0.0,
        1.0,
    )
    assert last["certain"] == "mine"
    assert "certainly" in last["text"]
    assert review["blunders"] == [6]
    client.post(f"{path}/undo")
    assert len(client.get(f"{path}/review").json["moves"]) == 5


def test_the_least_risk_is_forced(client: Any) -> None:
    review, views = played(client, "1x4/2", 3, ("open", 0), first_click="any")
    assert review["moves"][0]["kind"] == "forced"
    assert mp.analyze(views[0]).p[0] == review["moves"][0]["risk"] == 0.5


def test_a_chord_risks_any_of_its_cells(client: Any) -> None:
    """Two flags that nothing proves: the chord's risk is that of a mine in any opened cell."""
    for seed in range(60):
        path, game = client.new("8x8/14", seed=seed, first_click="safe")
        opened = client.post(f"{path}/open", cell=27).json
        if opened["changed"][0][1] != 1:
            continue
        near = game["board"]["neighbours"][27]
        client.post(f"{path}/flag", cell=near[0])
        answer = client.post(f"{path}/chord", cell=27).json
        move = client.get(f"{path}/review").json["moves"][-1]
        assert move["action"] == "chord"
        assert move["risk"] == pytest.approx(7 / 8)
        assert (answer["state"] == "lost") == (answer["changed"][-1][1] == "*")
        assert move["kind"] == "blunder"
        return
    raise AssertionError("no deal began with a 1")


@pytest.mark.parametrize("clues", ["withheld:0.3", "optimistic", "noisy:0.1"])
def test_games_with_clues_that_may_lie_are_reviewed(client: Any, clues: str) -> None:
    path, _ = client.new("6x6/6", seed=2, clues=clues)
    state, cell = "running", 0
    while state == "running":
        answer = client.post(f"{path}/open", cell=cell)
        state = answer.json.get("state", state)
        cell += 1
    review = client.get(f"{path}/review").json
    assert all(0 <= move["risk"] <= 1 and move["kind"] for move in review["moves"])


def test_a_review_ends_in_time(small: Any, clock: Any) -> None:
    path, _ = small.new("5x5/4", seed=1)
    small.post(f"{path}/open", cell=0)
    times = iter([0.0, 1e9, 1e9, 1e9])
    game = small.coach._games.get(path.rpartition("/")[2])
    from mineproof.web.games import review_json

    review = review_json(game, small.coach.limits, small.coach.workers, lambda: next(times))
    assert review["moves"][0]["kind"] is None


@pytest.mark.parametrize("seed", range(6))
def test_what_the_coach_advises_is_never_called_a_mistake(client: Any, seed: int) -> None:
    path, _ = client.new("8x8/14", seed=seed, first_click="safe")
    state = "ready"
    while state in ("ready", "running"):
        cell = client.get(f"{path}/analysis").json["best"]["cell"]
        state = client.post(f"{path}/open", cell=cell).json["state"]
    review = client.get(f"{path}/review").json
    assert {move["kind"] for move in review["moves"]} <= {"good", "forced"}
    assert (review["lost"], review["blunders"]) == (0.0, [])


@needs_core
def test_near_the_end_what_a_guess_cost_is_the_chance_to_win(client: Any) -> None:
    """Every cell of every late position: the loss is that of best play, from an own search."""
    seen = 0
    for seed in range(12):
        path, _ = client.new("5x5/6", seed=seed, first_click="safe")
        state = client.post(f"{path}/open", cell=0).json["state"]
        while state == "running":
            view = View.parse(client.get(path).json["view"]["short"])
            analysis = mp.analyze(view)
            open_cells = [c for c in view.hidden if analysis.p[c] < 1]
            cell = max(open_cells, key=lambda c: (analysis.p[c] == 0, c))
            state = client.post(f"{path}/open", cell=cell).json["state"]
            if analysis.p[cell] == 0 or analysis.solutions > 500:
                continue
            move = client.get(f"{path}/review").json["moves"][-1]
            end = endgame(view)
            assert move["measure"] == "win"
            assert move["lost"] == pytest.approx(float(end.chance - end.cells[cell]))
            seen += 1
    assert seen > 3


# ------------------------------------------------------------------------------- recorded games

RECORDED = Path("examples/recorded_game.rawvf")


def recorded(client: Any, data: bytes, name: str = "game.rawvf") -> Any:
    return client.post("/api/recordings", file=b64encode(data).decode(), name=name)


def test_a_recorded_game_is_reviewed(client: Any) -> None:
    replay = mp.Replay.read(RECORDED)
    answer = recorded(client, RECORDED.read_bytes())
    assert answer.status == 200, answer.json
    game = answer.json
    assert game["state"] == ("won" if replay.transcript.outcome.won else "lost")
    assert (game["seed"], game["layout"]) == (None, list(replay.layout.cells))
    assert game["elapsed_ms"] == pytest.approx(1000 * replay.seconds, abs=2)
    review = client.get(f"/api/games/{game['game']}/review").json
    steps = replay.transcript.steps
    moves, told = review["moves"], review["recording"]
    assert [(m["action"], m["cell"]) for m in moves] == [
        (step.decision.action.value, step.decision.cell) for step in steps
    ]
    assert [m["time"] for m in told["moves"]] == [c.time / 1000 for c in replay.played.moves]
    values = {entry["key"]: entry["value"] for entry in review["statistics"]}
    assert values == replay.statistics.to_json()
    trail = told["trail"]
    assert len(trail) == 3 * len(replay.events)
    last = replay.events[-1]
    place = [last.x / replay.cell_size, last.y / replay.cell_size]
    assert trail[-3:] == pytest.approx([last.time / 1000, *place], abs=0.005)


def test_play_goes_on_from_any_move_of_a_recorded_game(client: Any) -> None:
    game = recorded(client, RECORDED.read_bytes()).json
    layout = client.get(f"/api/games/{game['game']}/review").json["recording"]["layout"]
    moves = "".join(f"{one['action'][0]}{one['cell']}" for one in game["moves"][:3])
    wish = {"board": game["board"]["name"], "layout": layout, "moves": moves, "practice": True}
    other = client.post("/api/games", **wish).json
    assert (other["state"], other["practice"]) == ("running", True)
    assert other["moves"] == game["moves"][:3]
    assert (other["seed"], other["layout"]) == (None, None)
    mine = game["layout"][0]
    lost = client.post(f"/api/games/{other['game']}/open", cell=mine).json
    assert (lost["state"], lost["layout"]) == ("lost", game["layout"])
    for wrong, error in (
        ("v" + layout[1:], "mines"),
        ("0", "characters"),
        ("?" * len(layout), "0 to 9"),
    ):
        refused = client.post("/api/games", **{**wish, "layout": wrong})
        assert refused.status == 400
        assert error in refused.json["error"]["message"]


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", "not a recorded game"),
        (b"*rmv\0\0", "stopped at byte"),
        (RECORDED.read_bytes()[:200], "read until there"),
    ],
)
def test_broken_recordings_are_refused_in_a_line(client: Any, data: bytes, error: str) -> None:
    answer = recorded(client, data, "")
    assert answer.status == 400
    assert error in answer.json["error"]["message"]


def test_recordings_are_limited(client: Any) -> None:
    assert recorded(client, bytes(787_500)).status == 400  # too long for a field
    assert recorded(client, bytes(2_000_000)).status == 413
    assert client.post("/api/recordings", file="@@").json["error"]["message"] == (
        "field file is not base64"
    )
    # Elsewhere a body stays as short as it was.
    assert client.post("/api/positions", text="x" * 300_000).status == 413
