"""Cell sets against plain Python sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.board import CellSet, Topology
from mineproof.errors import InputError
from mineproof.testing import strategies


@st.composite
def two_sets(draw: st.DrawFn) -> tuple[Topology, set[int], set[int]]:
    board = draw(strategies.topologies(most_cells=30))
    subsets = st.sets(st.sampled_from(board.cells))
    return board, draw(subsets), draw(subsets)


@given(two_sets())
def test_sets_behave_as_sets(drawn: tuple[Topology, set[int], set[int]]) -> None:
    board, a, b = drawn
    one, two = CellSet.of(board, a), CellSet.of(board, b)
    assert list(one) == sorted(a)
    assert len(one) == len(a)
    assert set(one | two) == a | b
    assert set(one & two) == a & b
    assert set(one - two) == a - b
    assert set(one ^ two) == a ^ b
    assert (one <= two) == (a <= b)
    assert one.isdisjoint(two) == a.isdisjoint(b)
    assert (one == two) == (a == b)
    assert all((cell in one) == (cell in a) for cell in range(-1, len(board) + 1))
    assert one.names == tuple(board.cell_name(cell) for cell in sorted(a))
    assert CellSet.parse(board, str(one)) == one


def test_a_set_prints_as_its_board() -> None:
    board = Topology.parse("2x3#0,2")
    assert str(CellSet.of(board, [0, 4])) == "x.#\n..x"
    assert repr(CellSet.of(board, [0, 4])) == "CellSet.of(Topology.parse('square:2x3#0,2'), [0, 4])"


@pytest.mark.parametrize("text", ["", "x", "x..\n..", "x..\n...", "y.#\n...", "x.#\n...x"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        CellSet.parse(Topology.parse("2x3#0,2"), text)


def test_cells_off_the_board_are_refused() -> None:
    board = Topology.parse("2x2")
    for cell in (-1, 4):
        with pytest.raises(InputError, match=r"accepted: 0\.\.3"):
            CellSet.of(board, [cell])
    for mask in (-1, 16):
        with pytest.raises(InputError, match=r"accepted: 0\.\.3"):
            CellSet(board, mask)


def test_sets_of_different_boards_do_not_mix() -> None:
    one, two = (CellSet.of(Topology.parse(text), [0]) for text in ("2x2", "torus:2x2"))
    assert one != two
    with pytest.raises(InputError, match="different boards"):
        one | two
