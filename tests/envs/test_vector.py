"""The vector environment: Gymnasium's own, one by one, is what it is measured against."""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

import mineproof as mp
from mineproof.envs import ENVIRONMENT
from tests.core import needs_core

GAMES = 5


def make(**options: Any) -> Any:
    return gymnasium.make_vec(ENVIRONMENT, **{"num_envs": GAMES, "board": "5x5/4", **options})


def one_by_one(mode: AutoresetMode, **options: Any) -> Any:
    return gymnasium.make_vec(
        ENVIRONMENT,
        **{"num_envs": GAMES, "board": "5x5/4", **options},
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
    )


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"flags": True, "observe": "planes", "reward": "cells"},
        {
            "board": "hex:4x4/3",
            "observe": "chances",
            "reward": "sound",
            "info": ("risk", "certain"),
        },
        {"on_mine": "continue", "board": "3x3/2"},
    ],
    ids=str,
)
def test_it_does_what_single_environments_do(mode: AutoresetMode, options: dict[str, Any]) -> None:
    ours, theirs = make(autoreset_mode=mode, **options), one_by_one(mode, **options)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    seen = [env.reset(seed=7)[0] for env in (ours, theirs)]
    for _ in range(25):
        assert_same(*seen)
        actions = ours.random_actions()
        steps = [env.step(actions) for env in (ours, theirs)]
        seen = [step[0] for step in steps]
        for one, other in zip(steps[0][1:4], steps[1][1:4], strict=True):
            assert np.array_equal(one, other)
        infos, expected = steps[0][4], steps[1][4]
        if "final_obs" in expected:
            assert np.array_equal(infos["_final_obs"], expected["_final_obs"])
            for row in np.flatnonzero(infos["_final_obs"]).tolist():
                assert_same(infos["final_obs"][row], expected["final_obs"][row])
                assert infos["final_info"]["won"][row] == expected["final_info"]["won"][row]
        for name in options.get("info", ()):
            taken = expected.get(f"_{name}", np.zeros(GAMES, dtype=bool))
            rows = np.flatnonzero(taken & infos[f"_{name}"])
            if mode is AutoresetMode.NEXT_STEP and rows.size:
                assert np.array_equal(infos[name][rows], expected[name][rows])
    ours.close()
    theirs.close()


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("first_click", ["safe", "opening"])
def test_games_that_are_cut_off_are_those_of_single_environments(
    mode: AutoresetMode, first_click: str
) -> None:
    """Their last mask still says what could be done: a learner may ask what that was worth.

    Gymnasium's own limit calls a game cut off that ends in its last step; here it is over.
    """
    options: dict[str, Any] = {
        "first_click": first_click,
        "flags": True,
        "max_episode_steps": 2,
        "reward": "sound",
        "info": ("risk",),
    }
    ours, theirs = make(autoreset_mode=mode, **options), one_by_one(mode, **options)
    seen = [env.reset(seed=7)[0] for env in (ours, theirs)]
    cut_off = 0
    for _ in range(30):
        assert_same(*seen)
        actions = ours.random_actions()
        steps = [env.step(actions) for env in (ours, theirs)]
        seen = [step[0] for step in steps]
        over, expected_over = steps[0][2], steps[1][2]
        assert np.array_equal(over, expected_over)
        assert np.array_equal(over | steps[0][3], expected_over | steps[1][3])
        assert np.array_equal(steps[0][1], steps[1][1])
        if mode is AutoresetMode.SAME_STEP:
            infos, expected = steps[0][4], steps[1][4]
            for row in np.flatnonzero(over | steps[0][3]).tolist():
                assert_same(infos["final_obs"][row], expected["final_obs"][row])
                assert infos["final_obs"][row]["action_mask"].any() == (not over[row])
                cut_off += not over[row]
    assert cut_off or mode is AutoresetMode.NEXT_STEP


def assert_same(one: Any, other: Any) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            assert np.array_equal(one[name], other[name]), name
    else:
        assert np.array_equal(one, other)


def test_observations_lie_in_the_space() -> None:
    for observe in ("codes", "planes", "chances", "planes+chances"):
        envs = make(observe=observe, flags=True)
        seen, _ = envs.reset(seed=1)
        assert seen in envs.observation_space
        seen, *_ = envs.step(envs.random_actions())
        assert seen in envs.observation_space


def test_memory_is_shared_unless_copies_are_asked_for() -> None:
    for copied in (False, True):
        envs = make(copy=copied)
        first, infos = envs.reset(seed=1)
        then, rewards, ended, cut, later = envs.step(envs.random_actions())
        for name in first:
            assert np.shares_memory(first[name], then[name]) is not copied
        assert np.shares_memory(infos["action_mask"], later["action_mask"]) is not copied
        again = envs.step(envs.random_actions())
        assert not np.shares_memory(rewards, again[1])
        assert np.shares_memory(ended, again[2]) is not copied
        assert np.shares_memory(cut, again[3]) is not copied


