"""The console of every command: plain text if the output is not a terminal."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.cells import chop_cells
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from mineproof.errors import printable

__all__ = [
    "print_foreign",
    "print_paragraphs",
    "print_sentences",
    "progress",
    "stdout_console",
    "writes_unicode",
]


class _PlainConsole(Console):
    """A console that leaves a closed pipe to the one place that turns errors into statuses.

    Names and notes that it prints are somebody's: what in them would control the terminal is
    escaped, whoever forgot to.
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
    return _PlainConsole(file=sys.stdout, highlight=False, markup=False, emoji=False)


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error where that is a terminal; it is told how much is done."""
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


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
        if line.strip():
            print_sentences(console, line.lstrip(" "), " " * (len(line) - len(line.lstrip(" "))))
        else:
            console.print()


def print_foreign(console: Console, lines: Iterable[str], mark: str) -> None:
    """Print lines at once. Those with a mark are foreign text: every part of them gets it too."""
    parts: list[str] = []
    for line in lines:
        if console.is_terminal and line.startswith(mark.rstrip()):
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
