"""A decision carries its reason: proved from premises, guessed at a risk, or just made.

Transcripts, play-by-play, soundness checks and the coach all read that one field.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from mineproof.inference.verdict import Premises

__all__ = ["Action", "Decision", "Guessed", "Proved", "Reason", "Unstated"]


_NO_PREMISES = Premises()


class Action(Enum):
    """What a player does."""

    OPEN = "open"
    FLAG = "flag"
    UNFLAG = "unflag"
    CHORD = "chord"
    STOP = "stop"


@dataclass(frozen=True)
class Proved:
    """The named logic proved it; `premises` are the clues used, if it keeps track."""

    logic: str
    premises: Premises = _NO_PREMISES


@dataclass(frozen=True)
class Guessed:
    """Nothing was proved; `policy` chose among `among` cells.

    `cells` is the set the choice was made from where it is small enough to show, and `risk` the
    policy's own estimate of a mine, where it has one.
    """

    policy: str
    among: int
    risk: float | None = None
    cells: tuple[int, ...] = ()


@dataclass(frozen=True)
class Unstated:
    """The player gave no reason; `note` says who it was."""

    note: str = ""


Reason: TypeAlias = Proved | Guessed | Unstated

UNSTATED = Unstated()


@dataclass(frozen=True)
class Decision:
    """One action on one cell, with its reason; `cell` is None only for STOP."""

    action: Action
    cell: int | None
    reason: Reason = UNSTATED

    @classmethod
    def open(cls, cell: int, reason: Reason = UNSTATED) -> Decision:
        return cls(Action.OPEN, cell, reason)

    @classmethod
    def flag(cls, cell: int, reason: Reason = UNSTATED) -> Decision:
        return cls(Action.FLAG, cell, reason)

    @classmethod
    def stop(cls, note: str = "") -> Decision:
        return cls(Action.STOP, None, Unstated(note))
