"""Many games in the core: the same as one by one, for any number of threads, and never foolish."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import mineproof as mp
from mineproof import kernel
from mineproof.agents import Action, Guessed, Proved, make_agent
from mineproof.agents.first_click import first_cells
from mineproof.agents.players import PLAYERS
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.errors import InputError, UnknownName
from mineproof.inference.engine.ground import ground_of
from mineproof.kernel import core
from mineproof.match.game import play_game
from mineproof.rng import Purpose, Stream
from mineproof.rules import FirstClick
from mineproof.view.setting import Setting
from mineproof.view.view import View
from tests.core import needs_core

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
        board = ground_of(game.topology).board
        first = first_cells(game.topology, FirstClick.SAFE, 99)
        for step, view in zip(game.steps, game.views(), strict=False):
            if not (isinstance(step.decision.reason, Guessed) and view.opened_count):
                continue
            seat = core.Seat(board, 99, "safe", first, "champion", {})
            seat.begin(12345)
            asked = []
            for _ in range(3):
                seat.prove(view.code_bytes())
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
