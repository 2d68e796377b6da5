"""gauss: elimination in integers, and what the bounds of a row prove."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.errors import InconsistentPosition
from mineproof.inference.logics.gauss import Gauss, LinearRow, eliminate
from mineproof.inference.verdict import infer
from mineproof.view.view import View

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
