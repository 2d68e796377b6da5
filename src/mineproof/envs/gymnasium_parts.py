"""The parts of Gymnasium that the environments are made of; it comes with the extra `gym`."""

from __future__ import annotations

try:
    from gymnasium import Env, spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"mineproof's environments need {error.name}, which is not installed; accepted: after"
        " pip install 'mineproof[gym]'",
        name=error.name,
    ) from None

__all__ = ["AutoresetMode", "Env", "VectorEnv", "batch_space", "spaces"]
