"""The environments of Gymnasium: one game, and many games as a batch in the core.

gymnasium.make("mineproof/Minesweeper-v0")
gymnasium.make_vec("mineproof/Minesweeper-v0", num_envs=1024)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from mineproof.envs.batch import Autoreset
from mineproof.envs.games import (
    EnvironmentOptions,
    LearnerGames,
    Observation,
    index_of,
    seed_generator,
)
from mineproof.envs.rendering import MODES, draw
from mineproof.errors import InputError, UnknownName, as_given, as_int
from mineproof.rng import MAX_SEED
from mineproof.rules import RuleWords
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules

# Games and batches can be imported without Gymnasium, which comes with the extra `gym`.
try:
    from gymnasium import Env
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"mineproof's environments need {error.name}, which is not installed; install it:"
        " pip install 'mineproof[gym]'",
        name=error.name,
    ) from None

__all__ = ["MinesweeperEnv", "MinesweeperVectorEnv"]


class MinesweeperEnv(Env[Any, Any]):
    """Minesweeper on any board, by any rules; see docs/environment.md.

    `reset(seed=s)` begins game 0 of seed `s`, the one that `mineproof.play` plays with that seed;
    each later reset begins the next. `options={"index": i}` begins with game `i`. A copy or a
    pickle holds the options alone, and no game.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 4}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        board: AnyBoard = DEFAULT_BOARD,
        *,
        rules: AnyRules | None = None,
        observe: str = "codes",
        reward: str = "win",
        info: str | Iterable[str] = (),
        flags: bool = False,
        illegal: str = "stay",
        samples: int = 100,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **words: Unpack[RuleWords],
    ) -> None:
        """Raises InputError for what cannot be played or is not known."""
        if render_mode is not None and render_mode not in MODES:
            raise UnknownName("render mode", render_mode, MODES)
        info = info if isinstance(info, str) else tuple(info)
        self._options = EnvironmentOptions(
            board, rules, observe, reward, info, flags, illegal, samples, max_episode_steps, words
        )
        self._games = LearnerGames(self._options, 1, 1, Autoreset.DISABLED)
        self.observation_space = self._games.observation_space
        self.action_space = self._games.action_space
        self.render_mode = render_mode

    def __reduce__(self) -> tuple[Any, ...]:
        chosen: dict[str, Any] = dict(vars(self._options))
        words = chosen.pop("words")
        return partial(type(self), render_mode=self.render_mode, **chosen, **words), ()

    @property
    def plane_names(self) -> tuple[str, ...]:
        """What each plane of `observe="planes"` stands for."""
        return self._games.plane_names

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        index = index_of(options)
        seeds = None if seed is None else [seed]
        self._games.reset(seeds, index)
        if seed is not None:
            self.np_random = seed_generator(seed)
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Open a cell, or toggle a flag. Raises InputError for what is no action."""
        games = self._games
        games.step(np.array([as_int(action, "action")], dtype=np.int64))
        return (
            self._observation(),
            float(games.rewards[0]),
            bool(games.terminated[0]),
            bool(games.truncated[0]),
            self._info(),
        )

    def _observation(self) -> Any:
        found = self._games.observation()
        if isinstance(found, dict):
            return {name: rows[0].copy() for name, rows in found.items()}
        return found[0].copy()

    def _info(self) -> dict[str, Any]:
        games = self._games
        own_infos = {name: _plain(rows[0]) for name, rows in games.infos.items()}
        return {
            "action_mask": self.action_masks(),
            "won": bool(games.won[0]),
            "illegal": bool(games.illegal[0]),
            **own_infos,
        }

    def action_masks(self) -> NDArray[np.int8]:
        """1 for every legal action, as `action_space.sample` and sb3-contrib take it."""
        return np.array(self._games.action_mask[0])

    def render(self) -> Any:
        """The position as its player sees it: a text, a picture of pixels, or an SVG."""
        if self.render_mode is None:
            return None
        return draw(self._games.views()[0], self.render_mode)


def _plain(value: Any) -> Any:
    """A number as Python's own; a row of an array as fresh memory."""
    return value.copy() if isinstance(value, np.ndarray) else value.item()


# -- Many games side by side ---------------------------------------------------

_MODES = {
    AutoresetMode.NEXT_STEP: Autoreset.NEXT_STEP,
    AutoresetMode.SAME_STEP: Autoreset.SAME_STEP,
    AutoresetMode.DISABLED: Autoreset.DISABLED,
}
_MOST_GAMES, _MOST_THREADS = 2**20, 1024


