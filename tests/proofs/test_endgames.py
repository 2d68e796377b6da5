"""Proofs by the total, when few cells are left: dozens of premises, and still the smallest."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from mineproof.proofs.checker import check_proof
from mineproof.proofs.explainer import Explainer
from mineproof.proofs.hitting import cheapest_hitting_set
from mineproof.proofs.meter import StepMeter
from mineproof.proofs.premises import Premise
from mineproof.proofs.proof import Claim, Proof
from mineproof.view import View
from tests.proofs.positions import endgame, needing_the_total, walled

SMALL = {"square:5x5": (4, 5), "hex:5x5": (4, 4), "torus:4x6": (4, 8), "triangle:4x7": (5, 6)}
"""Boards whose premise sets can all be tried: mines, and safe cells that are left."""


def by_total(view: View, most: int | None = None) -> list[Proof]:
    """The proofs of the cells that need the total, at most so many, each accepted."""
    explainer = Explainer(view)
    found = []
    for cell in needing_the_total(view)[:most]:
        proof = explainer.explain(cell)
        assert isinstance(proof, Proof)
        assert proof.uses_total, view.text
        checked = check_proof(proof, view)
        assert checked, (view.text, str(proof), checked.reason)
        found.append(proof)
    return found


def fewest(premises: list[Premise], hidden: tuple[int, ...], cell: int, mine: bool) -> int:
    """The size of the smallest set of premises that forces a cell, by trying all sets."""
    counterexamples = set()
    for bits in product((0, 1), repeat=len(hidden)):
        layout = dict(zip(hidden, bits, strict=True))
        if layout[cell] != mine:
            counterexamples.add(
                frozenset(
                    number
                    for number, premise in enumerate(premises)
                    if not premise.allowed >> sum(layout[one] for one in premise.cells) & 1
                )
            )
    least = [one for one in counterexamples if not any(other < one for other in counterexamples)]
    masks = [sum(1 << number for number in one) for one in least]
    for size in range(len(premises) + 1):
        for some in combinations(range(len(premises)), size):
            chosen = sum(1 << number for number in some)
            if all(chosen & mask for mask in masks):
                return size
    raise AssertionError("nothing forces the cell")


@pytest.mark.parametrize("board", SMALL)
def test_no_set_of_premises_is_smaller(board: str) -> None:
    mines, left = SMALL[board]
    seen = 0
    for seed in range(60):
        view = endgame(board, mines, left, seed)
        premises = Explainer(view).evidence.premises
        for proof in by_total(view, 2):
            assert proof.cell is not None
            assert proof.smallest
            least = fewest(premises, tuple(view.hidden), proof.cell, proof.claim is Claim.MINE)
            assert proof.size == least, (view.text, str(proof))
            seen += least > 2
    assert seen > 8


@pytest.mark.parametrize("board", ["16x30/99", "16x16/40", "hex:16x16/50", "torus:12x12/25"])
def test_dozens_of_premises(board: str) -> None:
    """Few of them used to be shown smallest: the search for a hitting set ran out of steps."""
    name, _, mines = board.partition("/")
    sizes = []
    for seed in range(8):
        for proof in by_total(walled(name, int(mines), seed), 1):
            assert proof.smallest, (board, seed)
            sizes.append(proof.size)
    assert len([size for size in sizes if size > 10]) > 3


def test_hitting_sets_that_hang_together() -> None:
    """Sets along a strip, as counterexamples are, beside all choices of elements."""
    for seed in range(40):
        sets = [0b1011 << place if (place * 7 + seed) % 3 else 0b101 << place for place in range(9)]
        costs = [100 + (element * (seed + 3)) % 11 for element in range(12)]
        costs = [(cost << 12) + (1 << element) for element, cost in enumerate(costs)]

        def cost(mask: int, costs: list[int] = costs) -> int:
            return sum(costs[element] for element in range(12) if mask >> element & 1)

        best = min((mask for mask in range(1 << 12) if all(mask & one for one in sets)), key=cost)
        assert cheapest_hitting_set(sets, costs, StepMeter(10**6)) == best
        assert cheapest_hitting_set(sets, costs, StepMeter(10**6), cost(best)) is None
        assert cheapest_hitting_set(sets, costs, StepMeter(10**6), cost(best) + 1) == best
