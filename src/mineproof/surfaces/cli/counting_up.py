"""How far a search has come, on stderr, once it takes a moment."""

from __future__ import annotations

import sys
import time

from mineproof.closing import Closing

__all__ = ["CountingUp"]

_SOON = 0.7
_AGAIN = 0.2
"""Seconds before the first word, and between two."""


class CountingUp(Closing):
    """Says how many deals were tried and how many boards found, in place, on a terminal only."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _SOON
        self._said = False
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def tell(self, tried: int, found: int) -> None:
        """Take the numbers; they are shown now and then."""
        if not self._shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _AGAIN
        self._said = True
        line = f"mineproof: {tried} deals tried, {found} boards found ..."
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Wipe the line, if it was said."""
        if self._said:
            self._said = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
