"""A batch plays the games that the referee plays, whoever plays it and whatever the rules are."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import mineproof as mp
from mineproof.board.presets import World
from mineproof.envs.batch import FLAG_CODE, Autoreset, GameBatch, GameSetup, TwinBatch, make_batch
from mineproof.view.setting import Setting
from tests.core import needs_core

GAMES = 6

SETTINGS: dict[str, tuple[Any, dict[str, Any]]] = {
    "expert": ("expert", {}),
    "any": ("9x9/10", {"first_click": "any"}),
    "opening": ("9x9/10", {"first_click": "opening"}),
    "no cascade": ("6x6/4", {"cascade": "off"}),
    "hex": ("hex:6x6/6", {}),
    "torus": ("torus:6x6/6", {"first_click": "opening"}),
    "cube": ("cube:3x3x3/3", {}),
    "graph": ("graph:0-1,1-2,2-3,3-4,4-0,1-3/1", {}),
    "holes": ("square:5x5#0,0;2,2/4", {}),
    "tight opening": ("3x4/7", {"first_click": "opening"}),
    "density": ("7x7/20%", {"total": "unknown"}),
    "independent": ("6x6/~20%", {}),
    "independent, unknown": ("6x6/~20%", {"total": "unknown"}),
    "uniform": ("5x5/uniform", {}),
    "goes on": ("6x6/8", {"on_mine": "continue"}),
    "mark all": ("5x5/4", {"goal": "mark-all"}),
    "given": ("7x7/8", {"given": "corner+centre", "first_click": "any"}),
    "given cells": ("7x7/8", {"given": "0,0;3,3", "first_click": "opening"}),
    "given at random": ("7x7/8", {"given": "random:5"}),
    "withheld": ("6x6/6", {"clues": "withheld:0.3"}),
    "optimistic": ("6x6/6", {"clues": "optimistic"}),
    "cautious": ("hex:5x5/5", {"clues": "cautious"}),
    "noisy": ("6x6/6", {"clues": "noisy:1/3"}),
    "layout": (mp.Layout.of("4x4", [(0, 3), 12]), {}),
    "world": (World("tiny", mp.Layout.of("hex:4x4", [3, 9])), {}),
}


def play_of(name: str, *, flags: bool, illegal_ends: bool = False, most: int = 300) -> GameSetup:
    board, words = SETTINGS[name]
    return GameSetup(Setting.of(board, **words), flags, illegal_ends, most)


def arrays(batch: GameBatch) -> dict[str, np.ndarray[Any, Any]]:
    names = "shown legal mines_left first opened terminated truncated won illegal moved"
    found = {name: np.array(getattr(batch, name)) for name in names.split()}
    ended = (found["terminated"] | found["truncated"]) != 0
    if batch.final_mines_left.size:
        found["final_shown"] = np.array(batch.final_shown)[ended]
        found["final_legal"] = np.array(batch.final_legal)[ended]
        found["final_mines_left"] = np.array(batch.final_mines_left)[ended]
        found["final_first"] = np.array(batch.final_first)[ended]
    return found


@needs_core
@pytest.mark.parametrize("autoreset", Autoreset)
@pytest.mark.parametrize("name", SETTINGS)
def test_the_core_and_its_twin_play_the_same_steps(name: str, autoreset: Autoreset) -> None:
    play = play_of(name, flags=True, illegal_ends=name == "hex", most=30)
    core, twin = make_batch(play, GAMES, 2, autoreset), TwinBatch(play, GAMES, autoreset)
    assert not isinstance(core, TwinBatch)
    rng = np.random.default_rng(1)
    for batch in (core, twin):
        batch.reset(None, list(range(GAMES)), 0)
        batch.seed_actions(7)
    for _ in range(40):
        assert all(np.array_equal(a, arrays(twin)[n]) for n, a in arrays(core).items())
        actions = core.random_actions()
        assert actions.tolist() == twin.random_actions().tolist()
        wild = rng.random(GAMES) < 0.15
        actions = np.where(wild, rng.integers(play.actions, size=GAMES), actions)
        assert core.first_illegal(actions) == twin.first_illegal(actions)
        core.step(actions)
        twin.step(actions)
        ended = (core.terminated | core.truncated) != 0
        if autoreset is Autoreset.DISABLED and ended.any():
            with pytest.raises(ValueError, match="reset it before the next step"):
                core.step(actions)
            for batch in (core, twin):
                batch.reset(ended.astype(np.uint8), None, 0)


class Scripted:
    """Opens cells in an order of its own, as the batch is made to."""

    def __init__(self) -> None:
        self.cells: list[int] = []

    def act(self, view: mp.View) -> mp.Decision:
        order = np.random.default_rng(len(view)).permutation(len(view)).tolist()
        cell = next(cell for cell in order if view.is_hidden(cell))
        self.cells.append(cell)
        return mp.Decision.open(cell)


PLAYED = [name for name in SETTINGS if name not in ("mark all", "tight opening")]


@pytest.mark.parametrize("name", PLAYED)
def test_a_seed_and_an_index_name_the_game_that_play_plays(name: str) -> None:
    board, words = SETTINGS[name]
    play = play_of(name, flags=False)
    batch = make_batch(play, 1, 1, Autoreset.DISABLED)
    batch.reset(None, [11], 3)
    for index in (3, 4):
        agent = Scripted()
        views: list[mp.View] = []

        def watch(referee: mp.Referee, _: object, views: list[mp.View] = views) -> None:
            views.append(referee.view)

        game = mp.play(board, agent, seed=11, index=index, watch=watch, **words)
        assert batch.shown[0].tolist() == views[0].codes().tolist()
        for cell, view in zip(agent.cells, views[1:], strict=True):
            batch.step(np.array([cell]))
            assert batch.shown[0].tolist() == view.codes().tolist()
        assert bool(batch.won[0]) == game.outcome.won
        batch.reset(None, None, 0)


def test_flags_bar_cells_and_are_counted() -> None:
    play = play_of("opening", flags=True)
    batch = make_batch(play, 1, 1, Autoreset.DISABLED)
    batch.reset(None, [1], 0)
    batch.step(np.array([81 + 3]))
    assert batch.shown[0, 3] == FLAG_CODE
    assert (batch.mines_left[0], batch.legal[0, 3], batch.legal[0, 84]) == (9, 0, 1)
    batch.step(np.array([3]))
    assert batch.illegal[0]
    batch.step(np.array([84]))
    assert (batch.shown[0, 3], batch.mines_left[0]) == (255, 10)


@pytest.mark.parametrize("name", ["expert", "given at random", "tight opening"])
def test_random_actions_are_legal_and_spread(name: str) -> None:
    play = play_of(name, flags=False)
    batch = make_batch(play, 200, 1, Autoreset.DISABLED)
    batch.reset(None, [5] * 200, 0)
    batch.seed_actions(1)
    actions = batch.random_actions()
    assert batch.first_illegal(actions) == -1
    assert len(set(actions.tolist())) > min(play.cells // 4, 60)


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0], "an action for every game"),
        ([0, 480], "action 480; accepted: 0 to 479"),
        ([-1, 0], "-1"),
    ],
)
def test_what_is_no_action_is_refused(actions: list[int], said: str) -> None:
    batch = make_batch(play_of("expert", flags=False), 2, 1, Autoreset.NEXT_STEP)
    batch.reset(None, [1, 2], 0)
    for refused in (batch.step, batch.first_illegal):
        with pytest.raises(ValueError, match=said):
            refused(np.array(actions))


@needs_core
def test_threads_leave_no_trace() -> None:
    play, games = play_of("expert", flags=False), 320  # enough for five threads to do
    batches = [make_batch(play, games, threads, Autoreset.SAME_STEP) for threads in (1, 2, 5)]
    for batch in batches:
        batch.reset(None, list(range(games)), 0)
    for _ in range(60):
        for batch in batches:
            batch.step(batch.random_actions())
        first, *others = map(arrays, batches)
        for other in others:
            assert all(np.array_equal(first[name], other[name]) for name in first)


def test_games_and_batches_need_no_gymnasium() -> None:
    code = (
        "import sys; sys.modules['gymnasium'] = None\n"
        "import mineproof.envs.batch, mineproof.envs.games\n"
        "try:\n    import mineproof.envs.environments\n"
        "except ModuleNotFoundError as error:\n    print(error)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("mineproof's environments need gymnasium, which is not installed;")
    assert ran.stdout.count("\n") == 1
