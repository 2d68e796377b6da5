"""The loop: fair play, failing agents, the same game from the same seeds, nothing leaks."""

from __future__ import annotations

import gc
from collections.abc import Callable
from types import ModuleType

import pytest

from mineproof.agents import AGENTS, Action, Decision, Guessed, Proved
from mineproof.board import Layout
from mineproof.board.worlds import parse_worlds
from mineproof.errors import InputError, RulesError, UnknownName
from mineproof.inference.verdict import Premises
from mineproof.match import Referee, Termination, Transcript, play
from mineproof.match.soundness import SMALL_BOARDS
from mineproof.rng import Stream
from mineproof.view import View

SIMPLE = ("random", "single-point")


class Says:
    """An agent that answers with what a function says."""

    def __init__(self, answer: Callable[[View], object]) -> None:
        self.answer = answer

    def act(self, view: View) -> object:
        return self.answer(view)


def first(view: View) -> int:
    return view.hidden[0]


# ---------------------------------------------------------------- good games


@pytest.mark.parametrize("board", SMALL_BOARDS)
@pytest.mark.parametrize("agent", SIMPLE)
def test_the_same_seeds_give_the_same_game(board: str, agent: str) -> None:
    one, two = (play(board, agent, 5, index=3) for _ in range(2))
    assert one == two
    assert one.text == two.text
    assert one.text != play(board, agent, 5, index=4).text
    assert one.outcome.termination not in (Termination.UNFINISHED, Termination.FAILED)


def test_another_agent_seed_meets_the_same_board() -> None:
    layouts, games = set(), set()

    def keep(referee: Referee, decision: Decision | None) -> None:
        if referee.layout is not None:
            layouts.add(referee.layout)

    for agent_seed in range(8):
        games.add(
            play("5x5/6", "random", 1, agent_seed=agent_seed, first_click="any", watch=keep).text
        )
    assert len(layouts) == 1
    assert len(games) > 1


def test_answers_may_be_cells_coordinates_or_decisions() -> None:
    by_cell = play("4x4/3", Says(first), 1)
    by_name = play("4x4/3", Says(lambda view: view.topology.coordinates(first(view))), 1)
    by_decision = play("4x4/3", Says(lambda view: Decision.open(first(view))), 1)
    assert by_cell == by_name == by_decision
    assert by_cell.agent == "Says"


def test_a_watcher_sees_every_move() -> None:
    seen: list[Decision | None] = []
    game = play("4x4/3", "single-point", 1, watch=lambda referee, move: seen.append(move))
    assert seen == [None, *(step.decision for step in game.steps)]


def test_a_world_is_played_by_its_rules() -> None:
    (world,) = parse_worlds("S1\n0 1 1\n1 1 t\nt 1 1\n")
    game = play(world, "single-point", 1)
    assert game.board == game.world == "S1"
    assert game.layout == world.layout
    assert game.rules.given.corner_centre
    assert game.rules.mines.text == "2"


def test_an_agent_may_stop() -> None:
    game = play("4x4/3", Says(lambda view: Decision.stop("no idea")), 1)
    assert game.outcome.termination is Termination.STUCK
    assert game.outcome.note == "no idea"


def test_a_stop_needs_no_cell() -> None:
    for cell in (None, 3, 999):
        game = play("4x4/3", Says(lambda view, cell=cell: Decision(Action.STOP, cell)), 1)
        assert game.outcome.termination is Termination.STUCK
        assert len(game.steps) == 1
        assert Transcript.parse(game.text) == game


# ---------------------------------------------------------------- failing agents


def broken(view: View) -> int:
    raise RuntimeError("first line\nsecond line")


def reopen(view: View) -> int:
    return next(iter(view.opened), 0)


def toggles(view: View) -> Decision:
    cell = 0
    return Decision(Action.UNFLAG if view.is_flagged(cell) else Action.FLAG, cell)


class Exits:
    def act(self, view: View) -> int:
        raise SystemExit(3)


class NoBegin:
    def begin(self, view: View, rng: Stream) -> None:
        raise KeyError("nothing")

    def act(self, view: View) -> int:
        return 0


@pytest.mark.parametrize(
    ("agent", "note"),
    [
        (Says(broken), "RuntimeError: first line second line"),
        (Says(reopen), "is open already"),
        (Says(toggles), "no end after"),
        (Says(lambda view: None), "answered 'None'"),
        (Says(lambda view: "0,0"), "answered"),
        (Says(lambda view: 99), "chose a wrong cell: cell 99 is not on the board"),
        (Says(lambda view: -1), "not on the board"),
        (Says(lambda view: (9, 9)), "wrong cell"),
        (Says(lambda view: True), "answered"),
        (Says(lambda view: 1.5), "answered"),
        (Says(lambda view: Decision.open(99)), "not on the board"),
        (Says(lambda view: Decision(Action.OPEN, None)), "cell 'None' cannot be read"),
        (Says(lambda view: Decision(Action.CHORD, 0)), "no clue to chord on"),
        (Says(lambda view: Decision("open", 0)), "the agent's action"),
        (Says(lambda view: Decision.open(0, Proved("p", None))), "premises of a proof are 'None'"),
        (NoBegin(), "KeyError"),
    ],
)
def test_a_failing_agent_ends_its_game_with_a_reason(agent: object, note: str) -> None:
    game = play("4x4/3", agent, 1)
    assert game.outcome.termination is Termination.FAILED
    assert not game.outcome.won
    assert note in game.outcome.note
    assert len(game.outcome.note.splitlines()) == 1
    assert Transcript.parse(game.text) == game


