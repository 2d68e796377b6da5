"""The cheapest set that meets every one of some sets: reduced, then by dynamic programming.

Sets and answers are masks of element numbers. A set that holds another is dropped, and so is an
element if a cheaper one is in all of its sets; that is repeated until nothing changes. What is left
falls into parts that share no element. In each part the elements are decided one after another. The
state is which of the sets begun so far are not met yet, and of the choices that lead to one state
only the cheapest is kept. Premises have a place on the board and a set is about some cells of it,
so few sets are begun and not ended at any time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.proofs.meter import StepMeter

__all__ = ["cheapest_hitting_set"]

_STATES_A_STEP = 16


def cheapest_hitting_set(
    sets: Sequence[int], costs: Sequence[int], meter: StepMeter, below: int | None = None
) -> int | None:
    """The cheapest mask that shares an element with every set; None where none costs `below`.

    Raises `Spent` where the meter runs out.
    """
    meter.spend(1)
    left = _reduced(sets, costs)
    if not all(left):
        return None
    parts = _parts(left)
    bounds = [_bound(part, costs) for part in parts]
    limit = sum(costs) + 1 if below is None else below
    least, spent, chosen = sum(bounds), 0, 0
    # Each part may cost what the others leave.
    for part, bound in zip(parts, bounds, strict=True):
        least -= bound
        found = _cheapest(part, costs, meter, limit - spent - least)
        if found is None:
            return None
        spent, chosen = spent + found[0], chosen | found[1]
    return chosen if spent < limit else None


def _reduced(sets: Iterable[int], costs: Sequence[int]) -> list[int]:
    """Sets with the same cheapest hitting set, as few and as small as dominance leaves them."""
    kept = _without_larger(sets)
    while dropped := _dominated(kept, costs):
        kept = _without_larger(one & ~dropped for one in kept)
    return kept


def _without_larger(sets: Iterable[int]) -> list[int]:
    """The sets that hold no other one, the smallest first: a larger one is met wherever it is."""
    kept: list[int] = []
    for candidate in sorted(set(sets), key=lambda one: (one.bit_count(), one)):
        if not any(smaller & candidate == smaller for smaller in kept):
            kept.append(candidate)
    return kept


def _dominated(sets: Sequence[int], costs: Sequence[int]) -> int:
    """The elements for which a cheaper one will do in every set."""
    within = _sets_of(sets)
    kept: list[int] = []
    dropped = 0
    for element in sorted(within, key=lambda element: (costs[element], element)):
        mine = within[element]
        if any(mine & ~other == 0 for other in kept):
            dropped |= 1 << element
        else:
            kept.append(mine)
    return dropped


def _sets_of(sets: Sequence[int]) -> dict[int, int]:
    """In which of the sets each element is, as a mask of their places."""
    within: dict[int, int] = {}
    for place, one in enumerate(sets):
        for element in _elements(one):
            within[element] = within.get(element, 0) | 1 << place
    return within


def _bound(sets: Iterable[int], costs: Sequence[int]) -> int:
    """What sets that share no element must cost at least."""
    bound, covered = 0, 0
    for one in sets:
        if not one & covered:
            covered |= one
            bound += min([costs[element] for element in _elements(one)])
    return bound


def _cheapest(
    sets: Sequence[int], costs: Sequence[int], meter: StepMeter, limit: int
) -> tuple[int, int] | None:
    """The cost and the mask of the cheapest choice that costs less than `limit`."""
    if len(sets) == 1:
        best = min(_elements(sets[0]), key=costs.__getitem__)
        return (costs[best], 1 << best) if costs[best] < limit else None
    within = _sets_of(sets)
    order = _order(sets, within)
    ending, later = _endings(sets, order), _later(sets, costs, order)
    limit = min(limit, _greedy(sets, costs) + 1)
    states = {0: (0, 0)}
    begun = 0
    for element, after in zip(order, later, strict=True):
        mine, cost, bit = within[element], costs[element], 1 << element
        new, ended = mine & ~begun, ending.get(element, 0)
        begun |= mine
        following: dict[int, tuple[int, int]] = {}
        meter.spend(1 + len(states) // _STATES_A_STEP)
        for unmet, (spent, chosen) in states.items():
            state, dearer = unmet & ~mine, spent + cost
            if dearer + after < limit:
                found = following.get(state)
                if found is None or dearer < found[0]:
                    following[state] = (dearer, chosen | bit)
            state = unmet | new
            if not state & ended:
                found = following.get(state)
                if found is None or spent < found[0]:
                    following[state] = (spent, chosen)
        states = following
    return states.get(0)


def _order(sets: Sequence[int], within: dict[int, int]) -> list[int]:
    """The elements, set by set; next is the set that leaves the fewest begun and not ended."""
    order: list[int] = []
    done = begun = 0
    left = list(range(len(sets)))
    while left:
        candidates = [place for place in left if begun >> place & 1] or left
        fewest = (len(sets), 0, 0)
        for place in candidates:
            more = _elements(sets[place] & ~done)
            after, touched = done | sets[place], begun
            for element in more:
                touched |= within[element]
            unended = sum([1 for other in left if touched >> other & 1 and sets[other] & ~after])
            fewest = min(fewest, (unended, len(more), place))
        following = sets[fewest[2]]
        begins = {
            element: (within[element] & ~begun).bit_count()
            for element in _elements(following & ~done)
        }
        for element in sorted(begins, key=begins.__getitem__):
            order.append(element)
            begun |= within[element]
        done |= following
        left = [place for place in left if sets[place] & ~done]
    return order


def _endings(sets: Sequence[int], order: Sequence[int]) -> dict[int, int]:
    """The sets of which an element is the last to be decided, by element."""
    rank = {element: place for place, element in enumerate(order)}
    ending: dict[int, int] = {}
    for place, one in enumerate(sets):
        last = max(_elements(one), key=rank.__getitem__)
        ending[last] = ending.get(last, 0) | 1 << place
    return ending


def _later(sets: Sequence[int], costs: Sequence[int], order: Sequence[int]) -> list[int]:
    """What the sets of which nothing is decided yet must cost at least, after every element."""
    found: list[int] = []
    covered = bound = 0
    by_first: dict[int, list[int]] = {}
    rank = {element: place for place, element in enumerate(order)}
    for one in sets:
        by_first.setdefault(min(_elements(one), key=rank.__getitem__), []).append(one)
    for element in reversed(order):
        found.append(bound)
        for one in sorted(by_first.get(element, ()), key=int.bit_count):
            if not one & covered:
                covered |= one
                bound += min([costs[member] for member in _elements(one)])
    return found[::-1]


def _greedy(sets: Sequence[int], costs: Sequence[int]) -> int:
    """The cost of a choice that is not bad: the element in most sets, and again."""
    left, cost = list(sets), 0
    while left:
        within = _sets_of(left)
        best = min(within, key=lambda one: (-within[one].bit_count(), costs[one]))
        cost += costs[best]
        left = [one for one in left if not one >> best & 1]
    return cost


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
