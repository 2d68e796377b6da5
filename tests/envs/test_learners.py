"""Learners: the example's, and those of Stable-Baselines3."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import mineproof as mp
from mineproof.agents.adapters import AgentSource
from mineproof.envs import ENVIRONMENT, evaluate
from tests.core import needs_core

# ----------------------------------------------------------------------------
# The learner of the docs: its gradients, what it learns, and the agent that plays it.


FILE = Path(__file__).parents[2] / "examples" / "learn.py"


@pytest.fixture(scope="module")
def learn() -> Any:
    spec = importlib.util.spec_from_file_location("learn", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_board_at_once_is_worth_what_its_windows_are(learn: Any) -> None:
    network = learn.Network(4, 5)
    codes = np.random.default_rng(1).choice([0, 1, 2, 3, 255], size=(6, 20)).astype(np.uint8)
    boards = network.chances(codes)
    for cell in range(20):
        *_, chances = network.layers(network.windows(codes, np.full(6, cell)))
        assert boards[:, cell] == pytest.approx(chances, rel=1e-4)


def test_gradients_are_those_of_the_cross_entropy(learn: Any) -> None:
    network = learn.Network(3, 3)
    network.weights = [part.astype(np.float64) for part in network.weights]
    rng = np.random.default_rng(2)
    windows = rng.integers(0, 11, size=(5, 25)).astype(np.uint8)
    worth = rng.random(5)

    def loss() -> float:
        *_, chance = network.layers(windows)
        chance = chance.astype(np.float64)
        return float(-np.mean(worth * np.log(chance) + (1 - worth) * np.log(1 - chance)))

    gradients, _ = network.gradients(windows, worth)
    for part, gradient in zip(network.weights, gradients, strict=True):
        at = np.unravel_index(np.abs(gradient).argmax(), part.shape)
        small = 1e-3
        part[at] += small
        above = loss()
        part[at] -= 2 * small
        below = loss()
        part[at] += small
        assert gradient[at] == pytest.approx((above - below) / (2 * small), rel=0.05, abs=1e-4)


def test_it_learns(learn: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A few thousand moves make it lose fewer games by its second move than chance does."""
    network = learn.train("3x3/2", 20_000, games=64)
    assert "% of" in capsys.readouterr().out
    learn.save(network, "3x3/2", tmp_path / "learned.npz")
    start = np.full((1, 9), 255, dtype=np.uint8)
    assert network.chances(start).max() > 0.2
    with np.load(tmp_path / "learned.npz", allow_pickle=False) as kept:
        assert str(kept["board"]) == "3x3/2"


