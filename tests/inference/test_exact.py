"""The exact engine, compiled and twin, against every layout tried one by one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.errors import InconsistentPosition, InputError
from mineproof.inference.engine.analysis import Analysis, LeastRisk
from mineproof.inference.engine.exact import analyze, analyze_many
from mineproof.inference.engine.twin_analysis import TwinAnalysis
from mineproof.inference.enumerate import enumerate_layouts, weights
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View

NEAR = 1e-12
BOTH = pytest.mark.parametrize("solve", [analyze, TwinAnalysis], ids=["core", "twin"])
Solve = Callable[..., Analysis]


def small() -> st.SearchStrategy[View]:
    return views(topologies(9))


def expected(view: View) -> dict[int, Fraction]:
    """The chance of a mine in every hidden cell, by brute force."""
    total, with_mine = weights(view)
    return {cell: weight / total for cell, weight in with_mine.items()}


def assert_same(analysis: Analysis, chances: dict[int, Fraction]) -> None:
    """Chances to rounding, certainty exactly."""
    for cell, chance in chances.items():
        assert abs(analysis.p[cell] - chance) < NEAR
        assert (analysis.p[cell] in (0.0, 1.0)) == (chance in (0, 1))
    assert set(analysis.safe) == {cell for cell, chance in chances.items() if chance == 0}
    assert set(analysis.mines) == {cell for cell, chance in chances.items() if chance == 1}


@given(small())
@settings(max_examples=1000)
def test_both_equal_brute_force(view: View) -> None:
    chances = expected(view)
    twin = TwinAnalysis(view)
    assert twin.fractions() == chances
    assert_same(twin, chances)
    assert_same(analyze(view), chances)


@given(small())
@settings(max_examples=300)
def test_solutions_are_counted(view: View) -> None:
    number = sum(1 for _ in enumerate_layouts(view))
    assert analyze(view).solutions == TwinAnalysis(view).solutions == number


@given(views(topologies(8)), st.data())
@settings(max_examples=200)
def test_what_opening_a_cell_would_show(view: View, data: st.DataObject) -> None:
    hidden = list(view.hidden)
    if not hidden:
        return
    cell = data.draw(st.sampled_from(hidden))
    near = view.topology.neighbours(cell)
    opened_mines = frozenset(view.opened_mines)
    total = Fraction(0)
    shown: dict[object, Fraction] = {}
    for mines, weight in enumerate_layouts(view):
        total += weight
        if cell in mines:
            shown[Mark.MINE] = shown.get(Mark.MINE, Fraction(0)) + weight
            continue
        true = len((mines | opened_mines).intersection(near))
        for clue in (None, *range(len(near) + 1)):
            likely = weight * view.channel.likelihood(clue, true, len(near))
            if likely:
                key = Mark.BLANK if clue is None else clue
                shown[key] = shown.get(key, Fraction(0)) + likely
    for analysis in (analyze(view), TwinAnalysis(view)):
        found = analysis.clue_distribution(cell)
        assert set(found) == set(shown)
        assert all(abs(found[key] - shown[key] / total) < NEAR for key in found)


@given(small())
@settings(max_examples=200)
def test_parts_hold_every_unsettled_cell_and_their_mines(view: View) -> None:
    core, twin = analyze(view), TwinAnalysis(view)
    for one, other in zip((*core.components, core.sea), (*twin.components, twin.sea), strict=True):
        assert (one.cells, one.clues) == (other.cells, other.clues)
        assert set(one.mines) == set(other.mines)
        assert all(abs(one.mines[k] - other.mines[k]) < NEAR for k in one.mines)
        mean = sum(k * chance for k, chance in one.mines.items())
        assert abs(mean - sum(core.p[cell] for cell in one.cells)) < 1e-9


@given(small())
@settings(max_examples=100)
def test_samples_explain_the_position(view: View) -> None:
    solutions = {mines for mines, _ in enumerate_layouts(view)}
    opened = frozenset(view.opened_mines)
    for analysis in (analyze(view), TwinAnalysis(view)):
        for layout in analysis.sample(4, seed=1):
            assert frozenset(layout.cells) - opened in solutions


@BOTH
def test_samples_have_the_right_shares(solve: Solve) -> None:
    view = View.parse("square 3x4 mines=4\n1...\n..2.\n....")
    analysis = solve(view)
    drawn = analysis.sample(3000, seed=5)
    shares = np.mean([layout.mines for layout in drawn], axis=0)
    assert np.abs(shares - analysis.p.array).max() < 0.04
    assert drawn[:3] == solve(view).sample(3, seed=5)
    assert analysis.sample(0) == []


# -- every cell hidden, all mines, none, no clue ------------------------------------------------

EDGES = {
    "no clue": ("square 2x2 mines=1\n..\n..", 4, {0: "1/4", 3: "1/4"}),
    "all mines": ("square 2x2 mines=4\n..\n..", 1, {0: "1", 3: "1"}),
    "no mines": ("square 2x2 mines=0\n..\n..", 1, {0: "0", 3: "0"}),
    "everything open": ("square 1x3 mines=1 on-mine=continue\n1*1", 1, {}),
    "one cell": ("square 1x1 mines=1\n.", 1, {0: "1"}),
    "a zero that was not opened around": ("square 1x4 mines=1\n.0..", 1, {0: "0", 2: "0", 3: "1"}),
    "opened without a clue": ("square 1x3 mines=1\n.?.", 2, {0: "1/2", 2: "1/2"}),
    "flags are no evidence": ("square 1x3 mines=1\nF?.", 2, {0: "1/2", 2: "1/2"}),
    "density 0": ("square 1x2 mines=unknown density=0\n..", 1, {0: "0", 1: "0"}),
    "density 1": ("square 1x2 mines=unknown density=1\n..", 1, {0: "1", 1: "1"}),
    "density": ("square 1x2 mines=unknown density=0.25\n..", 4, {0: "1/4", 1: "1/4"}),
    "a number drawn uniformly": (
        "square 1x2 mines=unknown density=uniform\n..",
        3,
        {0: "3/4", 1: "3/4"},
    ),
}


@BOTH
@pytest.mark.parametrize("name", EDGES)
def test_edges(solve: Solve, name: str) -> None:
    text, solutions, chances = EDGES[name]
    analysis = solve(View.parse(text))
    assert analysis.solutions == solutions
    for cell, chance in chances.items():
        assert analysis.p[cell] == float(Fraction(chance))


@BOTH
def test_flags_count_only_when_trusted(solve: Solve) -> None:
    view = View.parse("square 1x5 mines=2\nF1..F")
    plain = solve(view)
    assert plain.p.array.tolist() == [0.5, 0, 0.5, 0.5, 0.5]
    trusting = solve(view, trust_flags=True)
    assert trusting.p.array.tolist() == [1, 0, 0, 0, 1]
    assert trusting.solutions == 1
    assert trusting.fractions() == {0: 1, 2: 0, 3: 0, 4: 1}
    with pytest.raises(InconsistentPosition):
        solve(View.parse("square 1x4 mines=1\nF1F."), trust_flags=True)


def test_certainty_is_never_rounded() -> None:
    """A chance too small for a number beside 1 is still a chance."""
    view = View.parse("square 1x3 mines=unknown density=0.00000000000000001\n...")
    for analysis in (analyze(view), TwinAnalysis(view)):
        assert 0.0 < analysis.p[0] < 1e-16
        assert not analysis.safe
    view = View.parse("square 1x3 mines=unknown density=0.99999999999999999\n...")
    for analysis in (analyze(view), TwinAnalysis(view)):
        assert 1 - 1e-15 < analysis.p[0] < 1.0
        assert not analysis.mines


# -- the face -------------------------------------------------------------------------------------


@BOTH
def test_cells_by_number_and_coordinates(solve: Solve) -> None:
    analysis = solve(View.parse("square 3x3 mines=2\n1..\n12.\n01."))
    assert analysis.p[2, 2] == analysis.p[8] == 0.5
    assert analysis.p[0, 1] == 1.0
    assert list(analysis.safe) == [2]
    assert list(analysis.mines) == [1]
    assert len(analysis.p) == 9
    assert list(analysis.p) == np.asarray(analysis.p).tolist() == analysis.p.array.tolist()
    for wrong in (9, -1, (3, 3), (1,)):
        with pytest.raises(InputError):
            analysis.p[wrong]
    with pytest.raises(ValueError, match="read-only"):
        analysis.p.array[0] = 1


@BOTH
def test_least_risk(solve: Solve) -> None:
    safe = solve(View.parse("square 3x3 mines=2\n1..\n12.\n01.")).least_risk
    assert safe == LeastRisk(cell=2, p=0.0, alike=1)
    guess = solve(View.parse("square 1x4 mines=1\n.1..")).least_risk
    assert guess is not None
    assert guess.cell == 3
    assert solve(View.parse("square 2x2 mines=1\n1.\n..")).least_risk == LeastRisk(1, 1 / 3, 3)
    assert solve(View.parse("square 1x2 mines=2\n..")).least_risk is None
    assert solve(View.parse("square 1x2 mines=1 on-mine=continue\n*1")).least_risk is None


@BOTH
def test_an_open_cell_has_no_clue_to_come(solve: Solve) -> None:
    with pytest.raises(InputError, match="0,1 is open"):
        solve(View.parse("square 1x3 mines=1\n.1.")).clue_distribution((0, 1))


def test_analyses_outlive_their_game() -> None:
    """A view shares its memory with the game, an analysis does not."""
    view = mp.View.parse("square 1x6 mines=2\n......")
    first = analyze(view)
    later = view.reveal({1: 1})
    analyze(later)
    assert first.solutions == 15
    assert analyze(view).p.array.tolist() == pytest.approx([1 / 3] * 6)
    assert first.components == ()
    assert analyze(later).solutions == 6


def test_many_are_one_by_one() -> None:
    texts = [
        "square 3x3 mines=2\n1..\n12.\n01.",
        "hex 3x3 mines=2\n1..\n.2.\n..1",
        "square 1x3 mines=unknown density=0.3 clues=optimistic\n.1.",
    ]
    positions = [View.parse(text) for text in texts] * 20
    for threads in (1, 2, 5):
        found = analyze_many(positions, threads=threads)
        assert len(found) == len(positions)
        for view, analysis in zip(positions, found, strict=True):
            assert (analysis.p.array == analyze(view).p.array).all()
            assert analysis.solutions == analyze(view).solutions
    assert analyze_many([]) == []
    with pytest.raises(InputError, match="threads"):
        analyze_many(positions, threads=0)


def test_many_raise_for_the_first_that_fails() -> None:
    good = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    bad = View.parse("square 1x3 mines=2\n.1.")
    with pytest.raises(InconsistentPosition, match="0,1"):
        analyze_many([good, bad, good], threads=2)
