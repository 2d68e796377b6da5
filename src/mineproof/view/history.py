"""The shared memory behind the views of one game.

Cells are opened and never closed, so a game is a growing log of opened cells. A view is a prefix of
that log, given by its length: a cell is open in it if its place in the log is before that length.
All views of a game share one history. Opening costs only what it reveals, and older views stay
valid. Flags come and go, so they have a log of their own. Continuing from an older view makes a
copy.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from mineproof.view.marks import Mark

__all__ = ["History"]

_NEVER = 2**31 - 1


class History:
    """What was opened and flagged, in order."""

    __slots__ = ("codes", "flag_log", "flag_times", "log", "place")

    def __init__(self, cells: int) -> None:
        self.codes = bytearray([Mark.HIDDEN.value]) * cells
        self.place = array("i", [_NEVER]) * cells
        self.log: list[int] = []
        self.flag_log: list[int] = []
        self.flag_times: dict[int, list[int]] = {}

    @classmethod
    def of_codes(cls, codes: NDArray[np.uint8]) -> History:
        """The history in which the cells that show something were opened in ascending order."""
        history = cls(0)
        opened = np.flatnonzero(codes != Mark.HIDDEN.value)
        places = np.full(len(codes), _NEVER, dtype=np.int32)
        places[opened] = np.arange(len(opened), dtype=np.int32)
        history.codes = bytearray(codes.tobytes())
        history.place = array("i", places.tobytes())
        history.log = opened.tolist()
        return history

    def open(self, cell: int, code: int) -> None:
        self.codes[cell] = code
        self.place[cell] = len(self.log)
        self.log.append(cell)

    def toggle(self, cell: int) -> None:
        self.flag_times.setdefault(cell, []).append(len(self.flag_log))
        self.flag_log.append(cell)

    def codes_at(self, length: int) -> NDArray[np.uint8]:
        """The bytes of the board when the log had this length; a fresh array."""
        codes = np.frombuffer(self.codes, dtype=np.uint8).copy()
        if length < len(self.log):
            codes[self.log[length:]] = Mark.HIDDEN.value
        return codes

    def copy_at(self, length: int, flags: int) -> History:
        """A separate history that begins as this one did."""
        other = History(len(self.codes))
        for cell in self.log[:length]:
            other.open(cell, self.codes[cell])
        for cell in self.flag_log[:flags]:
            other.toggle(cell)
        return other
