"""The search for smallest premises: against brute force, and the same whatever was asked before."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board.lattices import LATTICES
from mineproof.errors import BudgetExceeded
from mineproof.proofs.checker import check_proof
from mineproof.proofs.enumeration import possible_counts
from mineproof.proofs.explanation import Explainer, explain, explain_all
from mineproof.proofs.premises import Premise
from mineproof.proofs.proof import Proof
from mineproof.proofs.smallest import (
    DEFAULT_STEPS,
    OutOfSteps,
    Refuter,
    StepMeter,
    cheapest_hitting_set,
    encode,
)
from mineproof.view import View
from tests.proofs.positions import BOARDS, CHANNELS, random_view

# ----------------------------------------------------------------------------
# The proof of a cell is the same whatever was asked before it, and however small the budget.

LARGER = {
    "square": "square:7x8",
    "square4": "square4:8x8",
    "torus": "torus:6x7",
    "hex": "hex:7x7",
    "hexagon": "hexagon:4",
    "triangle": "triangle:6x9",
    "cube": "cube:3x3x4",
    "graph": BOARDS["graph"],
}
BUDGETS = (0, 30, 150, 600, DEFAULT_STEPS)
"""Steps that run out at once, in the midst of a search, and never."""


def told_apart(view: View, steps: int) -> tuple[int, int]:
    """Explain a position as a whole and cell by cell; how many proofs, and how many not smallest.

    In another order, by an explainer that has explained others, they are the same once more.
    """
    found = explain_all(view, steps=steps).proofs
    used = Explainer(view, steps=steps)
    mixed = list(found)
    random.Random(steps).shuffle(mixed)
    for proof in mixed:
        assert proof.cell is not None
        assert explain(view, proof.cell, steps=steps) == proof, view.text
        assert used.explain(proof.cell) == proof, view.text
    return len(found), sum(not proof.smallest for proof in found)


@pytest.mark.parametrize("name", LATTICES)
def test_all_cells_at_once_or_one_by_one(name: str) -> None:
    views = [random_view(LARGER[name], "exact", seed) for seed in range(4)]
    counted = [told_apart(view, steps) for view in views for steps in BUDGETS]
    assert sum(proofs for proofs, _ in counted) > 50


@pytest.mark.parametrize("clues", CHANNELS)
def test_with_clues_of_every_channel(clues: str) -> None:
    for seed in range(4):
        for steps in BUDGETS:
            told_apart(random_view(LARGER["square"], clues, seed), steps)


def test_budgets_do_run_out() -> None:
    views = [random_view("square:9x9", "exact", seed) for seed in range(6)]
    for steps in BUDGETS[:3]:
        assert sum(told_apart(view, steps)[1] for view in views)


LATE = View.parse(
    """square 16x16 mines=40
1..11100000001.1
...1.10011100111
111332001.321111
.11..10013..11.1
2323221102.31222
.3.101.2232101.1
3.210112..100111
.221112332100000
122.23..11110000
01.4.5.312.21110
0113..2102.32.21
00012211134.312.
00000001.3..3132
0111000113.32.3.
01.10000011112..
01110000000001.."""
)


def test_a_count_that_is_too_much_leaves_the_others_their_budget() -> None:
    """Once it left a quarter to every cell that came after it."""
    for steps in (2_000, 8_000):
        told_apart(LATE, steps)


def test_a_total_that_is_not_needed_is_no_premise() -> None:
    """A search with the total that is cut short may find clues that do without it."""
    seen = 0
    for seed in range(15):
        view = random_view("torus:6x7", "exact", seed)
        for steps in BUDGETS[:3]:
            for proof in explain_all(view, steps=steps).proofs:
                seen += proof.uses_total and not proof.smallest
                assert check_proof(proof, view), (view.text, steps, str(proof))
    assert seen


def test_no_proof_is_the_same_too() -> None:
    view = random_view("square:6x6", "exact", 2)
    uncertain = explain_all(view).uncertain
    assert uncertain is not None
    for cell in uncertain.cells[:3]:
        found = explain(view, cell)
        assert not isinstance(found, Proof)
        assert found == Explainer(view).explain(cell)


def test_all_cells_together_have_a_budget_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past it the others are proved without a search; what was searched before is as it was."""
    views = [random_view("square:9x9", "exact", seed) for seed in range(6)]
    in_full = [explain_all(view).proofs for view in views]
    monkeypatch.setattr("mineproof.proofs.explanation.HARD_CELLS", 0)
    short = [explain_all(view).proofs for view in views]
    changed = 0
    for view, whole, cut in zip(views, in_full, short, strict=True):
        assert [proof.cell for proof in whole] == [proof.cell for proof in cut]
        assert all(check_proof(proof, view) for proof in cut)
        changed += sum(not one.smallest for one in cut) > sum(not one.smallest for one in whole)
    assert changed


# ----------------------------------------------------------------------------
# The parts of the search, against brute force.

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
    st.lists(st.integers(1, 255), max_size=9), st.lists(st.integers(1, 20), min_size=8, max_size=8)
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
    with pytest.raises(OutOfSteps):
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
            met = refuter.premises_met(chosen, (), StepMeter(10**6))
            assert (met is not None) == possible
            if met is not None:
                assert met & chosen == chosen
