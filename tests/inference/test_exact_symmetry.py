"""Chances sum to the mines left and go with every automorphism of the board."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board import Layout, Topology
from mineproof.board.lattices import Coordinates
from mineproof.inference.engine.exact import analyze
from mineproof.inference.engine.twin_analysis import TwinAnalysis
from mineproof.rules import Rules
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View

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
