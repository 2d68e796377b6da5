"""Logics that combine sets and equations: gauss, partition and resolution."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.engine.analysis import Premises, infer
from mineproof.errors import InconsistentPosition
from mineproof.game import play
from mineproof.logics.gauss import Gauss, LinearRow, eliminate
from mineproof.logics.partition import Partition
from mineproof.logics.resolution import Resolution, hint_clauses
from mineproof.view import View

# ------------------------------ gauss: elimination in integers, and what the bounds of a row prove

matrices = st.lists(
    st.tuples(st.lists(st.integers(-1, 2), min_size=4, max_size=4), st.integers(-2, 4)), max_size=5
)


def rows_of(matrix: list[tuple[list[int], int]]) -> list[LinearRow]:
    return [
        LinearRow({box: w for box, w in enumerate(weights) if w}, value, {number})
        for number, (weights, value) in enumerate(matrix)
    ]


@given(matrices)
def test_the_form_is_reduced(matrix: list[tuple[list[int], int]]) -> None:
    rows = [row for row in eliminate(rows_of(matrix)) if row.weights]
    for row in rows:
        pivot = min(row.weights)
        assert sum(pivot in other.weights for other in rows) == 1


@given(matrices, st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_a_solution_stays_a_solution(matrix: list[tuple[list[int], int]], x: list[int]) -> None:
    solved = [
        (weights, sum(w * v for w, v in zip(weights, x, strict=True))) for weights, _ in matrix
    ]
    for row in eliminate(rows_of(solved)):
        assert row.weights
        assert sum(w * x[box] for box, w in row.weights.items()) == row.value


@given(matrices)
def test_no_row_is_lost(matrix: list[tuple[list[int], int]]) -> None:
    """The rank, worked out in fractions, is the number of rows with weights."""
    left = [[Fraction(w) for w in weights] for weights, _ in matrix]
    rank = 0
    for column in range(4):
        pivot = next((row for row in left[rank:] if row[column]), None)
        if pivot is None:
            continue
        left.remove(pivot)
        left.insert(rank, pivot)
        for row in left[rank + 1 :]:
            times = row[column] / pivot[column]
            row[:] = [a - times * b for a, b in zip(row, pivot, strict=True)]
        rank += 1
    assert sum(bool(row.weights) for row in eliminate(rows_of(matrix))) == rank


def test_a_difference_of_two_clues_proves() -> None:
    """The report's example: A+B+C = 1 and A+C+D = 2 give D-B = 1, so D is a mine and B safe."""
    view = View.parse("graph 4-0,4-1,4-2,5-0,5-2,5-3 mines=2\n....12")
    verdict = infer(Gauss(), view)
    assert sorted(verdict.mines) == [3]
    assert sorted(verdict.safe) == [1]
    assert verdict.mines[3].clues == (4, 5)


def test_a_row_out_of_bounds_is_a_contradiction() -> None:
    view = View.parse("graph 4-0,4-1,4-2,5-0,5-2,5-3 mines=unknown density=0.5\n....03")
    with pytest.raises(InconsistentPosition):
        infer(Gauss(), view)


# ----------------------------------------------------- partition: overlapping sets fall into parts

ONE_ONE_ONE = "square 2x3 mines=1\n111\n..."


def test_a_set_inside_another_frees_the_rest() -> None:
    # {1,0 1,1} holds 1 and lies in {1,0 1,1 1,2}, which holds 1 too.
    verdict = infer(Partition(), View.parse(ONE_ONE_ONE))
    assert sorted(verdict.safe) == [3, 5]
    assert sorted(verdict.mines) == [4]
    assert verdict.safe[5] == Premises((0, 1))


def test_the_example_of_the_report() -> None:
    """2 in {a b c} and 1 in {b c d}: the parts hold 1, 1 and 0."""
    # Row 1 is hidden; 0,2 sees 1,1 1,2 1,3 and 0,3 sees 1,2 1,3 1,4.
    view = View.parse("square 2x6 mines=unknown density=0.5\n??21??\n......")
    verdict = infer(Partition(), view)
    assert sorted(verdict.safe) == [10]
    assert sorted(verdict.mines) == [7]


def test_a_determined_part_is_kept_as_a_set() -> None:
    view = View.parse("square 2x6 mines=unknown density=0.5\n??21??\n......")
    logic = Partition()
    infer(logic, view)
    assert logic.knowledge(view) == "1 in {1,2 1,3} from 0,2 0,3"


def test_the_total_is_one_more_set() -> None:
    view = View.parse("square 1x5 mines=1\n.1...")
    assert not infer(Partition(), view)
    verdict = infer(Partition(use_total=True), view)
    assert sorted(verdict.safe) == [3, 4]
    assert all(why.total for why in verdict.safe.values())


def test_when_no_mine_is_left_the_rest_is_safe() -> None:
    view = View.parse("square 1x5 mines=1\n1....")
    verdict = infer(Partition(use_total=True), view)
    assert sorted(verdict.mines) == [1]
    assert sorted(verdict.safe) == [2, 3, 4]


def test_when_only_mines_are_left_all_are_mines() -> None:
    verdict = infer(Partition(use_total=True), View.parse("square 1x3 mines=3\n..."))
    assert sorted(verdict.mines) == [0, 1, 2]


