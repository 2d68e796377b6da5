"""Games side by side: in the core, or as Python referees where there is no core.

Both play the games that `play` plays with the same seed and index, and write what a player may know
into arrays, a row a game. Neither tells where the mines are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.match.referee import Referee
from mineproof.view.setting import Setting

__all__ = ["FLAG_CODE", "Autoreset", "Batch", "Play", "make_batch"]

FLAG_CODE = 252
"""The byte of a flagged cell in an observation; the others are those of a view."""


class Autoreset(Enum):
    """When a game that has ended begins anew."""

    DISABLED = "disabled"
    NEXT_STEP = "next_step"
    SAME_STEP = "same_step"


@dataclass(frozen=True)
class Play:
    """What is played, and how.

    With `flags` action `cells + c` sets a flag on cell `c` or takes it off; action `c` opens it. An
    illegal action changes nothing, or ends the game if `illegal_ends`. A game is cut off after
    `most_steps`.
    """

    setting: Setting
    flags: bool
    illegal_ends: bool
    most_steps: int

    @property
    def cells(self) -> int:
        return len(self.setting.board.topology)

    @property
    def actions(self) -> int:
        return self.cells * (2 if self.flags else 1)


class Batch(Protocol):
    """Games side by side; the arrays have a row or an entry for each, and change with every step.

    `shown` are codes, `legal` the legal actions, `opened` the safe cells that the step opened.
    `moved` games took their action; the others began anew. What begins with `final_` is filled
    with autoreset in the same step, for the games that ended in it.
    """

    @property
    def shown(self) -> NDArray[np.uint8]: ...
    @property
    def legal(self) -> NDArray[np.uint8]: ...
    @property
    def mines_left(self) -> NDArray[np.int32]: ...
    @property
    def final_shown(self) -> NDArray[np.uint8]: ...
    @property
    def final_legal(self) -> NDArray[np.uint8]: ...
    @property
    def final_mines_left(self) -> NDArray[np.int32]: ...
    @property
    def opened(self) -> NDArray[np.int32]: ...
    @property
    def terminated(self) -> NDArray[np.uint8]: ...
    @property
    def truncated(self) -> NDArray[np.uint8]: ...
    @property
    def won(self) -> NDArray[np.uint8]: ...
    @property
    def illegal(self) -> NDArray[np.uint8]: ...
    @property
    def moved(self) -> NDArray[np.uint8]: ...

    def reset(
        self, chosen: NDArray[np.uint8] | None, seeds: Sequence[int] | None, index: int
    ) -> None:
        """Begin the next games, all or the chosen ones; seeds name them anew, from this index."""
        ...

    def step(self, actions: NDArray[np.int64]) -> None:
        """One action for each game. Raises ValueError for what is no action, or a game over."""
        ...

    def first_illegal(self, actions: NDArray[np.int64]) -> int:
        """The first game for which its action is no legal move, or -1."""
        ...

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, each equally likely; 0 where there is none."""
        ...

    def seed_actions(self, seed: int) -> None:
        """Name the random actions anew."""
        ...


def make_batch(play: Play, games: int, threads: int, autoreset: Autoreset) -> Batch:
    """A batch, in the core where it runs. Raises InputError for rules that cannot be played."""
    Referee(play.setting)  # refuses what does not fit
    if kernel.available():
        from mineproof.envs.core_batch import CoreBatch

        return CoreBatch(play, games, threads, autoreset)
    from mineproof.envs.twin_batch import TwinBatch

    return TwinBatch(play, games, autoreset)
