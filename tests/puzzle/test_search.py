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
from mineproof.puzzle import MOST_NODES, ORDERS, Method, Order, draw, solve_puzzle
from mineproof.puzzle.hint_clash import clash
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.search import PuzzleSearch
from mineproof.reports.puzzles import made_puzzle
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


# The nodes of every order to the first solution of two made puzzles, without and with checking.
COUNTED = {
    "none": (24, 17, 102, 43),
    "mrv": (24, 17, 22, 16),
    "degree": (90, 23, 36, 25),
    "lcv": (24, 17, 86, 41),
    "mrv,degree": (24, 17, 22, 16),
    "mrv,lcv": (25, 17, 21, 16),
    "degree,lcv": (90, 23, 33, 24),
    "mrv,degree,lcv": (24, 17, 22, 16),
}


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_the_counts_of_every_order_stay(order: Order) -> None:
    assert (
        tuple(
            solve_puzzle(made_puzzle(6, 3, index).view, Method(order, checking)).nodes
            for index in (0, 1)
            for checking in (False, True)
        )
        == COUNTED[order.text]
    )


def test_an_expanded_node_is_a_mine_that_was_not_rejected() -> None:
    # The first cell is a mine and accepted; then it is safe, and the second is a mine.
    solved = solve_puzzle(View.parse("square 1x3 mines=1\n.1."), every=True)
    assert (solved.nodes, solved.expanded) == (4, 2)


def test_the_default_budget_is_less_on_large_boards_if_a_node_looks_at_every_cell() -> None:
    assert Method().most_nodes(10_000) == MOST_NODES
    assert Method(Order.parse("mrv")).most_nodes(18) == MOST_NODES
    assert Method(Order.parse("mrv")).most_nodes(400) == 100_000


def test_a_clash_over_a_large_board_is_found_within_its_budget() -> None:
    # A board of hints in which only two clash, far from the others.
    rows = ["." * 24 for _ in range(12)]
    rows[5] = ".1" * 12
    rows[11] = "." * 22 + "02"
    view = View.parse("square 12x24 mines=30\n" + "\n".join(rows))
    error = clash(Hints.of(view))
    assert [view.topology.cell_name(cell) for cell in error.clues] == ["11,22", "11,23"]
    assert "perhaps" not in str(error)


def test_a_clash_of_many_hints_names_the_first() -> None:
    # Twenty hints with cells of their own need a mine each, and there is one too few.
    error = clash(Hints.of(View.parse("square 1x60 mines=19\n" + ".1." * 20)))
    assert len(error.clues) == 20
    assert "0,1 0,4 0,7" in str(error)
    assert "0,34 (and 8 more) and the number of mines (19 left to place)" in str(error)


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
