"""How far a clue is believed: the true count behind it, against every layout tried one by one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings

from mineproof.errors import InputError
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.exact import analyze
from mineproof.inference.engine.twin_analysis import TwinAnalysis
from mineproof.inference.enumerate import enumerate_layouts
from mineproof.testing.strategies import topologies, views
from mineproof.view import View

BOTH = pytest.mark.parametrize("solve", [analyze, TwinAnalysis], ids=["core", "twin"])
Solve = Callable[..., Analysis]


def behind(view: View, cell: int) -> dict[int, Fraction]:
    """The distribution of the mines around a cell, by brute force."""
    near = view.topology.neighbours(cell)
    opened = frozenset(view.opened_mines)
    found: dict[int, Fraction] = {}
    for mines, weight in enumerate_layouts(view):
        true = len((mines | opened).intersection(near))
        found[true] = found.get(true, Fraction(0)) + weight
    total = sum(found.values())
    return {true: weight / total for true, weight in found.items()}


@given(views(topologies(9)))
@settings(max_examples=250)
def test_beliefs_equal_brute_force(view: View) -> None:
    core, twin = analyze(view), TwinAnalysis(view)
    opened_mines = set(view.opened_mines)
    for cell in list(view.opened)[:3]:
        if cell in opened_mines:
            continue
        expected = behind(view, cell)
        for analysis in (core, twin):
            belief = analysis.belief(cell)
            assert set(belief) == set(expected)
            assert all(abs(belief[true] - chance) < 1e-12 for true, chance in expected.items())


@BOTH
def test_by_hand(solve: Solve) -> None:
    view = View.parse("square 1x3 mines=unknown density=0.5 clues=optimistic\n.1.")
    # One mine (two layouts) shows 1 half the time, two mines (one layout) a third of it.
    assert solve(view).belief((0, 1)) == pytest.approx({1: 3 / 4, 2: 1 / 4})
    assert solve(View.parse("square 1x3 mines=1\n.1.")).belief(1) == {1: 1.0}
    silent = View.parse("square 1x4 mines=1 clues=withheld:0.5\n.?..")
    assert solve(silent).belief(1) == pytest.approx({0: 1 / 3, 1: 2 / 3})
    # Missing one time in four where there is no mine (1 of 3 layouts), always where there is one.
    telling = View.parse("square 1x4 mines=1 clues=table:0:0.75,-:0.25;-:1;2:1\n.?..")
    assert solve(telling).belief(1) == pytest.approx({0: 1 / 9, 1: 8 / 9})
    assert solve(telling).p[3] == pytest.approx(1 / 9)


@BOTH
def test_only_opened_cells_have_a_belief(solve: Solve) -> None:
    analysis = solve(View.parse("square 1x4 mines=2 on-mine=continue\n.1*."))
    assert analysis.belief(1) == {1: 1.0}
    for cell in (0, 2):
        with pytest.raises(InputError, match="shows no clue to believe"):
            analysis.belief(cell)


@BOTH
def test_trusted_flags_count(solve: Solve) -> None:
    view = View.parse("square 1x3 mines=unknown density=0.5 clues=cautious\nF2.")
    assert set(solve(view).belief(1)) == {0, 1, 2}
    assert set(solve(view, trust_flags=True).belief(1)) == {1, 2}
