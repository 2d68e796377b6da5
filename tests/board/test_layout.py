"""Mine layouts: counts against the definition, in the core and in its twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from mineproof import kernel
from mineproof.board import Layout, Topology
from mineproof.board.layout import count_mines
from mineproof.errors import InputError
from mineproof.testing import strategies


def naive_counts(layout: Layout) -> list[int]:
    topology = layout.topology
    return [sum(layout.is_mine(n) for n in topology.neighbours(c)) for c in topology.cells]


@given(strategies.layouts(strategies.topologies(most_cells=30)))
def test_counts_are_the_mines_around(layout: Layout) -> None:
    assert layout.counts.tolist() == naive_counts(layout)
    assert layout.total == len(layout.cells)
    assert Layout.of(layout.topology, layout.cells) == layout
    assert hash(Layout.of(layout.topology, layout.cells)) == hash(layout)
    core, kernel.core = kernel.core, None
    try:
        assert count_mines(layout.topology, layout.mines).tolist() == naive_counts(layout)
    finally:
        kernel.core = core


def test_a_layout_prints_its_mines_and_clues() -> None:
    assert str(Layout.of(Topology.parse("3x3#0,2"), [0])) == "*1#\n110\n000"
    wide = Layout.of(Topology.parse("cube:3x3x3"), [c for c in range(27) if c != 13])
    assert str(wide).splitlines()[4] == "* 26 *"


def test_a_layout_cannot_be_changed() -> None:
    mines = np.zeros(4, dtype=np.uint8)
    layout = Layout(Topology.parse("2x2"), mines)
    mines[0] = 1
    assert layout.total == 0
    for array in (layout.mines, layout.counts):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_layouts_that_do_not_fit_are_refused() -> None:
    board = Topology.parse("2x2")
    with pytest.raises(InputError):
        Layout.of(board, [4])
    with pytest.raises(InputError, match="accepted: an array of 4 bytes"):
        Layout(board, np.zeros(5, dtype=np.uint8))
    with pytest.raises(InputError, match="accepted: an array of 4 bytes"):
        Layout(board, np.zeros(4, dtype=np.int64))