@pytest.mark.parametrize("mode", AutoresetMode)
def test_what_is_written_into_shared_memory_changes_no_game(mode: AutoresetMode) -> None:
    """A cell that was made to look hidden again could else be opened twice, and count twice."""
    envs, honest = make(autoreset_mode=mode), make(autoreset_mode=mode)
    for env in (envs, honest):
        env.reset(seed=1)
    for _ in range(20):
        actions = honest.random_actions()
        seen, rewards, ended, cut, infos = envs.step(actions)
        expected = honest.step(actions)
        assert_same(seen, expected[0])
        assert np.array_equal(rewards, expected[1])
        assert np.array_equal(ended, expected[2])
        if mode is AutoresetMode.DISABLED and ended.any():
            for env in (envs, honest):
                env.reset(options={"reset_mask": expected[2].copy()})
        for array in (*seen.values(), infos["action_mask"], ended, cut):
            array[:] = 1
        seen["board"][:] = 255


def test_partial_resets_go_on_where_they_are_asked_for() -> None:
    envs = make(autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    ended = np.zeros(GAMES, dtype=bool)
    while not ended.any():
        seen, _, ended, _, _ = envs.step(envs.random_actions())
    with pytest.raises(mp.InputError, match="is over; reset it before the next step"):
        envs.step(envs.random_actions())
    before, chosen = seen["board"].copy(), ended.copy()
    seen, _ = envs.reset(options={"reset_mask": chosen})
    assert (seen["board"][chosen] == 255).all()
    assert np.array_equal(seen["board"][~chosen], before[~chosen])
    envs.step(envs.random_actions())


def test_a_mask_may_be_a_list_of_bools() -> None:
    envs = make(autoreset_mode=AutoresetMode.DISABLED)
    envs.reset(seed=1)
    envs.step(envs.random_actions())
    seen, _ = envs.reset(options={"reset_mask": [True] + [False] * (GAMES - 1)})
    assert (seen["board"][0] == 255).all()
    assert not (seen["board"][1:] == 255).all()


@pytest.mark.parametrize(
    "mask",
    [np.zeros(GAMES, dtype=bool), np.ones(GAMES + 1, dtype=bool), np.ones(GAMES), [1] * GAMES],
    ids=["nobody", "too many", "numbers", "a list of numbers"],
)
def test_a_mask_that_is_none_is_refused(mask: Any) -> None:
    envs = make()
    with pytest.raises(mp.InputError, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"num_envs": 0}, "0 num_envs"),
        ({"threads": 0}, "0 threads"),
        ({"autoreset_mode": "Never"}, "unknown autoreset mode"),
        ({"render_mode": "human"}, "unknown render mode"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    from mineproof.envs.environments import MinesweeperVectorEnv

    with pytest.raises(mp.InputError, match=said):
        MinesweeperVectorEnv(**{"board": "5x5/4", **options})


def test_seeds_are_one_or_one_for_each() -> None:
    envs = make(first_click="any")
    same = [
        envs.reset(seed=seed)[0] and envs.step(np.arange(GAMES))[0]["board"].copy()
        for seed in (3, [3, 4, 5, 6, 7])
    ]
    assert np.array_equal(*same)
    with pytest.raises(mp.InputError, match="2 seeds; accepted: one, or 5"):
        envs.reset(seed=[1, 2])
    with pytest.raises(mp.InputError, match="actions of type float64"):
        envs.step(np.zeros(GAMES))


def test_it_draws_its_games() -> None:
    envs = make(render_mode="ansi")
    envs.reset(seed=1)
    assert [text.split("\n")[0] for text in envs.render()] == ["square 5x5 mines=4"] * GAMES


def test_a_batch_is_not_copied() -> None:
    envs = make()
    envs.reset(seed=1)
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        copy.deepcopy(envs)


@needs_core
def test_threads_of_python_do_not_get_between_each_other() -> None:
    """A step lets others run. One who asks for a step meanwhile is turned away, and no game is
    hurt: it stands where as many steps by one thread bring it, whoever made them.
    """
    envs, alone = (make(num_envs=4096, board="16x30/60", threads=2) for _ in range(2))
    actions = np.arange(4096) % 480
    for env in (envs, alone):
        env.reset(seed=1)
    made: list[int] = []

    def play() -> None:
        for _ in range(60):
            try:
                envs.step(actions)
            except RuntimeError as error:
                assert str(error) == "the batch is at work in another thread"  # noqa: PT017
            else:
                made.append(1)

    with ThreadPoolExecutor(3) as pool:
        for done in [pool.submit(play) for _ in range(3)]:
            done.result()
    for _ in made:
        alone.step(actions)
    assert np.array_equal(envs.action_masks(), alone.action_masks())
    assert np.array_equal(envs.step(actions)[0]["board"], alone.step(actions)[0]["board"])
