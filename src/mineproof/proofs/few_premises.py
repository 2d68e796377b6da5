"""One premise or two that force a cell, tried directly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from mineproof.proofs.premises import Evidence, Premise

__all__ = ["Distances", "FewPremises"]

Distances: TypeAlias = Callable[[int, Iterable[int]], dict[int, int]]
"""How far some premises, by number, are from a cell."""


class FewPremises:
    """The premises of a view, one by one and in pairs. Of several the nearest are taken."""

    def __init__(self, evidence: Evidence, far: Distances) -> None:
        self.evidence, self.far = evidence, far
        self._total_matters: dict[int | None, bool] = {}

    def one(self, cell: int, other: bool) -> tuple[int, ...] | None:
        """The nearest premise that forbids a cell to be `other` by itself; None where none does."""
        evidence = self.evidence
        found = [n for n in evidence.at.get(cell, ()) if not evidence.premises[n].permits(other)]
        if found:
            far = self.far(cell, found)
            return (min(found, key=far.__getitem__),)
        if evidence.total is not None and not evidence.premises[evidence.total].permits(other):
            return (evidence.total,)
        return None

    def two(self, cell: int, other: bool) -> tuple[int, ...] | None:
        """The nearest two premises that together forbid it; None where no two do."""
        premises = self.evidence.premises
        found = [
            (one, two)
            for one, two in self._pairs(cell)
            if not _both_met(premises[one], premises[two], cell, other)
        ]
        if not found:
            return None
        far = self.far(cell, {number for pair in found for number in pair})
        return min(found, key=lambda pair: (sum(far[n] for n in pair), pair))

    def _pairs(self, cell: int) -> Iterator[tuple[int, int]]:
        evidence = self.evidence
        seen = set()
        for one in evidence.at.get(cell, ()):
            for two in evidence.beside(one):
                pair = (one, two) if one < two else (two, one)
                if pair not in seen:
                    seen.add(pair)
                    yield pair
        if evidence.total is not None and self.total_may_matter(1):
            for number in range(evidence.clue_count):
                yield number, evidence.total

    def total_may_matter(self, clues: int | None) -> bool:
        """Whether the total can forbid anything that so many clues allow; None for any number.

        What few clues allow takes few mines and few safe cells: while there are more of both than
        that, the rest of the board can always hold what is left.
        """
        if clues not in self._total_matters:
            self._total_matters[clues] = self._may_forbid(clues)
        return self._total_matters[clues]

    def _may_forbid(self, clues: int | None) -> bool:
        evidence = self.evidence
        if evidence.total is None:
            return False
        total = evidence.premises[evidence.total]
        if clues is None or not total.allowed:
            return True
        held = evidence.premises[: evidence.clue_count]
        mines = sorted((p.high for p in held), reverse=True)[:clues]
        safes = sorted((len(p.cells) - p.low for p in held), reverse=True)[:clues]
        enough_mines = sum(mines) + 1 <= total.high
        enough_safes = sum(safes) + 1 <= len(total.cells) - total.low
        return not (enough_mines and enough_safes)


def _both_met(one: Premise, two: Premise, cell: int, mine: bool) -> bool:
    """Whether two premises can be met with a cell as a mine, or safe."""
    a, b = set(one.cells), set(two.cells)
    shared, left, right = len(a & b), len(a - b), len(b - a)
    bit = int(mine)
    add_a, add_b = bit * (cell in a), bit * (cell in b)
    if cell in a and cell in b:
        shared -= 1
    elif cell in a:
        left -= 1
    elif cell in b:
        right -= 1
    for mines in range(shared + 1):
        fits_a = (one.allowed >> (mines + add_a)) & ((2 << left) - 1)
        fits_b = (two.allowed >> (mines + add_b)) & ((2 << right) - 1)
        if fits_a and fits_b:
            return True
    return False
