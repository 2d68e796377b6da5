"""The console of every command: plain text where the output is not a terminal."""

from __future__ import annotations

import sys

from rich.console import Console

__all__ = ["stdout_console", "writes_unicode"]


def stdout_console() -> Console:
    """A console on stdout that adds nothing of its own to what is printed."""
    return Console(file=sys.stdout, highlight=False, markup=False, emoji=False)


def writes_unicode(console: Console) -> bool:
    """Whether the board's symbols can be written there."""
    return "utf" in console.encoding.lower()
