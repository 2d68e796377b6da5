"""Games over the wire: what is told, what is not, and every kind of move."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from mineproof.board.measures import measure
from mineproof.match.referee import Referee
from mineproof.view import View

BOARDS = ["9x9/10", "square4:7x8/9", "torus:8x8/9", "hex:7x7/8", "hexagon:4/6", "triangle:6x9/8"]
CHANNELS = ["exact", "withheld:0.3", "optimistic", "cautious", "noisy:0.1"]


def layout_of(board: str, seed: int, first: int, **rules: str) -> list[int]:
    """Where the mines of a game are, asked of a referee that nobody plays against."""
    referee = Referee(board, seed, **rules)
    referee.open(first)
    referee.stop()
    assert referee.layout is not None
    return list(referee.layout.cells)


def numbers_in(value: Any) -> list[list[int]]:
    """Every list of whole numbers anywhere in an answer."""
    found: list[list[int]] = []
    if isinstance(value, dict):
        for one in value.values():
            found += numbers_in(one)
    elif isinstance(value, list):
        if value and all(type(one) is int for one in value):
            found.append(value)
        for one in value:
            found += numbers_in(one)
    return found


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("first_click", ["safe", "opening"])
def test_a_game_is_won_by_opening_every_safe_cell(
    client: Any, board: str, first_click: str
) -> None:
    path, game = client.new(board, seed=3, first_click=first_click)
    assert (game["state"], game["moves"], game["seed"]) == ("ready", [], 3)
    first = 20
    mines = layout_of(board, 3, first, first_click=first_click)
    shown = list(game["view"]["shown"])
    state = "ready"
    for cell in [first, *range(game["board"]["cells"])]:
        if cell in mines or shown[cell] is not None:
            continue
        assert state in ("ready", "running")
        answer = client.post(f"{path}/open", cell=cell).json
        for one, mark in answer["changed"]:
            assert shown[one] is None
            shown[one] = mark
        state = answer["state"]
    assert state == "won"
    assert answer["layout"] == mines
    whole = client.get(path).json
    assert whole["view"]["shown"] == shown
    assert View.parse(whole["view"]["short"]).opened_count == len(shown) - len(mines)
    assert client.post(f"{path}/open", cell=mines[0]).code == "illegal"


def test_a_lost_game_tells_its_mines_and_measures(client: Any) -> None:
    path, _ = client.new("9x9/10", first_click="safe")
    client.post(f"{path}/open", cell=0)
    shown = client.get(path).json["view"]["shown"]
    answer: dict[str, Any] = {"state": "running"}
    hidden = [cell for cell, mark in enumerate(shown) if mark is None]
    while answer["state"] == "running":
        cell = hidden.pop()
        answer = client.post(f"{path}/open", cell=cell).json
        if answer.get("state") is None:
            answer = {"state": "running"}
    assert answer["state"] == "lost"
    assert answer["changed"] == [[cell, "*"]]
    assert cell in answer["layout"]
    again = client.new("9x9/10", seed=answer["seed"])[0]
    client.post(f"{again}/open", cell=0)
    end = client.post(f"{again}/open", cell=cell).json
    assert (end["layout"], end["state"]) == (answer["layout"], "lost")
    referee = Referee("9x9/10", end["seed"])
    referee.open(0)
    referee.stop()
    assert referee.layout is not None
    found = measure(referee.layout)
    assert answer["measures"] == {
        "3bv": found.three_bv,
        "openings": found.openings,
        "islands": found.islands,
    }


@pytest.mark.parametrize("clues", CHANNELS)
def test_nothing_tells_the_layout_while_the_game_runs(client: Any, clues: str) -> None:
    """Neither the mines nor the seed are in any answer, in any form."""
    path, begun = client.new("9x9/12", first_click="safe", clues=clues)
    kept = client.coach._games.get(begun["game"])
    answers = [begun, client.post(f"{path}/open", cell=40).json]
    layout = list(kept._referee._truth.cells)
    seed = kept._seed
    answers.append(client.post(f"{path}/flag", cell=layout[0], on=True).json)
    answers += [client.get(f"{path}{end}").json for end in ("", "/analysis", "/review")]
    hidden = [c for c, mark in enumerate(answers[3]["view"]["shown"]) if mark is None]
    answers += [client.get(f"{path}/explain?cell={cell}").json for cell in hidden[:3]]
    answers += [client.post(f"{path}/chord", cell=hidden[0]).json]
    assert not kept._referee.over
    for answer in answers:
        text = json.dumps(answer)
        assert str(seed) not in text
        assert hex(seed)[2:] not in text
        if "witnesses" in answer:
            # Two solutions among many: told by what the player sees, as anyone could.
            answer = {**answer, "witnesses": None}
        assert layout not in [sorted(numbers) for numbers in numbers_in(answer)]
        assert answer.get("layout") is None
        assert answer.get("measures") is None
        assert answer.get("seed") is None
    assert begun["game"] not in (str(seed), hex(seed))


def test_witnesses_do_not_depend_on_the_layout(client: Any) -> None:
    """What is told of a running game is a function of what its player sees."""
    found: dict[str, set[str]] = {}
    for seed in range(40):
        path, _ = client.new("4x4/5", seed=seed, first_click="safe")
        client.post(f"{path}/open", cell=0)
        view = client.get(path).json["view"]["short"]
        analysis = client.get(f"{path}/analysis").json | {"elapsed_us": 0}
        found.setdefault(view, set()).add(json.dumps(analysis))
    assert len(found) > 2
    assert max(map(len, found.values())) == 1


def test_a_seed_that_was_chosen_is_told(client: Any) -> None:
    assert client.new("expert", seed=7)[1]["seed"] == 7
    assert client.new("expert")[1]["seed"] is None


def test_the_same_seed_is_the_same_game(client: Any) -> None:
    answers = []
    for _ in range(2):
        path, _ = client.new("expert", seed=2**53 - 1)
        answers.append(client.post(f"{path}/open", cell=99).json | {"elapsed_ms": 0})
    assert answers[0] == answers[1]


def test_flags_and_chords(client: Any) -> None:
    board, seed, first = "9x9/10", 11, 40
    mines = layout_of(board, seed, first)
    path, game = client.new(board, seed=seed)
    client.post(f"{path}/open", cell=first)
    shown = client.get(path).json["view"]["shown"]
    neighbours = game["board"]["neighbours"]
    clue = next(
        cell
        for cell, mark in enumerate(shown)
        if isinstance(mark, int) and mark and any(
            shown[near] is None and near not in mines for near in neighbours[cell]
        )
    )  # fmt: skip
    assert client.post(f"{path}/chord", cell=clue).code == "illegal"
    around = [near for near in neighbours[clue] if near in mines]
    for place, near in enumerate(around, 1):
        answer = client.post(f"{path}/flag", cell=near, on=True).json
        assert answer["changed"] == [[near, "F"]]
        assert answer["mines_left"] == len(mines) - place
    assert client.post(f"{path}/flag", cell=around[0], on=True).json["changed"] == []
    assert client.post(f"{path}/open", cell=around[0]).code == "illegal"
    opened = client.post(f"{path}/chord", cell=clue).json
    assert opened["state"] in ("running", "won")
    free = {near for near in neighbours[clue] if shown[near] is None} - set(mines)
    assert free <= {cell for cell, _ in opened["changed"]}
    if opened["state"] == "running":
        off = client.post(f"{path}/flag", cell=around[0]).json
        assert off["changed"] == [[around[0], None]]


def test_a_wrong_chord_loses(client: Any) -> None:
    path, _ = client.new("1x5/1", seed=1, first_click="any")
    mine = layout_of("1x5/1", 1, 0, first_click="any")[0]
    beside = mine - 1 if mine > 1 else mine + 1
    client.post(f"{path}/open", cell=beside)
    wrong = beside - 1 if beside < mine else beside + 1
    client.post(f"{path}/flag", cell=wrong)
    answer = client.post(f"{path}/chord", cell=beside).json
    assert (answer["state"], answer["changed"]) == ("lost", [[mine, "*"]])


def test_undo_goes_back_before_the_mistake(client: Any) -> None:
    mines = layout_of("9x9/10", 5, 0)
    path, _ = client.new("9x9/10", seed=5)
    client.post(f"{path}/open", cell=0)
    before = client.get(path).json
    lost = client.post(f"{path}/open", cell=mines[3]).json
    assert (lost["state"], lost["practice"]) == ("lost", False)
    back = client.post(f"{path}/undo").json
    assert (back["view"], back["moves"]) == (before["view"], before["moves"])
    assert (back["state"], back["practice"], back["layout"]) == ("running", True, None)
    assert back["version"] > lost["version"]
    safe = next(
        cell
        for cell in range(81)
        if back["view"]["shown"][cell] is None and cell not in mines
    )  # fmt: skip
    assert client.post(f"{path}/open", cell=safe).json["state"] == "running"
    client.post(f"{path}/flag", cell=mines[0])
    assert client.post(f"{path}/undo", moves=3).json["state"] == "ready"
    assert client.post(f"{path}/undo").code == "illegal"
    assert client.post(f"{path}/undo", moves=0).code == "illegal"


def test_time_runs_from_the_first_cell_to_the_end(small: Any, clock: Any) -> None:
    path, _ = small.new("3x3/1", seed=1, first_click="any")
    mine = layout_of("3x3/1", 1, 0, first_click="any")[0]
    clock.now += 5
    small.post(f"{path}/flag", cell=mine)
    small.post(f"{path}/flag", cell=mine)
    corner = next(cell for cell in (0, 2, 6, 8) if cell != mine)
    small.post(f"{path}/open", cell=corner)
    clock.now += 1.5
    end = small.post(f"{path}/open", cell=mine).json
    assert end["elapsed_ms"] in (1500, 0)
    clock.now += 9
    assert small.get(path).json["elapsed_ms"] == end["elapsed_ms"]


def test_a_game_has_an_end_of_moves(small: Any) -> None:
    path, _ = small.new("2x2/1", seed=1)
    most = small.coach.limits.moves(4)
    game = small.coach._games.get(path.rpartition("/")[2])
    for _ in range(most):
        game.flag(0)
    assert re.search(rf"has {most} moves", small.post(f"{path}/flag", cell=0).body.decode())


@pytest.mark.parametrize("cell", [81, 2**53 - 1])
@pytest.mark.parametrize("what", ["open", "flag", "chord"])
def test_cells_off_the_board_are_refused(client: Any, cell: int, what: str) -> None:
    path, _ = client.new("9x9/10")
    assert client.post(f"{path}/{what}", cell=cell).code == "malformed"
    assert client.get(f"{path}/explain?cell={cell}").code == "malformed"


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("exprt", "did you mean expert"),
        ("101x100/10", "at most 10000"),
        ("4000000x1/10", "at most 10000"),
        ("9x9/82", "at most one per cell"),
        ("9x9", "names no mines"),
        ("graph:/etc/passwd/3", "cannot be read here"),
        ("graph:1x/../../etc/passwd/3", "cannot be read here"),
        ("9" * 5000, "longer than"),
    ],
)
def test_boards_that_cannot_be_are_refused(client: Any, board: str, said: str) -> None:
    answer = client.post("/api/games", board=board)
    assert answer.code == "malformed"
    assert said in answer.json["error"]["message"]


@pytest.mark.parametrize("clues", ["table:/etc/passwd", "nothing", "withheld:2", "exact:1"])
def test_clues_that_cannot_be_are_refused(client: Any, clues: str) -> None:
    assert client.post("/api/games", board="expert", clues=clues).code == "malformed"


def test_a_first_cell_without_room_is_refused(client: Any) -> None:
    path, _ = client.new("4x4/10", first_click="opening")
    assert client.post(f"{path}/open", cell=5).code == "illegal"
    assert client.post(f"{path}/open", cell=0).json["state"] in ("running", "won")
