"""Premises: what a proof may rest on, which is every clue of a view and the number of mines.

A premise says which numbers of mines its hidden cells may hold. Opened cells, mines among them, are
facts that everyone sees: they are subtracted, and are no premises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.layout import count_mines
from mineproof.board.topology import Topology
from mineproof.engine.constraints import constraint_of_clue
from mineproof.engine.exact import core_board_of
from mineproof.graphs import distances
from mineproof.kernel import core
from mineproof.view.channels import EXACT, MAX_CLUE, Mark
from mineproof.view.view import View

ClueFact: TypeAlias = tuple[int, tuple[int, ...], int]
"""An opened cell, the hidden cells it speaks of, and the numbers of mines it allows as a mask."""


@dataclass(frozen=True, slots=True)
class Premise:
    """`allowed` numbers of mines in some hidden cells; bit `n` of the mask stands for `n` mines.

    `clue` is the opened cell that shows it, or None for the mine total. `cells` rise. A hidden cell
    that the rules keep free is a premise of its own: it stands as its own clue, and has no mine.
    """

    clue: int | None
    cells: tuple[int, ...]
    allowed: int

    @property
    def low(self) -> int:
        """The least number of mines; `allowed` must not be empty."""
        return (self.allowed & -self.allowed).bit_length() - 1

    @property
    def high(self) -> int:
        """The greatest number of mines; -1 where none will do."""
        return self.allowed.bit_length() - 1

    def permits(self, mine: bool) -> bool:
        """Whether one of its cells may be a mine, or may be safe, as far as it tells alone."""
        size = len(self.cells)
        return bool(self.allowed >> 1 if mine else self.allowed & ((1 << size) - 1))


def counts_of(mask: int) -> tuple[int, ...]:
    """The numbers of a mask, in ascending order."""
    return tuple(n for n in range(mask.bit_length()) if mask >> n & 1)


def totals_of(view: View) -> int | None:
    """The numbers of mines on the whole board that may be, as a mask; None for all."""
    totals = view.totals
    if len(totals) == len(view) + 1:
        return None
    return (1 << totals.stop) - (1 << totals.start)


class Evidence:
    """All premises of a view, by number: its clues by rising cell, then the total.

    Hidden cells that the rules keep free are among the clues. A clue that says nothing is left out.
    `total` is the number of the premise of that kind, or None where the total tells nothing. Who
    follows a game may hand over what its `clues` say, by rising cell, some or all of them, and
    without `total` the number of mines is left out.
    """

    def __init__(
        self, view: View, clues: Iterable[ClueFact] | None = None, *, total: bool = True
    ) -> None:
        self.view = view
        self.topology = view.topology
        self.premises: list[Premise] = []
        self.at: dict[int, list[int]] = {}
        """The numbers of the clues that speak of a cell."""
        if clues is None:
            clues = self._exact_clues() if view.channel is EXACT else self._likely_clues()
        if view.free:
            clues = sorted([*clues, *((cell, (cell,), 1) for cell in view.free)])
        for cell, cells, allowed in clues:
            if allowed == (2 << len(cells)) - 1:
                continue
            for hidden in cells:
                self.at.setdefault(hidden, []).append(len(self.premises))
            self.premises.append(Premise(cell, cells, allowed))
        self.total = self._read_total() if total else None

    def _exact_clues(self) -> Iterator[ClueFact]:
        """What plain clues say; those without a hidden neighbour only where they are wrong."""
        codes, topology = self.view.codes(), self.topology
        is_hidden = codes == Mark.HIDDEN.value
        mines = count_mines(topology, (codes == Mark.MINE.value).astype(np.uint8))
        around = count_mines(topology, is_hidden.astype(np.uint8))
        left = codes.astype(np.int64) - mines
        speaking = (codes <= MAX_CLUE) & ((around > 0) | (left != 0))
        hidden: list[bool] = is_hidden.tolist()
        for cell in np.flatnonzero(speaking).tolist():
            cells = tuple([near for near in topology.neighbours(cell) if hidden[near]])
            count = int(left[cell])
            yield cell, cells, 1 << count if 0 <= count <= len(cells) else 0

    def _likely_clues(self) -> Iterator[ClueFact]:
        """What clues say that may lie: every count they leave possible."""
        view = self.view
        codes = view.codes().tolist()
        for cell in sorted(view.opened):
            found = constraint_of_clue(self.topology, codes, cell, view.channel)
            if found is not None:
                yield cell, found.cells, sum(1 << n for n in found.possible)

    def _read_total(self) -> int | None:
        view = self.view
        allowed = totals_of(view)
        if allowed is None:
            return None
        opened = len(view.opened_mines)
        cells = tuple(view.hidden)
        left = (allowed >> opened) & ((2 << len(cells)) - 1)
        if left == (2 << len(cells)) - 1:
            return None
        self.premises.append(Premise(None, cells, left))
        return len(self.premises) - 1

    @cached_property
    def clue_count(self) -> int:
        return len(self.premises) - (self.total is not None)

    def beside(self, number: int) -> set[int]:
        """The clues that share a hidden cell with a clue."""
        found = {other for cell in self.premises[number].cells for other in self.at[cell]}
        found.discard(number)
        return found

    def component(self, numbers: Iterable[int], radius: int | None = None) -> list[int]:
        """Clues tied to some clues through shared hidden cells, nearest first.

        `radius` limits the number of steps.
        """
        steps = distances(numbers, self.beside, most=radius)
        return sorted(steps, key=lambda number: (steps[number], number))

    def distances(self, cell: int, numbers: Iterable[int]) -> dict[int, int]:
        """Steps over the board from a cell to each clue; the total is as far as the board is large.

        A clue that cannot be reached on foot is as far as the total.
        """
        far = len(self.topology)
        clues = (self.premises[n].clue for n in numbers)
        found = self.topology.steps_to(cell, [clue for clue in clues if clue is not None])
        return {
            n: far if (clue := self.premises[n].clue) is None else found.get(clue, far)
            for n in numbers
        }


# -- How many steps over the board lie between cells, on any topology ----------

_MOST_KEPT = 2500
"""Boards of up to this many cells keep all their distances."""
_FEW = 12
"""Distances to at most this many cells are searched for step by step; they are mostly near."""


class DistanceTable:
    """Steps from neighbour to neighbour; cells that no path joins have the distance `apart`.

    `apart` is the number of cells of the board: no path is that long.
    """

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self.apart = len(topology)
        self._lists: list[list[int]] = []

    @cached_property
    def table(self) -> NDArray[np.int32] | None:
        """All distances, one row per cell; None if the board is too large to keep them."""
        if self.apart > _MOST_KEPT:
            return None
        return np.array([self.row(cell) for cell in self.topology.cells], dtype=np.int32)

    def row(self, cell: int) -> NDArray[np.int32]:
        """The distances of all cells from one."""
        if kernel.available():
            steps = core.steps_from(core_board_of(self.topology).board, cell)
            return np.frombuffer(steps, dtype=np.int32)
        found = self._walk(cell, self.topology.cells)
        return np.array(list(found.values()), dtype=np.int32)

    def between(self, cell: int, others: Iterable[int]) -> dict[int, int]:
        """The distance from a cell to each of some others."""
        wanted = list(others)
        if not self._lists and self.table is not None:
            self._lists = self.table.tolist()
        if not self._lists:
            if len(wanted) <= _FEW:
                return self._walk(cell, wanted)
            row = self.row(cell)
            return dict(zip(wanted, row[wanted].tolist(), strict=True))
        steps = self._lists[cell]
        return {other: steps[other] for other in wanted}

    def _walk(self, cell: int, wanted: Sequence[int]) -> dict[int, int]:
        """Breadth-first, and no farther than needed."""
        found = self.topology.steps_to(cell, wanted)
        return {other: found.get(other, self.apart) for other in wanted}


def members(masks: list[int], cells: int) -> NDArray[np.bool_]:
    """The bits of masks as a table, one row per mask."""
    size = (cells + 7) // 8
    packed = np.frombuffer(b"".join(mask.to_bytes(size, "little") for mask in masks), np.uint8)
    bits = np.unpackbits(packed.reshape(len(masks), size), axis=1, bitorder="little")
    return bits[:, :cells].astype(np.bool_)


@lru_cache(maxsize=4)
def distances_of(topology: Topology) -> DistanceTable:
    """The distances of a topology, computed once."""
    return DistanceTable(topology)


# -- One or two premises that force a cell, tried directly ---------------------

DistanceRule: TypeAlias = Callable[[int, Iterable[int]], dict[int, int]]
"""How far some premises, by number, are from a cell."""


class PairFinder:
    """The premises of a view, one by one and in pairs. Of several the nearest are taken."""

    def __init__(self, evidence: Evidence, far: DistanceRule) -> None:
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
