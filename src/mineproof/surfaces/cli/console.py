"""The console of every command: plain text if the output is not a terminal."""

from __future__ import annotations

import sys

from rich.console import Console

__all__ = ["stdout_console", "writes_unicode"]


class _PlainConsole(Console):
    """A console that leaves a closed pipe to the one place that turns errors into statuses."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def stdout_console() -> Console:
    """A console on stdout that adds nothing of its own to what is printed."""
    return _PlainConsole(file=sys.stdout, highlight=False, markup=False, emoji=False)


def writes_unicode(console: Console) -> bool:
    """Whether the board's symbols can be written there."""
    return "utf" in console.encoding.lower()
