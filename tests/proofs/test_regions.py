"""What many cells are called: true on any board, and more exact where coordinates allow it."""

from __future__ import annotations

import pytest

from mineproof.board.lattices import LATTICES
from mineproof.proofs.explainer import explain_all
from mineproof.proofs.regions import region, untouched
from mineproof.view import View
from tests.proofs.positions import BOARDS, random_view

BOARD = """square 5x9 mines=9
.........
.1.......
......2..
...0.....
........."""
HIDDEN_EDGES = "square 4x9 mines=9\n.........\n111111111\n000000000\n11.......\n"


@pytest.mark.parametrize(
    ("text", "cells", "said"),
    [
        (BOARD, range(36, 45), "the nine cells of the bottom edge"),
        (BOARD, range(9), "the nine cells of the top edge"),
        (BOARD, range(36, 43), "seven cells of the bottom edge"),
        (BOARD, [9, *range(11, 18)], "the eight hidden cells of row 1"),
        (BOARD, range(0, 45, 9), "the five cells of the left edge"),
        (BOARD, range(8, 45, 9), "the five cells of the right edge"),
        (BOARD, range(2, 45, 9), "the five cells of column 2"),
        (BOARD, [0, 1, 2, 9, 11, 18, 19, 20], "the eight cells around 1,1"),
        (
            BOARD,
            [0, 1, 2, 9, 11, 18, 19, 20, 14, 15, 16, 23, 25, 32, 33, 34],
            "the 16 cells around 1,1 and 2,6",
        ),
        (BOARD, [0, 1, 2, 9, 11, 18, 19], "seven of the cells around 1,1"),
        (BOARD, [0, 44, 20, 11, 39, 17, 3], "seven hidden cells"),
        (HIDDEN_EDGES, range(9), "the nine cells of the top edge"),
        (HIDDEN_EDGES, range(29, 36), "the seven hidden cells of the bottom edge"),
        (HIDDEN_EDGES, [*range(9), *range(29, 36)], "the 16 hidden cells"),
        (HIDDEN_EDGES.replace("square", "torus"), range(9), "the nine cells of row 0"),
        (
            "cube 2x3x3 mines=4\n...\n.1.\n...\n\n...\n...\n...",
            range(9, 18),
            "the nine cells of layer 1",
        ),
        (
            "graph 0-1,0-2,0-3,0-4,0-5,0-6,0-7,8-9 mines=2\n1.........",
            range(1, 8),
            "the seven cells around 0",
        ),
        (
            "graph 0-1,1-2,3-4,4-5,5-6 mines=2\n1......",
            [2, 3, 4, 5, 6],
            "the five cells that no clue touches",
        ),
        ("square 1x12 mines=2\n............", range(12), "the 12 hidden cells"),
    ],
)
def test_regions(text: str, cells: list[int], said: str) -> None:
    assert region(View.parse(text), list(cells)) == said


@pytest.mark.parametrize("name", LATTICES)
def test_what_no_clue_touches(name: str) -> None:
    for seed in range(12):
        view = random_view(BOARDS[name], "exact", seed)
        touched = {near for cell, _ in view.clues for near in view.topology.neighbours(cell)}
        assert untouched(view) == set(view.hidden) - touched


def test_a_region_stands_in_a_sentence_and_its_cells_in_the_data() -> None:
    view = View.parse("cube 3x3x3 mines=unknown\n...\n.1.\n...\n\n...\n1..\n...\n\n...\n0..\n...")
    told = [step for proof in explain_all(view).proofs for step in proof.steps]
    among = [step for step in told if "cells around" in step.sentence]
    assert among
    for step in among:
        assert len(step.cells) > 6