def test_two_clues_that_clash_are_named() -> None:
    view = View.parse("square 2x4 mines=unknown density=0.5\n?30?\n....")
    with pytest.raises(InconsistentPosition):
        infer(Partition(), view)


def test_a_total_the_clues_cannot_have_is_a_contradiction() -> None:
    view = View.parse("square 1x4 mines=0\n.1..")
    with pytest.raises(InconsistentPosition):
        infer(Partition(use_total=True), view)


def test_ranges_are_split_too() -> None:
    # Optimistic clues are lower ends: at least 2 of two cells on the left, and on the right.
    view = View.parse("square 2x3 mines=3 clues=optimistic\n222\n...")
    assert sorted(infer(Partition(), view).mines) == [3, 4, 5]


# -------------------------------------- resolution: insertion, matching, and the total by counting


@pytest.mark.parametrize(("m", "n"), [(5, 2), (8, 3), (8, 1), (4, 4), (4, 0)])
def test_a_hint_has_the_clauses_of_the_report(m: int, n: int) -> None:
    clauses = list(hint_clauses(tuple(range(m)), n, n))
    positive = [clause for clause in clauses if min(clause) > 0]
    negative = [clause for clause in clauses if max(clause) < 0]
    assert len(positive) == (comb(m, m - n + 1) if n else 0)
    assert len(negative) == (comb(m, n + 1) if n < m else 0)
    assert {len(clause) for clause in positive} <= {m - n + 1}
    assert {len(clause) for clause in negative} <= {n + 1}


def test_two_literal_clauses_are_resolved() -> None:
    verdict = infer(Resolution(), View.parse("square 2x3 mines=unknown density=0.5\n121\n..."))
    assert sorted(verdict.mines) == [3, 5]
    assert sorted(verdict.safe) == [4]


def test_the_knowledge_base_is_clauses_and_marks() -> None:
    view = View.parse("square 1x4 mines=1\n.1.0")
    logic = Resolution()
    infer(logic, view)
    assert logic.knowledge(view).splitlines() == ["safe: 0,2", "mines: 0,0"]
    view = View.parse("square 1x3 mines=unknown density=0.5\n.1.")
    infer(logic, view)
    assert logic.knowledge(view).splitlines() == [
        "-0,0 or -0,2",
        "+0,0 or +0,2",
        "safe: none",
        "mines: none",
    ]


def test_a_weaker_clause_gives_way() -> None:
    """1 in {a b} subsumes the positive clause of 1 in {a b c}."""
    logic = Resolution()
    view = View.parse("graph 3-0,3-1,4-0,4-1,4-2 mines=unknown density=0.5\n...??")
    logic.begin(view)
    assert not logic.learn(view)
    view = View.parse("graph 3-0,3-1,4-0,4-1,4-2 mines=unknown density=0.5\n...11")
    verdict = infer(logic, view)
    assert sorted(verdict.safe) == [2]
    assert "or +0 or" not in logic.knowledge(view)


def test_the_empty_clause_is_a_contradiction() -> None:
    view = View.parse("graph 0-3,1-3,1-4,2-4,0-5,2-5 mines=unknown density=0.5\n...111")
    with pytest.raises(InconsistentPosition, match="empty clause") as raised:
        infer(Resolution(), view)
    assert raised.value.clues == (3, 4, 5)


def test_the_total_comes_in_when_few_cells_are_unmarked() -> None:
    view = View.parse("square 1x9 mines=2\n.1.....1.")
    assert not infer(Resolution(total_cells=0), view)
    assert not infer(Resolution(total_cells=6), view)
    verdict = infer(Resolution(total_cells=7), view)
    assert sorted(verdict.safe) == [3, 4, 5]
    assert all(why.total for why in verdict.safe.values())


def test_unmarked_cells_are_those_neither_safe_nor_mines() -> None:
    """The report added the mines instead of taking them away."""
    view = View.parse("square 1x12 mines=5\n**.1.....1.*")
    assert sorted(infer(Resolution(total_cells=7), view).safe) == [5, 6, 7]


@pytest.fixture
def inserted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of all clauses that are inserted: the work, whatever the machine."""
    lengths: list[int] = []
    insert = Resolution._insert

    def counting(self: Resolution, clause: Iterable[int], clues: frozenset[int]) -> None:
        literals = tuple(clause)
        lengths.append(len(literals))
        insert(self, literals, clues)

    monkeypatch.setattr(Resolution, "_insert", counting)
    return lengths


def test_many_unmarked_cells_are_counted_not_spelt_out(inserted: list[int]) -> None:
    """C(25, 10) is over three million clauses; the counting argument needs none."""
    view = View.parse("square 2x15 mines=2\n.1...........1.\n.1...........1.")
    verdict = infer(Resolution(total_cells=26), view)
    assert 0 < len(inserted) < 100, len(inserted)
    assert sorted(verdict.safe) == [c for row in (0, 15) for c in range(row + 3, row + 12)]


@pytest.mark.parametrize(("board", "most"), [("16x16/25", 0), ("12x12/28", 20_000)])
def test_games_with_the_total_at_25_cells_take_no_minutes(
    inserted: list[int], board: str, most: int
) -> None:
    for index in range(10):
        game = play(
            board, "resolution[global=25]", 4, index=index, given="random:8", goal="mark-all"
        )
        assert game.outcome.termination.value in ("marked", "stuck")
    assert most / 10 <= len(inserted) <= most
