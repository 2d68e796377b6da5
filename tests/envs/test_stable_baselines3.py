"""Stable-Baselines3's own checker, and memory shared with torch; both come with that library.

It brings torch, several hundred megabytes, so `make test` leaves these out unless it is there:

    .venv/bin/pip install stable-baselines3 && make test ARGS=tests/envs
"""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest

from mineproof.envs import ENVIRONMENT

pytestmark = pytest.mark.needs_sb3


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


def test_flattened_it_has_nothing_to_recommend() -> None:
    from stable_baselines3.common.env_checker import check_env

    env = gymnasium.wrappers.FlattenObservation(gymnasium.make(ENVIRONMENT, board="5x5/4"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, warn=True)


def test_it_learns_from_it() -> None:
    from stable_baselines3 import PPO

    env = gymnasium.make(ENVIRONMENT, board="4x4/3", reward="cells")
    model = PPO("MultiInputPolicy", env, n_steps=32, batch_size=32, n_epochs=1, device="cpu")
    model.learn(64)


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
