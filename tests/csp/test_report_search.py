"""Report 3's own searches: the one its text describes, and the program as it is printed."""

from __future__ import annotations

from collections import deque
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board.topology import Topology
from mineproof.csp import SearchMethod, SearchOrder, solve_puzzle
from mineproof.csp.search import ListingSearch, PuzzleConstraints, ReportSearch
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.reports.report_3 import make_puzzle
from mineproof.rules import Mines, Rules
from mineproof.view.view import View
from tests.csp.test_search import puzzles, true_solutions

REPORT = SearchOrder.parse("report")
LISTING = SearchOrder.parse("listing")


class Program:
    """The printed C++, line by line, with its names; a null pointer ends the children."""

    def __init__(self, hints: PuzzleConstraints, children: int) -> None:
        self.rows, self.cols = hints.topology.lattice.dimensions
        self.remaining = {
            tuple(hints.topology.coordinates(cell)): missing
            for cell, missing in zip(hints.cells, hints.missing, strict=True)
        }
        self.mines = hints.mines or 0
        self.unassigned = deque(tuple(hints.topology.coordinates(c)) for c in hints.variables)
        self.children = children
        self.expanded = 0
        self.path: list[tuple[int, ...]] = []

    def reject(self, node: tuple[int, ...]) -> bool:
        for i in range(8):
            x, y = node
            if i == 0:
                y -= 1
            elif i == 1:
                x, y = x - 1, y - 1
            elif i == 2:
                y -= 1
            elif i == 3:
                x, y = x + 1, y - 1
            elif i == 4:
                y += 1
            elif i == 5:
                x, y = x - 1, y + 1
            elif i == 6:
                y += 1
            else:
                x, y = x - 1, y + 1
            if (x, y) in self.remaining and self.remaining[x, y] <= 0:
                return True
        return False

    def accept(self) -> bool:
        return self.mines <= 0 and not any(self.remaining.values())

    def adjust(self, node: tuple[int, ...], change: int) -> None:
        for x, y in self.remaining:
            if max(abs(x - node[0]), abs(y - node[1])) == 1:
                self.remaining[x, y] += change

    def closest(self) -> tuple[int, ...] | None:
        if not self.unassigned:
            return None
        best, least, remove = self.unassigned[0], self.rows * self.cols, 0
        for index, other in enumerate(self.unassigned):
            distance = abs(best[0] - other[0]) + abs(best[1] - other[1])
            if distance < least:
                least, best, remove = distance, other, index
        del self.unassigned[remove]
        return best

    def solve(self, node: tuple[int, ...]) -> bool:
        if self.reject(node):
            return False
        if self.accept():
            return True
        self.expanded += 1
        self.path.append(node)
        self.adjust(node, -1)
        self.mines -= 1
        for _ in range(self.children):
            child = self.closest()
            if child is None:
                break
            if self.solve(child):
                return True
            self.unassigned.append(child)
        self.path.pop()
        self.adjust(node, 1)
        self.mines += 1
        return False


@settings(max_examples=25)
@given(st.integers(3, 5), st.integers(0, 50), st.integers(1, 4))
def test_the_listing_searches_as_the_printed_program(side: int, index: int, children: int) -> None:
    view = make_puzzle(side, 5, index).view
    hints = PuzzleConstraints.of(view)
    program = Program(hints, children)
    accepted = program.solve(program.unassigned[0])
    search = ListingSearch(hints, children, budget=1_000_000)
    found = list(search.solutions())
    assert search.expanded == program.expanded
    assert search.cut
    if found:
        assert accepted
        path = [view.topology.cell(place) for place in program.path]
        assert found == [tuple(sorted(path))]
        assert found[0] in true_solutions(view)
    elif accepted:
        # The program is content with a cell made a mine twice, or with too many mines.
        assert len(set(program.path)) < len(program.path) or program.mines < 0


