"""What is being done, on stderr, once it takes a moment: nobody waits before a silent terminal."""

from __future__ import annotations

import sys
import threading

from mineproof.closing import Closing

__all__ = ["Waiting"]

_SOON = 0.7
"""Seconds before a word is said."""


class Waiting(Closing):
    """Says what is being done for as long as its block runs, on a terminal only.

        with Waiting("reading the position"):
            ...

    The line is wiped at the end, before anything else is printed.
    """

    def __init__(self, what: str, soon: float = _SOON) -> None:
        self._what, self._said = what, False
        self._timer = threading.Timer(soon, self._say)
        self._timer.daemon = True
        if sys.stderr is not None and sys.stderr.isatty():
            self._timer.start()

    def _say(self) -> None:
        self._said = True
        print(f"mineproof: {self._what} ...", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Wipe the line, if it was said."""
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()
        if self._said:
            self._said = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
