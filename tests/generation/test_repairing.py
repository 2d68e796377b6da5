"""Repaired boards: free of guesses, the same in core and twin, and not uniform."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

import mineproof as mp
from mineproof import kernel
from mineproof.generation.beginning import Beginning
from mineproof.generation.clearing import clears_all
from mineproof.generation.generated import Making
from mineproof.generation.repairing import repair
from tests.core import needs_core

BOARDS = ["6x7/12", "hex:6x6/12", "torus:5x6/9", "square:6x6#0,0;3,3/10", "triangle:4x6/7"]


@pytest.mark.parametrize("board", BOARDS)
def test_a_repaired_board_needs_no_guess_and_keeps_its_mines(board: str) -> None:
    made = mp.generate(board, count=5, seed=2, method="repair", first_click="safe")
    assert made.method is Making.REPAIRED
    assert all(clears_all([one.layout for one in made], made.beginning.first))
    assert {one.layout.total for one in made} == {made.beginning.mines}
    assert not any(one.layout.is_mine(cell) for one in made for cell in made.beginning.free)
    assert any(one.changes for one in made)


@needs_core
@pytest.mark.parametrize("board", [*BOARDS, "12x12/34"])
def test_core_and_twin_make_the_same_changes(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    beginning = Beginning.of(board, first_click="safe")
    deals = 2 if board == "12x12/34" else 6
    by_core = repair(beginning, 4, 0, deals, deals)
    assert by_core == repair(beginning, 4, 0, deals, deals, threads=3)
    monkeypatch.setattr(kernel, "available", lambda: False)
    assert repair(beginning, 4, 0, deals, deals) == by_core


@needs_core
def test_a_deal_that_needs_no_guess_is_left_as_it_is() -> None:
    beginning = Beginning.of("9x9/10")
    made = repair(beginning, 1, 0, 20, 20)
    kept = mp.generate("9x9/10", count=5, seed=1)
    unchanged = {one.index: one.layout for one in made.boards if not one.changes}
    assert all(unchanged[one.index] == one.layout for one in kept if one.index < 20)


@needs_core
def test_mines_do_not_end_up_in_heaps() -> None:
    """Mines with nothing but mines around them are rare, as they are in deals."""
    made = mp.generate("24x30/200", count=20, seed=1, method="repair")
    topology = made.beginning.topology
    buried = [
        cell
        for one in made
        for cell in one.layout.cells
        if all(map(one.layout.is_mine, topology.neighbours(cell)))
    ]
    assert len(buried) < 3 * len(made)


@needs_core
def test_how_far_from_uniform_repaired_boards_are() -> None:
    """On 4x5/4 from a corner: all boards without guesses come up, but by no means equally often."""
    beginning = Beginning.of("4x5/4", (0, 0), first_click="safe")
    room = [cell for cell in beginning.topology.cells if cell not in beginning.free]
    every = [mp.Layout.of(beginning.topology, c) for c in combinations(room, beginning.mines)]
    fair = [
        layout
        for layout, good in zip(every, clears_all(every, beginning.first), strict=True)
        if good
    ]
    drawn = 40 * len(fair)
    distances = {}
    for method in ("uniform", "repair"):
        made = mp.generate(
            "4x5/4", first=(0, 0), first_click="safe", count=drawn, seed=3, method=method
        )
        counts = Counter(one.layout for one in made)
        assert set(counts) <= set(fair)
        # Half the sum of the differences of the shares: 0 is uniform, 1 is all on one board.
        distances[method] = sum(abs(counts[one] / drawn - 1 / len(fair)) for one in fair) / 2
        if method == "repair":
            assert len(counts) > 0.95 * len(fair)
    noise = distances["uniform"]
    assert noise < 0.08
    assert 1.5 * noise < distances["repair"] < 0.3
