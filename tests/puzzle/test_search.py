"""The puzzle search finds exactly the solutions there are, in every order and on every topology."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError, UnknownName
from mineproof.inference.enumerate import enumerate_layouts
from mineproof.puzzle import ORDERS, Method, Order, draw, solve_puzzle
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.search import PuzzleSearch
from mineproof.rules import Mines, Rules
from mineproof.view.view import View

TOPOLOGIES = ("square:3x4", "square:3x4#1,1", "torus:3x4", "hex:3x4", "triangle:2x6", "cube:2x2x3")
GRAPH = "graph:0-1,1-2,2-3,3-4,4-5,5-0,0-3,6-7"


@st.composite
def puzzles(draw: st.DrawFn) -> View:
    """A puzzle that some layout explains: any mines, any of the other cells as hints."""
    topology = Topology.parse(draw(st.sampled_from((*TOPOLOGIES, GRAPH))))
    mines = draw(st.sets(st.sampled_from(topology.cells), max_size=4))
    layout = Layout.of(topology, mines)
    hints = draw(st.sets(st.sampled_from(topology.cells), max_size=len(topology))) - mines
    view = View(topology, Rules(mines=Mines.number(len(mines))))
    return view.reveal({cell: int(layout.counts[cell]) for cell in hints})


def methods() -> Iterator[Method]:
    for order in ORDERS:
        for checking in (False, True):
            for memo in (False, True):
                yield Method(order, checking, None, memo)


def true_solutions(view: View) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(mines)) for mines, _ in enumerate_layouts(view))


@settings(max_examples=15)
@given(puzzles())
def test_every_method_finds_exactly_the_solutions_there_are(view: View) -> None:
    expected = true_solutions(view)
    for method in methods():
        solved = solve_puzzle(view, method, every=True)
        assert sorted(solved.kept) == expected, method.text
        assert solved.complete
        assert solved.solutions == len(expected)
        assert solved.unique is (len(expected) == 1)


@settings(max_examples=15)
@given(puzzles(), st.integers(1, 4), st.booleans())
def test_a_limit_on_children_finds_no_more_and_says_when_it_may_miss(
    view: View, children: int, memo: bool
) -> None:
    expected = true_solutions(view)
    solved = solve_puzzle(view, Method(children=children, memo=memo), every=True)
    assert set(solved.kept) <= set(expected)
    if solved.complete:
        assert len(solved.kept) == len(expected)


@settings(max_examples=15)
@given(puzzles())
def test_memory_never_costs_nodes_and_changes_no_solution(view: View) -> None:
    for order in ORDERS:
        plain = solve_puzzle(view, Method(order), every=True)
        memo = solve_puzzle(view, Method(order, memo=True), every=True)
        assert memo.nodes <= plain.nodes
        assert set(memo.kept) == set(plain.kept)


@settings(max_examples=40)
@given(st.data())
def test_an_unsolvable_puzzle_names_a_smallest_clash(data: st.DataObject) -> None:
    topology = Topology.parse(data.draw(st.sampled_from(("square:3x3", "hex:3x3", "torus:3x3"))))
    mines = data.draw(st.integers(0, 4))
    view = View(topology, Rules(mines=Mines.number(mines)))
    cells = data.draw(st.lists(st.sampled_from(topology.cells), unique=True, max_size=6))
    view = view.reveal(
        {cell: data.draw(st.integers(0, topology.degree(cell)), label="hint") for cell in cells}
    )
    if true_solutions(view):
        assert solve_puzzle(view).solutions == 1
        return
    with pytest.raises(InconsistentPosition, match="no solution") as caught:
        solve_puzzle(view)
    hints = Hints.of(view)
    clash = [hints.cells.index(cell) for cell in caught.value.clues]
    total = caught.value.uses_total

    def solvable(kept: list[int], total: bool) -> bool:
        return next(PuzzleSearch(hints.only(kept, total=total)).solutions(), None) is not None

    assert not solvable(clash, total)
    for hint in clash:
        assert solvable([other for other in clash if other != hint], total)
    if total:
        assert solvable(clash, False)


def test_nodes_are_counted_the_same_way_for_every_order() -> None:
    # One cell, one hint: the mine is tried and accepted; then no mine is tried and rejected.
    view = View.parse("square 1x2 mines=1\n1.")
    for order in ORDERS:
        assert solve_puzzle(view, Method(order), every=True).nodes == 2
        assert solve_puzzle(view, Method(order, forward_checking=True), every=True).nodes == 1


def test_the_nearest_cell_to_the_last_mine_comes_first() -> None:
    hints = Hints.of(View(Topology.parse("square:3x4"), Rules(mines=Mines.number(1))))
    assert hints.nearest(5)[:5] == (5, 1, 4, 6, 9)
    graph = Hints.of(View(Topology.parse(GRAPH), Rules(mines=Mines.number(1))))
    assert graph.nearest(2) == (2, 1, 3, 0, 4, 5, 6, 7)


def test_a_total_that_is_not_known_leaves_the_number_open() -> None:
    view = View.parse("square 1x3 mines=unknown density=0.2\n1..")
    solved = solve_puzzle(view, every=True)
    assert sorted(solved.kept) == [(1,), (1, 2)]


def test_the_budget_is_an_error() -> None:
    view = View(Topology.parse("square:6x6"), Rules(mines=Mines.number(18)))
    with pytest.raises(BudgetExceeded, match="more than 100 nodes"):
        solve_puzzle(view, every=True, budget=100)


def test_uncertain_clues_are_refused() -> None:
    view = View.parse("square 1x3 mines=1 clues=optimistic\n1..")
    with pytest.raises(InputError, match="exact clues"):
        solve_puzzle(view)


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_orders_read_back(order: Order) -> None:
    assert Order.parse(order.text) == order


def test_wrong_orders_are_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean mrv"):
        Order.parse("mrw")
    with pytest.raises(InputError, match="twice"):
        Order.parse("mrv,mrv")
    with pytest.raises(InputError, match="stands alone"):
        Order.parse("none,mrv")


def test_the_drawing_shows_mines_hints_and_holes() -> None:
    view = View.parse("square 2x3 mines=2\n1..\n.2#")
    solved = solve_puzzle(view, every=True)
    assert [draw(view, kept) for kept in solved.kept] == ["1**\n.2#", "1.*\n*2#"]
