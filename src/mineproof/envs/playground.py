"""Games for learners: what both environments share, for one game or many.

An environment translates between this and Gymnasium. The games themselves are in a batch, which
does not tell where the mines are.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.envs.batch import Autoreset, Play, make_batch
from mineproof.envs.gymnasium_parts import spaces
from mineproof.envs.observing import Observation, Observe, Observer, views_of
from mineproof.envs.rewarding import JudgedMoves, Rewarding
from mineproof.errors import IllegalMove, InputError, UnknownName, quoted
from mineproof.rng import check_seed
from mineproof.rules import RuleValue
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["ILLEGAL", "Options", "Playground", "seed_generator"]

ILLEGAL = ("stay", "end", "raise")


@dataclass(frozen=True)
class Options:
    """What an environment is made from; see docs/environment.md. Raises InputError."""

    board: AnyBoard = DEFAULT_BOARD
    rules: AnyRules | None = None
    observe: str = "codes"
    reward: str = "win"
    info: str | Iterable[str] = ()
    flags: bool = False
    illegal: str = "stay"
    samples: int = 100
    max_episode_steps: int | None = None
    words: Mapping[str, RuleValue] | None = None

    def play(self) -> Play:
        """The game that is meant."""
        setting = Setting.of(self.board, self.rules, **(self.words or {}))
        if self.illegal not in ILLEGAL:
            raise UnknownName("illegal", self.illegal, ILLEGAL)
        # As in `play`, an agent that only toggles flags would play for ever.
        most = 4 * len(setting.board.topology) + 100
        if self.max_episode_steps is not None:
            most = whole(self.max_episode_steps, "max_episode_steps")
            if not 1 <= most < 2**31:
                raise InputError(f"{most} max_episode_steps; accepted: 1 or more")
        return Play(setting, bool(self.flags), self.illegal == "end", most)


class Playground:
    """Games side by side with what is seen of them, paid for moves and told of them."""

    def __init__(self, options: Options, games: int, threads: int, autoreset: Autoreset) -> None:
        self.play = options.play()
        self._raises = options.illegal == "raise"
        observe = Observe.parse(options.observe)
        self._observer = Observer(self.play, observe, games, threads)
        self._rewarding = Rewarding(options.reward, options.info, options.samples, threads)
        self._batch = make_batch(self.play, games, threads, autoreset)
        batch = self._batch
        self.action_mask: NDArray[np.int8] = batch.legal.view(np.int8)
        self.terminated: NDArray[np.bool_] = batch.terminated.view(np.bool_)
        self.truncated: NDArray[np.bool_] = batch.truncated.view(np.bool_)
        self.won: NDArray[np.bool_] = batch.won.view(np.bool_)
        self.illegal: NDArray[np.bool_] = batch.illegal.view(np.bool_)
        self.moved: NDArray[np.bool_] = batch.moved.view(np.bool_)
        # The batch writes these arrays in place, so they are named once and not in every step.
        self._by_result = JudgedMoves.by_result(batch)
        self._written = None if observe.planes or observe.chances else self._observer.written(batch)
        self._fresh = True
        self.games = games
        self.plane_names = self._observer.plane_names
        self.rewards = np.zeros(games)
        self.told: dict[str, NDArray[Any]] = {}

    @property
    def observation_space(self) -> spaces.Space[Any]:
        return self._observer.space

    @property
    def action_space(self) -> spaces.Discrete:
        return spaces.Discrete(self.play.actions)

    # -- playing -----------------------------------------------------------------------------

    def reset(
        self,
        seeds: Sequence[int] | None,
        index: int | None = None,
        chosen: NDArray[np.bool_] | None = None,
    ) -> None:
        """Begin games: those of these seeds, from an index, else the next of the seeds there were.

        Raises InputError for an index without seeds, and where the first reset leaves games out:
        those would have no seed but one that everybody knows.
        """
        if index is not None and seeds is None:
            raise InputError(f"index {index} without a seed; accepted: with a seed, as seed=1")
        if self._fresh and chosen is not None and not chosen.all():
            raise InputError("reset_mask leaves games out; accepted: after a reset of all games")
        if seeds is None and self._fresh:
            seeds = [secrets.randbits(64) for _ in range(self.games)]
        elif seeds is not None:
            seeds = [check_seed(seed) for seed in seeds]
        mask = None if chosen is None else chosen.astype(np.uint8)
        self._batch.reset(mask, seeds, index or 0)
        self._fresh = False
        self.told = {}
        self._keep()

    def step(self, actions: NDArray[np.int64]) -> None:
        """One action for each game. Raises InputError, IllegalMove and BudgetExceeded."""
        if self._fresh:
            raise InputError("a step before the first game; accepted: after reset()")
        batch = self._batch
        try:
            if self._raises and (game := batch.first_illegal(actions)) >= 0:
                raise IllegalMove(f"action {actions[game]} is no legal move in game {game}")
            views = self._before(actions) if self._rewarding.judges else []
            batch.step(actions)
        except ValueError as error:
            raise InputError(str(error)) from None
        if not self._rewarding.judges:
            self.rewards = self._rewarding.paid(self._by_result)
            return
        taken = batch.moved.tolist()  # a game that began anew took no action
        views = [view if moved else None for view, moved in zip(views, taken, strict=True)]
        judged = self._rewarding.judge(batch, views, (actions % self.play.cells).tolist())
        self.rewards = self._rewarding.paid(judged)
        self.told = self._rewarding.tells(judged)
        self._keep()

    def _keep(self) -> None:
        """Keep what moves are judged by, where they are: others may write into the arrays."""
        if self._rewarding.judges:
            batch = self._batch
            self._kept = (batch.shown.copy(), batch.mines_left.copy(), batch.legal.copy())

    def _before(self, actions: NDArray[np.int64]) -> list[View | None]:
        """The positions in which this step opens a cell."""
        self._batch.first_illegal(actions)  # refuses what is no action
        shown, mines_left, legal = self._kept
        taken = legal[np.arange(self.games), actions] != 0
        games = np.flatnonzero(taken & (actions < self.play.cells))
        found: list[View | None] = [None] * self.games
        views = views_of(self.play, shown[games], mines_left[games])
        for game, view in zip(games.tolist(), views, strict=True):
            found[game] = view
        return found

    # -- what came of it ---------------------------------------------------------------------

    def observation(self) -> Observation:
        """In memory that the next step writes anew; a dictionary is a fresh one."""
        if isinstance(self._written, dict):
            return self._written.copy()
        return self._observer.written(self._batch)

    def final_observation(self, games: NDArray[np.intp]) -> Observation:
        """What these games showed last, a row each; they ended in this step."""
        return self._observer.final(self._batch, games)

    def random_actions(self) -> NDArray[np.int64]:
        return self._batch.random_actions()

    def seed_actions(self, seed: int) -> None:
        self._batch.seed_actions(check_seed(seed))

    def views(self) -> list[View]:
        """The positions, as their players see them."""
        return views_of(self.play, self._batch.shown, self._batch.mines_left)


def index_of(options: Mapping[str, Any] | None, known: Sequence[str] = ("index",)) -> int | None:
    """The index that the options of a reset name, if any. Raises InputError for unknown options."""
    for name in options or {}:
        if name not in known:
            raise InputError(
                f"reset option {quoted(name)} is unknown; accepted: {', '.join(known)}"
            )
    index = (options or {}).get("index")
    return None if index is None else int(check_seed(index, "index"))


def seed_generator(seed: int) -> np.random.Generator:
    """Gymnasium's generator for a seed, from which the seed cannot be read.

    Whoever knows the seed can deal the same mines, so no generator may carry it.
    """
    digest = hashlib.blake2b(check_seed(seed).to_bytes(8, "big"), person=b"mineproof-gym")
    return np.random.default_rng(int.from_bytes(digest.digest()[:16], "big"))
