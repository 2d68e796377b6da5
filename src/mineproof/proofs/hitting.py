"""The cheapest set that meets every one of some sets, by branch and bound.

Sets and answers are masks of element numbers. The bound of a branch is what a family of sets that
share no element must cost at least.
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.proofs.meter import StepMeter

__all__ = ["cheapest_hitting_set"]


def cheapest_hitting_set(
    sets: Sequence[int], costs: Sequence[int], meter: StepMeter, below: int | None = None
) -> int | None:
    """The cheapest mask that shares an element with every set; None where none costs `below`.

    Raises `Spent` where the meter runs out.
    """
    return _Search(sets, costs, meter).run(below)


class _Search:
    """Elements are numbered anew by rising cost: the lowest bit of a set is its cheapest."""

    def __init__(self, sets: Sequence[int], costs: Sequence[int], meter: StepMeter) -> None:
        kept: list[int] = []
        for candidate in sorted(set(sets), key=int.bit_count):
            # A set that holds another is met wherever that one is.
            if not any(smaller & candidate == smaller for smaller in kept):
                kept.append(candidate)
        self.cheapest_first = sorted(range(len(costs)), key=lambda element: costs[element])
        self.costs = [costs[element] for element in self.cheapest_first]
        rank = {element: place for place, element in enumerate(self.cheapest_first)}
        self.sets = [sum(1 << rank[element] for element in _elements(one)) for one in kept]
        self.meter = meter

    def run(self, below: int | None) -> int | None:
        limit = sum(self.costs) + 1 if below is None else below
        found = self._cheapest(self.sets, 0, limit)
        if found is None:
            return None
        return sum(1 << self.cheapest_first[place] for place in _elements(found[1]))

    def _cheapest(self, sets: list[int], barred: int, limit: int) -> tuple[int, int] | None:
        """The cost and the mask of the cheapest choice that costs less than `limit`."""
        self.meter.spend(1)
        sets = [one & ~barred for one in sets]
        if not all(sets):
            return None
        parts = _parts(sets)
        bounds = [self._bound(part) for part in parts]
        left = sum(bounds)
        if left >= limit:
            return None
        spent, chosen = 0, 0
        # Parts that share no element are solved apart; each may cost what the others leave.
        for part, bound in zip(parts, bounds, strict=True):
            left -= bound
            found = self._branch(part, limit - spent - left)
            if found is None:
                return None
            spent, chosen = spent + found[0], chosen | found[1]
        return spent, chosen

    def _branch(self, sets: list[int], limit: int) -> tuple[int, int] | None:
        best: tuple[int, int] | None = None
        barred = 0
        for element in _elements(sets[0]):
            cost, bit = self.costs[element], 1 << element
            if cost < limit:
                left = [one for one in sets if not one & bit]
                found = self._cheapest(left, barred, limit - cost) if left else (0, 0)
                if found is not None:
                    best = (found[0] + cost, found[1] | bit)
                    limit = best[0]
            barred |= bit
        return best

    def _bound(self, sets: list[int]) -> int:
        """What sets that share no element must cost at least."""
        bound, covered = 0, 0
        for one in sets:
            if not one & covered:
                covered |= one
                bound += self.costs[(one & -one).bit_length() - 1]
        return bound


def _parts(sets: list[int]) -> list[list[int]]:
    """The sets in groups that share no element, the smallest sets first in each."""
    groups: list[tuple[int, list[int]]] = []
    for one in sets:
        union, members = one, [one]
        apart = []
        for group in groups:
            if group[0] & union:
                union |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (union, members)]
    return [sorted(members, key=int.bit_count) for _, members in groups]


def _elements(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
