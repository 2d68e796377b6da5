"""Witnesses of uncertainty: the nearest two layouts for a cell, or a few layouts for many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count

import numpy as np
from numpy.typing import NDArray

from mineproof.engine.analysis import Analysis
from mineproof.engine.exact import analyze
from mineproof.errors import InconsistentPosition
from mineproof.proofs.premises import Evidence, Premise, counts_of
from mineproof.proofs.smallest import OutOfSteps, StepMeter
from mineproof.view.channels import Mark, unread_code
from mineproof.view.view import View, reveal_codes

NEAREST = 20_000
"""Steps within which the nearest two layouts are looked for."""
_SAMPLES = 64
_TRIED = 8
"""Layouts that are tried with a swap, where clues leave more than one number possible."""
_SEED = 1


def nearest_pair(
    evidence: Evidence, analysis: Analysis, cell: int, steps: int = NEAREST
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """Two layouts, one with a mine in an uncertain cell and one without, and whether they are
    nearest: no two differ in fewer cells.

    `steps` limits the search for the nearest; past it two near ones of many drawn at random do.
    """
    view = evidence.view
    movable = frozenset(one for one in view.hidden if 0.0 < analysis.p[one] < 1.0)

    def layouts(fixed: dict[int, bool]) -> Iterator[frozenset[int]]:
        try:
            for layout in _analysis_with(view, fixed).sample(_TRIED, _SEED):
                yield frozenset(_mines(layout.mines))
        except InconsistentPosition:
            return

    try:
        one, other, nearest = smallest_swap(evidence, cell, movable, layouts, StepMeter(steps))
    except OutOfSteps:
        return _near_pair(analysis, cell), False
    return (tuple(sorted(one)), tuple(sorted(other))), nearest


def _near_pair(analysis: Analysis, cell: int) -> tuple[tuple[int, ...], ...]:
    """Of layouts drawn at random, two that differ in a cell and in few others."""
    view = analysis.view
    drawn = np.array([layout.mines for layout in analysis.sample(_SAMPLES, _SEED)], dtype=bool)
    own = [_drawn_with(view, cell, mine).astype(bool) for mine in (True, False)]
    mined = np.vstack([drawn[drawn[:, cell]], own[0]])
    safe = np.vstack([drawn[~drawn[:, cell]], own[1]])
    apart = (mined[:, None, :] != safe[None, :, :]).sum(axis=2)
    first, second = np.unravel_index(int(apart.argmin()), apart.shape)
    return _mines(mined[first]), _mines(safe[second])


def layout_with(view: View, cell: int, mine: bool) -> tuple[int, ...]:
    """A layout of a position with a mine in a hidden cell, or without one.

    Raises InconsistentPosition where there is none, and BudgetExceeded.
    """
    return _mines(_drawn_with(view, cell, mine))


def covering_layouts(analysis: Analysis, cells: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """A small set of layouts that shows each of some uncertain cells as a mine and as safe.

    Of cells that no clue touches, which are alike, one mine and one safe cell are enough.
    """
    view = analysis.view
    near = view.topology.neighbours
    alone = {cell for cell in cells if all(map(view.is_hidden, near(cell)))}
    cells = [*(cell for cell in cells if cell not in alone), *sorted(alone)[:1]]
    if not cells:
        return ()
    places = np.asarray(cells)
    drawn = [layout.mines for layout in analysis.sample(_SAMPLES, _SEED)]
    for place, cell in enumerate(cells):
        for mine in (True, False):
            if not any(bool(mines[cell]) is mine for mines in drawn):
                drawn.append(_drawn_with(view, cells[place], mine))
    table = np.array(drawn, dtype=bool)[:, places]
    both = np.concatenate([table, ~table], axis=1)
    kept: list[int] = []
    missing = np.ones(both.shape[1], dtype=bool)
    while missing.any():
        best = int((both & missing).sum(axis=1).argmax())
        kept.append(best)
        missing &= ~both[best]
    for one in tuple(kept):
        others = [other for other in kept if other != one]
        if others and both[others].any(axis=0).all():
            kept = others
    return tuple(_mines(drawn[one]) for one in kept)


def _drawn_with(view: View, cell: int, mine: bool) -> NDArray[np.uint8]:
    """A layout of the position with a mine in a cell, or without one."""
    return _analysis_with(view, {cell: mine}).sample(1, _SEED)[0].mines


def _analysis_with(view: View, fixed: Mapping[int, bool]) -> Analysis:
    """The position with mines in some cells and none in others. Raises InconsistentPosition."""
    safe = unread_code(view.channel)
    codes = [(cell, Mark.MINE.value if mine else safe) for cell, mine in fixed.items()]
    return analyze(reveal_codes(view, codes))


def _mines(layout: NDArray[np.uint8] | NDArray[np.bool_]) -> tuple[int, ...]:
    found: list[int] = np.flatnonzero(layout).tolist()
    return tuple(found)


# ----------------------------------------------------------------------------
# The smallest swap: two layouts that differ in one given cell and in as few others as possible.
#
# A swap is a set of cells, some of which lose a mine and some of which gain one, such that every
# clue and the total still allow what is there. A swap of a layout is another layout. Swaps are
# looked for by size: as long as a clue is broken, one of its cells must be swapped too. Cells that
# the same clues touch are alike, so it is enough to try one of them.

Layouts = Callable[[dict[int, bool]], Iterator[frozenset[int]]]
"""Some layouts, as sets of mines, in which given cells are mines or safe; none where none is."""

_CHECK = 100
"""Steps that a look for a layout counts for."""


def smallest_swap(
    evidence: Evidence, cell: int, movable: frozenset[int], layouts: Layouts, meter: StepMeter
) -> tuple[frozenset[int], frozenset[int], bool]:
    """A layout with a mine in a cell, one without, and whether no two differ in fewer cells.

    `movable` are the hidden cells that are not certain, the cell among them. Raises OutOfSteps
    where the work allowed is used up.
    """
    search = _SwapSearch(evidence, cell, movable, layouts, meter)
    for size in count(1):
        found = search.of(size)
        if found is not None:
            return *found, not search.unsettled
    raise AssertionError


class _SwapSearch:
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
        for number in broken:
            if min(abs(self.off[number] - allowed) for allowed in self.steps[number]) > left:
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
            if all(p.allowed >> len(other.intersection(p.cells)) & 1 for p in self.premises):
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