class MinesweeperVectorEnv(VectorEnv[Any, Any, NDArray[Any]]):
    """Games side by side, in the core on `threads` threads; see docs/environment.md.

    `reset(seed=s)` begins game 0 of seed `s + i` in row `i`; each later game of a row is the next
    of its seed. Arrays are the batch's own memory, which the next step writes anew: take copies of
    what you keep, or say `copy=True`.
    """

    def __init__(
        self,
        num_envs: int = 1,
        board: AnyBoard = DEFAULT_BOARD,
        *,
        rules: AnyRules | None = None,
        observe: str = "codes",
        reward: str = "win",
        info: str | Iterable[str] = (),
        flags: bool = False,
        illegal: str = "stay",
        samples: int = 100,
        threads: int = 1,
        copy: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **words: Unpack[RuleWords],
    ) -> None:
        """Raises InputError for what cannot be played or is not known."""
        if not 1 <= (num_envs := as_int(num_envs, "num_envs")) <= _MOST_GAMES:
            raise InputError(f"{num_envs} num_envs; accepted: 1 to {_MOST_GAMES}")
        if not 1 <= (threads := as_int(threads, "threads")) <= _MOST_THREADS:
            raise InputError(f"{threads} threads; accepted: 1 to {_MOST_THREADS}")
        if render_mode is not None and render_mode not in MODES:
            raise UnknownName("render mode", render_mode, MODES)
        self.autoreset_mode = _mode(autoreset_mode)
        info = info if isinstance(info, str) else tuple(info)
        options = EnvironmentOptions(
            board, rules, observe, reward, info, flags, illegal, samples, max_episode_steps, words
        )
        self._games = LearnerGames(options, num_envs, threads, _MODES[self.autoreset_mode])
        self._copy = copy
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.metadata = {"render_modes": list(MODES), "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = self._games.observation_space
        self.single_action_space = self._games.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a batch of games cannot be pickled or copied: that would carry the mines along;"
            " accepted: make_vec in each process"
        )

    @property
    def plane_names(self) -> tuple[str, ...]:
        """What each plane of `observe="planes"` stands for."""
        return self._games.plane_names

    # -- playing -----------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin games; with `options={"reset_mask": mask}` those that the mask chooses."""
        index = index_of(options, ("index", "reset_mask"))
        chosen = None if options is None else self._chosen(options.get("reset_mask"))
        seeds = self._seeds(seed)
        self._games.reset(seeds, index, chosen)
        if seeds is not None:
            self.np_random = seed_generator(seeds[0])
        return self._observation(), {"action_mask": self._array(self._games.action_mask)}

    def _chosen(self, mask: object) -> NDArray[np.bool_] | None:
        if mask is None:
            return None
        chosen = np.asarray(mask)
        if chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,) or not chosen.any():
            raise InputError(
                f"reset_mask is {as_given(mask)}; accepted: an array of {self.num_envs} bools"
                " with at least one True"
            )
        return chosen

    def _seeds(self, seed: int | Sequence[int] | None) -> list[int] | None:
        if seed is None:
            return None
        if isinstance(seed, int | np.integer):
            return [(int(seed) + row) & MAX_SEED for row in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise InputError(f"{len(seed)} seeds; accepted: one, or {self.num_envs}")
        return list(seed)

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """One action for each game. Raises InputError for what is no action."""
        games = self._games
        games.step(_actions(actions))
        infos: dict[str, Any] = {
            "action_mask": self._array(games.action_mask),
            "won": self._array(games.won),
            "illegal": self._array(games.illegal),
        }
        for name, rows in games.infos.items():
            infos[name], infos[f"_{name}"] = rows, games.moved.copy()
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._add_final(infos)
        return (
            self._observation(),
            games.rewards,
            self._array(games.terminated),
            self._array(games.truncated),
            infos,
        )

    def _add_final(self, infos: dict[str, Any]) -> None:
        """The last observations of the games that ended, as Gymnasium hands them on."""
        games = self._games
        ended = games.terminated | games.truncated
        if not ended.any():
            return
        rows = np.flatnonzero(ended)
        last = games.final_observation(rows)
        found = np.full(self.num_envs, None, dtype=object)
        found[rows] = _rows(last)
        own_infos = {"won": games.won.copy(), "illegal": games.illegal.copy(), **games.infos}
        infos["final_obs"], infos["_final_obs"] = found, ended
        infos["final_info"] = own_infos | {f"_{name}": ended for name in own_infos}
        infos["_final_info"] = ended

    @property
    def moved(self) -> NDArray[np.bool_]:
        """The games that took their action in the last step; the others began anew in it."""
        return self._array(self._games.moved)

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, each equally likely; 0 where there is none."""
        return self._games.random_actions()

    def seed_actions(self, seed: int) -> None:
        """Name the random actions anew."""
        self._games.seed_actions(seed)

    def action_masks(self) -> NDArray[np.int8]:
        """1 for every legal action of each game."""
        return self._array(self._games.action_mask)

    def render(self) -> tuple[Any, ...] | None:
        """The positions as their players see them, each a text, pixels, or an SVG."""
        if self.render_mode is None:
            return None
        return tuple(draw(view, self.render_mode) for view in self._games.views())

    # -- memory ------------------------------------------------------------------------------

    def _array(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _observation(self) -> Any:
        found = self._games.observation()
        if not self._copy:
            return found
        if isinstance(found, dict):
            return {name: rows.copy() for name, rows in found.items()}
        return found.copy()


def _rows(seen: Observation) -> list[Any]:
    """The observations of single games."""
    if not isinstance(seen, dict):
        return list(seen)
    return [dict(zip(seen, rows, strict=True)) for rows in zip(*seen.values(), strict=True)]


def _mode(mode: AutoresetMode | str) -> AutoresetMode:
    names = {one.value: one for one in AutoresetMode} | {one.name: one for one in AutoresetMode}
    if isinstance(mode, AutoresetMode):
        return mode
    if mode not in names:
        raise UnknownName("autoreset mode", mode, [one.value for one in AutoresetMode])
    return names[mode]


def _actions(actions: Any) -> NDArray[np.int64]:
    array = np.asarray(actions)
    if array.dtype.kind not in "iu":
        raise InputError(f"actions of type {array.dtype}; accepted: whole numbers, one a game")
    return np.ascontiguousarray(array, dtype=np.int64)
