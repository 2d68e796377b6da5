"""The console of every command: plain text if the output is not a terminal."""

from __future__ import annotations

import sys
import textwrap

from rich.console import Console

__all__ = ["print_paragraphs", "print_sentences", "stdout_console", "writes_unicode"]


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


def print_sentences(console: Console, text: str, indent: str = "") -> None:
    """Print prose within the width of the console; a number stays with its per-cent sign."""
    width = max(min(console.width, 100), 20)
    lines = textwrap.wrap(
        text.replace(" %", "\0%"),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in lines:
        console.print(line.replace("\0%", " %"), soft_wrap=True)


def print_paragraphs(console: Console, text: str) -> None:
    """Print lines of prose: broken between words in a terminal, whole in a file."""
    if not console.is_terminal:
        console.print(text, soft_wrap=True)
        return
    for line in text.split("\n"):
        print_sentences(console, line.lstrip(" "), " " * (len(line) - len(line.lstrip(" "))))
