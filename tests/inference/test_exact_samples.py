"""Core and twin draw the same layouts from one seed, however often they are asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from mineproof.board import Topology, deal
from mineproof.errors import InconsistentPosition
from mineproof.inference.engine.exact import analyze
from mineproof.inference.engine.twin_analysis import TwinAnalysis
from mineproof.rules import Mines, Rules
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View
from tests.core import needs_core


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
