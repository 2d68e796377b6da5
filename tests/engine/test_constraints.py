"""Constraints and the frontier say what the clues say, whatever the weights of the counts."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mineproof import kernel
from mineproof.board import Topology
from mineproof.engine.analysis import DEFAULT_BUDGET
from mineproof.engine.constraints import Constraint, constraints, frontier, total_constraint
from mineproof.engine.exact import CoreBoard, analyze
from mineproof.engine.session import Session
from mineproof.engine.twin import PositionCount, TwinAnalysis
from mineproof.errors import InconsistentPosition
from mineproof.rules import Rules
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View
from mineproof.view.view import code_bytes


def view_of(text: str) -> View:
    return View.parse(text)


def test_a_plain_clue_counts_its_hidden_neighbours() -> None:
    (one,) = constraints(view_of("square 1x3 mines=1\n.1."))
    assert one == Constraint((0, 2), 1, clue=1)
    assert one.count == 1
    assert str(one) == "1 mine in {0, 2}"


def test_opened_mines_are_subtracted() -> None:
    (left,) = constraints(view_of("square 1x4 mines=2 on-mine=continue\n*2.."))
    assert (left.cells, left.low, left.high) == ((2,), 1, 1)


def test_a_clue_that_may_lie_has_a_weight_for_every_count() -> None:
    (clue,) = constraints(view_of("square 1x3 mines=unknown density=0.5 clues=optimistic\n.1."))
    assert clue.weights == (Fraction(1, 2), Fraction(1, 3))
    assert (clue.low, clue.high, clue.count, clue.possible) == (1, 2, None, (1, 2))
    assert str(clue) == "1..2 mines in {0, 2}"


def test_known_cells_simplify() -> None:
    clue = Constraint((3, 5, 7), 2, clue=4)
    assert clue.given({5: True}) == Constraint((3, 7), 1, clue=4)
    assert clue.given({5: False}) == Constraint((3, 7), 2, clue=4)
    assert clue.given({3: False, 5: False}).impossible
    assert clue.given({9: True}) is clue


def test_a_gap_in_the_counts_stays() -> None:
    (clue,) = constraints(view_of("square 1x3 mines=unknown clues=noisy:1\n.1."))
    assert clue.possible == (0, 2)
    assert clue.weight(1) == 0


def test_a_clue_that_cannot_be_met_is_named() -> None:
    with pytest.raises(InconsistentPosition, match="0,1") as error:
        constraints(view_of("square 1x3 mines=1\n020"))
    assert error.value.clues == (1,)


def test_a_blank_that_could_not_be_withheld_is_a_clash() -> None:
    with pytest.raises(InconsistentPosition, match="0,1"):
        constraints(view_of("square 1x3 mines=1 clues=withheld:0\n.?."))
    assert not constraints(view_of("square 1x3 mines=1 clues=withheld:0.1\n.?."))


def test_the_total_is_a_constraint_over_all_hidden_cells() -> None:
    total = total_constraint(view_of("square 1x4 mines=2 on-mine=continue\n*1.."))
    assert total == Constraint((2, 3), 1)
    assert total_constraint(view_of("square 1x3 mines=unknown\n...")) is None


def test_boxes_components_and_sea() -> None:
    view = view_of("square 1x12 mines=3\n.1.....1.1..")
    found = frontier(view)
    assert [part.cells for part in found.components] == [(0, 2), (6, 8, 10)]
    assert [[box.cells for box in part.boxes] for part in found.components] == [
        [(0, 2)],
        [(6,), (8,), (10,)],
    ]
    assert [part.clues for part in found.components] == [(1,), (7, 9)]
    assert found.sea == (3, 4, 5, 11)


# -------------------------------------------- any table of weights, not only those of the channels

HIDDEN, BLANK = Mark.HIDDEN.value, Mark.BLANK.value
Table = dict[tuple[int, int], tuple[Fraction, ...]]
"""By (degree, shown): the weight of every count."""


@st.composite
def tables(draw: st.DrawFn, topology: Topology) -> Table:
    """Weights of any size, zeros among them."""
    weight = st.one_of(st.just(Fraction(0)), st.fractions(0, 10, max_denominator=20))
    return {
        (degree, shown): tuple(draw(weight) for _ in range(degree + 1))
        for degree in sorted(set(topology.degrees.tolist()))
        for shown in range(degree + 1)
    }


@st.composite
def positions(draw: st.DrawFn) -> tuple[View, Table]:
    topology = draw(topologies(8))
    total = draw(st.integers(0, len(topology)))
    open_cells = draw(st.sets(st.sampled_from(topology.cells)))
    shown = {cell: draw(st.integers(0, topology.degree(cell))) for cell in sorted(open_cells)}
    view = View(topology, Rules.parse(f"mines={total}")).reveal(shown)
    return view, draw(tables(topology))


def brute_force(view: View, table: Table) -> tuple[Fraction, dict[int, Fraction]]:
    hidden = list(view.hidden)
    total = Fraction(0)
    with_mine = dict.fromkeys(hidden, Fraction(0))
    for bits in product((0, 1), repeat=len(hidden)):
        if sum(bits) != view.total:
            continue
        mines = {cell for cell, bit in zip(hidden, bits, strict=True) if bit}
        weight = Fraction(1)
        for cell, clue in view.clues:
            near = view.topology.neighbours(cell)
            weight *= table[len(near), clue][sum(other in mines for other in near)]
        total += weight
        for cell in mines:
            with_mine[cell] += weight
    return total, with_mine


def constraints_of(view: View, table: Table) -> list[Constraint]:
    found = []
    for cell, clue in sorted(view.clues):
        near = view.topology.neighbours(cell)
        hidden = tuple(other for other in near if view.is_hidden(other))
        found.append(Constraint.of_weights(hidden, 0, table[len(near), clue], cell))
    return found


@given(positions())
@settings(max_examples=400)
def test_any_table_of_weights(position: tuple[View, Table]) -> None:
    view, table = position
    total, with_mine = brute_force(view, table)
    if not total:
        return
    chances = {cell: weight / total for cell, weight in with_mine.items()}
    assert PositionCount(view, constraints_of(view, table), {}).chances == chances
    if not kernel.available():
        return
    most = int(view.topology.degrees.max())
    weights = np.zeros((most + 1, most + 1, most + 1))
    for (degree, shown), row in table.items():
        weights[degree, shown, : degree + 1] = [float(weight) for weight in row]
    core = kernel.core
    solved = core.solve(
        CoreBoard(view.topology).board,
        core.Model.of_total(view.total or 0, weights),
        code_bytes(view),
        None,
        DEFAULT_BUDGET.states,
        DEFAULT_BUDGET.memory,
    )
    found = np.frombuffer(solved.chances)
    for cell, chance in chances.items():
        assert abs(found[cell] - chance) < 1e-12
        assert (found[cell] in (0.0, 1.0)) == (chance in (0, 1))


def missing_tell(view: View) -> bool:
    """Whether a clue is missing, and that is evidence."""
    return view.channel.tells_missing and any(view.code(cell) == BLANK for cell in view.opened)


def weighed(view: View) -> dict[int, Fraction]:
    """The chances by every layout with the number of mines that is told; a missing clue weighs."""
    hidden, opened = list(view.hidden), set(view.opened_mines)
    total = Fraction(0)
    with_mine = dict.fromkeys(hidden, Fraction(0))
    for bits in product((0, 1), repeat=len(hidden)):
        mines = {cell for cell, bit in zip(hidden, bits, strict=True) if bit} | opened
        if len(mines) != view.total:
            continue
        weight = Fraction(1)
        for cell in view.opened:
            near = view.topology.neighbours(cell)
            true = sum(other in mines for other in near)
            if cell not in opened:
                weight *= view.channel.likelihood(view.clue(cell), true, len(near))
        total += weight
        for cell in mines - opened:
            with_mine[cell] += weight
    return {cell: weight / total for cell, weight in with_mine.items()}


@given(
    views(topologies(9), clues=["table"], flags=False).filter(
        lambda view: view.total is not None and missing_tell(view)
    )
)
@settings(max_examples=300, suppress_health_check=[HealthCheck.filter_too_much])
def test_missing_clues_that_depend_on_the_count(view: View) -> None:
    expected = weighed(view)
    assert TwinAnalysis(view).fractions() == expected
    session = Session(View(view.topology, view.rules))
    for cell in view.opened:
        session.open(cell, view[cell])
    for found in (analyze(view).p, session.p):
        for cell, chance in expected.items():
            assert abs(found[cell] - chance) < 1e-12
            assert (found[cell] in (0.0, 1.0)) == (chance in (0, 1))
