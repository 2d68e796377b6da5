"""What a report says: sections of texts, tables, figures, claims and pictures.

Nothing here is HTML; names and sentences are plain text and are escaped where they are written.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

__all__ = [
    "Agreement",
    "Block",
    "Cell",
    "Claims",
    "Estimate",
    "Figure",
    "Page",
    "ReportClaim",
    "Section",
    "Strip",
    "Table",
    "Text",
]


@dataclass(frozen=True)
class Estimate:
    """A measured number with its 95 % interval; `percent` where it is a share."""

    value: float
    low: float
    high: float
    percent: bool = False
    digits: int = 1

    @property
    def text(self) -> str:
        """`54.4 % (51.3 to 57.5)`"""
        scale, sign = (100, " %") if self.percent else (1, "")
        value, low, high = (
            f"{scale * number:.{self.digits}f}" for number in (self.value, self.low, self.high)
        )
        return f"{value}{sign} ({low} to {high})"

    def __str__(self) -> str:
        return self.text


Cell: TypeAlias = str | int | float | Estimate | None
"""What stands in a table; None where there is nothing to say."""


def cell_text(cell: Cell) -> str:
    """A cell for people."""
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.3g}" if abs(cell) < 1000 else f"{cell:,.0f}"
    if isinstance(cell, int):
        return f"{cell:,}"
    return str(cell)


@dataclass(frozen=True)
class Table:
    """A table; `name` names its CSV."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    @property
    def csv(self) -> str:
        """The table as CSV; an estimate takes three columns."""
        wide = [
            any(isinstance(row[place], Estimate) for row in self.rows)
            for place in range(len(self.columns))
        ]
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        header: list[str] = []
        for column, estimated in zip(self.columns, wide, strict=True):
            header += [column, f"{column} low", f"{column} high"] if estimated else [column]
        writer.writerow(header)
        for row in self.rows:
            line: list[object] = []
            for cell, estimated in zip(row, wide, strict=True):
                if isinstance(cell, Estimate):
                    line += [cell.value, cell.low, cell.high]
                else:
                    line += ["" if cell is None else cell, *([""] * (2 * estimated))]
            writer.writerow(line)
        return file.getvalue()


@dataclass(frozen=True)
class Figure:
    """A figure as SVG text, with the numbers it shows."""

    name: str
    title: str
    svg: str
    data: Table
    note: str = ""


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


class Agreement(Enum):
    """What a test of a published claim or number came to."""

    AGREES = "agrees"
    HOLDS = "holds"
    DIFFERS = "differs"
    FAILS = "does not hold"
    OPEN = "undecided"
    NONE = "no comparison"

    @property
    def good(self) -> bool | None:
        """Whether it speaks for what was published; None where it says nothing."""
        if self in (Agreement.OPEN, Agreement.NONE):
            return None
        return self in (Agreement.AGREES, Agreement.HOLDS)


@dataclass(frozen=True)
class ReportClaim:
    """What a report says, what was found, and on which evidence."""

    said: str
    outcome: Agreement
    evidence: str


@dataclass(frozen=True)
class Claims:
    """Claims of a report, tested."""

    title: str
    items: tuple[ReportClaim, ...]


@dataclass(frozen=True)
class Strip:
    """Small pictures in a row, each an SVG text under its caption."""

    title: str
    pictures: tuple[tuple[str, str], ...]


Block: TypeAlias = Text | Table | Figure | Claims | Strip


@dataclass(frozen=True)
class Section:
    """One part of the page; `summary` is its line or two in the page's first table.

    A line of the summary is (what, published, ours, outcome).
    """

    name: str
    title: str
    blocks: tuple[Block, ...]
    summary: tuple[tuple[str, str, str, Agreement], ...] = ()


@dataclass(frozen=True)
class Page:
    """A whole report; `facts` are pairs such as versions and commands."""

    title: str
    introduction: tuple[str, ...]
    sections: tuple[Section, ...]
    facts: tuple[tuple[str, str], ...]
    specs: tuple[tuple[str, str], ...] = ()
    """The experiments, each with its name and its text."""
