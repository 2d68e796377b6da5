"""Games of the core as the vector environment of Stable-Baselines3.

A batch takes the place of single environments, so a step of 256 games costs about
what a step of one does. MaskablePPO of sb3-contrib finds the legal actions by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from mineproof.envs.batch import Autoreset
from mineproof.envs.games import EnvironmentOptions, LearnerGames
from mineproof.errors import InputError, as_int
from mineproof.rules import RuleWords
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"this environment needs {error.name}, which is not installed; install it:"
        " pip install stable-baselines3",
        name=error.name,
    ) from None

__all__ = ["MinesweeperVecEnv"]


class MinesweeperVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """Games side by side in the core; board, rules and options as `MinesweeperVectorEnv` has them.

    `seed(s)` lets row `i` play the games of seed `s + i` from the next reset on. A game that ends
    begins anew in the same step; its last observation is `infos[i]["terminal_observation"]`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        board: AnyBoard = DEFAULT_BOARD,
        *,
        rules: AnyRules | None = None,
        observe: str = "planes",
        reward: str = "win",
        info: str | Iterable[str] = (),
        flags: bool = False,
        illegal: str = "stay",
        samples: int = 100,
        threads: int = 1,
        max_episode_steps: int | None = None,
        **words: Unpack[RuleWords],
    ) -> None:
        """Raises InputError for what cannot be played or is not known."""
        if (num_envs := as_int(num_envs, "num_envs")) < 1:
            raise InputError(f"{num_envs} num_envs; accepted: 1 or more")
        info = info if isinstance(info, str) else tuple(info)
        options = EnvironmentOptions(
            board, rules, observe, reward, info, flags, illegal, samples, max_episode_steps, words
        )
        self._games = LearnerGames(options, num_envs, threads, Autoreset.SAME_STEP)
        self._lengths = np.zeros(num_envs, dtype=np.int64)
        self._returns = np.zeros(num_envs)
        self._actions = np.zeros(num_envs, dtype=np.int64)
        super().__init__(num_envs, self._games.observation_space, self._games.action_space)

    def reset(self) -> Any:
        seeds = None if self._seeds[0] is None else list(self._seeds)
        self._games.reset(seeds, None if seeds is None else 0)
        self._reset_seeds()
        self._reset_options()
        self._lengths[:] = 0
        self._returns[:] = 0
        return _copied(self._games.observation())

    def step_async(self, actions: NDArray[Any]) -> None:
        self._actions = np.ascontiguousarray(actions, dtype=np.int64)

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        games = self._games
        games.step(self._actions)
        self._lengths += 1
        self._returns += games.rewards
        ended = games.terminated | games.truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for name, rows in games.infos.items():
            for info, value in zip(infos, rows, strict=True):
                info[name] = value
        rows = np.flatnonzero(ended)
        if rows.size:
            last = games.final_observation(rows)
            for place, row in enumerate(rows.tolist()):
                infos[row]["terminal_observation"] = (
                    {name: part[place] for name, part in last.items()}
                    if isinstance(last, dict)
                    else last[place]
                )
                infos[row]["TimeLimit.truncated"] = bool(games.truncated[row])
                infos[row]["is_success"] = bool(games.won[row])
                infos[row]["episode"] = {
                    "r": float(self._returns[row]),
                    "l": int(self._lengths[row]),
                    "t": 0.0,
                }
            self._lengths[rows] = 0
            self._returns[rows] = 0
        return (_copied(games.observation()), games.rewards.astype(np.float32), ended.copy(), infos)

    def close(self) -> None:
        """Nothing is held open."""

    def action_masks(self) -> NDArray[np.int8]:
        """1 for every legal action of each game."""
        return np.array(self._games.action_mask)

    # -- what Stable-Baselines3 asks of single environments ------------------------------------

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        known = {"render_mode": None, "action_masks": self.action_masks, "spec": None}
        if attr_name not in known:
            raise AttributeError(f"games of a batch have no {attr_name!r}")
        return [known[attr_name]] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"games of a batch have no {attr_name!r} to set")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"games of a batch have no method {method_name!r}")
        masks = self.action_masks()
        return [masks[row] for row in self._rows(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Any) -> Sequence[int]:
        if indices is None:
            return range(self.num_envs)
        return [indices] if isinstance(indices, int) else list(indices)


def _copied(seen: Any) -> Any:
    """The observations in memory of their own: a rollout buffer may keep them."""
    if isinstance(seen, dict):
        return {name: rows.copy() for name, rows in seen.items()}
    return seen.copy()
