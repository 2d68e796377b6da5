"""Environments for learners: Gymnasium's, one game at a time or a batch in the core; data sets.

Importing this registers `mineproof/Minesweeper-v0` with Gymnasium, where that is installed:

    import gymnasium, mineproof.envs

    env = gymnasium.make("mineproof/Minesweeper-v0", board="beginner")
    envs = gymnasium.make_vec("mineproof/Minesweeper-v0", num_envs=1024, board="expert")

`gymnasium.make("mineproof.envs:mineproof/Minesweeper-v0")` imports it by itself.
"""

from __future__ import annotations

from importlib.util import find_spec

from mineproof.envs.evaluation import Estimate, Evaluation, evaluate

__all__ = ["ENVIRONMENT", "Estimate", "Evaluation", "evaluate"]

ENVIRONMENT = "mineproof/Minesweeper-v0"
"""The name under which Gymnasium knows it."""


def _register() -> None:
    import gymnasium

    if ENVIRONMENT not in gymnasium.registry:
        gymnasium.register(
            id=ENVIRONMENT,
            entry_point="mineproof.envs.environments:MinesweeperEnv",
            vector_entry_point="mineproof.envs.environments:MinesweeperVectorEnv",
        )


if find_spec("gymnasium") is not None:
    _register()
