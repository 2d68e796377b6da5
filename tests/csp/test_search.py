"""The puzzle search finds exactly the solutions there are, in every order and on every topology."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.csp import (
    MOST_NODES,
    ORDERS,
    SearchMethod,
    SearchOrder,
    SearchWatcher,
    Trial,
    TrialFate,
    draw_solution,
    solve_puzzle,
)
from mineproof.csp.search import PuzzleConstraints, PuzzleSearch
from mineproof.csp.solve import clash_error
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError, UnknownName
from mineproof.reports.report_3 import make_puzzle
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


def methods() -> Iterator[SearchMethod]:
    for order in ORDERS:
        for checking in (False, True):
            for memo in (False, True):
                yield SearchMethod(order, checking, None, memo)


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
    solved = solve_puzzle(view, SearchMethod(children=children, memo=memo), every=True)
    assert set(solved.kept) <= set(expected)
    if solved.complete:
        assert len(solved.kept) == len(expected)


@settings(max_examples=15)
@given(puzzles())
def test_memory_never_costs_nodes_and_changes_no_solution(view: View) -> None:
    for order in ORDERS:
        plain = solve_puzzle(view, SearchMethod(order), every=True)
        memo = solve_puzzle(view, SearchMethod(order, memo=True), every=True)
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
    hints = PuzzleConstraints.of(view)
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
        assert solve_puzzle(view, SearchMethod(order), every=True).nodes == 2
        assert solve_puzzle(view, SearchMethod(order, forward_checking=True), every=True).nodes == 1


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
def test_the_counts_of_every_order_stay(order: SearchOrder) -> None:
    assert (
        tuple(
            solve_puzzle(make_puzzle(6, 3, index).view, SearchMethod(order, checking)).nodes
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
    assert SearchMethod().most_nodes(10_000) == MOST_NODES
    assert SearchMethod(SearchOrder.parse("mrv")).most_nodes(18) == MOST_NODES
    assert SearchMethod(SearchOrder.parse("mrv")).most_nodes(400) == 100_000


def test_a_clash_over_a_large_board_is_found_within_its_budget() -> None:
    # A board of hints in which only two clash, far from the others.
    rows = ["." * 24 for _ in range(12)]
    rows[5] = ".1" * 12
    rows[11] = "." * 22 + "02"
    view = View.parse("square 12x24 mines=30\n" + "\n".join(rows))
    error = clash_error(PuzzleConstraints.of(view))
    assert [view.topology.cell_name(cell) for cell in error.clues] == ["11,22", "11,23"]
    assert "perhaps" not in str(error)


def test_a_clash_of_many_hints_names_the_first() -> None:
    # Twenty hints with cells of their own need a mine each, and there is one too few.
    error = clash_error(PuzzleConstraints.of(View.parse("square 1x60 mines=19\n" + ".1." * 20)))
    assert len(error.clues) == 20
    assert "0,1 0,4 0,7" in str(error)
    assert "0,34 (and 8 more) and the number of mines (19 left to place)" in str(error)


def test_the_nearest_cell_to_the_last_mine_comes_first() -> None:
    hints = PuzzleConstraints.of(View(Topology.parse("square:3x4"), Rules(mines=Mines.number(1))))
    assert hints.nearest(5)[:5] == (5, 1, 4, 6, 9)
    graph = PuzzleConstraints.of(View(Topology.parse(GRAPH), Rules(mines=Mines.number(1))))
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
def test_orders_read_back(order: SearchOrder) -> None:
    assert SearchOrder.parse(order.text) == order


def test_wrong_orders_are_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean mrv"):
        SearchOrder.parse("mrw")
    with pytest.raises(InputError, match="twice"):
        SearchOrder.parse("mrv,mrv")
    with pytest.raises(InputError, match="stands alone"):
        SearchOrder.parse("none,mrv")


def test_the_drawing_shows_mines_hints_and_holes() -> None:
    view = View.parse("square 2x3 mines=2\n1..\n.2#")
    solved = solve_puzzle(view, every=True)
    assert [draw_solution(view, kept) for kept in solved.kept] == ["1**\n.2#", "1.*\n*2#"]


# ----------------------------------------------------------------------------
# The trace of a search tells every value tried, and what became of it.


REPORT = SearchMethod(SearchOrder.parse("report"), children=9)
OWN = (
    SearchMethod(SearchOrder.parse("report")),
    SearchMethod(SearchOrder.parse("report"), memo=True),
)


def traced(view: View, method: SearchMethod, *, every: bool = True) -> tuple[list[Trial], int, int]:
    trace: list[Trial] = []
    solved = solve_puzzle(view, method, every=every, watcher=SearchWatcher(trace.append))
    return trace, solved.nodes, solved.expanded


@settings(max_examples=10)
@given(puzzles())
def test_a_trace_can_be_replayed(view: View) -> None:
    for method in (*methods(), *OWN):
        trace, nodes, expanded = traced(view, method)
        standing: list[tuple[int, bool]] = []
        for trial in trace:
            if trial.fate is TrialFate.UNDONE:
                assert trial.depth == len(standing)
                assert standing.pop() == (trial.cell, trial.mine)
                continue
            assert trial.depth == len(standing) + 1
            if trial.fate is not TrialFate.REJECTED:
                standing.append((trial.cell, trial.mine))
        assert not standing
        tried = [trial for trial in trace if trial.fate is not TrialFate.UNDONE]
        assert [trial.node for trial in tried] == list(range(1, nodes + 1))
        placed = [trial for trial in tried if trial.mine and trial.fate is not TrialFate.REJECTED]
        assert len(placed) == expanded
        assert all(trial.why for trial in trace if trial.fate is TrialFate.REJECTED)


def test_the_trace_of_a_small_search_in_full() -> None:
    view = View.parse("square 2x3 mines=1\n1..\n1..")
    trace, _, _ = traced(view, SearchMethod(), every=False)
    said = [(t.node, t.depth, t.cell, t.value, t.fate.value, t.why) for t in trace]
    assert said == [(1, 1, 1, "mine", "accepted", "")]
    trace, _, _ = traced(view, SearchMethod())
    said = [(t.node, t.depth, t.cell, t.value, t.fate.value, t.why) for t in trace]
    assert said == [
        (1, 1, 1, "mine", "accepted", ""),
        (1, 1, 1, "mine", "undone", ""),
        (2, 1, 1, "safe", "kept", ""),
        (3, 2, 2, "mine", "rejected", "no mine left for other hints"),
        (4, 2, 2, "safe", "kept", ""),
        (5, 3, 4, "mine", "accepted", ""),
        (5, 3, 4, "mine", "undone", ""),
        (6, 3, 4, "safe", "rejected", "too few cells at 0,0"),
        (6, 2, 2, "safe", "undone", ""),
        (6, 1, 1, "safe", "undone", ""),
    ]


@pytest.mark.parametrize(
    ("text", "method", "reason"),
    [
        ("square 1x2 mines=0\n1.", SearchMethod(), "no mine left"),
        ("square 1x5 mines=1\n.1..1", REPORT, "no mine left"),
        ("square 1x5 mines=1\n.1..1", SearchMethod(), "no mine left for other hints"),
        ("square 1x4 mines=2\n..1.", SearchMethod(), "too many mines at 0,2"),
        ("square 1x4 mines=2\n..1.", REPORT, "too many mines at 0,2"),
        ("square 1x3 mines=1\n1..", SearchMethod(), "too few cells at 0,0"),
        ("square 2x3 mines=2\n1..\n1..", SearchMethod(), "too few cells left"),
        ("square 1x5 mines=1\n.1.0.", SearchMethod(forward_checking=True), "no value for 0,2"),
    ],
)
def test_every_rejection_has_its_reason(text: str, method: SearchMethod, reason: str) -> None:
    trace: list[Trial] = []
    with suppress(InconsistentPosition):
        solve_puzzle(View.parse(text), method, every=True, watcher=SearchWatcher(trace.append))
    assert reason in [trial.why for trial in trace if trial.fate is TrialFate.REJECTED]


def test_a_limit_and_a_memo_say_why_the_search_turned_back() -> None:
    open_board = View(Topology.parse("square:2x3"), Rules(mines=Mines.number(2)))
    trace, _, _ = traced(open_board, SearchMethod(children=1))
    assert "enough children tried" in {trial.why for trial in trace}
    trace, _, _ = traced(make_puzzle(6, 1, 0).view, SearchMethod(memo=True))
    assert "refuted before" in {trial.why for trial in trace}
    # Three cells for four mines: every pair of them is met in two orders.
    three = View.parse("square 1x6 mines=4\n....0.")
    memo: list[Trial] = []
    with pytest.raises(InconsistentPosition):
        solve_puzzle(three, replace(REPORT, memo=True), watcher=SearchWatcher(memo.append))
    assert "refuted before" in {trial.why for trial in memo}


def test_a_long_search_tells_its_nodes() -> None:
    told: list[int] = []
    view = View(Topology.parse("square:5x5"), Rules(mines=Mines.number(4)))
    solved = solve_puzzle(view, every=True, watcher=SearchWatcher(nodes=told.append))
    assert told == sorted(told)
    assert told
    assert told[-1] <= solved.nodes


def test_seconds_are_those_of_the_clock() -> None:
    ticks = iter((10.0, 12.5))
    view = View.parse("square 1x2 mines=1\n1.")
    assert solve_puzzle(view, clock=lambda: next(ticks)).seconds == 2.5
