"""How mines are dealt: by number, by density, or a number drawn uniformly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import SupportsFloat, SupportsIndex

from mineproof.errors import RulesError, quoted, text_of
from mineproof.rules.shares import check_share, parse_share, share_text
from mineproof.whole import whole

__all__ = ["Mines"]

_DENSITY = re.compile(r".*%|[\d.]*[./][\d./]*", re.ASCII)
"""What is meant as a density, if not always well written."""


class _Dealt(Enum):
    NUMBER = "number"
    DENSITY = "density"
    INDEPENDENT = "independent"
    UNIFORM = "uniform"


@dataclass(frozen=True)
class Mines:
    """How mines are dealt: `99`, `20%` (rounded to a number), `~20%` (each cell independently) or
    `uniform` (a number drawn uniformly from 1 to the number of cells).

    A density is also read as `0.2` or `1/5`; a text with a point is never a number of mines, so
    `1` is one mine and `1.0` a mine in every cell. Its `text` is in percent where that is exact.

    >>> mp.Mines.number(99).text, mp.Mines.density(0.2).fixed(81), mp.Mines.parse("~20%").chance
    ('99', 16, Fraction(1, 5))
    """

    kind: _Dealt
    value: Fraction = Fraction(0)

    @classmethod
    def number(cls, count: SupportsIndex) -> Mines:
        if not 0 <= whole(count, "mines") < 10**9:
            raise RulesError(f"{quoted(count)} mines; accepted: 0 to {10**9 - 1}")
        return cls(_Dealt.NUMBER, Fraction(whole(count, "mines")))

    @classmethod
    def density(cls, share: SupportsFloat) -> Mines:
        return cls(_Dealt.DENSITY, check_share(share))

    @classmethod
    def independent(cls, share: SupportsFloat) -> Mines:
        return cls(_Dealt.INDEPENDENT, check_share(share))

    @classmethod
    def uniform(cls) -> Mines:
        return cls(_Dealt.UNIFORM)

    @classmethod
    def of(cls, mines: Mines | SupportsIndex | str) -> Mines:
        """A number, a text or a value."""
        if isinstance(mines, str):
            return cls.parse(mines)
        return mines if isinstance(mines, Mines) else cls.number(mines)

    @classmethod
    def parse(cls, text: str) -> Mines:
        if text_of(text, "mines") == "uniform":
            return cls.uniform()
        if text.startswith("~"):
            return cls.independent(parse_share(text[1:]))
        if text.isascii() and text.isdigit() and len(text) <= 9:
            return cls.number(int(text))
        if _DENSITY.fullmatch(text):
            return cls.density(parse_share(text))
        raise RulesError(
            f"mines {quoted(text)} cannot be read; accepted: a number such as 99, a density such"
            " as 20%, 0.2 or 1/5, ~20% for each cell on its own, or uniform"
        )

    def __repr__(self) -> str:
        return f"Mines.parse({self.text!r})"

    @property
    def text(self) -> str:
        if self.kind is _Dealt.UNIFORM:
            return "uniform"
        if self.kind is _Dealt.NUMBER:
            return str(int(self.value))
        percent = share_text(self.value * 100)
        share = f"{percent}%" if "/" not in percent else share_text(self.value)
        return f"~{share}" if self.kind is _Dealt.INDEPENDENT else share

    @property
    def is_number(self) -> bool:
        """Whether it is a plain number, the same on every board."""
        return self.kind is _Dealt.NUMBER

    @property
    def chance(self) -> Fraction | None:
        """The chance of a mine in every cell, where cells are dealt independently."""
        return self.value if self.kind is _Dealt.INDEPENDENT else None

    def fixed(self, cells: int) -> int | None:
        """The number of mines on a board of `cells` cells, or None if it is random.

        A density is rounded to the nearest number, a tie is rounded up.
        """
        if self.kind is _Dealt.NUMBER:
            return int(self.value)
        if self.kind is _Dealt.DENSITY:
            return int(self.value * cells + Fraction(1, 2))
        return None

    def __str__(self) -> str:
        return self.text