@settings(max_examples=15)
@given(puzzles())
def test_with_all_children_the_reports_search_finds_exactly_the_solutions(view: View) -> None:
    expected = true_solutions(view)
    for memo in (False, True):
        method = SearchMethod(REPORT, children=len(view.topology), memo=memo)
        solved = solve_puzzle(view, method, every=True)
        assert sorted(solved.kept) == expected
        assert solved.complete


def test_one_set_of_mines_is_met_in_every_order_and_the_memo_meets_it_less() -> None:
    view = View(Topology.parse("square:1x5"), Rules(mines=Mines.number(3)))
    plain = ReportSearch(PuzzleConstraints.of(view), 5)
    assert len(list(plain.solutions())) == 10
    # Without hints nothing is rejected: every order of 1, 2 and 3 of the 5 cells is expanded.
    assert plain.expanded == sum(len(list(permutations(range(5), k))) for k in (1, 2, 3))
    # Three cells for four mines: the memo knows a set of mines that ends in the same cell.
    three = PuzzleConstraints.of(View.parse("square 1x6 mines=4\n....0."))
    long, short = ReportSearch(three, 5), ReportSearch(three, 5, memo=True)
    assert not list(long.solutions())
    assert not list(short.solutions())
    assert short.expanded == long.expanded
    assert short.nodes < long.nodes


def test_few_children_miss_solutions_and_say_so() -> None:
    view = View.parse("square 1x5 mines=2\n.....")
    solved = solve_puzzle(view, SearchMethod(REPORT, children=1), every=True)
    assert 0 < solved.solutions < 10
    assert not solved.complete
    assert solved.method.text == "report children=1"
    assert SearchMethod(REPORT).text == "report children=4"
    assert SearchMethod(LISTING).text == "listing children=4"


def test_the_reports_search_proves_a_clash_only_with_all_children() -> None:
    view = View.parse("square 2x3 mines=2\n1.0\n...")
    assert solve_puzzle(view, SearchMethod(REPORT, children=1)).solutions == 0
    with pytest.raises(InconsistentPosition):
        solve_puzzle(view, SearchMethod(REPORT, children=9))


@pytest.mark.parametrize("order", [REPORT, LISTING], ids=str)
def test_the_reports_searches_keep_to_the_budget(order: SearchOrder) -> None:
    with pytest.raises(BudgetExceeded, match="more than 5 nodes"):
        solve_puzzle(make_puzzle(6, 1, 0).view, SearchMethod(order), budget=5)


def test_an_empty_deque_ends_the_children() -> None:
    # More children than there are cells: the program would read through a null pointer.
    view = View.parse("square 1x3 mines=3\n...")
    assert solve_puzzle(view, SearchMethod(LISTING, children=9), budget=1000).solutions == 0


@pytest.mark.parametrize(
    ("text", "method", "said"),
    [
        (
            "hex 2x2 mines=1\n1.\n..",
            SearchMethod(LISTING),
            "square boards, not hex; accepted: report",
        ),
        ("square 1x3 mines=unknown density=0.2\n1..", SearchMethod(REPORT), "number is unknown"),
        ("square 1x3 mines=unknown density=0.2\n1..", SearchMethod(LISTING), "number is unknown"),
    ],
)
def test_what_the_reports_searches_cannot_search_is_refused(
    text: str, method: SearchMethod, said: str
) -> None:
    with pytest.raises(InputError, match=said):
        solve_puzzle(View.parse(text), method)


def test_what_the_reports_searches_do_not_have_is_refused() -> None:
    with pytest.raises(InputError, match="no forward checking"):
        SearchMethod(REPORT, forward_checking=True)
    with pytest.raises(InputError, match="no memo"):
        SearchMethod(LISTING, memo=True)
    with pytest.raises(InputError, match="ends at its first solution"):
        solve_puzzle(View.parse("square 1x2 mines=1\n1."), SearchMethod(LISTING), every=True)
