"""Sets of cells split by intersection (report 1).

Every clue is a set of cells with a number of mines. Two sets that overlap fall into three disjoint
parts: only the one, both, only the other. The numbers of mines that the parts can hold follow from
the two sets. A part for which only one number is left becomes a set of its own, which is compared
with its neighbours in turn. This goes on until nothing new is found. A set without mines is safe, a
set as large as its number is all mines.

It finds what follows from two sets at a time, through any number of intermediate sets. It misses
what needs three sets at once, none of whose pairs determines a part. With `use_total` all unknown
cells are one more set, with the mines left in it; its parts are used but not kept.

Sets are masks: bit `c` is cell `c`. An unreliable clue is a set with a range of numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mineproof.engine.analysis import Premises
from mineproof.errors import InconsistentPosition
from mineproof.logics.base import GLOBAL, FactLogic
from mineproof.text import range_text
from mineproof.view.view import View


class MineSet(NamedTuple):
    """`low..high` mines lie in the cells of `mask`, as the `clues` tell together."""

    mask: int
    low: int
    high: int
    clues: frozenset[int]


def cells_of(mask: int) -> Iterator[int]:
    """The cells of a mask, in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Partition(FactLogic):
    """Keeps the sets of a game; only those near what changed are compared again."""

    name = "partition"
    options = (GLOBAL,)

    def __init__(self, *, use_total: bool = False) -> None:
        self.use_total = use_total

    def begin(self, view: View) -> None:
        super().begin(view)
        self._sets: dict[int, MineSet] = {}
        self._holding: dict[int, set[int]] = {}
        """For every cell the masks that hold it."""
        self._todo: dict[int, None] = {}

    def _effort(self) -> dict[str, int]:
        return {"pairs": self._work, "sets": len(self._sets)}

    def _prove(self, view: View) -> None:
        """Compare sets until something is proved or nothing is left to compare."""
        facts = self._facts
        self._take_over_facts()
        while not facts.proved_any:
            while self._todo and not facts.proved_any:
                mask = next(iter(self._todo))
                del self._todo[mask]
                self._compare(mask)
            if self.use_total and not facts.proved_any:
                self._compare_with_total(view)
            if not self._todo:
                return

    # -- keeping the sets --------------------------------------------------------------------

    def _take_over_facts(self) -> None:
        """Leave known cells out of the sets that hold them, and add the clues that are new."""
        facts = self._facts
        touched: dict[int, None] = {}
        for cell in self._newly_known():
            # Sorted: the order of a set of ints differs between 64-bit and 32-bit Pythons.
            touched.update(dict.fromkeys(sorted(self._holding.get(cell, ()))))
        for mask in touched:
            old = self._sets[mask]
            self._forget(old)
            mines = 0
            for cell in cells_of(mask):
                if facts.known[cell]:
                    mask ^= 1 << cell
                    mines += facts.is_mine(cell)
            self._insert(mask, old.low - mines, old.high - mines, old.clues)
        for clue in sorted(facts.changed):
            if equation := facts.equation(clue):
                mask = sum(1 << cell for cell in equation.cells)
                self._insert(mask, equation.low, equation.high, frozenset((clue,)))
        facts.changed.clear()

    def _forget(self, old: MineSet) -> None:
        del self._sets[old.mask]
        self._todo.pop(old.mask, None)
        for cell in cells_of(old.mask):
            self._holding[cell].discard(old.mask)

    def _insert(self, mask: int, low: int, high: int, clues: frozenset[int]) -> None:
        """Keep a set; a set of the same cells is narrowed. Proves its cells where it can."""
        size = mask.bit_count()
        low, high = max(low, 0), min(high, size)
        old = self._sets.get(mask)
        if old is not None:
            if low <= old.low and high >= old.high:
                return
            if low < old.low or high > old.high:
                clues |= old.clues
            low, high = max(low, old.low), min(high, old.high)
        if low > high:
            raise InconsistentPosition("two clues cannot both be met", sorted(clues))
        if not mask:
            return
        if not high or low == size:
            self._settle(mask, bool(high), Premises(tuple(sorted(clues))))
            return
        self._sets[mask] = MineSet(mask, low, high, clues)
        self._todo[mask] = None
        if old is None:
            for cell in cells_of(mask):
                self._holding.setdefault(cell, set()).add(mask)

    def _settle(self, mask: int, mines: bool, premises: Premises) -> None:
        cells = dict.fromkeys(cells_of(mask), premises)
        self._facts.add({} if mines else cells, cells if mines else {})

    # -- comparing them ----------------------------------------------------------------------

    def _compare(self, mask: int) -> None:
        """Split a set against every set that overlaps it."""
        one = self._sets[mask]
        others: set[int] = set()
        for cell in cells_of(mask):
            others |= self._holding[cell]
        others.discard(mask)
        for other in sorted(others):
            self._split_pair(one, self._sets[other])
            if self._facts.proved_any:
                self._todo[mask] = None
                return

    def _split_pair(self, one: MineSet, two: MineSet) -> None:
        """Keep each part of two overlapping sets whose number of mines is determined."""
        self._work += 1
        one_mask, one_low, one_high, one_clues = one
        two_mask, two_low, two_high, two_clues = two
        both = one_mask & two_mask
        left, right = one_mask ^ both, two_mask ^ both
        left_size, right_size = left.bit_count(), right.bit_count()
        low = max(0, one_low - left_size, two_low - right_size)
        high = min(both.bit_count(), one_high, two_high)
        if low > high:
            raise InconsistentPosition("two clues cannot both be met", one_clues | two_clues)
        if low == high:
            self._insert(both, low, high, one_clues | two_clues)
        if left:
            least, most = max(0, one_low - high), min(left_size, one_high - low)
            if least == most:
                self._insert(left, least, most, one_clues | two_clues)
        if right:
            least, most = max(0, two_low - high), min(right_size, two_high - low)
            if least == most:
                self._insert(right, least, most, one_clues | two_clues)

    def _compare_with_total(self, view: View) -> None:
        """The total as one more set: what it says of each set, and of all cells outside it."""
        facts = self._facts
        left = facts.mines_left(view)
        if left is None or facts.close_by_total(view):
            return
        everything = 0
        for mask, low, high, clues in list(self._sets.values()):
            outside = facts.unknown_count - mask.bit_count()
            premises = Premises(tuple(sorted(clues)), total=True)
            if left - high > outside or low > left:
                raise InconsistentPosition("the clues need another total", clues, uses_total=True)
            if outside and (left == low or left - high == outside):
                everything = everything or sum(1 << cell for cell in facts.unknown)
                self._settle(everything ^ mask, left != low, premises)
                return
            if left - outside > low or left < high:
                self._insert(mask, max(low, left - outside), min(high, left), clues)

    # -- for others --------------------------------------------------------------------------

    def sets(self, view: View) -> list[MineSet]:
        """Every set in force, by rising cells; with the total, also that of all unknown cells."""
        logic = self._at(view, all_taken=True)
        facts = logic._facts
        found = sorted(logic._sets.values(), key=lambda s: tuple(cells_of(s.mask)))
        left = facts.mines_left(view) if self.use_total else None
        if left is not None and facts.unknown_count:
            everything = sum(1 << cell for cell in facts.unknown)
            found.append(MineSet(everything, left, left, frozenset()))
        return found

    def knowledge(self, view: View) -> str:
        """The sets, a line each, with the clues each came from."""
        name = view.topology.cell_name
        lines = []
        for mask, low, high, clues in self.sets(view):
            source = " ".join(map(name, sorted(clues))) or "total"
            cells = " ".join(map(name, cells_of(mask)))
            lines.append(f"{range_text(low, high)} in {{{cells}}} from {source}")
        return "\n".join(lines)
