"""The environment of one game, as Gymnasium's users meet it."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import mineproof as mp
from mineproof.advice.game_review import Effort, judge
from mineproof.envs import ENVIRONMENT
from mineproof.envs.rendering import draw
from tests.core import needs_core

WAYS: list[dict[str, Any]] = [
    {},
    {"board": "beginner", "observe": "planes", "flags": True},
    {"board": "5x5/4", "observe": "planes+chances", "total": "unknown"},
    {"board": "5x5/4", "observe": "chances", "reward": "sound", "info": ("risk", "certain")},
    {"board": "hex:4x4/3", "reward": "regret", "info": "regret", "samples": 0},
    {"board": "cube:3x3x3/4", "clues": "noisy:0.2", "reward": "cells"},
    {"board": "5x5/~20%", "on_mine": "continue", "render_mode": "rgb_array"},
    {"board": "4x4/3", "illegal": "end", "render_mode": "ansi"},
    {"board": "triangle:3x5/3", "clues": "withheld:0.2", "observe": "planes"},
]


def make(**options: Any) -> Any:
    return gymnasium.make(ENVIRONMENT, **options)


@pytest.mark.parametrize("options", WAYS, ids=str)
def test_gymnasium_finds_nothing_to_say(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = make(**options)
        check_env(env.unwrapped)
        env.close()


def test_it_is_found_by_the_name_of_its_module() -> None:
    env = gymnasium.make(f"mineproof.envs:{ENVIRONMENT}", board="4x4/3")
    assert env.unwrapped.action_space.n == 16


def test_later_resets_go_on_to_the_next_game_of_the_seed() -> None:
    env = make(board="9x9/10", first_click="any")
    first = {}
    env.reset(seed=5)
    for index in range(3):
        first[index] = [env.step(cell)[0]["board"][0, cell] for cell in (0,)]
        env.reset()
    for index, seen in first.items():
        referee = mp.Referee("9x9/10", 5, index, first_click="any")
        assert referee.open(0).code(0) == seen[0]
        env.reset(seed=5, options={"index": index})
        assert env.step(0)[0]["board"][0, 0] == seen[0]


def test_without_a_seed_games_differ() -> None:
    shown = set()
    for _ in range(3):
        env = make(board="10x10/50", on_mine="continue")
        env.reset()
        ended, cell = False, 0
        while not ended:
            seen, _, ended, *_ = env.step(cell)
            cell += 1
        shown.add(seen["board"].tobytes())
    assert len(shown) == 3


def test_what_is_told_of_a_move_is_what_the_engine_says_before_it() -> None:
    env = make(board="5x5/5", first_click="any", info=("risk", "certain"))
    for seed in range(5):
        env.reset(seed=seed)
        ended = False
        while not ended:
            analysis = mp.analyze(env.unwrapped._games.views()[0])
            cell = int(np.flatnonzero(env.unwrapped.action_masks())[-1])
            _, _, ended, _, info = env.step(cell)
            assert info["risk"] == analysis.p[cell]
            assert set(np.flatnonzero(info["certain"] == 1)) == set(analysis.safe)
            assert set(np.flatnonzero(info["certain"] == 2)) == set(analysis.mines)


def test_a_risky_cell_beside_a_certain_one_is_unsound() -> None:
    position = mp.View.parse("square 2x3 mines=1\n1..\n1..")
    assert (0, 2) in mp.analyze(position).safe
    env = make(board="2x3/1", first_click="any", reward="sound", info=["risk", "certain"])
    for seed in range(200):
        env.reset(seed=seed)
        if env.step(0)[0]["board"].ravel()[0] != 1:
            continue
        if env.step(3)[0]["board"].ravel()[3] == 1:
            break
    _, reward, ended, _, info = env.step(1)
    assert (reward, info["risk"]) == (-1.0, 0.5)
    assert info["certain"].tolist() == [0, 0, 1, 0, 0, 1]
    if not ended:
        assert env.step(2)[1] == 0.0


@needs_core
def test_regret_is_the_chance_to_win_that_was_given_away() -> None:
    env = make(board="4x4/4", reward="regret", info=("risk", "regret"))
    for seed in range(4):
        env.reset(seed=seed)
        ended, cell = False, 0
        while not ended:
            view = env.unwrapped._games.views()[0]
            cell = int(np.flatnonzero(env.unwrapped.action_masks())[0])
            judged = judge(view, mp.Decision.open(cell), Effort(samples=100))
            _, reward, ended, _, info = env.step(cell)
            assert reward == -info["regret"] == -judged.lost
            assert info["risk"] == judged.risk


def test_cells_and_win_are_paid() -> None:
    env = make(board="4x4/1", reward="cells", first_click="opening")
    env.reset(seed=1)
    before = 16
    seen, reward, *_ = env.step(0)
    assert reward == before - int((seen["board"] == 255).sum())
    env = make(board="1x2/1")
    env.reset(seed=1)
    _, reward, ended, cut, info = env.step(1)
    assert (reward, ended, cut, info["won"]) == (1.0, True, False, True)


def test_illegal_moves_stay_end_or_raise() -> None:
    results = {}
    for illegal in ("stay", "end", "raise"):
        env = make(board="9x9/10", illegal=illegal)
        env.reset(seed=1)
        seen = env.step(40)[0]
        if illegal == "raise":
            with pytest.raises(mp.IllegalMove, match="action 40 is no legal move"):
                env.step(40)
            continue
        again, reward, ended, cut, info = env.step(40)
        assert again["board"].tolist() == seen["board"].tolist()
        assert (reward, cut, info["illegal"], info["won"]) == (0.0, False, True, False)
        results[illegal] = ended
    assert results == {"stay": False, "end": True}


def test_an_endless_game_is_cut_off() -> None:
    env = make(board="2x2/1", flags=True).unwrapped
    env.reset(seed=1)
    steps = 0
    while True:
        steps += 1
        _, _, ended, cut, _ = env.step(4)
        assert not ended
        if cut:
            break
    assert steps == 4 * 4 + 100


def test_chances_are_those_of_the_engine_and_zero_where_the_rules_promise() -> None:
    env = make(board="6x6/6", observe="chances")
    seen, _ = env.reset(seed=2)
    assert not seen["chances"].any()
    seen, *_ = env.step(14)
    view = env.unwrapped._games.views()[0]
    assert seen["chances"].ravel() == pytest.approx(mp.analyze(view).p.array, abs=1e-6)


def test_planes_say_what_the_codes_say() -> None:
    codes, planes = (
        make(board="5x5/4", flags=True),
        make(board="5x5/4", flags=True, observe="planes"),
    )
    names = planes.unwrapped.plane_names
    for env in (codes, planes):
        env.reset(seed=3)
    for action in (25 + 24, 12, 0, 2):
        shown, layers = codes.step(action)[0], planes.step(action)[0]
        board = shown["board"]
        for plane, name in enumerate(names):
            if name == "mines left":
                assert layers[plane] == pytest.approx(shown["mines_left"][0] / 25)
                continue
            code = {"hidden": 255, "flag": 252}.get(name)
            assert (layers[plane] == (board == (int(name) if code is None else code))).all()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"board": "exprt"}, "did you mean expert"),
        ({"observe": "picture"}, "unknown observation 'picture'"),
        ({"observe": "codes+planes"}, "accepted: codes or planes"),
        ({"reward": "winn"}, "unknown reward 'winn'; did you mean win"),
        ({"info": ["luck"]}, "unknown info 'luck'"),
        ({"illegal": "explode"}, "unknown illegal 'explode'"),
        ({"samples": -1}, "-1 samples"),
        ({"board": "2x2/4"}, "do not fit"),
        (
            {"first_clik": "any"},
            "unexpected keyword argument 'first_clik'; did you mean first_click",
        ),
        ({"render_mode": "human"}, "unknown render mode 'human'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(options: dict[str, Any], said: str) -> None:
    from mineproof.envs.environments import MinesweeperEnv

    with pytest.raises(mp.InputError, match=said) as caught:
        MinesweeperEnv(**options)
    assert "\n" not in str(caught.value)


def test_what_is_no_action_or_option_is_refused() -> None:
    env = make(board="4x4/3").unwrapped
    env.reset(seed=1)
    for action in (16, -1, 1.5, "3", None):
        with pytest.raises(mp.InputError, match="action"):
            env.step(action)
    with pytest.raises(mp.InputError, match="reset option 'layout' is unknown; accepted: index"):
        env.reset(options={"layout": 1})
    with pytest.raises(mp.InputError, match="seed -1"):
        env.reset(seed=-1)


@needs_core  # the twin takes minutes to give it up
@pytest.mark.parametrize("paid", [{"info": "risk"}, {"reward": "regret", "samples": 0}], ids=str)
def test_a_move_that_cannot_be_judged_is_not_made(paid: dict[str, Any]) -> None:
    """A lattice of clues is too wide to count; a game that went on would be judged wrongly."""
    lattice = [(row, column) for row in range(0, 60, 2) for column in range(0, 60, 2)]
    env = make(board="60x60/700", cascade=False, given=lattice, on_mine="continue", **paid)
    seen, _ = env.reset(seed=1)
    for _ in range(2):
        with pytest.raises(mp.BudgetExceeded):
            env.step(1)
        assert env.unwrapped.action_masks()[1] == 1
    assert seen["board"][0, 1] == 255


@pytest.mark.parametrize("board", ["5x5/4", "hex:4x4/3", "triangle:3x5/3", "cube:3x3x3/4"])
def test_it_draws_itself_on_every_board(board: str) -> None:
    for mode in ("ansi", "svg", "rgb_array"):
        env = make(board=board, render_mode=mode)
        env.reset(seed=1)
        before = env.render()
        env.step(0)
        after = env.render()
        if mode == "rgb_array":
            assert before.dtype == np.uint8
            assert before.shape == after.shape
            assert before.shape[2] == 3
            assert (before != after).any()
        else:
            assert isinstance(after, str)
            assert before != after
    assert mp.View.parse(make_text(board)).opened_count > 0


@pytest.mark.parametrize(
    ("clue", "colour"),
    [
        (1, (0, 114, 178)),
        (2, (0, 120, 90)),
        (3, (179, 89, 0)),
        (4, (160, 55, 122)),
        (5, (138, 56, 0)),
        (6, (92, 82, 0)),
        (7, (0, 0, 0)),
        (8, (0, 0, 0)),
    ],
)
def test_digits_have_the_colours_of_drawings(clue: int, colour: tuple[int, ...]) -> None:
    pixels = draw(mp.View.parse(f"square 3x3 mines={clue}\n...\n.{clue}.\n..."), "rgb_array")
    grounds = {(85,) * 3, (201,) * 3, (255,) * 3}
    assert set(map(tuple, pixels.reshape(-1, 3).tolist())) - grounds == {colour}


def make_text(board: str) -> str:
    env = make(board=board, render_mode="ansi")
    env.reset(seed=1)
    env.step(0)
    return str(env.render())


def test_a_copy_has_the_options_and_no_game() -> None:
    env = make(board="hex:4x4/3", reward="cells", first_click="any").unwrapped
    env.reset(seed=3)
    env.step(2)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other._options == env._options
        seen, _ = other.reset(seed=3)
        assert (seen["board"] == 255).all()
