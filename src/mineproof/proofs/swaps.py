"""Two layouts of a position that differ in as few cells as can be, one cell among them.

A swap is a set of cells, some of which lose a mine and some of which gain one, such that every clue
and the total still allow what is there. A swap of a layout is another layout. Swaps are looked for
by size: as long as a clue is broken, one of its cells must be swapped too. Cells that the same
clues touch are alike, so it is enough to try one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from mineproof.proofs.meter import StepMeter
from mineproof.proofs.premises import Evidence, Premise, counts_of

__all__ = ["Layouts", "smallest_swap"]

Layouts = Callable[[dict[int, bool]], Iterator[frozenset[int]]]
"""Some layouts, as sets of mines, in which given cells are mines or safe; none where none is."""

_CHECK = 100
"""Steps that a look for a layout counts for."""


def smallest_swap(
    evidence: Evidence, cell: int, movable: frozenset[int], layouts: Layouts, meter: StepMeter
) -> tuple[frozenset[int], frozenset[int], bool]:
    """A layout with a mine in a cell, one without, and whether no two differ in fewer cells.

    `movable` are the hidden cells that are not certain, the cell among them. Raises Spent where the
    work allowed is used up.
    """
    search = _Search(evidence, cell, movable, layouts, meter)
    for size in count(1):
        found = search.of(size)
        if found is not None:
            return *found, not search.unsettled
    raise AssertionError


class _Search:
    """The cells swapped so far, and by how much each premise is off."""

    def __init__(
        self,
        evidence: Evidence,
        cell: int,
        movable: frozenset[int],
        layouts: Layouts,
        meter: StepMeter,
    ) -> None:
        self.premises, self.layouts, self.meter = evidence.premises, layouts, meter
        self.cell = cell
        self.unsettled = False
        total = [] if evidence.total is None else [evidence.total]
        self.boxes: dict[tuple[int, ...], list[int]] = {}
        places = evidence.topology.coordinates
        here = places(cell)

        def far(one: int) -> int:
            return sum((a - b) ** 2 for a, b in zip(places(one), here, strict=True))

        # Of cells that are alike the nearest are taken, which are the last here.
        for one in sorted(movable, key=lambda one: (-far(one), one)):
            self.boxes.setdefault((*evidence.at.get(one, ()), *total), []).append(one)
        self.home = (*evidence.at.get(cell, ()), *total)
        self.boxes[self.home].remove(cell)
        self.within: dict[int, list[tuple[int, ...]]] = {}
        for box in self.boxes:
            for number in box:
                self.within.setdefault(number, []).append(box)
        self.steps = {number: _changes(self.premises[number]) for number in self.within}
        self.off = dict.fromkeys(self.within, 0)
        self.taken: dict[int, bool] = {}
        """The swapped cells, and whether each gains a mine."""
        self.signs: dict[tuple[int, ...], list[bool]] = {box: [] for box in self.boxes}

    def of(self, size: int) -> tuple[frozenset[int], frozenset[int]] | None:
        """Two layouts that differ in so many cells; None where there are none."""
        self._take(self.home, self.cell, gains=False)
        found = self._descend(size - 1, frozenset())
        self._give_back(self.home, self.cell, gains=False)
        return found

    def _take(self, box: tuple[int, ...], cell: int, *, gains: bool) -> None:
        self.taken[cell] = gains
        for number in box:
            self.off[number] += 1 if gains else -1

    def _give_back(self, box: tuple[int, ...], cell: int, *, gains: bool) -> None:
        del self.taken[cell]
        for number in box:
            self.off[number] -= 1 if gains else -1

    def _descend(
        self, left: int, barred: frozenset[tuple[tuple[int, ...], bool]]
    ) -> tuple[frozenset[int], frozenset[int]] | None:
        self.meter.spend(1)
        broken = [number for number, off in self.off.items() if off not in self.steps[number]]
        if not broken:
            return self._layouts() if not left else None
        if any(_distance(self.off[number], self.steps[number]) > left for number in broken):
            return None
        choices = min((self._choices(number, barred) for number in broken), key=len)
        for box, gains in choices:
            cell = self.boxes[box].pop()
            self.signs[box].append(gains)
            self._take(box, cell, gains=gains)
            found = self._descend(left - 1, barred)
            self._give_back(box, cell, gains=gains)
            self.signs[box].pop()
            self.boxes[box].append(cell)
            if found is not None:
                return found
            # Every swap with such a cell has been looked at.
            barred |= {(box, gains)}
        return None

    def _choices(
        self, number: int, barred: frozenset[tuple[tuple[int, ...], bool]]
    ) -> list[tuple[tuple[int, ...], bool]]:
        """The kinds of cells of a broken premise that may be swapped, and which way."""
        off, allowed = self.off[number], self.steps[number]
        ways = [off < 0]
        if off < max(allowed) and off > min(allowed):  # between two numbers that will do
            ways = [True, False]
        return [
            (box, gains)
            for box in self.within[number]
            for gains in ways
            # One that gains and one that loses, both alike, could stay as they are.
            if self.boxes[box] and (not gains) not in self.signs[box] and (box, gains) not in barred
        ]

    def _layouts(self) -> tuple[frozenset[int], frozenset[int]] | None:
        """Two layouts that the swap turns into one another."""
        self.meter.spend(_CHECK)
        swapped = frozenset(self.taken)
        tried = False
        for one in self.layouts({cell: not gains for cell, gains in self.taken.items()}):
            other = one ^ swapped
            if all(_allows(premise, other) for premise in self.premises):
                return one, other
            tried = True
        self.unsettled |= tried
        return None


def _changes(premise: Premise) -> frozenset[int]:
    """By how much the number of mines of a premise may change."""
    numbers: Sequence[int] = counts_of(premise.allowed)
    if len(numbers) == numbers[-1] - numbers[0] + 1:
        return frozenset(range(numbers[0] - numbers[-1], numbers[-1] - numbers[0] + 1))
    return frozenset(two - one for one in numbers for two in numbers)


def _distance(off: int, allowed: frozenset[int]) -> int:
    return min(abs(off - one) for one in allowed)


def _allows(premise: Premise, mines: frozenset[int]) -> bool:
    return bool(premise.allowed >> len(mines.intersection(premise.cells)) & 1)