def test_training_leaves_the_tracked_weights_alone(
    learn: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run as the docs say it, the example writes weights of its own, and its agent plays them."""
    for name in ("learn.py", "learned.npz"):
        shutil.copy(FILE.parent / name, tmp_path)
    tracked = (tmp_path / "learned.npz").read_bytes()
    subprocess.run(
        [sys.executable, "learn.py", "--board", "3x3/2", "--moves", "600"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    assert (tmp_path / "learned.npz").read_bytes() == tracked
    game = mp.play("3x3/2", f"{tmp_path / 'learn.py'}:MyLearned", seed=1)
    assert not game.outcome.note


def test_what_was_learned_plays_far_better_than_one_clue_at_a_time(learn: Any) -> None:
    learned = mp.play_many(learn.BOARD, learn.Learned, games=120, seed=5)
    simple = mp.play_many(learn.BOARD, "single-point", games=120, seed=5)
    assert not learned.failures
    assert learned.interval.low > simple.interval.high


def test_it_plays_from_its_file(learn: Any) -> None:
    assert AgentSource.parse(f"{FILE}:Learned") is not None
    game = mp.play(learn.BOARD, f"{FILE}:Learned", seed=1)
    assert game.outcome.termination.value in ("cleared", "exploded")
    lost = mp.play("4x4/3", f"{FILE}:Learned", seed=1)
    assert "has learned square:5x5/5 alone" in lost.outcome.note


@needs_core
def test_the_same_moves_are_learned_again(learn: Any) -> None:
    first, second = (learn.train("3x3/2", 2_000, games=32) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(first.weights, second.weights, strict=True))


# ----------------------------------------------------------------------------
# Stable-Baselines3's own checker, and memory shared with torch; both come with that library.
#
# It brings torch, several hundred megabytes, so `make test` leaves these out unless it is there:
#
#     .venv/bin/pip install stable-baselines3 && make test ARGS=tests/envs


@pytest.mark.needs_sb3
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"board": "beginner", "observe": "planes", "flags": True},
        {"board": "5x5/4", "observe": "planes+chances"},
        {"board": "hex:4x4/3", "observe": "chances", "reward": "sound", "info": ("risk",)},
        {"board": "5x5/~20%", "on_mine": "continue", "render_mode": "rgb_array"},
    ],
    ids=str,
)
def test_its_checker_finds_nothing_wrong(options: dict[str, Any]) -> None:
    """It recommends to flatten a board of rows, and takes planes for the colours of a picture."""
    from stable_baselines3.common.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", ".*unconventional shape.*")
        warnings.filterwarnings("ignore", ".*(is an image|your image|image).*")
        check_env(gymnasium.make(ENVIRONMENT, **options).unwrapped, warn=True)


@pytest.mark.needs_sb3
def test_flattened_it_has_nothing_to_recommend() -> None:
    from stable_baselines3.common.env_checker import check_env

    env = gymnasium.wrappers.FlattenObservation(gymnasium.make(ENVIRONMENT, board="5x5/4"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, warn=True)


@pytest.mark.needs_sb3
def test_it_learns_from_it() -> None:
    from stable_baselines3 import PPO

    env = gymnasium.make(ENVIRONMENT, board="4x4/3", reward="cells")
    model = PPO("MultiInputPolicy", env, n_steps=32, batch_size=32, n_epochs=1, device="cpu")
    model.learn(64)


@pytest.mark.needs_sb3
def test_torch_reads_the_memory_of_the_batch() -> None:
    import torch

    envs: Any = gymnasium.make_vec(ENVIRONMENT, 4, board="5x5/4")
    seen, _ = envs.reset(seed=1)
    boards = torch.from_dlpack(seen["board"])
    assert (boards == 255).all()
    envs.step(envs.random_actions())
    assert boards.numpy().tolist() == seen["board"].tolist()
    assert not (boards == 255).all()
    assert np.shares_memory(boards.numpy(), seen["board"])


@pytest.mark.needs_sb3
def test_the_batch_of_the_core_is_a_vector_environment_of_its_own() -> None:
    from stable_baselines3.common.vec_env import VecEnv

    from mineproof.envs.stable_baselines import MinesweeperVecEnv

    envs = MinesweeperVecEnv(4, "4x4/3")
    assert isinstance(envs, VecEnv)
    envs.seed(7)
    seen = envs.reset()
    plain = gymnasium.make_vec(
        ENVIRONMENT, 4, board="4x4/3", observe="planes", autoreset_mode="SameStep"
    )
    expected, infos = plain.reset(seed=7)
    ended = 0
    for _ in range(60):
        assert np.array_equal(seen, expected)
        assert np.array_equal(np.stack(envs.env_method("action_masks")), infos["action_mask"])
        actions = infos["action_mask"].argmax(axis=1)
        seen, rewards, done, told = envs.step(actions)
        expected, wanted, terminated, truncated, infos = plain.step(actions)
        assert np.array_equal(rewards, wanted)
        assert np.array_equal(done, terminated | truncated)
        for row in np.flatnonzero(done):
            ended += 1
            assert np.array_equal(told[row]["terminal_observation"], infos["final_obs"][row])
            assert told[row]["is_success"] == (rewards[row] == 1)
    assert ended > 4


@pytest.mark.needs_sb3
def test_the_recipe_of_maskable_ppo_learns_and_is_evaluated() -> None:
    pytest.importorskip("sb3_contrib")
    spec = importlib.util.spec_from_file_location("ppo", FILE.with_name("ppo.py"))
    assert spec is not None
    assert spec.loader is not None
    recipe = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(recipe)
    model = recipe.train("3x3/2", 1024, games=8)
    found = evaluate(model, "3x3/2", 20, observe="planes")
    assert (found.games, found.illegal) == (20, 0)


def test_torchrl_makes_the_environment() -> None:
    """It tries `frameskip`, and leaves it out where a TypeError says that it is unexpected."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        gymnasium.make(ENVIRONMENT, frameskip=1)
    with pytest.raises(mp.InputError, match="did you mean first_click"):
        gymnasium.make(ENVIRONMENT, frist_click="any")
    torchrl = pytest.importorskip("torchrl.envs.libs.gym")
    env = torchrl.GymEnv(ENVIRONMENT, board="4x4/3", observe="planes")
    assert env.rollout(3)["observation"].shape[1:] == (11, 4, 4)


def test_gymnasium_passes_vector_kwargs_where_it_makes_the_vector() -> None:
    envs = gymnasium.make_vec(
        ENVIRONMENT, 2, "sync", vector_kwargs={"copy": False}, board="4x4/3", observe="planes"
    )
    seen, _ = envs.reset(seed=1)
    assert seen.shape == (2, 11, 4, 4)
