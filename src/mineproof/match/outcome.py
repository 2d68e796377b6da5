"""How a game ended, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Outcome", "Termination"]


class Termination(Enum):
    """Why a game is over."""

    CLEARED = "cleared"
    """Every safe cell is open."""
    MARKED = "marked"
    """Every cell is open or flagged, all of them correctly."""
    FINISHED = "finished"
    """Every cell is open or flagged, not all of them correctly."""
    EXPLODED = "exploded"
    """A mine was opened."""
    STUCK = "stuck"
    """The player stopped."""
    FAILED = "failed"
    """The player raised, hung or made an illegal move; `note` says what."""
    UNFINISHED = "unfinished"
    """The game was left before its end."""


@dataclass(frozen=True)
class Outcome:
    """The end of a game: won or not, why, and its measures.

    `score` is report 0's: the share of mines that were flagged with a proof (1 if there are none).
    `finer` is report 2's: mines divided by covered cells, where an opened mine counts as covered; 1
    is a win. `marked_share` is report 4's: the share of cells that are open or flagged.

    >>> end = mp.play("beginner", "random", seed=1).outcome
    >>> end.won, end.termination.value
    (False, 'exploded')
    """

    won: bool
    termination: Termination
    score: float
    finer: float
    marked_share: float
    note: str = ""

    @property
    def text(self) -> str:
        return f"{'won' if self.won else 'lost'} ({self.termination.value})"
