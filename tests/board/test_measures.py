"""3BV, openings and islands, by hand and against clicking."""

from __future__ import annotations

import pytest

from mineproof.board import Board, Layout, Topology, deal
from mineproof.board.measures import measure


@pytest.mark.parametrize(
    ("board", "mines", "expected"),
    [
        ("3x3", [], (1, 1, 0)),
        ("3x3", [4], (8, 0, 1)),
        ("1x5", [2], (2, 2, 0)),
        ("1x3", [1], (2, 0, 2)),
        ("2x2", [0, 1, 2, 3], (0, 0, 0)),
        # Two corners do not touch the centre and are openings; the other two stay alone.
        ("hex:3x3", [4], (4, 2, 2)),
    ],
)
def test_by_hand(board: str, mines: list[int], expected: tuple[int, int, int]) -> None:
    found = measure(Layout.of(Topology.parse(board), mines))
    assert (found.three_bv, found.openings, found.islands) == expected


@pytest.mark.parametrize("name", ["expert", "hex:9x9/15", "torus:8x8/9", "cube:4x4x4/6"])
def test_three_bv_is_the_number_of_clicks(name: str) -> None:
    """Openings are clicked first, each whole; then every safe cell that is still hidden."""
    board = Board.parse(name)
    topology = board.topology
    layout = deal(topology, board.mines, 5)
    opened: set[int] = set()
    clicks = 0
    for zeros_first in (True, False):
        for cell in topology.cells:
            if cell in opened or layout.is_mine(cell) or (zeros_first and layout.counts[cell]):
                continue
            clicks += 1
            waiting = [cell]
            while waiting:
                here = waiting.pop()
                if here not in opened:
                    opened.add(here)
                    if not layout.counts[here]:
                        waiting += topology.neighbours(here)
    assert clicks == measure(layout).three_bv
