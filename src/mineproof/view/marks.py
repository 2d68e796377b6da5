"""What a cell can show besides a number, and the bytes that store it.

A view keeps one byte per cell, which the core reads directly: 0 to 250 is a clue, and the three
highest codes are the marks below.
"""

from __future__ import annotations

from enum import Enum
from typing import TypeAlias

__all__ = ["MAX_CLUE", "UNREAD", "Mark", "Shown", "code_of", "shown_of"]

MAX_CLUE = 250
UNREAD = 251
"""Opened and safe, and what it shows is not told: what a proof supposes. No player sees it."""


class Mark(Enum):
    """A cell that shows no number. The value is its byte.

    >>> mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")[0, 1]
    <Mark.HIDDEN: 255>
    """

    BLANK = 253
    """Opened and safe, without a clue."""
    MINE = 254
    """An opened mine."""
    HIDDEN = 255
    """Not opened."""


Shown: TypeAlias = int | Mark

_MARKS = {mark.value: mark for mark in Mark}


def code_of(shown: Shown) -> int:
    """The byte that stores what a cell shows."""
    return shown.value if isinstance(shown, Mark) else shown


def shown_of(code: int) -> Shown:
    """What a byte stands for."""
    return _MARKS.get(code, code)
