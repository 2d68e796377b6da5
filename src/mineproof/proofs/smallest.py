"""The smallest set of premises that forces a cell: fewest premises, then nearest to the cell.

One and two premises are tried directly. Beyond that the set is found by implicit hitting sets:
whatever layout has the cell the other way breaks some premises, and every proof must hold one of
them; the cheapest set that meets all those found so far either forces the cell, and is then the
smallest there is, or leaves a layout that breaks still others. Proofs without the total lie within
one component, in one piece around the cell, which bounds where to look. The total is tried apart,
and only where it can matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from mineproof.errors import BudgetExceeded
from mineproof.proofs.hitting import cheapest_hitting_set
from mineproof.proofs.meter import Spent, StepMeter
from mineproof.proofs.premises import Evidence, Premise
from mineproof.proofs.refuter import Refuter

__all__ = ["DEFAULT_STEPS", "Finder", "Forcing"]

DEFAULT_STEPS = 60_000
_FARTHEST = 40
"""Bits for the distances of all premises together."""
_MOST_COUNTED = 2_000_000
_UNLIMITED = 1 << 60
_DEARER = 4
"""With the total a step takes so much longer."""


@dataclass(frozen=True)
class Forcing:
    """Premises by number, every one of them necessary; `smallest` where no fewer would do."""

    numbers: tuple[int, ...]
    smallest: bool


class Finder:
    """Finds premises for the cells of one view; `steps` limits the work spent on each.

    Who asks for one cell only may set `whole_component` to 0 and `radii` to begin nearer: a small
    search is then done before a larger one.
    """

    radii: tuple[int | None, ...] = (4, 8, 16, 32, None)
    """How far around a cell clues are looked for, one after another; the last is the component."""
    whole_component = 80
    """Components of so many clues are searched as one."""

    def __init__(self, evidence: Evidence, steps: int = DEFAULT_STEPS) -> None:
        self.evidence = evidence
        self.steps = steps
        self._refuters: dict[tuple[int, ...], Refuter] = {}
        self._with_total: Refuter | None = None
        self._corrections: dict[object, list[int]] = {}
        self._layouts: dict[int, list[tuple[Sequence[int], int]]] = {}
        self.steps_with_total = steps // _DEARER
        """The work spent on a search with the total that may beat a proof without it."""
        self.steps_counting = steps // _DEARER
        """The same where there is no proof without the total."""
        self._total_was_too_much = False

    # -- what is asked -------------------------------------------------------------------------

    def force(self, cell: int, mine: bool) -> Forcing | None:
        """Premises that force a hidden cell to be a mine, or to be safe; None where none do.

        The position must have a layout. Raises BudgetExceeded where the total must be counted over
        too many cells.
        """
        found = self._one(cell, not mine) or self._two(cell, not mine)
        if found is not None:
            return Forcing(found, True)
        return self.force_by_three(cell, mine)

    def far(self, cell: int, numbers: Iterable[int]) -> dict[int, int]:
        """How dear each premise is among proofs of one size: its distance from the cell."""
        return self.evidence.distances(cell, numbers)

    def force_by_three(self, cell: int, mine: bool) -> Forcing | None:
        """`force` for a cell that no two premises force."""
        meter = StepMeter(self.steps)
        by_clues = self._by_clues(cell, not mine, meter)
        least = None if by_clues is None else len(by_clues.numbers) - 1
        by_total = self._by_total(cell, not mine, meter, least)
        if by_total is not None:
            return by_total
        if by_clues is not None and self._total_was_too_much:
            return Forcing(by_clues.numbers, False)
        return by_clues

    def one_clue(self, cell: int, mine: bool) -> bool:
        """Whether one clue on its own forces a cell."""
        premises = self.evidence.premises
        return any(not premises[n].permits(not mine) for n in self.evidence.at.get(cell, ()))

    def two_clues(self, cell: int, mine: bool) -> bool:
        """Whether two clues, or one and the total, force a cell."""
        return self._two(cell, not mine) is not None

    def clash(self) -> Forcing | None:
        """Premises that no layout meets; None where the position has a layout."""
        premises = self.evidence.premises
        for number, premise in enumerate(premises):
            if not premise.allowed:
                return Forcing((number,), True)
        meter = StepMeter(self.steps)
        best: Forcing | None = None
        seen: set[int] = set()
        for number in range(self.evidence.clue_count):
            if number not in seen:
                pool = self.evidence.component([number])
                seen.update(pool)
                found = self._search(self._refuter(pool), pool, None, (), meter, None, "clash")
                if found is not None and (best is None or len(found.numbers) < len(best.numbers)):
                    best = found
        if best is not None or self.evidence.total is None:
            return best
        return self._by_total(None, True, meter, None)

    # -- one and two premises ------------------------------------------------------------------

    def _one(self, cell: int, other: bool) -> tuple[int, ...] | None:
        evidence = self.evidence
        found = [n for n in evidence.at.get(cell, ()) if not evidence.premises[n].permits(other)]
        if found:
            far = self.far(cell, found)
            return (min(found, key=far.__getitem__),)
        if evidence.total is not None and not evidence.premises[evidence.total].permits(other):
            return (evidence.total,)
        return None

    def _two(self, cell: int, other: bool) -> tuple[int, ...] | None:
        found = []
        for one, two in self._pairs(cell):
            if not _both(self.evidence.premises[one], self.evidence.premises[two], cell, other):
                found.append((one, two))
        if not found:
            return None
        far = self.far(cell, {number for pair in found for number in pair})
        return min(found, key=lambda pair: (sum(far[n] for n in pair), pair))

    def _pairs(self, cell: int) -> Iterator[tuple[int, int]]:
        evidence = self.evidence
        near = evidence.at.get(cell, ())
        seen = set()
        for one in near:
            for two in evidence.beside(one):
                pair = (one, two) if one < two else (two, one)
                if pair not in seen:
                    seen.add(pair)
                    yield pair
        if evidence.total is not None and self._total_may_matter(1):
            for number in range(evidence.clue_count):
                yield number, evidence.total

    def _total_may_matter(self, clues: int | None) -> bool:
        """Whether the total can forbid anything that so many clues allow; None for any number.

        What few clues allow takes few mines and few safe cells: while there are more of both than
        that, the rest of the board can always hold what is left.
        """
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

    # -- more premises -------------------------------------------------------------------------

    def _by_clues(self, cell: int, other: bool, meter: StepMeter) -> Forcing | None:
        near = self.evidence.at.get(cell)
        if near is None:
            return None
        for radius in self.radii:
            pool = self.evidence.component(near, radius)
            if radius is None or len(pool) <= self.whole_component:
                whole = self.evidence.component(near, None) if radius is not None else pool
                pool = whole if len(whole) <= self.whole_component else pool
            refuter = self._refuter(pool)
            key = (tuple(near), other)
            assumed = (refuter.literal(cell, other),)
            found = self._search(refuter, sorted(pool), cell, assumed, meter, None, key)
            # A smallest proof is in one piece around the cell: it reaches no further than its size.
            if found is not None and (radius is None or len(found.numbers) - 1 <= radius):
                return found
            if radius is None or len(pool) == len(self.evidence.component(near, None)):
                return found
        raise AssertionError("the last radius is the whole component")

    def _by_total(
        self, cell: int | None, other: bool, meter: StepMeter, most: int | None
    ) -> Forcing | None:
        """With the total, and at most `most` premises in all where that is given."""
        evidence = self.evidence
        self._total_was_too_much = False
        clues = None if most is None else most - 1
        if evidence.total is None or (clues is not None and clues < 2):
            return None
        if not self._total_may_matter(clues):
            return None
        refuter = self._counting()
        assumed: tuple[int, ...] = ()
        if cell is not None:
            shown = cell if cell in evidence.at else refuter.shore
            if shown is None:
                return None
            assumed = (refuter.literal(shown, other),)
        pool = list(range(evidence.clue_count))
        key = ("total", tuple(evidence.at.get(cell, ())) if cell is not None else None, other)
        limit = self.steps_counting if clues is None else self.steps_with_total
        allowed = StepMeter(min(meter.left, limit))
        found = self._search(refuter, pool, cell, assumed, allowed, clues, key)
        if allowed.left < 0:
            # Where the count was too much for one cell of a view, it is for the others.
            self._total_was_too_much = True
            self.steps_with_total //= 4
            self.steps_counting //= 4
        if found is None:
            return None
        return Forcing((*found.numbers, evidence.total), found.smallest)

    def _refuter(self, pool: Iterable[int]) -> Refuter:
        key = tuple(sorted(pool))
        if key not in self._refuters:
            self._refuters[key] = Refuter([self.evidence.premises[n] for n in key])
        return self._refuters[key]

    def _counting(self) -> Refuter:
        evidence = self.evidence
        if self._with_total is None:
            assert evidence.total is not None
            total = evidence.premises[evidence.total]
            if len(evidence.at) * min(total.high + 1, len(evidence.at)) > _MOST_COUNTED:
                raise BudgetExceeded(
                    f"{total.high} mines counted over {len(evidence.at)} cells next to clues;"
                    f" explained: up to {_MOST_COUNTED} of mines times cells"
                )
            self._with_total = Refuter(evidence.premises[: evidence.clue_count], total)
        return self._with_total

    # -- implicit hitting sets -----------------------------------------------------------------

    def _search(
        self,
        refuter: Refuter,
        pool: Sequence[int],
        cell: int | None,
        assumed: Sequence[int],
        meter: StepMeter,
        most: int | None,
        key: object,
    ) -> Forcing | None:
        """The cheapest choice of the pool that cannot be met; None where it has more than `most`.

        No two choices cost the same, so that the answer does not depend on what was asked before.
        """
        pool = sorted(pool)
        free = StepMeter(_UNLIMITED)
        if refuter.met(refuter.everything, assumed, free) is not None:
            return None
        far = dict.fromkeys(pool, 0) if cell is None else self.far(cell, pool)
        ranks = len(pool)
        one = 1 << (ranks + _FARTHEST)
        costs = [one + (far[n] << ranks) + (1 << rank) for rank, n in enumerate(pool)]
        below = None if most is None else (most + 1) * one
        # Cells that the same clues speak of are broken by the same sets.
        layouts = self._layouts.setdefault(id(refuter), [])
        corrections = self._corrections.get((id(refuter), key))
        if corrections is None:
            # So are others, by every layout known that has them the other way.
            corrections = self._corrections[id(refuter), key] = [
                broken
                for model, broken in layouts
                if all(model[abs(literal) - 1] == literal for literal in assumed)
            ]
        least = 0
        try:
            while True:
                chosen = cheapest_hitting_set(corrections, costs, meter, below)
                if chosen is None:
                    return None
                least = chosen.bit_count()
                met = refuter.met(chosen, assumed, meter)
                if met is None:
                    return Forcing(_numbers(pool, chosen), True)
                # Sets that share nothing raise the bound at once.
                while met is not None:
                    broken = self._correction(refuter, met, assumed, costs, meter)
                    corrections.append(broken)
                    layouts.append((refuter.model, broken))
                    chosen |= broken
                    met = refuter.met(chosen, assumed, meter)
        except Spent:
            chosen = self._minimal(refuter, assumed, costs, free)
            if most is not None and chosen.bit_count() > most:
                return None
            return Forcing(_numbers(pool, chosen), least == chosen.bit_count())

    def _correction(
        self, refuter: Refuter, met: int, assumed: Sequence[int], costs: list[int], meter: StepMeter
    ) -> int:
        """A minimal set of premises that some layout breaks, outside those met already."""
        broken = 0
        places = sorted(range(len(costs)), key=lambda place: -costs[place])
        for place in places:
            bit = 1 << place
            if met & bit:
                continue
            more = refuter.met(met | bit, assumed, meter)
            if more is None:
                broken |= bit
            else:
                met = more
        return broken

    def _minimal(
        self, refuter: Refuter, assumed: Sequence[int], costs: list[int], meter: StepMeter
    ) -> int:
        """A choice that cannot be met and of which every premise is needed, by deletion."""
        chosen = refuter.core(assumed)
        for place in sorted(range(len(costs)), key=lambda place: -costs[place]):
            bit = 1 << place
            if chosen & bit and refuter.met(chosen ^ bit, assumed, meter) is None:
                chosen ^= bit
        return chosen


def _numbers(pool: Sequence[int], chosen: int) -> tuple[int, ...]:
    return tuple(number for place, number in enumerate(pool) if chosen >> place & 1)


def _both(one: Premise, two: Premise, cell: int, mine: bool) -> bool:
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
