"""Two layouts that show a cell to be uncertain are as near as can be, of all that there are."""

from __future__ import annotations

from itertools import islice

import pytest

import mineproof as mp
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.proofs.premises import Evidence
from mineproof.proofs.proof import NoProof
from mineproof.proofs.witness import nearest_pair
from mineproof.view import View
from tests.proofs.positions import BOARDS, CHANNELS, random_view

MOST = 11
"""Hidden cells of the positions whose layouts are all written down."""
MANY = 150
"""Of more layouts not every two are compared."""


def nearest(layouts: list[frozenset[int]], cell: int) -> int:
    """The least number of cells in which two layouts differ, one with a mine in a cell."""
    mined = [one for one in layouts if cell in one]
    safe = [one for one in layouts if cell not in one]
    return min(len(one ^ two) for one in mined for two in safe)


def small_views(board: str, clues: str) -> list[View]:
    """A few small positions in which something is not certain."""
    found = []
    for seed in range(400):
        view = random_view(BOARDS[board], clues, seed)
        if view.hidden_count > MOST:
            continue
        if 1 < sum(1 for _ in islice(enumerate_layouts(view), MANY)) < MANY:
            found.append(view)
        if len(found) == 4:
            break
    return found


@pytest.mark.parametrize("clues", CHANNELS)
@pytest.mark.parametrize("board", BOARDS)
def test_no_two_layouts_are_nearer(board: str, clues: str) -> None:
    seen = 0
    for view in small_views(board, clues):
        layouts = [found.union(view.opened_mines) for found, _ in enumerate_layouts(view)]
        chances = mp.analyze(view).p
        for cell in view.hidden:
            if not 0.0 < chances[cell] < 1.0:
                continue
            found = mp.explain(view, cell)
            assert isinstance(found, NoProof)
            one, two = map(frozenset, found.solutions)
            assert cell in one
            assert cell not in two
            assert {one, two} <= set(layouts)
            least = nearest(layouts, cell)
            assert len(one ^ two) >= least
            if found.nearest:
                assert len(one ^ two) == least
            if clues in ("exact", "withheld:0.3"):
                assert found.nearest
            seen += 1
    assert seen


def test_a_long_row_of_ones_takes_turns() -> None:
    """Along a wall every second cell is tied to the next: all of them change together."""
    view = View.parse("square 2x7 mines=unknown density=0.2\n.......\n.1.1.1.")
    for cell in (0, 6):
        found = mp.explain(view, cell)
        assert isinstance(found, NoProof)
        one, two = map(frozenset, found.solutions)
        layouts = [layout for layout, _ in enumerate_layouts(view)]
        assert found.nearest
        assert len(one ^ two) == nearest(layouts, cell)


def test_past_its_budget_two_layouts_are_still_given() -> None:
    view = View.parse("square 9x9 mines=10\n1........\n" + 8 * ".........\n")
    analysis = mp.analyze(view)
    (one, two), is_nearest = nearest_pair(Evidence(view), analysis, 1, steps=0)
    assert not is_nearest
    assert 1 in one
    assert 1 not in two
    for mines in (one, two):
        assert len(mines) == 10
        assert len({1, 9, 10}.intersection(mines)) == 1


def test_where_cells_are_alike_the_nearest_is_swapped() -> None:
    view = View.parse("square 9x9 mines=10\n1........\n" + 8 * ".........\n")
    found = mp.explain(view, (8, 8))
    assert isinstance(found, NoProof)
    one, two = map(frozenset, found.solutions)
    assert one ^ two <= {80, 79, 71}
