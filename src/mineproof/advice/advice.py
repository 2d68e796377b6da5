"""The value of an advice: a cell, what it rests on, what other cells give away, and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from mineproof.search.win import WinChance

__all__ = ["Advice", "Alternative", "Basis", "Measure"]


class Basis(Enum):
    """What an advice rests on, the firmest first."""

    CERTAIN = "certain"
    """The cell is safe in every layout that explains the position."""
    FIRST_CLICK = "first-click"
    """Nothing is open yet, and the rules keep the first cell free of mines."""
    BEST_PLAY = "best-play"
    """Best play to the end is known, and no cell wins more."""
    ROLLOUTS = "rollouts"
    """Games played out: no other cell wins clearly more."""
    LOOK_AHEAD = "look-ahead"
    """The guess of `swift`, which weighs what the cell may show and how safe the next move is."""
    LEAST_RISK = "least-risk"
    """The least risk, where nothing more can be weighed; the sentence says why."""


class Measure(Enum):
    """What a loss is a share of."""

    WIN = "win"
    """The chance to win the game."""
    ALIVE = "alive"
    """The chance to live through this move and the next."""
    RISK = "risk"
    """The chance to open no mine with this move."""


@dataclass(frozen=True)
class Alternative:
    """Another cell: its risk, its chance to win where known, and what it gives away.

    `lost` is None where the measure of the advice does not tell the two apart.
    """

    cell: int
    risk: float
    win: WinChance | None
    lost: float | None


@dataclass(frozen=True)
class Advice:
    """The best move and why; `str` is the sentence.

    `win` is its chance to win with a 95 % interval, where known. `ties` are the cells that are as
    good as far as is known: all of them, whether or not they are among the few `alternatives`,
    which come best first.

    >>> best = mp.advise(mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01."))
    >>> best.cell, best.risk
    (2, 0.0)
    """

    cell: int
    basis: Basis
    risk: float
    win: WinChance | None
    measure: Measure
    ties: tuple[int, ...]
    alternatives: tuple[Alternative, ...]
    text: str

    @property
    def next_best(self) -> Alternative | None:
        """The best alternative that is no tie; None where none is known."""
        ties = frozenset(self.ties)
        return next((one for one in self.alternatives if one.cell not in ties), None)

    def __str__(self) -> str:
        return self.text
