"""Boards without guesses as values: how each was made, and what it took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import overload

from mineproof.board.layout import Layout
from mineproof.generation.beginning import Beginning
from mineproof.generation.wishes import Wishes
from mineproof.interval import Interval, wilson

__all__ = ["Generated", "Making", "NoGuessBoard"]

_NO_WISHES = Wishes()


class Making(Enum):
    """How boards were made: by rejection, each equally likely; or by changing deals."""

    UNIFORM = "uniform"
    REPAIRED = "repaired"


@dataclass(frozen=True)
class NoGuessBoard:
    """A layout that can be cleared from its first cell without a guess.

    `index` is the deal of `seed` it is, or for a repaired one was; `changes` are the mines moved.
    """

    beginning: Beginning
    layout: Layout
    method: Making
    seed: int
    index: int
    changes: int = 0

    @property
    def first(self) -> int:
        return self.beginning.first


@dataclass(frozen=True)
class Generated(Sequence[NoGuessBoard]):
    """The boards that were found, and what it took.

    By rejection every board without guesses of this size, number of mines and first cell is equally
    likely. `tried` counts deals, `kept` those that need no guess; of these `boards` are as wished.

    >>> made = mp.generate("9x9/10", count=2, seed=1)
    >>> made.kept, made[1].layout.is_mine(made[1].first)
    (2, False)
    """

    beginning: Beginning
    method: Making
    seed: int
    boards: tuple[NoGuessBoard, ...]
    tried: int
    kept: int
    wishes: Wishes = _NO_WISHES

    @overload
    def __getitem__(self, place: int) -> NoGuessBoard: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[NoGuessBoard]: ...
    def __getitem__(self, place: int | slice) -> NoGuessBoard | Sequence[NoGuessBoard]:
        return self.boards[place]

    def __len__(self) -> int:
        return len(self.boards)

    def __iter__(self) -> Iterator[NoGuessBoard]:
        return iter(self.boards)

    @property
    def share(self) -> float:
        """The share of deals that were kept."""
        return self.kept / self.tried if self.tried else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of that share."""
        return wilson(self.kept, self.tried)

    @property
    def text(self) -> str:
        """How they were made, in a sentence."""
        wished = f"; {len(self)} of them with {self.wishes.text}" if self.wishes else ""
        if self.method is Making.REPAIRED:
            return (
                f"repaired: {self.kept} of {self.tried} deals were changed until they need no"
                f" guess{wished}; not every such board is equally likely"
            )
        low, high = self.interval
        return (
            f"uniform: every such board is equally likely; kept {self.kept} of {self.tried} deals"
            f" ({100 * self.share:.3g} %, 95 % interval {100 * low:.3g} to {100 * high:.3g} %)"
            f"{wished}"
        )
