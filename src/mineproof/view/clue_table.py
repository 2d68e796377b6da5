"""A clue channel given as a table: for every true count, what may be shown, and how often.

    # true count, then SHOWN:SHARE; `-` is no clue
    0  0:0.9 -:0.1
    1  0:1/4 1:1/2 2:1/4
    2  1:0.2 2:0.8
    neighbours 3
    0  0:1
    ...

Rows before the first `neighbours N` serve every cell. If such a row would show a number greater
than the cell's number of neighbours, the cell shows its number of neighbours instead. Rows after
`neighbours N` serve cells with exactly N neighbours.

In rules a table is written out, `table:0:0.9,-:0.1;0:1/4,...@3;0:1;...`, so transcripts and results
hold all of it. `spelled_out` turns a file's name into that text. It is called for what a user asks
for, never for a text that was read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from mineproof.errors import NotationError, RulesError, quoted
from mineproof.files import read_text
from mineproof.rules import RuleValue, parse_share, share_text
from mineproof.view.marks import MAX_CLUE

__all__ = ["ClueTable", "spelled_out", "with_files"]

MAX_FILE_BYTES = 2**20
NAME = "table"
_PREFIX = f"{NAME}:"
_WRITTEN_OUT = re.compile(r"[-0-9:,;@./%]*:[-0-9:,;@./%]*")
_NO_CLUE = "-"
_EXAMPLE = "rows such as `1 0:0.2 1:0.8`"

Row: TypeAlias = Mapping[int | None, Fraction]
"""The share of every clue that a true count may show; None for no clue."""


class ClueTable:
    """A channel given by its rows; `general` serves every cell, `own` those with N neighbours.

    `tells_missing` says whether the share of missing clues depends on the count; then a missing
    clue is evidence. Raises RulesError for rows that do not sum to 1, a clue that no count shows,
    or a row that is missing.
    """

    def __init__(self, general: Sequence[Row], own: Mapping[int, Sequence[Row]]) -> None:
        if not general and not own:
            raise RulesError(f"the clue table has no row; accepted: {_EXAMPLE}")
        _check_rows("", general, MAX_CLUE)
        for neighbours, rows in own.items():
            where = f" for {neighbours} neighbours"
            if len(rows) != neighbours + 1:
                raise RulesError(
                    f"the clue table{where} has {len(rows)} rows; accepted: {neighbours + 1}, for"
                    f" 0 to {neighbours} mines"
                )
            _check_rows(where, rows, neighbours)
        self.tells_missing = any(
            len({row.get(None, Fraction(0)) for row in rows}) > 1
            for rows in (general, *own.values())
        )
        self._general = tuple(general)
        self._by_neighbours = {n: tuple(rows) for n, rows in own.items()}
        parts = [_written(general)]
        parts += [f"{n};{_written(own[n])}" for n in sorted(own)]
        self.text = _PREFIX + "@".join(parts)

    @classmethod
    def parse(cls, text: str | None) -> ClueTable:
        """The table as it is written out in rules. Raises RulesError; opens no file."""
        if text is None or not _WRITTEN_OUT.fullmatch(text):
            raise RulesError(
                f"clues {quoted(_PREFIX + (text or ''))} is no table written out; accepted: such as"
                " table:0:1;0:0.2,1:0.8 here, and a file for --clues and in Python"
            )
        first, *others = text.split("@")
        own: dict[int, list[Row]] = {}
        for part in others:
            number, _, rows = part.partition(";")
            neighbours = _count(number, "number of neighbours")
            if neighbours in own:
                raise RulesError(f"the clue table has two parts for {neighbours} neighbours")
            own[neighbours] = _rows(rows)
        return cls(_rows(first) if first else [], own)

    @classmethod
    def read(cls, path: str | Path) -> ClueTable:
        """The table of a file. Raises NotationError with its line, and RulesError."""
        general: list[Row] = []
        own: dict[int, list[Row]] = {}
        rows = general
        for number, line in enumerate(read_text(path, MAX_FILE_BYTES).split("\n"), 1):
            words = line.partition("#")[0].split()
            if not words:
                continue
            try:
                if words[0] == "neighbours":
                    neighbours = _count(" ".join(words[1:]), "number of neighbours")
                    if neighbours in own:
                        raise RulesError(f"{neighbours} neighbours are listed twice")
                    rows = own[neighbours] = []
                    continue
                if _count(words[0], "true count") != len(rows):
                    raise RulesError(
                        f"row {words[0]} is out of order; accepted: row {len(rows)} here"
                    )
                rows.append(_row(words[1:]))
            except RulesError as error:
                raise NotationError(str(error), number, str(path)) from None
        return cls(general, own)

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        return self._rows_for(neighbours)[true].get(shown, Fraction(0))

    def _rows_for(self, neighbours: int) -> tuple[Row, ...]:
        """The rows for a cell with this many neighbours. Raises RulesError."""
        rows = self._by_neighbours.get(neighbours)
        if rows is None:
            if len(self._general) <= neighbours:
                raise RulesError(
                    f"the clue table does not say what a cell with {neighbours} neighbours shows;"
                    f" accepted: rows for 0 to {neighbours} mines"
                )
            rows = tuple(_clipped(row, neighbours) for row in self._general[: neighbours + 1])
            self._by_neighbours[neighbours] = rows
        return rows

    def check(self, neighbours: Iterable[int]) -> None:
        """Raise RulesError if a board has a cell that the table does not serve."""
        for number in neighbours:
            self._rows_for(number)


def spelled_out(clues: str) -> str:
    """What a user gave as `clues`, with `table:FILE` written out. Raises InputError."""
    name, _, rest = clues.partition(":")
    if name != NAME or not rest or _WRITTEN_OUT.fullmatch(rest):
        return clues
    return ClueTable.read(rest).text


def with_files(words: Mapping[str, RuleValue]) -> dict[str, RuleValue]:
    """The rule words that a user gave, with a table from a file written out."""
    clues = words.get("clues")
    return {**words, "clues": spelled_out(clues)} if isinstance(clues, str) else dict(words)


def _clipped(row: Row, most: int) -> Row:
    """The row for a cell that can show at most this number."""
    found: dict[int | None, Fraction] = {}
    for shown, share in row.items():
        word = None if shown is None else min(shown, most)
        found[word] = found.get(word, Fraction(0)) + share
    return found


def _check_rows(where: str, rows: Sequence[Row], most: int) -> None:
    shown: dict[int, Fraction] = {}
    for true, row in enumerate(rows):
        said = f"row {true} of the clue table{where}"
        if (total := sum(row.values())) != 1:
            raise RulesError(f"{said} sums to {total}; accepted: shares that sum to 1")
        for clue, share in row.items():
            if clue is not None:
                shown[clue] = shown.get(clue, Fraction(0)) + share
                if clue > most:
                    raise RulesError(f"{said} shows {clue}; accepted: clues from 0 to {most}")
    for clue, share in shown.items():
        if not share:
            raise RulesError(
                f"clue {clue} of the clue table{where} has no possible cause; accepted: a share"
                " above 0 in some row, or no mention of it"
            )


def _count(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= MAX_CLUE):
        raise RulesError(f"{name} {quoted(text)} cannot be read; accepted: 0 to {MAX_CLUE}")
    return int(text)


def _row(words: Sequence[str]) -> Row:
    row: dict[int | None, Fraction] = {}
    for word in words:
        shown, colon, share = word.partition(":")
        if not colon:
            raise RulesError(f"{quoted(word)} is no SHOWN:SHARE pair; accepted: {_EXAMPLE}")
        clue = None if shown == _NO_CLUE else _count(shown, "clue")
        if clue in row:
            raise RulesError(f"clue {shown} stands twice in a row; accepted: once")
        row[clue] = parse_share(share, f"the share of clue {shown}")
    return row


def _rows(text: str) -> list[Row]:
    return [_row(row.split(",")) for row in text.split(";")]


def _written(rows: Sequence[Row]) -> str:
    return ";".join(
        ",".join(
            f"{_NO_CLUE if shown is None else shown}:{share_text(share)}"
            for shown, share in sorted(row.items(), key=_place)
        )
        for row in rows
    )


def _place(entry: tuple[int | None, Fraction]) -> int:
    return MAX_CLUE + 1 if entry[0] is None else entry[0]
