"""The cheapest set that meets every one of some sets, by branch and bound.

Sets and answers are masks of element numbers. The bound of a branch is what a family of sets that
share no element must cost at least.
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.explain.meter import Meter

__all__ = ["cheapest_hitting_set"]


def cheapest_hitting_set(
    sets: Sequence[int], costs: Sequence[int], meter: Meter, below: int | None = None
) -> int | None:
    """The cheapest mask that shares an element with every set; None where none costs `below`.

    Raises `Spent` where the meter runs out.
    """
    return _Search(sets, costs, meter).run(below)


class _Search:
    def __init__(self, sets: Sequence[int], costs: Sequence[int], meter: Meter) -> None:
        kept: list[int] = []
        for candidate in sorted(set(sets), key=int.bit_count):
            # A set that holds another is met wherever that one is.
            if not any(smaller & candidate == smaller for smaller in kept):
                kept.append(candidate)
        self.sets, self.costs, self.meter = kept, costs, meter
        self.best: int | None = None
        self.limit = 0

    def run(self, below: int | None) -> int | None:
        self.limit = sum(self.costs) + 1 if below is None else below
        self._descend(self.sets, 0, 0, 0)
        return self.best

    def _descend(self, sets: list[int], chosen: int, spent: int, barred: int) -> None:
        self.meter.spend(1)
        if not sets:
            if spent < self.limit:
                self.best, self.limit = chosen, spent
            return
        costs = self.costs
        allowed = sorted([one & ~barred for one in sets], key=int.bit_count)
        if not allowed[0]:
            return
        bound, covered = spent, 0
        for one in allowed:
            if not one & covered:
                covered |= one
                bound += min(costs[element] for element in _elements(one))
                if bound >= self.limit:
                    return
        branches = [
            (costs[element], -sum(one >> element & 1 for one in sets), element)
            for element in _elements(allowed[0])
        ]
        for cost, _, element in sorted(branches):
            bit = 1 << element
            left = [one for one in sets if not one & bit]
            self._descend(left, chosen | bit, spent + cost, barred)
            barred |= bit


def _elements(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
