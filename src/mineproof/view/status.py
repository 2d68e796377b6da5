"""What is wrong with a position, as flags: reported, never raised."""

from __future__ import annotations

from enum import Flag, auto

from mineproof.view.channels import EXACT
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["Status", "status"]


class Status(Flag):
    """Faults that can be seen without search; SOUND means none of them.

    A position without these faults may still have no solution: only the exact engine can tell.
    """

    SOUND = 0
    CLUE_TOO_SMALL = auto()
    """A clue is smaller than the number of opened mines around it."""
    CLUE_TOO_LARGE = auto()
    """A clue is larger than the number of mines and hidden cells around it."""
    TOO_MANY_MINES = auto()
    """More mines are open than the total."""
    TOO_FEW_HIDDEN = auto()
    """Fewer cells are hidden than mines are left."""
    TOO_MANY_FLAGS = auto()
    """There are more flags than mines left."""


def status(view: View) -> Status:
    """The faults of a view; clue faults are judged only where clues are exact."""
    found = Status.SOUND
    if view.channel is EXACT:
        for cell, clue in view.clues:
            codes = [view.code(near) for near in view.topology.neighbours(cell)]
            mines = codes.count(Mark.MINE.value)
            if clue < mines:
                found |= Status.CLUE_TOO_SMALL
            if clue > mines + codes.count(Mark.HIDDEN.value):
                found |= Status.CLUE_TOO_LARGE
    if view.total is not None:
        left = view.total - len(view.opened_mines)
        if left < 0:
            found |= Status.TOO_MANY_MINES
        if left > view.hidden_count:
            found |= Status.TOO_FEW_HIDDEN
        if view.flag_count > max(left, 0):
            found |= Status.TOO_MANY_FLAGS
    return found
