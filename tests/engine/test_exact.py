"""The exact engine, compiled and twin, against every layout tried one by one."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mineproof as mp
from mineproof.board import Layout, Topology, deal
from mineproof.board.lattices import Coordinates
from mineproof.engine.analysis import Analysis, LeastRisk
from mineproof.engine.enumerate import enumerate_layouts, weights
from mineproof.engine.exact import analyze, analyze_many
from mineproof.engine.twin import TwinAnalysis
from mineproof.errors import InconsistentPosition, InputError
from mineproof.rules import Mines, Rules
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View
from tests.core import needs_core

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


# ----------------------------------------------------- every cell hidden, all mines, none, no clue

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


# ---------------------------------------------------------------------------------------- the face


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


# -------------------------------------------- how far a clue is believed: the true count behind it


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


# ------------------------------- solutions of many components tied by the total, counted in Python

KINDS = ((1, 1), (1, 2), (2, 2), (2, 3), (1, 3), (3, 4))


def pairs(rows: int, cols: int, rules: str) -> View:
    """Two clues two apart in every 4 rows and 6 columns: components of 13 hidden cells each."""
    codes = np.full((rows, cols), Mark.HIDDEN.value, dtype=np.uint8)
    for place, (row, col) in enumerate(np.ndindex(rows // 4, cols // 6)):
        one, other = KINDS[place * place % 23 % len(KINDS)]
        codes[4 * row + 1, 6 * col + 1] = one
        codes[4 * row + 1, 6 * col + 3] = other
    return View.of_codes(Topology.parse(f"{rows}x{cols}"), Rules.parse(rules), codes.ravel())


def pairs_in(view: View) -> int:
    return len(list(view.clues)) // 2


def layouts(view: View) -> list[int]:
    """Layouts of the components, by mines: three cells see both clues of a pair, five only one."""
    clues = [code for code in view.codes().tolist() if code != Mark.HIDDEN.value]
    found = [1]
    for one, other in zip(clues[::2], clues[1::2], strict=True):
        product = [0] * (len(found) + one + other)
        for both in range(min(one, other, 3) + 1):
            ways = comb(3, both) * comb(5, one - both) * comb(5, other - both)
            for place, number in enumerate(found, one + other - both):
                product[place] += ways * number
        found = product
    return found


@needs_core
@pytest.mark.parametrize("share", [11, 15, 40])
def test_powers_of_a_few_polynomials(share: int) -> None:
    view = pairs(160, 150, "mines=1")
    mines = len(view) * share // 100
    view = view.with_rules(Rules.parse(f"mines={mines}"))
    ways = layouts(view)
    sea = len(view) - 15 * pairs_in(view)
    expected = sum(n * comb(sea, mines - i) for i, n in enumerate(ways) if i <= mines)
    assert analyze(view).solutions == expected


def test_every_total() -> None:
    view = pairs(16, 30, "mines=~20% total=unknown")
    sea = len(view) - 15 * pairs_in(view)
    assert analyze(view).solutions == sum(layouts(view)) << sea


# ------------------------------- core and twin draw the same layouts, however often they are asked


def shown(side: int, seed: int, share: float, clues: str = "exact") -> View:
    """A board with a fifth of mines, a share of its cells opened at random."""
    topology = Topology.parse(f"{side}x{side}")
    layout = deal(topology, Mines.number(len(topology) // 5), seed)
    safe = np.flatnonzero(layout.mines == 0)
    chosen = np.random.default_rng(seed).permutation(safe)[: int(share * len(topology))]
    codes = np.full(len(topology), Mark.HIDDEN.value, dtype=np.uint8)
    codes[chosen] = layout.counts[chosen]
    return View.of_codes(topology, Rules.parse(f"mines={layout.total} clues={clues}"), codes)


@needs_core
@given(views(topologies(12)))
@settings(max_examples=400)
def test_core_and_twin_draw_the_same(view: View) -> None:
    for flags in (False, True):
        try:
            twin = TwinAnalysis(view, trust_flags=flags)
        except InconsistentPosition:  # the flags are wrong
            continue
        assert twin.sample(4, 5) == analyze(view, trust_flags=flags).sample(4, 5)


@needs_core
@pytest.mark.parametrize(
    ("side", "share", "clues"),
    [
        (12, 0.3, "exact"),
        (26, 0.3, "exact"),  # wide: orders are raced
        (30, 0.6, "exact"),
        (9, 0.3, "noisy:0.3"),
        (10, 0.4, "cautious"),
        (9, 0.3, "optimistic"),
    ],
)
def test_so_they_do_on_wide_positions(side: int, share: float, clues: str) -> None:
    for seed in (1, 2, 3):
        view = shown(side, seed, share, clues)
        assert TwinAnalysis(view).sample(3, seed) == analyze(view).sample(3, seed)


@pytest.mark.parametrize("solve", [analyze, TwinAnalysis], ids=["core", "twin"])
def test_what_was_drawn_before_does_not_matter(solve: type[TwinAnalysis]) -> None:
    view = View.parse("square 5x5 mines=5\n1....\n.....\n..2..\n.....\n.....")
    analysis = solve(view)
    first = analysis.sample(6, 9)
    assert analysis.sample(6, 9) == first
    analysis.sample(3, 1)
    assert analysis.sample(6, 9) == first == solve(view).sample(6, 9)


# ------------------------------------ chances go with every automorphism and sum to the mines left

Move = Callable[[Coordinates], Coordinates]

AUTOMORPHISMS: dict[str, tuple[str, Move]] = {
    "square, left to right": ("square:5x7", lambda at: (at[0], 6 - at[1])),
    "square, upside down": ("square:5x7", lambda at: (4 - at[0], at[1])),
    "square, half a turn": ("square:5x7", lambda at: (4 - at[0], 6 - at[1])),
    "square, a quarter turn": ("square:6x6", lambda at: (at[1], 5 - at[0])),
    "square, over its diagonal": ("square:6x6", lambda at: (at[1], at[0])),
    "square4, a quarter turn": ("square4:6x6", lambda at: (at[1], 5 - at[0])),
    "torus, shifted": ("torus:5x6", lambda at: ((at[0] + 2) % 5, (at[1] + 3) % 6)),
    "hex, over its diagonal": ("hex:6x6", lambda at: (at[1], at[0])),
    "hex, half a turn": ("hex:5x7", lambda at: (4 - at[0], 6 - at[1])),
    "triangle, left to right": ("triangle:4x7", lambda at: (at[0], 6 - at[1])),
    "cube, turned": ("cube:3x3x3", lambda at: (at[1], at[2], at[0])),
    "cube, mirrored": ("cube:3x3x4", lambda at: (2 - at[0], at[1], 3 - at[2])),
}
CHANNELS = ["exact", "optimistic", "cautious", "noisy:0.2", "withheld:0.3"]


def position(topology: Topology, seed: int, clues: str) -> View:
    """A random position; a clue shown is the true count, which every channel allows."""
    rng = np.random.default_rng(seed)
    layout = Layout(topology, (rng.random(len(topology)) < 0.2).astype(np.uint8))
    codes = np.where(
        (rng.random(len(topology)) < 0.4) & (layout.mines == 0), layout.counts, Mark.HIDDEN.value
    )
    rules = Rules.parse(f"mines={layout.total} clues={clues}")
    return View.of_codes(topology, rules, codes.astype(np.uint8))


@pytest.mark.parametrize("name", AUTOMORPHISMS)
@pytest.mark.parametrize("clues", CHANNELS)
def test_chances_go_with_the_board(name: str, clues: str) -> None:
    text, move = AUTOMORPHISMS[name]
    topology = Topology.parse(text)
    to = [topology.cell(move(topology.coordinates(cell))) for cell in topology.cells]
    for cell in topology.cells:
        moved = sorted(to[other] for other in topology.neighbours(cell))
        assert moved == list(topology.neighbours(to[cell])), "not an automorphism"
    for seed in range(3):
        view = position(topology, seed, clues)
        codes = view.codes()
        codes[to] = view.codes()
        there = analyze(View.of_codes(topology, view.rules, codes))
        here = analyze(view)
        assert np.abs(there.p.array[to] - here.p.array).max() < 1e-12
        assert {to[cell] for cell in here.safe} == set(there.safe)
        assert {to[cell] for cell in here.mines} == set(there.mines)
        assert here.solutions == there.solutions


@given(st.data())
@settings(max_examples=60)
def test_chances_go_with_the_names_of_a_graph(data: st.DataObject) -> None:
    topology = data.draw(topologies(9, ["graph"], blocked=False))
    view = data.draw(views(st.just(topology), flags=False))
    to = data.draw(st.permutations(topology.cells))
    edges = [
        f"{to[cell]}-{to[other]}"
        for cell in topology.cells
        for other in topology.neighbours(cell)
        if cell < other
    ]
    words = [*edges, *(str(to[cell]) for cell in topology.cells if not topology.degree(cell))]
    codes = view.codes()
    codes[to] = view.codes()
    there = View.of_codes(Topology.parse("graph:" + ",".join(words)), view.rules, codes)
    for solve in (analyze, TwinAnalysis):
        assert np.abs(solve(there).p.array[to] - solve(view).p.array).max() < 1e-12


@given(views(topologies(30), flags=False))
@settings(max_examples=150)
def test_chances_sum_to_the_mines_left(view: View) -> None:
    if view.total is None:
        return
    hidden = view.codes() == Mark.HIDDEN.value
    left = view.total - sum(1 for _ in view.opened_mines)
    assert abs(analyze(view).p.array[hidden].sum() - left) < 1e-9


@given(views(topologies(24), flags=False))
@settings(max_examples=150)
def test_core_and_twin_agree_on_larger_boards(view: View) -> None:
    core, twin = analyze(view), TwinAnalysis(view)
    assert np.abs(core.p.array - twin.p.array).max() < 1e-12
    assert (core.safe, core.mines) == (twin.safe, twin.mines)
    assert core.solutions == twin.solutions


@pytest.mark.parametrize("clues", CHANNELS)
@pytest.mark.parametrize("text", ["square:9x9", "hex:8x8", "hexagon:5", "torus:7x7", "square4:9x9"])
def test_core_and_twin_agree_on_whole_boards(text: str, clues: str) -> None:
    view = position(Topology.parse(text), 7, clues)
    core, twin = analyze(view), TwinAnalysis(view)
    assert np.abs(core.p.array - twin.p.array).max() < 1e-12
    assert (core.safe, core.mines) == (twin.safe, twin.mines)
    assert core.solutions == twin.solutions
