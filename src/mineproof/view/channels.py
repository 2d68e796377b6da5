"""A clue is a likelihood: a channel says P(shown | true count) for every cell.

| channel | what an opened cell with `true` mines among `neighbours` shows |
|---|---|
| `exact` | the true count |
| `withheld:P` | nothing with probability P, else the true count |
| `optimistic` | a number uniform on 0..true |
| `cautious` | a number uniform on true..neighbours |
| `noisy:P` | with probability P one more or one less (each half), clipped to 0..neighbours |
| `table:ROWS` | what its rows say (see `ClueTable`) |

Likelihoods are exact fractions; `None` stands for a cell opened without a clue.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import NotationError, RulesError, quoted
from mineproof.files import read_text
from mineproof.registry import Catalog
from mineproof.rng import Stream
from mineproof.rules import RuleValue, parse_share, share_text

# ----------------------------------------------------------------------------
# What a cell shows besides a number, and the bytes that store it. A view keeps one byte per cell,
# which the core reads directly: 0 to 250 is a clue, 251 to 255 are the codes below.

MAX_CLUE = 250
UNREAD = 251
"""Opened and safe, and what it shows is not told: what a proof supposes. No player sees it."""


class Mark(Enum):
    """A cell that shows no number. The value is its byte.

    >>> mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")[0, 1]
    <Mark.HIDDEN: 255>
    """

    BLANK = 253
    """Opened and safe, without a clue."""
    MINE = 254
    """An opened mine."""
    HIDDEN = 255
    """Not opened."""


Shown: TypeAlias = int | Mark
_MARKS = {mark.value: mark for mark in Mark}


def code_of(shown: Shown) -> int:
    """The byte that stores what a cell shows."""
    return shown.value if isinstance(shown, Mark) else shown


def shown_of(code: int) -> Shown:
    """What a byte stands for."""
    return _MARKS.get(code, code)


# -- Channels that are a formula. `CHANNELS`, at the end, is the only list of them --


class Channel(Protocol):
    """P(shown | true count), for a cell with a number of neighbours."""

    @property
    def text(self) -> str:
        """The text that `channel` reads back."""
        ...

    @property
    def tells_missing(self) -> bool:
        """Whether a missing clue is evidence: it depends on the count, or cannot be."""
        ...

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction: ...

    def __hash__(self) -> int: ...


class Exact:
    """Every clue is true."""

    text = "exact"
    tells_missing = False

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        return Fraction(shown == true)


class Withheld:
    """A clue is left out with probability `share`, and true otherwise."""

    def __init__(self, share: Fraction) -> None:
        self.share = share
        self.text = f"withheld:{share_text(share)}"
        self.tells_missing = not share

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        if shown is None:
            return self.share
        return (1 - self.share) * (shown == true)


class Optimistic:
    """A clue never says too much: uniform on 0..true."""

    text = "optimistic"
    tells_missing = False

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        return Fraction(shown is not None and 0 <= shown <= true, true + 1)


class Cautious:
    """A clue never says too little: uniform on true..neighbours."""

    text = "cautious"
    tells_missing = False

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        possible = shown is not None and true <= shown <= neighbours
        return Fraction(possible, neighbours - true + 1)


class Noisy:
    """A clue is off by one with probability `share`, up or down equally often, and clipped."""

    tells_missing = False

    def __init__(self, share: Fraction) -> None:
        self.share = share
        self.text = f"noisy:{share_text(share)}"

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        chance = (1 - self.share) * (shown == true)
        for other in (max(true - 1, 0), min(true + 1, neighbours)):
            chance += self.share / 2 * (shown == other)
        return chance


# ----------------------------------------------------------------------------
# A channel given as a table: for every true count, what may be shown, and how often.
#
#     # true count, then SHOWN:SHARE; `-` is no clue
#     0  0:0.9 -:0.1
#     1  0:1/4 1:1/2 2:1/4
#     2  1:0.2 2:0.8
#     neighbours 3
#     0  0:1
#     ...
#
# Rows before the first `neighbours N` serve every cell. If such a row would show a number greater
# than the cell's number of neighbours, the cell shows its number of neighbours instead. Rows after
# `neighbours N` serve cells with exactly N neighbours.
#
# In rules a table is written out, `table:0:0.9,-:0.1;0:1/4,...@3;0:1;...`, so that transcripts and
# results hold all of it. `expand_table_file` reads a file into that text. It is called only for
# what a user types: a text that was read from elsewhere must open no file.

MAX_FILE_BYTES = 2**20
_TABLE = "table"
_PREFIX = f"{_TABLE}:"
_WRITTEN_OUT = re.compile(r"[-0-9:,;@./%]*:[-0-9:,;@./%]*")
_NO_CLUE = "-"
_EXAMPLE = "rows such as `1 0:0.2 1:0.8`"
ClueRow: TypeAlias = Mapping[int | None, Fraction]
"""The share of every clue that a true count may show; None for no clue."""


class ClueTable:
    """A channel given by its rows; `general` serves every cell, `own` those with N neighbours.

    `tells_missing` says whether the share of missing clues depends on the count; then a missing
    clue is evidence. Raises RulesError for rows that do not sum to 1, a clue that no count shows,
    or a row that is missing.
    """

    def __init__(self, general: Sequence[ClueRow], own: Mapping[int, Sequence[ClueRow]]) -> None:
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
        parts = [_rows_text(general)]
        parts += [f"{n};{_rows_text(own[n])}" for n in sorted(own)]
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
        own: dict[int, list[ClueRow]] = {}
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
        general: list[ClueRow] = []
        own: dict[int, list[ClueRow]] = {}
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

    def _rows_for(self, neighbours: int) -> tuple[ClueRow, ...]:
        """The rows for a cell with this many neighbours. Raises RulesError."""
        rows = self._by_neighbours.get(neighbours)
        if rows is None:
            if len(self._general) <= neighbours:
                raise RulesError(
                    f"the clue table does not say what a cell with {neighbours} neighbours shows;"
                    f" accepted: rows for 0 to {neighbours} mines"
                )
            rows = tuple(_clip_row(row, neighbours) for row in self._general[: neighbours + 1])
            self._by_neighbours[neighbours] = rows
        return rows

    def check(self, neighbours: Iterable[int]) -> None:
        """Raise RulesError if a board has a cell that the table does not serve."""
        for number in neighbours:
            self._rows_for(number)


def expand_table_file(clues: str) -> str:
    """What a user gave as `clues`, with `table:FILE` written out. Raises InputError."""
    name, _, rest = clues.partition(":")
    if name != _TABLE or not rest or _WRITTEN_OUT.fullmatch(rest):
        return clues
    return ClueTable.read(rest).text


def expand_table_files(words: Mapping[str, RuleValue]) -> dict[str, RuleValue]:
    """The rule words that a user gave, with a table from a file written out."""
    clues = words.get("clues")
    return {**words, "clues": expand_table_file(clues)} if isinstance(clues, str) else dict(words)


def _clip_row(row: ClueRow, most: int) -> ClueRow:
    """The row for a cell that can show at most this number."""
    found: dict[int | None, Fraction] = {}
    for shown, share in row.items():
        word = None if shown is None else min(shown, most)
        found[word] = found.get(word, Fraction(0)) + share
    return found


def _check_rows(where: str, rows: Sequence[ClueRow], most: int) -> None:
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


def _row(words: Sequence[str]) -> ClueRow:
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


def _rows(text: str) -> list[ClueRow]:
    return [_row(row.split(",")) for row in text.split(";")]


def _rows_text(rows: Sequence[ClueRow]) -> str:
    return ";".join(
        ",".join(
            f"{_NO_CLUE if shown is None else shown}:{share_text(share)}"
            # Beside numbers None does not sort: no clue comes after every number.
            for shown, share in sorted(row.items(), key=lambda pair: (pair[0] is None, pair[0]))
        )
        for row in rows
    )


# -- The catalog, and what a channel's likelihoods mean for a shown clue -------

EXACT: Channel = Exact()
CHANNELS: Catalog[Callable[[str | None], Channel]] = Catalog("clue channel")


def _plain(made: Channel) -> None:
    def build(parameter: str | None) -> Channel:
        if parameter is not None:
            raise RulesError(f"clues {made.text} takes no parameter, not {quoted(parameter)}")
        return made

    CHANNELS.add(made.text, build)


def _with_share(name: str, kind: Callable[[Fraction], Channel]) -> None:
    def build(parameter: str | None) -> Channel:
        if parameter is None:
            raise RulesError(f"clues {name} needs a probability; accepted: such as {name}:0.3")
        return kind(parse_share(parameter, f"the probability of {name}"))

    CHANNELS.add(name, build)


_plain(EXACT)
_with_share("withheld", Withheld)
_plain(Optimistic())
_plain(Cautious())
_with_share("noisy", Noisy)
CHANNELS.add("table", ClueTable.parse)


@lru_cache(maxsize=64)
def channel(text: str) -> Channel:
    """The channel for a text such as `exact` or `withheld:0.3`. Raises RulesError, UnknownName."""
    name, colon, parameter = text.partition(":")
    return CHANNELS[name](parameter if colon else None)


def check_channel(text: str, degrees: NDArray[np.int32]) -> None:
    """Raise RulesError if a channel cannot be read, or does not serve a board's cells."""
    through = channel(text)
    if isinstance(through, ClueTable):
        through.check(np.unique(degrees).tolist())


