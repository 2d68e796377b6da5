"""Maskable PPO on a batch of the core: the recipe for Stable-Baselines3.

    pip install 'mineproof[gym]' stable-baselines3 sb3-contrib
    python examples/ppo.py --board 5x5/5 --moves 2000000

The policy is a convolution over the planes of the board that gives every cell its own logit, so
what it learns in one place it knows in every other. Illegal actions are masked. At the end it plays
fixed games: `mineproof.envs.evaluate`.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from mineproof.envs import evaluate
from mineproof.envs.stable_baselines import MinesweeperVecEnv

CHANNELS = 64


class Cells(BaseFeaturesExtractor):  # type: ignore[misc, unused-ignore]
    """A logit for every cell, and behind them a summary of the board for the critic."""

    def __init__(self, observation_space: spaces.Box, layers: int = 4) -> None:
        planes, rows, columns = observation_space.shape
        super().__init__(observation_space, rows * columns + CHANNELS)
        parts: list[nn.Module] = []
        for before in [planes, *[CHANNELS] * (layers - 1)]:
            parts += [nn.Conv2d(before, CHANNELS, 3, padding=1), nn.ReLU()]
        self.trunk = nn.Sequential(*parts)
        self.logits = nn.Conv2d(CHANNELS, 1, 1)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        seen = self.trunk(planes)
        return torch.cat([self.logits(seen).flatten(1), seen.mean(dim=(2, 3))], dim=1)


class Part(nn.Module):  # type: ignore[misc, unused-ignore]
    """Some of the features."""

    def __init__(self, part: slice) -> None:
        super().__init__()
        self.part = part

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        return features[:, self.part]


class CellPolicy(MaskableActorCriticPolicy):  # type: ignore[misc, unused-ignore]
    """The logits go to the cells as they are; the critic reads the summary."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options |= {"features_extractor_class": Cells, "net_arch": [], "normalize_images": False}
        super().__init__(*args, **options)

    def _build(self, lr_schedule: Any) -> None:
        super()._build(lr_schedule)
        cells = int(self.action_space.n)  # type: ignore[attr-defined, unused-ignore]
        self.action_net = Part(slice(0, cells))
        self.value_net = nn.Sequential(Part(slice(cells, None)), nn.Linear(CHANNELS, 1))
        self.optimizer = self.optimizer_class(
            self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs
        )


def train(board: str, moves: int, games: int = 256, seed: int = 1) -> MaskablePPO:
    """Learn from so many moves."""
    envs = MinesweeperVecEnv(games, board, reward="win", first_click="safe")
    envs.seed(1_000_000)
    model = MaskablePPO(
        CellPolicy,
        envs,
        n_steps=64,
        batch_size=2048,
        n_epochs=3,
        learning_rate=lambda left: 1e-3 * max(left, 0.05),
        gamma=1.0,
        gae_lambda=0.95,
        ent_coef=0.003,
        seed=seed,
        device="cpu",
    )
    began, told = time.process_time(), 0
    while model.num_timesteps < moves:
        step = max(moves // 10, games * 64)
        model.learn(step, reset_num_timesteps=False, progress_bar=False)
        won = [episode["r"] for episode in model.ep_info_buffer or ()]
        told = model.num_timesteps
        print(
            f"{told:9,} moves, {time.process_time() - began:5.0f} CPU s:"
            f" {100 * sum(won) / max(len(won), 1):4.1f} % of the last {len(won)} games won",
            flush=True,
        )
    return model


def main() -> None:
    parser = argparse.ArgumentParser(description="Train maskable PPO on a board.")
    parser.add_argument("--board", default="5x5/5")
    parser.add_argument("--moves", type=int, default=2_000_000)
    parser.add_argument("--games", type=int, default=2000, help="games of the evaluation")
    parser.add_argument("--out", type=Path, help="where the model is written")
    options = parser.parse_args()
    model = train(options.board, options.moves)
    if options.out is not None:
        model.save(options.out)
    print(evaluate(model, options.board, options.games, observe="planes"))


if __name__ == "__main__":
    main()
