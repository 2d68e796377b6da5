"""Games of the coach: their moves, undo, what is told of them, and how long they are kept."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from threading import Thread
from typing import Any

import pytest

from mineproof.board.layout import deal, measure
from mineproof.board.presets import Board
from mineproof.engine.analysis import Budget
from mineproof.game.referee import Referee
from mineproof.view import View
from mineproof.web.app import make_app
from mineproof.web.coach import Coach
from mineproof.web.games import Game, SessionStore
from mineproof.web.requests import CoachLimits, Refusal
from tests.core import needs_core

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


# ----------------------------------------------------------------------------
# Moves that are asked for twice are made once, and may be answered with their analysis.


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
        answering = sys._getframe(1).f_code is Game._elapsed_ms.__code__
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


# ----------------------------------------------------------------------------
# A game that the server forgot is taken up again from what its page keeps.


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


# ----------------------------------------------------------------------------
# Games are kept by caps and expiry.


def test_the_longest_idle_makes_room(small: Any, clock: Any) -> None:
    paths = []
    for _ in range(3):
        clock.now += 1
        paths.append(small.new("3x3/1")[0])
    clock.now += 1
    assert small.get(paths[0]).status == 200
    small.new("3x3/1")
    assert [small.get(path).status for path in paths] == [200, 410, 200]
    assert small.get(paths[1]).code == "gone"


def test_idle_games_expire(small: Any, clock: Any) -> None:
    path, _ = small.new("3x3/1")
    clock.now += 59
    assert small.get(path).status == 200
    clock.now += 61
    assert small.get(path).code == "gone"


def test_large_boards_count_for_more(small: Any) -> None:
    first, second = small.new("10x10/9")[0], small.new("9x9/9")[0]
    assert small.get(first).status == 200
    small.new("9x9/9")
    assert [small.get(path).status for path in (first, second)] == [200, 410]


def test_what_was_let_go_is_called_what_it_is(small: Any, clock: Any) -> None:
    first, _ = small.new("3x3/1")
    for _ in range(3):
        clock.now += 1
        small.new("3x3/1")
    assert small.get(first).json["error"]["message"] == (
        "the game made room for newer ones; begin another"
    )
    last, _ = small.new("3x3/1")
    clock.now += 61
    assert "was idle for too long" in small.get(last).json["error"]["message"]


def test_one_address_drives_out_only_its_own() -> None:
    sessions: SessionStore[int] = SessionStore("game", 10, 1000, 99.0, lambda: 0.0, most_each=2)
    others = sessions.add(0, 1, "10.0.0.1")
    mine = [sessions.add(number, 1, "10.0.0.2") for number in range(5)]
    assert sessions.get(others) == 0
    assert [sessions.get(name) for name in mine[3:]] == [3, 4]
    with pytest.raises(Refusal, match="was one of more than 2 from one address"):
        sessions.get(mine[0])
    assert len(sessions) == 3


def test_names_cannot_be_guessed() -> None:
    sessions: SessionStore[int] = SessionStore("game", 1000, 1000, 1.0, lambda: 0.0)
    names = {sessions.add(1, 1) for _ in range(1000)}
    assert len(names) == 1000
    assert min(map(len, names)) >= 20
    assert len(sessions) == 1000
    with pytest.raises(Refusal, match="there is no game"):
        sessions.get("x")


@needs_core  # its advice is by the chance to win, as the rule is
def test_a_rule_for_guesses_is_played_and_told(client: Any) -> None:
    path, begun = client.new("4x4/5", seed=3, first_click="any", guess_rule="fair")
    assert begun["guess_rule"] == "fair"
    told = 0
    while begun["state"] in ("ready", "running"):
        analysis = client.get(f"{path}/analysis").json
        chances = {cell: p for cell, p in enumerate(analysis["p"]) if p is not None}
        cell = analysis["best"]["cell"]
        begun = client.post(f"{path}/open", cell=cell).json
        if chances[cell]:
            assert begun["guess"]["risk"] == pytest.approx(chances[cell])
            assert begun["guess"]["best"] is True
            assert "forgiven. The true chance of a mine was" in begun["guess"]["text"]
            told += 1
        else:
            assert begun["guess"] is None
    assert told
    assert begun["state"] == "won"
    game = client.get(path).json
    moves = "".join(f"{move['action'][0]}{move['cell']}" for move in game["moves"])
    same = {"seed": 3, "first_click": "any", "guess_rule": "fair", "moves": moves}
    assert client.new("4x4/5", **same)[1]["layout"] == game["layout"]
    refused = client.post("/api/games", board="4x4/5", guess_rule="kind")
    assert (refused.status, refused.code) == (400, "malformed")
