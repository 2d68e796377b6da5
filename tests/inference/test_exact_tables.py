"""Arbitrary likelihoods: every table of weights, not only those of the catalog's channels.

And clue tables whose missing clues depend on the count, against a brute force of its own.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mineproof import kernel
from mineproof.board import Topology
from mineproof.inference.engine.budget import DEFAULT_BUDGET
from mineproof.inference.engine.constraints import Constraint
from mineproof.inference.engine.exact import analyze
from mineproof.inference.engine.ground import Ground
from mineproof.inference.engine.session import Session
from mineproof.inference.engine.twin import Counted
from mineproof.inference.engine.twin_analysis import TwinAnalysis
from mineproof.rules import Rules
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View

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
    assert Counted(view, constraints_of(view, table), {}).chances == chances
    if not kernel.available():
        return
    most = int(view.topology.degrees.max())
    weights = np.zeros((most + 1, most + 1, most + 1))
    for (degree, shown), row in table.items():
        weights[degree, shown, : degree + 1] = [float(weight) for weight in row]
    core = kernel.core
    solved = core.solve(
        Ground(view.topology).board,
        core.Model.of_total(view.total or 0, weights),
        view.code_bytes(),
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
