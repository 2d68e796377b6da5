"""The texts a position is read from and written to; `parse` recognises them by their first line.

| notation | begins with |
|---|---|
| `short`: mineproof's own | `square 16x30 mines=99` |
| `board`: the `.board` text of ms-toollib | `# MINESWEEPER-BOARD v0.1` |
| `mine`: the `.mine` text of JSMinesweeper | `30x16x99` |
| `csp`: a puzzle, a line of report 3 | `P1 6 6 10 -1 2 ...`, or without the name |
"""

from __future__ import annotations

from pathlib import Path

from mineproof.errors import text_of
from mineproof.files import parse_file
from mineproof.view.notation import board, csp, mine, short
from mineproof.view.view import View

__all__ = ["board", "csp", "mine", "parse", "read", "short"]


def parse(text: str) -> View:
    """The view a text stands for, in any notation. Raises NotationError."""
    lines = enumerate(text_of(text, "position").split("\n"), 1)
    number, first = next(((n, line.strip()) for n, line in lines if line.strip()), (1, ""))
    if board.is_header(text):
        return board.parse(text)
    if mine.is_header(first):
        return mine.parse(text)
    if csp.LINE.match(first):
        return csp.parse_line(first, number).view
    return short.parse(text)


def read(path: str | Path) -> View:
    """The position of a file, or of standard input for `-`. Raises NotationError."""
    return parse_file(path, parse)
