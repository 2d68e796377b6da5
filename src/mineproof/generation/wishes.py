"""What is wanted of a board without guesses, beside that: each wish is met by rejection.

A range is `N`, `A..B`, `A..` or `..B`. The hardest technique is one of `single`, `pair`, `triple`
(three clues or more), `case` and `total`, or a range of them: `..pair` is at most a pair.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from mineproof.board.layout import Layout
from mineproof.board.measures import measure
from mineproof.chains import of
from mineproof.chains.long_chains import play_layout
from mineproof.errors import InputError, UnknownName, as_given, quoted, text_of
from mineproof.generation.clearing import clears_all
from mineproof.match.rating import rate_layout
from mineproof.proofs.techniques import Ladder
from mineproof.view.setting import Setting
from mineproof.whole import whole

__all__ = ["HARDEST", "Extent", "Wishes"]

HARDEST = {
    "single": Ladder.SINGLE_CLUE,
    "pair": Ladder.TWO_CLUES,
    "triple": Ladder.SEVERAL_CLUES,
    "case": Ladder.CASE_SPLIT,
    "total": Ladder.MINE_COUNT,
}
"""Names of the rungs of `mineproof rate`, from the simplest."""

Wanted: TypeAlias = "int | str | Extent"


@dataclass(frozen=True)
class Extent:
    """A range of whole numbers, both ends included; None is no bound."""

    low: int | None
    high: int | None

    @classmethod
    def parse(cls, text: Wanted, name: str) -> Extent:
        """A number, or a text such as `150..200`, `150..` or `..200`. Raises InputError."""
        if isinstance(text, Extent):
            return text
        read = re.fullmatch(r"(\d{0,9})(\.\.)?(\d{0,9})", str(text), re.ASCII)
        low, dots, high = read.groups() if read else ("", "", "")
        if not (low or high) or (not dots and high):
            raise InputError(
                f"{name} {quoted(text)} cannot be read; accepted: such as 160, 150..200 or 150.."
            )
        found = cls(int(low) if low else None, int(high) if high else None)
        if not dots:
            return cls(found.low, found.low)
        if found.low is not None and found.high is not None and found.low > found.high:
            raise InputError(f"{name} {quoted(text)} is empty; accepted: a range such as 150..200")
        return found

    def holds(self, number: int) -> bool:
        above = self.low is None or number >= self.low
        return above and (self.high is None or number <= self.high)

    @property
    def text(self) -> str:
        if self.low is not None and self.low == self.high:
            return str(self.low)
        return f"{'' if self.low is None else self.low}..{'' if self.high is None else self.high}"


@dataclass(frozen=True)
class Wishes:
    """What a board must be; None and False wish for nothing."""

    hardest: Extent | None = None
    needs_total: bool = False
    without_total: bool = False
    three_bv: Extent | None = None
    openings: Extent | None = None
    chain: int | None = None

    @classmethod
    def of(
        cls,
        *,
        hardest: str | None = None,
        needs_total: bool = False,
        without_total: bool = False,
        three_bv: Wanted | None = None,
        openings: Wanted | None = None,
        chain: int | None = None,
    ) -> Wishes:
        """Wishes as a caller writes them. Raises InputError."""
        if needs_total and without_total:
            raise InputError(
                "a board cannot both need the number of mines and do without it; accepted: one of"
                " needs-total and without-total"
            )
        if chain is not None and (chain := whole(chain, "chain")) < 0:
            raise InputError(f"a chain of {chain} links; accepted: 0 or more")
        return cls(
            None if hardest is None else _rungs(hardest),
            needs_total,
            without_total,
            None if three_bv is None else Extent.parse(three_bv, "3BV"),
            None if openings is None else Extent.parse(openings, "openings"),
            chain,
        )

    @classmethod
    def taken(cls, wishes: Wishes | Mapping[str, Any] | None) -> Wishes:
        """Wishes as a caller has them: a value, or by name. Raises InputError."""
        if isinstance(wishes, Wishes):
            return wishes
        if wishes is not None and not isinstance(wishes, Mapping):
            raise InputError(
                f"wishes {as_given(wishes)} cannot be read; accepted: such as"
                ' {"three_bv": "150..170"}'
            )
        for name in wishes or {}:
            if name not in cls.__dataclass_fields__:
                raise UnknownName("wish", str(name), cls.__dataclass_fields__)
        return cls.of(**(wishes or {}))

    def __bool__(self) -> bool:
        return self != Wishes()

    @property
    def text(self) -> str:
        """The wishes by their names, `3bv=150..200 chain=12`."""
        words = []
        if self.hardest is not None:
            words.append(f"hardest={_rung_text(self.hardest)}")
        words += ["needs-total"] * self.needs_total + ["without-total"] * self.without_total
        if self.three_bv is not None:
            words.append(f"3bv={self.three_bv.text}")
        if self.openings is not None:
            words.append(f"openings={self.openings.text}")
        if self.chain is not None:
            words.append(f"chain={self.chain}")
        return " ".join(words)

    def met(self, layouts: Sequence[Layout], first: int) -> list[bool]:
        """Of layouts without guesses: which are as wished. What costs least is judged first."""
        good = [True] * len(layouts)
        if self.needs_total or self.without_total:
            good = [one is self.without_total for one in clears_all(layouts, first, total=False)]
        return [
            fine and self._measures(layout) and self._rating(layout, first)
            for fine, layout in zip(good, layouts, strict=True)
        ]

    def _measures(self, layout: Layout) -> bool:
        if self.three_bv is None and self.openings is None:
            return True
        found = measure(layout)
        return (self.three_bv is None or self.three_bv.holds(found.three_bv)) and (
            self.openings is None or self.openings.holds(found.openings)
        )

    def _rating(self, layout: Layout, first: int) -> bool:
        if self.hardest is not None:
            hardest = rate_layout(Setting.of(layout), first).rating.hardest
            if not self.hardest.holds(0 if hardest is None else hardest.rung):
                return False
        return self.chain is None or of(play_layout(layout, first)).length >= self.chain


def _rungs(text: str) -> Extent:
    low, dots, high = text_of(text, "hardest").partition("..")
    known = {"": None, **HARDEST}
    if low not in known or high not in known or not (low or high):
        raise InputError(
            f"hardest {quoted(text)} is no technique; accepted: {', '.join(HARDEST)}, or a range"
            " such as ..pair"
        )
    if not dots:
        return Extent(known[low], known[low])
    return Extent(known[low], known[high])


def _rung_text(extent: Extent) -> str:
    names = {rung: name for name, rung in HARDEST.items()}
    if extent.low is not None and extent.low == extent.high:
        return names[Ladder(extent.low)]
    low, high = ("" if end is None else names[Ladder(end)] for end in (extent.low, extent.high))
    return f"{low}..{high}"
