"""reductio: depth-first search refutes assumptions; backtrack and box counts by brute force."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.inference.logics.backtrack import BoxSums, Search, Sum, boxes_of, combine
from mineproof.inference.logics.partition import Partition
from mineproof.inference.logics.reductio import Reductio
from mineproof.inference.verdict import infer
from mineproof.view.view import View

CELLS = 7


@st.composite
def systems(draw: st.DrawFn) -> list[Sum]:
    """A few ranges over the cells 0..6."""
    sums: list[Sum] = []
    for _ in range(draw(st.integers(1, 5))):
        cells = tuple(sorted(draw(st.sets(st.integers(0, CELLS - 1), min_size=1, max_size=5))))
        low = draw(st.integers(0, len(cells)))
        sums.append((cells, low, draw(st.integers(low, len(cells)))))
    return sums


def solutions(sums: list[Sum]) -> list[dict[int, bool]]:
    cells = sorted({cell for group, _, _ in sums for cell in group})
    found = []
    for values in product((False, True), repeat=len(cells)):
        layout = dict(zip(cells, values, strict=True))
        if all(low <= sum(layout[c] for c in group) <= high for group, low, high in sums):
            found.append(layout)
    return found


@given(systems())
def test_search_finds_a_solution_exactly_where_there_is_one(sums: list[Sum]) -> None:
    every = solutions(sums)
    found = Search(sums).solve()
    assert (found in every) if every else (found is None)


@given(systems(), st.data())
def test_search_under_an_assumption(sums: list[Sum], data: st.DataObject) -> None:
    search = Search(sums)
    cell, mine = data.draw(st.sampled_from(search.cells)), data.draw(st.booleans())
    hint = data.draw(st.dictionaries(st.integers(0, CELLS - 1), st.booleans()))
    found = search.solve((cell, mine), hint)
    every = [layout for layout in solutions(sums) if layout[cell] == mine]
    assert (found in every) if every else (found is None)


@given(systems())
def test_box_sums_are_the_possible_numbers_of_mines(sums: list[Sum]) -> None:
    every = solutions(sums)
    counted = BoxSums(sums)
    for number, box in enumerate(counted.boxes):
        for mines in range(len(box) + 1):
            fitting = [layout for layout in every if sum(layout[c] for c in box) == mines]
            expected = {sum(layout.values()) for layout in fitting}
            mask = counted.given(number, mines)
            assert {n for n in range(CELLS + 1) if mask >> n & 1} == expected


def test_box_sums_keep_their_budget() -> None:
    chain: list[Sum] = [((cell, cell + 1, cell + 2), 1, 2) for cell in range(12)]
    with pytest.raises(BudgetExceeded, match="3 branches"):
        BoxSums(chain, most_nodes=3).given(0, 0)


def test_sets_of_numbers_are_added() -> None:
    assert combine(0b101, 0b10) == 0b1010
    assert combine(0b11, 0b101) == 0b1111


def test_cells_of_a_box_are_in_the_same_sums() -> None:
    assert boxes_of([((0, 1, 2), 1, 1), ((2, 3), 1, 1)]) == [(0, 1), (2,), (3,)]


def test_it_proves_by_contradiction_what_no_pair_of_sets_tells() -> None:
    view = View.parse("square 4x4 mines=unknown density=0.25\n.1..\n.122\n221.\n..1.")
    assert not infer(Partition(), view)
    verdict = infer(Reductio(), view)
    assert sorted(verdict.safe) == [0, 15]
    assert sorted(verdict.mines) == [3, 12]


def test_components_meet_in_the_total() -> None:
    # Each end needs one mine and only two are left: the cells between are safe.
    view = View.parse("square 1x9 mines=2\n.1.....1.")
    assert not infer(Reductio(), view)
    verdict = infer(Reductio(use_total=True), view)
    assert sorted(verdict.safe) == [3, 4, 5]
    assert all(why.total for why in verdict.safe.values())


def test_an_impossible_total_is_a_contradiction() -> None:
    view = View.parse("square 1x9 mines=1\n.1.....1.")
    with pytest.raises(InconsistentPosition) as raised:
        infer(Reductio(use_total=True), view)
    assert raised.value.uses_total


def test_clues_that_clash_are_a_contradiction() -> None:
    view = View.parse("graph 0-3,1-3,1-4,2-4,0-5,2-5 mines=unknown density=0.5\n...111")
    with pytest.raises(InconsistentPosition, match="cannot all be met"):
        infer(Reductio(), view)


def test_effort_counts_the_knowledge_base_and_the_tree() -> None:
    view = View.parse("square 1x9 mines=2\n.1.....1.")
    logic = Reductio()
    logic.begin(view)
    effort = logic.learn(view).effort
    assert effort["equations"] == 2
    assert effort["nodes"] > 0
