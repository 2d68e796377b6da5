"""The console of every command: plain text if the output is not a terminal."""

from __future__ import annotations

import sys
import textwrap
import threading
import time
from collections.abc import Iterable

import click
from rich.cells import chop_cells
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from mineproof.errors import one_line, printable
from mineproof.files import Closeable


class _PlainConsole(Console):
    """A console that leaves a closed pipe to `exit_status`, and escapes control characters.

    Names and notes from outside may hold such characters, and would control the terminal.
    """

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            text = segment.text
            if segment.control or text.isprintable() or text == "\n":
                yield segment
            else:
                yield Segment(printable(text, "\n"), segment.style)


def stdout_console() -> Console:
    """A console on stdout that adds nothing of its own to what is printed."""
    # Else rich colours numbers, and reads brackets in names and notes as its markup.
    return _PlainConsole(file=sys.stdout, highlight=False, markup=False, emoji=False)


def writes_unicode(console: Console) -> bool:
    """Whether the board's symbols can be written there."""
    return "utf" in console.encoding.lower()


def print_sentences(console: Console, text: str, indent: str = "") -> None:
    """Print prose within the width of the console; a number stays with its per-cent sign."""
    width = max(min(console.width, 100), 20)
    # `textwrap` breaks at spaces, so a null byte ties the sign to its number.
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
        if line.strip():
            print_sentences(console, line.lstrip(" "), " " * (len(line) - len(line.lstrip(" "))))
        else:
            console.print()


def print_foreign(console: Console, lines: Iterable[str], mark: str) -> None:
    """Print lines at once. A line with the mark is foreign text: each part of it gets the mark."""
    parts: list[str] = []
    for line in lines:
        if console.is_terminal and line.startswith(mark.rstrip()):
            # Broken here and not by rich: each part needs the mark, or it would pass for ours.
            room = max(console.width - len(mark), 1)
            broken = chop_cells(line[len(mark) :], room) or [""]
            parts += [f"{mark}{part}".rstrip() for part in broken]
        else:
            parts.append(line)
    text = "\n".join(parts)
    if not writes_unicode(console):
        text = text.encode("ascii", "backslashreplace").decode()
    if parts:
        console.print(text, soft_wrap=True)


def echo(text: str) -> None:
    """Print lines in which names from outside may stand; control characters are escaped."""
    click.echo(printable(text, "\n"))


# -- What is being done, on stderr, once it takes a moment: nobody waits before a silent terminal --

_SOON = 0.7  # seconds before a word is said
_AGAIN = 0.2  # seconds between two words, so that a terminal can follow
_LONGEST = 60  # characters of a word: the line must not wrap, or only its end would be wiped
_WIPE = "\r\x1b[K"


class StatusLine(Closeable):
    """Says what is being done for as long as its block runs, on a terminal only.

        with StatusLine("reading the position"):
            ...

    The line is wiped at the end, before anything else is printed.
    """

    def __init__(self, text: str = "", soon: float = _SOON) -> None:
        self._text, self._said = text, False
        self._next = time.monotonic() + soon
        # A timer says the first word: the work may be one long call into the core.
        self._timer = threading.Timer(soon, self._say)
        self._timer.daemon = True  # or the program could not end before it
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        if self._shown and text:
            self._timer.start()

    def update(self, text: str) -> None:
        """Say something else, such as how much is done; at most a few times a second."""
        self._text = text
        if self._shown and time.monotonic() >= self._next:
            self._say()

    def _say(self) -> None:
        self._next = time.monotonic() + _AGAIN
        line = f"mineproof: {one_line(self._text, _LONGEST)} ..."
        print(f"{_WIPE if self._said else ''}{line}", end="", file=sys.stderr, flush=True)
        self._said = True

    def close(self) -> None:
        """Wipe the line, if it was said."""
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()  # or it could write after the wipe
        if self._said:
            self._said = False
            print(_WIPE, end="", file=sys.stderr, flush=True)
