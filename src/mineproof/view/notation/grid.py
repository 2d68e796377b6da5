"""Rows of characters, common to all notations: read into bytes, written from a view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mineproof.board.lattices import Coordinates, Lattice
from mineproof.board.topology import Topology
from mineproof.errors import InputError, NotationError, quoted
from mineproof.rules import Rules
from mineproof.view.marks import MAX_CLUE
from mineproof.view.view import View

__all__ = ["FLAG", "NO_CELL", "Alphabet", "at_line", "read_rows", "write_rows"]

FLAG = 252
"""A hidden cell with a flag, while a text is read."""
NO_CELL = 251
"""A place without a cell, while a text is read."""

Alphabet = Mapping[str, int]


@contextmanager
def at_line(line: int) -> Iterator[None]:
    """Add this line's number to any input error raised inside."""
    try:
        yield
    except NotationError:
        raise
    except InputError as error:
        raise NotationError(str(error), line) from None


@dataclass(frozen=True)
class Rows:
    """The bytes of a lattice's sites, as read from a text."""

    lattice: Lattice
    codes: NDArray[np.uint8]
    lines: tuple[int, ...]

    @property
    def blocked(self) -> tuple[Coordinates, ...]:
        return tuple(map(self.lattice.coordinates, np.flatnonzero(self.codes == NO_CELL).tolist()))

    def view(self, rules: Rules, topology: Topology) -> View:
        """The view of these rows; errors name the line of the cell."""
        codes = self.codes[self.codes != NO_CELL]
        flags = np.flatnonzero(codes == FLAG)
        codes[flags] = 255
        too_large = np.flatnonzero((codes <= MAX_CLUE) & (codes > topology.degrees))
        line = self._line_of(topology.site(int(too_large[0]))) if too_large.size else self.lines[0]
        with at_line(line):
            return View.of_codes(topology, rules, codes, flags.tolist())

    def _line_of(self, site: int) -> int:
        row = np.searchsorted(np.cumsum(self.lattice.row_lengths), site, side="right")
        return self.lines[int(row)]


def read_rows(
    lines: list[tuple[int, str]], lattice: Lattice, alphabet: Alphabet, accepted: str
) -> Rows:
    """Read numbered lines as the lattice's rows: one character per cell, or spaced words."""
    lengths = lattice.row_lengths
    lines = [(number, line.strip()) for number, line in lines if line.strip()]
    last = lines[-1][0] if lines else 0
    if len(lines) < len(lengths):
        raise NotationError(f"the text ends after {len(lines)} of {len(lengths)} rows", last or 1)
    if len(lines) > len(lengths):
        raise NotationError(
            f"more rows than the {len(lengths)} of the board", lines[len(lengths)][0]
        )
    parts: list[bytes] = []
    for row, ((number, line), length) in enumerate(zip(lines, lengths, strict=True)):
        words: list[str] | str = line
        if len(line.split()) > 1 or length == 1:
            words = line.split()
        if len(words) != length:
            raise NotationError(f"row {row} has {len(words)} cells and needs {length}", number)
        try:
            parts.append(bytes([alphabet[word] for word in words]))
        except KeyError:
            parts.append(_read_words(words, alphabet, accepted, number))
    codes = np.frombuffer(b"".join(parts), dtype=np.uint8)
    return Rows(lattice, codes, tuple(number for number, _ in lines))


def _read_words(words: list[str] | str, alphabet: Alphabet, accepted: str, number: int) -> bytes:
    codes = bytearray()
    for word in words:
        code = alphabet.get(word)
        if code is None and word.isascii() and word.isdigit() and len(word) <= 3:
            code = int(word)
        if code is None or (code > MAX_CLUE and word.isdigit()):
            raise NotationError(f"unknown mark {quoted(word)}; accepted: {accepted}", number)
        codes.append(code)
    return bytes(codes)


def write_rows(view: View, alphabet: Alphabet) -> list[str]:
    """The rows of a view; words between spaces if a clue has two digits."""
    marks = {code: mark for mark, code in alphabet.items()}
    codes = view.codes().tolist()
    for cell in view.flags:
        codes[cell] = FLAG
    wide = any(9 < code <= MAX_CLUE for code in codes)
    joint = " " if wide else ""
    lines: list[str] = []
    lattice = view.topology.lattice
    for row, cells in enumerate(view.topology.rows()):
        if row and row % lattice.rows_per_layer == 0:
            lines.append("")
        lines.append(
            joint.join(
                marks[NO_CELL] if cell is None else marks.get(codes[cell], str(codes[cell]))
                for cell in cells
            )
        )
    return lines
