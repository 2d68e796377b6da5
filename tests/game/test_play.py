"""The game loop, and many games of one agent in the core."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from itertools import combinations
from types import ModuleType

import numpy as np
import pytest

import mineproof as mp
from mineproof import kernel
from mineproof.agents.agent import Action, Decision, Guessed, Proved
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.agents.players import PLAYERS, first_cells
from mineproof.board import Layout
from mineproof.board.presets import parse_worlds
from mineproof.board.topology import Topology
from mineproof.engine.analysis import Premises
from mineproof.engine.exact import core_board_of
from mineproof.errors import InputError, RulesError, UnknownName
from mineproof.game import Referee, Termination, Transcript, play
from mineproof.game.check import SMALL_BOARDS
from mineproof.game.play import play_game, plays_in_core
from mineproof.kernel import core
from mineproof.rng import Purpose, Stream
from mineproof.rules import FirstClick, Rules
from mineproof.view import View
from mineproof.view.setting import Setting
from mineproof.view.view import code_bytes
from tests.core import needs_core

# ----------------------------------------------------------------------------
# The loop: fair play, failing agents, the same game from the same seeds, nothing leaks.

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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of old names
            values = [getattr(view, name) for name in dir(view) if not name.startswith("__")]
        assert not [part for part in values if isinstance(part, Layout | Referee | Stream)]


def test_the_walk_would_find_a_layout() -> None:
    referee = Referee("3x3/2")
    referee.open(0)
    assert any(isinstance(part, Layout) for part in reachable(referee))


# ----------------------------------------------------------------------------
# Many games in the core: the same as one by one, for any number of threads, and never foolish.

pytestmark = needs_core

CHEAP = {"swift": "swift", "champion": "champion[rollouts=16]"}
BOARDS = ("beginner", "torus:6x6/7", "hex:6x6/8", "cube:3x3x3/4", "square:6x6#2,2;3,3/7")


def test_every_player_has_a_cheap_form_here() -> None:
    assert set(CHEAP) == set(PLAYERS)


@pytest.mark.parametrize("agent", ["exact", *CHEAP.values()])
def test_games_do_not_depend_on_threads_or_on_where_they_begin(agent: str) -> None:
    one = mp.play_many("8x8/12", agent, 24, 5, agent_seed=3, first_click="opening")
    three = mp.play_many("8x8/12", agent, 24, 5, agent_seed=3, first_click="opening", threads=3)
    late = mp.play_many("8x8/12", agent, 4, 5, start=20, agent_seed=3, first_click="opening")
    for name in ("won", "steps", "guesses", "opened", "flags"):
        assert np.array_equal(getattr(one, name), getattr(three, name))
        assert np.array_equal(getattr(one, name)[20:], getattr(late, name))
    game = mp.play("8x8/12", agent, 5, index=7, agent_seed=3, first_click="opening")
    assert game.outcome.won == one.won[7]
    assert len(game.steps) == one.steps[7]


@pytest.mark.parametrize("name", list(PLAYERS))
@pytest.mark.parametrize("board", BOARDS)
def test_no_guess_while_a_cell_is_safe_and_no_proved_mine_is_opened(name: str, board: str) -> None:
    for index in range(2):
        game = mp.play(board, CHEAP[name], 11, index=index)
        views = list(game.views())
        for step, before in zip(game.steps, views, strict=False):
            if step.decision.action is not Action.OPEN or not before.opened_count:
                continue
            analysis = mp.analyze(before)
            cell = step.decision.cell
            if isinstance(step.decision.reason, Guessed):
                assert not analysis.safe
                assert cell not in analysis.mines
            else:
                assert isinstance(step.decision.reason, Proved)
                assert cell in analysis.safe


@pytest.mark.parametrize(("mines", "wins"), [(2, 24), (3, 33), (4, 27)])
def test_the_champion_is_optimal_where_the_endgame_holds_the_board(mines: int, wins: int) -> None:
    """Every layout of 3x3, no guarantee: known optimal values."""
    setting = Setting.of(f"3x3/{mines}", first_click="any")
    won = 0
    for cells in combinations(range(9), mines):
        fixed = Setting.of(Layout.of(setting.board.topology, cells), setting.rules)
        won += play_game(fixed, make_agent("champion"), "champion", 1).outcome.won
    assert won == wins


def test_without_rollouts_the_champion_is_swift_with_a_larger_endgame() -> None:
    swift = mp.play_many("intermediate", "swift[endgame=2000]", 40, 2)
    champion = mp.play_many("intermediate", "champion[rollouts=0]", 40, 2)
    assert np.array_equal(swift.won, champion.won)
    assert np.array_equal(swift.steps, champion.steps)


@pytest.mark.parametrize("zero", ["swift", "swift[zero=0.0]"])
def test_a_corner_is_tried_as_long_as_no_zero_is_open(zero: str) -> None:
    """A clue of 1 in one corner of Expert: the cells beside it tell more, a corner opens more."""
    setting = Setting.of("expert", first_click="safe")
    view = View(setting.board.topology, setting.rules).reveal({0: 1})
    agent = make_agent(zero)
    agent.begin(view, Stream(1, 0, Purpose.AGENT))
    cell = agent.act(view).cell
    assert cell is not None
    assert (view.topology.degree(cell) == 3) == (zero == "swift")


def test_rollouts_end_when_their_budget_of_work_is_spent() -> None:
    """With hardly any work one layout must do; more work than is ever wanted changes nothing."""
    usual = mp.play_many("8x8/14", "champion[slack=0.2]", 40, 2)
    plenty = mp.play_many("8x8/14", "champion[work=999999,slack=0.2]", 40, 2)
    hardly = mp.play_many("8x8/14", "champion[work=1,slack=0.2]", 40, 2)
    assert np.array_equal(usual.steps, plenty.steps)
    assert not np.array_equal(usual.steps, hardly.steps)


def test_who_is_asked_again_says_the_same() -> None:
    """What rollouts left in memory makes the next ones faster, and changes no choice."""
    for index in (4, 8, 10):
        game = mp.play("expert", "champion", 11, index=index)
        board = core_board_of(game.topology).board
        first = first_cells(game.topology, FirstClick.SAFE, 99)
        for step, view in zip(game.steps, game.views(), strict=False):
            if not (isinstance(step.decision.reason, Guessed) and view.opened_count):
                continue
            seat = core.Seat(board, 99, "safe", first, "champion", {})
            seat.begin(12345)
            asked = []
            for _ in range(3):
                seat.prove(code_bytes(view))
                asked.append(seat.guess())
            assert asked == asked[:1] * 3


def test_the_gain_is_measured_only_when_asked_for() -> None:
    assert not mp.play_many("8x8/12", "champion[rollouts=32]", 10, 2).gain.any()
    measured = mp.play_many("8x8/12", "champion[rollouts=64,fresh=32,slack=0.2]", 60, 2)
    assert measured.gain.any()


@pytest.mark.parametrize("agent", ["exact", "swift", "champion[rollouts=0]"])
def test_luck_is_0_on_average_and_explains_who_wins(agent: str) -> None:
    games = mp.play_many("8x8/12", agent, 4000, 11, threads=2)
    assert games.chance[~games.won].max() < 1

    def near_0(x: np.ndarray) -> bool:
        return bool(abs(x.mean()) <= 4 * x.std() / len(x) ** 0.5)

    luck = games.luck.sum(axis=1)
    assert near_0(luck)
    assert near_0(games.chance - games.won)
    fair = games.chance - np.polyfit(luck, games.chance, 1)[0] * luck
    assert near_0(fair - games.won)
    assert fair.var() < 0.7 * games.won.var()


def test_agents_of_the_referee_have_no_luck() -> None:
    games = mp.play_many("5x5/4", "single-point", 5, 3)
    assert games.luck.shape == (5, 0)
    assert np.array_equal(games.chance, games.won)


@pytest.mark.parametrize("rules", [{"clues": "optimistic"}, {"clues": "withheld:0.3"}])
def test_where_clues_may_lie_exact_plays_in_their_place(rules: dict[str, str]) -> None:
    texts = []
    for agent in ("exact", *PLAYERS):
        game = mp.play("6x6/6", agent, 4, **rules)
        texts.append([(step.decision.action, step.decision.cell) for step in game.steps])
    assert texts[1:] == texts[:1] * len(PLAYERS)


@pytest.mark.parametrize("name", list(PLAYERS))
def test_a_game_that_goes_on_after_a_mine_comes_to_its_end(name: str) -> None:
    for index in range(20):
        game = mp.play("6x6/8", CHEAP[name], 7, index=index, on_mine="continue")
        assert not game.outcome.note
        assert game.outcome.finer == 1


def test_other_agents_are_played_by_the_referee() -> None:
    games = mp.play_many("5x5/4", "single-point", 5, 1)
    assert len(games) == 5
    assert 0 <= games.interval[0] <= games.rate <= games.interval[1] <= 1
    assert "5 games of single-point on square:5x5/4" in repr(games)


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="0 games; accepted: 1 or more"):
        mp.play_many("beginner", "swift", 0)
    with pytest.raises(InputError, match="0 threads; accepted: 1 to 1024"):
        mp.play_many("beginner", "swift", 1, threads=0)
    with pytest.raises(UnknownName, match="unknown option of swift 'endgames'"):
        mp.play_many("beginner", "swift[endgames=3]", 1)
    with pytest.raises(InputError, match="option second needs a share"):
        mp.play_many("beginner", "swift[second=4]", 1)


def test_without_the_core_they_say_that_they_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "core", None)
    for name in PLAYERS:
        with pytest.raises(InputError, match=f"agent {name} needs the compiled core"):
            make_agent(name)


def test_first_cells() -> None:
    expert = Topology.parse("square:16x30")
    corners = (0, 29, 450, 479)
    assert first_cells(expert, FirstClick.SAFE, 99) == corners
    assert first_cells(expert, FirstClick.ANY, 99) == corners
    assert first_cells(expert, FirstClick.OPENING, 99) == (expert.cell((3, 3)),)
    beginner = Topology.parse("square:9x9")
    assert first_cells(beginner, FirstClick.OPENING, 10) == (beginner.cell((2, 2)),)
    # Nine free cells are needed here, and eight are there: only a cell at the side leaves room.
    tight = Topology.parse("square:3x5")
    (cell,) = first_cells(tight, FirstClick.OPENING, 7)
    assert tight.degree(cell) <= 7
    assert first_cells(Topology.parse("torus:5x5"), FirstClick.OPENING, 3) == (0,)


# ----------------------------------------------------------------------------
# Which settings the core plays: a rule that it does not know is the referee's.


@dataclass(frozen=True)
class WiderRules(Rules):
    """Rules with a field that the core has never heard of."""

    wrap: bool = False


def test_the_core_refuses_every_rule_that_it_does_not_know() -> None:
    read_by_core = {"mines": "5", "first_click": "opening", "given": "0,0", "cascade": "off"}
    refused = {
        "on_mine": "continue",
        "total": "unknown",
        "clues": "withheld:0.3",
        "goal": "mark-all",
        "guesses": "fair",
    }
    assert len(read_by_core) + len(refused) == len(fields(Rules))
    plain = Setting.of("9x9/10")
    assert plays_in_core(plain)
    for name, value in {**read_by_core, **refused}.items():
        rules = plain.rules.with_words(**{name: value})
        assert rules != plain.rules
        assert plays_in_core(replace(plain, rules=rules)) == (name in read_by_core), name


@pytest.mark.parametrize("wrap", [False, True])
def test_the_core_refuses_a_new_rule_that_is_set(wrap: bool) -> None:
    setting = Setting.of("9x9/10")
    known = {one.name: getattr(setting.rules, one.name) for one in fields(Rules)}
    assert plays_in_core(replace(setting, rules=WiderRules(**known, wrap=wrap))) == (not wrap)
