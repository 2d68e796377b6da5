"""A decision carries its reason: proved from premises, guessed at a risk, or just made.

Transcripts, play-by-play, soundness checks and the coach all read that one field.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, TypeAlias

from mineproof.board.topology import Place
from mineproof.errors import InputError, as_given
from mineproof.inference.verdict import Premises

__all__ = ["Action", "Decision", "Guessed", "Proved", "Reason", "Unstated"]


_NO_PREMISES = Premises()


class Action(Enum):
    """What a player does.

    >>> [action.value for action in mp.Action]
    ['open', 'flag', 'unflag', 'chord', 'stop']
    """

    OPEN = "open"
    FLAG = "flag"
    UNFLAG = "unflag"
    CHORD = "chord"
    STOP = "stop"


@dataclass(frozen=True, init=False)
class Proved:
    """The named logic proved it; `premises` are the clues used, if it keeps track.

    They are given as a list of cells, numbers or coordinates, and `total` where the number of
    mines is one of them; or as a `Premises`. Raises InputError.

    >>> mp.Proved("my-logic", [3, 5], total=True).premises
    Premises(clues=(3, 5), total=True, by_contradiction=False)
    """

    logic: str
    premises: Premises

    def __init__(
        self,
        logic: str,
        premises: Premises | Iterable[Place] = _NO_PREMISES,
        *,
        total: bool = False,
    ) -> None:
        object.__setattr__(self, "logic", logic)
        if not isinstance(premises, Premises):
            if isinstance(premises, str) or not isinstance(premises, Iterable):
                raise InputError(
                    f"the premises of a proof are {as_given(premises)}; accepted: the cells of"
                    " its clues in a list, such as [(0, 1), 5]"
                )
            given: Any = tuple(premises)
            premises = Premises(given, total)
        elif total:
            premises = replace(premises, total=True)
        object.__setattr__(self, "premises", premises)


@dataclass(frozen=True)
class Guessed:
    """Nothing was proved; `policy` chose among `among` cells.

    `cells` is the set the choice was made from where it is small enough to show, and `risk` the
    policy's own estimate of a mine, where it has one.

    >>> mp.Guessed("corner-first", among=4, risk=0.2).risk
    0.2
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
    """One action on one cell, with its reason; `cell` is None only for STOP.

    An agent may name cells by their coordinates: the game turns them into numbers.

    >>> mp.Decision.open((0, 1), mp.Guessed("mine", among=2, risk=0.5)).action
    <Action.OPEN: 'open'>
    """

    action: Action
    cell: int | None
    reason: Reason = UNSTATED

    @classmethod
    def open(cls, cell: Place, reason: Reason = UNSTATED) -> Decision:
        return cls._of(Action.OPEN, cell, reason)

    @classmethod
    def flag(cls, cell: Place, reason: Reason = UNSTATED) -> Decision:
        return cls._of(Action.FLAG, cell, reason)

    @classmethod
    def unflag(cls, cell: Place, reason: Reason = UNSTATED) -> Decision:
        return cls._of(Action.UNFLAG, cell, reason)

    @classmethod
    def chord(cls, cell: Place, reason: Reason = UNSTATED) -> Decision:
        return cls._of(Action.CHORD, cell, reason)

    @classmethod
    def _of(cls, action: Action, cell: Any, reason: Reason) -> Decision:
        return cls(action, cell, reason)

    @classmethod
    def stop(cls, note: str = "") -> Decision:
        return cls(Action.STOP, None, Unstated(note))
