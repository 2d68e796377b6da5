"""sat: entailment by refutation, cardinality clauses, and DIMACS for other solvers."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from mineproof.errors import InconsistentPosition
from mineproof.inference.enumerate import enumerate_layouts
from mineproof.inference.logics.clauses import sum_clauses, to_dimacs
from mineproof.inference.logics.sat import Sat
from mineproof.inference.verdict import infer
from mineproof.testing import strategies
from mineproof.view.view import View


@given(st.integers(1, 6), st.data())
@settings(max_examples=50)
def test_the_clauses_of_a_sum_mean_the_sum(size: int, data: st.DataObject) -> None:
    low = data.draw(st.integers(0, size))
    high = data.draw(st.integers(low, size))
    clauses, top = sum_clauses(range(1, size + 1), low, high, 10)
    assert all(0 < abs(lit) <= size or 10 < abs(lit) <= top for c in clauses for lit in c)
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        for values in product((False, True), repeat=size):
            assumptions = [n if value else -n for n, value in enumerate(values, 1)]
            assert solver.solve(assumptions=assumptions) == (low <= sum(values) <= high)


@given(strategies.views(clues=("exact", "optimistic", "cautious")), st.booleans())
@settings(max_examples=60)
def test_dimacs_has_the_models_that_are_layouts(view: View, use_total: bool) -> None:
    text = to_dimacs(view, use_total=use_total and view.total is not None)
    hidden = list(view.hidden)
    cnf = CNF(from_string=text)
    layouts = set()
    with Solver(name="minisat22", bootstrap_with=cnf.clauses) as solver:
        for values in product((False, True), repeat=min(len(hidden), 8)):
            chosen = [n if value else -n for n, value in enumerate(values, 1)]
            if solver.solve(assumptions=chosen):
                layouts.add(values)
    if use_total and view.total is not None and len(hidden) <= 8:
        expected = {tuple(cell in mines for cell in hidden) for mines, _ in enumerate_layouts(view)}
        assert layouts == expected


def test_dimacs_says_which_variable_is_which_cell() -> None:
    assert to_dimacs(View.parse("square 1x3 mines=1\n.1."), use_total=False).splitlines()[:3] == [
        "c square:1x3 mines=1 clues=exact",
        "c variable 1 cell 0,0",
        "c variable 2 cell 0,2",
    ]


def test_dimacs_of_a_clue_that_cannot_be_met_is_unsatisfiable() -> None:
    text = to_dimacs(View.parse("square 1x3 mines=1\n11."))
    assert "0" in text.splitlines()


def test_both_safe_cells_and_mines_are_proved() -> None:
    verdict = infer(Sat(), View.parse("square 2x3 mines=2\n121\n..."))
    assert sorted(verdict.mines) == [3, 5]
    assert sorted(verdict.safe) == [4]


def test_safe_only_says_nothing_of_mines() -> None:
    verdict = infer(Sat(safe_only=True), View.parse("square 2x3 mines=2\n121\n..."))
    assert not verdict.mines
    assert sorted(verdict.safe) == [4]


def test_the_total_settles_cells_that_no_clue_touches() -> None:
    view = View.parse("square 1x9 mines=2\n.1.....1.")
    assert not infer(Sat(), view)
    assert sorted(infer(Sat(use_total=True), view).safe) == [3, 4, 5]


def test_clues_that_clash_are_a_contradiction() -> None:
    view = View.parse("graph 0-3,1-3,1-4,2-4,0-5,2-5 mines=unknown density=0.5\n...111")
    with pytest.raises(InconsistentPosition, match="cannot all be met"):
        infer(Sat(), view)


def test_a_model_answers_many_queries() -> None:
    """Ten cells that may be either way take far fewer than twenty queries."""
    view = View.parse("graph " + ",".join(f"{c}-10" for c in range(10)) + " mines=5\n..........5")
    logic = Sat()
    logic.begin(view)
    verdict = logic.learn(view)
    assert not verdict
    assert verdict.effort["queries"] <= 5
