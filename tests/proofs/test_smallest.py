"""The proof of a cell is the same whatever was asked before it, and however small the budget."""

from __future__ import annotations

import random

import pytest

from mineproof.board.lattices import LATTICES
from mineproof.proofs.checker import check_proof
from mineproof.proofs.explainer import Explainer, explain, explain_all
from mineproof.proofs.proof import Proof
from mineproof.proofs.smallest import DEFAULT_STEPS
from mineproof.view import View
from tests.proofs.positions import BOARDS, CHANNELS, random_view

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
    monkeypatch.setattr("mineproof.proofs.explainer.HARD_CELLS", 0)
    short = [explain_all(view).proofs for view in views]
    changed = 0
    for view, whole, cut in zip(views, in_full, short, strict=True):
        assert [proof.cell for proof in whole] == [proof.cell for proof in cut]
        assert all(check_proof(proof, view) for proof in cut)
        changed += sum(not one.smallest for one in cut) > sum(not one.smallest for one in whole)
    assert changed
