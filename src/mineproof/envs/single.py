"""One game as a Gymnasium environment: `gymnasium.make("mineproof/Minesweeper-v0")`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.envs.batch import Autoreset
from mineproof.envs.gymnasium_parts import Env
from mineproof.envs.playground import Options, Playground, index_of, seed_generator
from mineproof.envs.rendering import MODES, draw
from mineproof.errors import UnknownName
from mineproof.rules import RuleValue
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules
from mineproof.whole import whole

__all__ = ["MinesweeperEnv"]


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
        **words: RuleValue,
    ) -> None:
        """Raises InputError for what cannot be played or is not known."""
        if render_mode is not None and render_mode not in MODES:
            raise UnknownName("render mode", render_mode, MODES)
        info = info if isinstance(info, str) else tuple(info)
        self._options = Options(
            board, rules, observe, reward, info, flags, illegal, samples, max_episode_steps, words
        )
        self._playground = Playground(self._options, 1, 1, Autoreset.DISABLED)
        self.observation_space = self._playground.observation_space
        self.action_space = self._playground.action_space
        self.render_mode = render_mode

    def __reduce__(self) -> tuple[Any, ...]:
        chosen: dict[str, Any] = dict(vars(self._options))
        words = chosen.pop("words")
        return partial(type(self), render_mode=self.render_mode, **chosen, **words), ()

    @property
    def plane_names(self) -> tuple[str, ...]:
        """What each plane of `observe="planes"` stands for."""
        return self._playground.plane_names

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        index = index_of(options)
        seeds = None if seed is None else [seed]
        self._playground.reset(seeds, index)
        if seed is not None:
            self.np_random = seed_generator(seed)
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Open a cell, or toggle a flag. Raises InputError for what is no action."""
        games = self._playground
        games.step(np.array([whole(action, "action")], dtype=np.int64))
        return (
            self._seen(),
            float(games.rewards[0]),
            bool(games.terminated[0]),
            bool(games.truncated[0]),
            self._info(),
        )

    def _seen(self) -> Any:
        seen = self._playground.observation()
        if isinstance(seen, dict):
            return {name: rows[0].copy() for name, rows in seen.items()}
        return seen[0].copy()

    def _info(self) -> dict[str, Any]:
        games = self._playground
        told = {name: _plain(rows[0]) for name, rows in games.told.items()}
        return {
            "action_mask": self.action_masks(),
            "won": bool(games.won[0]),
            "illegal": bool(games.illegal[0]),
            **told,
        }

    def action_masks(self) -> NDArray[np.int8]:
        """1 for every legal action, as `action_space.sample` and sb3-contrib take it."""
        return np.array(self._playground.action_mask[0])

    def render(self) -> Any:
        """The position as its player sees it: a text, a picture of pixels, or an SVG."""
        if self.render_mode is None:
            return None
        return draw(self._playground.views()[0], self.render_mode)


def _plain(value: Any) -> Any:
    """A number as Python's own; a row of an array as fresh memory."""
    return value.copy() if isinstance(value, np.ndarray) else value.item()
