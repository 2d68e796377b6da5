"""The parts of the search, against brute force."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.errors import BudgetExceeded
from mineproof.proofs.enumeration import possible_counts
from mineproof.proofs.hitting import cheapest_hitting_set
from mineproof.proofs.meter import Spent, StepMeter
from mineproof.proofs.premises import Premise
from mineproof.proofs.refuter import Refuter, encode

CELLS = 6


@st.composite
def sums(draw: st.DrawFn) -> list[tuple[list[int], int]]:
    found = []
    for _ in range(draw(st.integers(0, 4))):
        cells = sorted(draw(st.sets(st.integers(0, CELLS - 1))))
        found.append((cells, draw(st.integers(0, (2 << len(cells)) - 1))))
    return found


def met_by(found: list[tuple[list[int], int]], layout: tuple[int, ...]) -> list[bool]:
    return [bool(mask >> sum(layout[c] for c in cells) & 1) for cells, mask in found]


@settings(deadline=None)
@given(sums(), st.dictionaries(st.integers(0, CELLS - 1), st.booleans(), max_size=2), st.data())
def test_counting(
    found: list[tuple[list[int], int]], fixed: dict[int, bool], data: st.DataObject
) -> None:
    counted = data.draw(st.sets(st.integers(0, CELLS - 1)))
    expected = 0
    for layout in product((0, 1), repeat=CELLS):
        if all(layout[c] == v for c, v in fixed.items()) and all(met_by(found, layout)):
            expected |= 1 << sum(layout[c] for c in counted)
    assert possible_counts(found, fixed, counted) == expected


def test_counting_has_a_budget() -> None:
    hostile = [([c for c in range(60) if c * (n + 3) % 61 < 20], 0b11111000) for n in range(20)]
    with pytest.raises(BudgetExceeded, match="more than 1000 states"):
        possible_counts(hostile, most_states=1000)


@settings(deadline=None)
@given(
    st.lists(st.integers(1, 255), max_size=9),
    st.lists(st.integers(1, 20), min_size=8, max_size=8),
)
def test_hitting_sets(sets: list[int], costs: list[int]) -> None:
    def cost(mask: int) -> int:
        return sum(costs[n] for n in range(8) if mask >> n & 1)

    best = min(cost(mask) for mask in range(256) if all(mask & one for one in sets))
    found = cheapest_hitting_set(sets, costs, StepMeter(10**6))
    assert found is not None
    assert all(found & one for one in sets)
    assert cost(found) == best
    assert cheapest_hitting_set(sets, costs, StepMeter(10**6), below=best) is None


def test_a_meter_runs_out() -> None:
    with pytest.raises(Spent):
        cheapest_hitting_set([3, 5, 6], [1, 1, 1], StepMeter(1))


@settings(deadline=None, max_examples=60)
@given(sums(), st.integers(0, CELLS), st.booleans())
def test_refuting(found: list[tuple[list[int], int]], total: int, use_total: bool) -> None:
    premises = [Premise(n, tuple(cells), mask) for n, (cells, mask) in enumerate(found)]
    whole = Premise(None, tuple(range(CELLS)), 1 << total) if use_total else None
    refuter = Refuter(encode(premises, whole))
    layouts = [
        layout for layout in product((0, 1), repeat=CELLS) if not use_total or sum(layout) == total
    ]
    for size in range(len(found) + 1):
        for some in combinations(range(len(found)), size):
            chosen = sum(1 << n for n in some)
            possible = any(all(met_by([found[n] for n in some], x)) for x in layouts)
            met = refuter.met(chosen, (), StepMeter(10**6))
            assert (met is not None) == possible
            if met is not None:
                assert met & chosen == chosen