def is_evidence(through: Channel, code: int) -> bool:
    """Whether what an opened cell shows, as its byte, is evidence of the mines around it."""
    return code <= MAX_CLUE or (code == Mark.BLANK.value and through.tells_missing)


def unread_code(through: Channel) -> int:
    """The byte of a cell that is open and safe and says nothing else."""
    return UNREAD if through.tells_missing else Mark.BLANK.value


@lru_cache(maxsize=4096)
def count_bounds(through: Channel, shown: int | None, neighbours: int) -> tuple[int, int]:
    """The least and the greatest true count that a shown clue leaves possible.

    (1, 0), an empty range, if it leaves none.
    """
    possible = [t for t in range(neighbours + 1) if through.likelihood(shown, t, neighbours)]
    return (possible[0], possible[-1]) if possible else (1, 0)


@lru_cache(maxsize=4096)
def proves_zero(through: Channel, neighbours: int) -> bool:
    """Whether a shown 0 proves that no neighbour is a mine."""
    return all(not through.likelihood(0, true, neighbours) for true in range(1, neighbours + 1))


def draw_shown(through: Channel, true: int, neighbours: int, stream: Stream) -> int | None:
    """Draw what a cell shows; None for no clue."""
    if through is EXACT:
        return true
    options: list[int | None] = [None, *range(neighbours + 1)]
    left = Fraction(stream.next(), 2**64)
    for option in options:
        left -= through.likelihood(option, true, neighbours)
        if left < 0:
            return option
    raise AssertionError(f"likelihoods of {through.text} do not sum to 1")
