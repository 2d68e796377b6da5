"""The cells opened before the first move."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from numbers import Rational
from typing import cast

from mineproof.errors import RulesError, check_kind, each_of, quoted, text_of
from mineproof.whole import whole

__all__ = ["Given"]

_DECIMAL = re.compile(r"\d{1,9}(\.\d{1,9})?|\.\d{1,9}", re.ASCII)
_RATIO = re.compile(r"(\d{1,18})/(\d{1,18})", re.ASCII)


@dataclass(frozen=True)
class Given:
    """The cells opened before the first move.

    `none`; `corner+centre`; `random:K` (K cells drawn from the safe ones after the deal); `f=F`
    (the same with K = F times the square root of the number of cells, rounded, as report 4 has it);
    or cells by their coordinates, `0,0;3,4`. These are the first click: the deal keeps them free of
    mines unless the first click is `any`. `corner+centre` is always kept free; `random:K` and `f=F`
    do not change the deal.

    >>> mp.Referee("9x9/10", given=mp.Given(cells=((0, 0), (4, 4)))).view.is_open((4, 4))
    True
    """

    corner_centre: bool = False
    random: int = 0
    cells: tuple[tuple[int, ...], ...] = ()
    factor: Fraction = Fraction(0)
    """F of `f=F`; 0 where it is not said."""

    def __post_init__(self) -> None:
        accepted = "cells by their coordinates, such as [(0, 0), (3, 4)]"
        cells = []
        for cell in each_of(self.cells, "given", accepted):
            check_kind(cell, Sequence, "given cell", accepted)
            cells.append(tuple(whole(part, "coordinate") for part in cell))
        object.__setattr__(self, "cells", tuple(cells))
        check_kind(self.factor, Rational, "factor", "a Fraction, such as Fraction(1, 2)")
        if whole(self.random, "random") < 0 or self.factor < 0:
            raise RulesError(f"given {quoted(self.text)}; accepted: no number below 0")

    @classmethod
    def of(cls, given: Given | str | Iterable[Sequence[int]]) -> Given:
        """A text, a list of coordinates or a value. Raises InputError."""
        if isinstance(given, Given):
            return given
        if isinstance(given, str):
            return cls.parse(given)
        return cls(cells=cast("tuple[tuple[int, ...], ...]", given))

    @classmethod
    def parse(cls, text: str) -> Given:
        if text_of(text, "given") == "none":
            return cls()
        if text in ("corner+centre", "corner+center"):
            return cls(corner_centre=True)
        if match := re.fullmatch(r"random:(\d{1,9})", text):
            return cls(random=int(match[1]))
        if text.startswith("f="):
            return cls(factor=_factor(text.removeprefix("f=")))
        if re.fullmatch(r"\d{1,9}(,\d{1,9})*(;\d{1,9}(,\d{1,9})*)*", text):
            return cls(cells=tuple(tuple(map(int, cell.split(","))) for cell in text.split(";")))
        raise RulesError(
            f"given {quoted(text)} cannot be read; accepted: none, corner+centre, random:K, f=1/2,"
            " or cells such as 0,0;3,4"
        )

    def drawn(self, cells: int) -> int:
        """How many safe cells are drawn on a board of `cells` cells.

        F times the square root is rounded to the nearest number, a tie is rounded up.
        """
        if not self.factor:
            return self.random
        # floor(sqrt(x) + 1/2) = floor((floor(sqrt(4 x)) + 1) / 2), in whole numbers.
        return (isqrt(int(4 * self.factor**2 * cells)) + 1) // 2

    @property
    def text(self) -> str:
        if self.corner_centre:
            return "corner+centre"
        if self.random:
            return f"random:{self.random}"
        if self.factor:
            return f"f={self.factor}"
        if self.cells:
            return ";".join(",".join(map(str, cell)) for cell in self.cells)
        return "none"


def _factor(text: str) -> Fraction:
    """A positive number: `2`, `0.5` or `1/2`. Raises RulesError."""
    factor = Fraction(0)
    if _DECIMAL.fullmatch(text):
        factor = Fraction(text)
    elif (match := _RATIO.fullmatch(text)) and int(match[2]):
        factor = Fraction(int(match[1]), int(match[2]))
    if not factor:
        raise RulesError(
            f"given f={quoted(text)} is no positive number; accepted: such as f=2, f=0.5 or f=1/2"
        )
    return factor