@pytest.mark.parametrize(
    "decision",
    [
        Decision.open(0, Proved("two words")),
        Decision.open(0, Proved("line\nbreak")),
        Decision.open(0, Proved("p", Premises((99,)))),
        Decision.open(0, Guessed("by heart", 3)),
        Decision.open(0, Guessed("p", 3, cells=(99,))),
        Decision.open(0, Guessed("p", 3, cells=(2.0,))),
        Decision.open(0, Guessed("p", -3)),
        Decision.open(0, Guessed("p", 3, float("nan"))),
        Decision.open(0, "because"),
        Decision.open(0, None),
    ],
)
def test_reasons_that_cannot_be_written_down_fail(decision: Decision) -> None:
    game = play("4x4/3", Says(lambda view: decision), 1)
    assert game.outcome.termination is Termination.FAILED
    assert "reason" in game.outcome.note
    assert Transcript.parse(game.text) == game


def test_what_cannot_act_is_refused_before_the_game() -> None:
    with pytest.raises(InputError, match="'object' has no method `act`; accepted: a name or an"):
        play("4x4/3", object())


def test_leaving_the_program_is_not_caught() -> None:
    with pytest.raises(SystemExit):
        play("4x4/3", Exits(), 1)


# ---------------------------------------------------------------- what cannot be played


@pytest.mark.parametrize(
    ("board", "options", "message"),
    [
        ("exprt", {}, "did you mean expert"),
        ("4x4/3", {"agent": "singel-point"}, "did you mean single-point"),
        ("4x4/3", {"seed": -1}, "seed '?-1'? is out of range"),
        ("4x4/3", {"agent_seed": 2**64}, "agent seed"),
        ("4x4/3", {"index": -1}, "index"),
        ("4x4/16", {}, "accepted: at most 15"),
        ("3x3/6", {"first_click": "opening"}, "accepted: at most 5"),
        ("4x4/3", {"first_click": "never"}, "accepted: any, safe, opening"),
        ("4x4/3", {"first_clik": "any"}, "did you mean first-click"),
        ("4x4/3", {"clues": "wrong"}, "unknown clue channel"),
        ("4x4/3", {"given": "9,9"}, "is not on the board"),
        ("4x4/3", {"mines": "5"}, "mines"),
    ],
)
def test_games_that_cannot_be_played_are_refused(
    board: str, options: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message) as caught:
        play(board, **options)
    assert len(str(caught.value).splitlines()) == 1


def test_unknown_names_and_rules_are_input_errors() -> None:
    assert issubclass(UnknownName, InputError)
    assert issubclass(RulesError, InputError)
    assert set(SIMPLE) <= set(AGENTS)


# ---------------------------------------------------------------- nothing leaks


def reachable(root: object) -> list[object]:
    """Everything that can be reached from an object by its attributes and items."""
    seen = {id(root): root}
    waiting = [root]
    while waiting:
        # Classes, modules and functions are the program, not the game; they lead to everything.
        for part in gc.get_referents(waiting.pop()):
            if id(part) not in seen and not isinstance(part, type | ModuleType | Callable):
                seen[id(part)] = part
                waiting.append(part)
    return list(seen.values())


def test_no_agent_can_reach_the_layout_or_the_seed_through_its_view() -> None:
    seed, index = 123_456_789_123, 987_654_321_987
    views: list[View] = []

    def act(view: View) -> int:
        views.append(view)
        return first(view)

    play("5x5/5", Says(act), seed, index=index, first_click="opening", clues="withheld:0.2")
    assert len(views) > 1
    for view in views:
        found = reachable(view)
        assert any(part is view.topology for part in found)
        assert not [part for part in found if isinstance(part, Layout | Referee | Stream)]
        assert not [part for part in found if isinstance(part, int) and part in (seed, index)]
        fields = [getattr(view, name) for name in dir(view) if not name.startswith("__")]
        assert not [part for part in fields if isinstance(part, Layout | Referee | Stream)]


def test_the_walk_would_find_a_layout() -> None:
    referee = Referee("3x3/2")
    referee.open(0)
    assert any(isinstance(part, Layout) for part in reachable(referee))
