"""The drawing of a view."""

from __future__ import annotations

import pytest

from mineproof.board.lattices import LATTICES
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.cli.terminal import ASCII, Shade, board_text
from mineproof.rules import Mines, Rules
from mineproof.view.view import View


def lines(view: View, **options) -> list[str]:
    return [line.rstrip() for line in board_text(view, **options).plain.split("\n")]


def test_a_square_board():
    view = View.parse("square 3x4 mines=3\n01F.\n12..\n1*?.")
    assert lines(view) == ["  0 1 2 3", "0 0 1 ⚑ ·", "1 1 2 · ·", "2 1 ✹ ? ·"]
    assert lines(view, symbols=ASCII) == ["  0 1 2 3", "0 0 1 F .", "1 1 2 . .", "2 1 * ? ."]


def test_the_end_shows_mines_and_wrong_flags():
    view = View.parse("square 2x3 mines=2\n1F.\n1F.")
    truth = Layout.of(view.topology, [1, 2])
    assert lines(view, truth=truth) == ["  0 1 2", "0 1 ⚑ X", "1 1 ! ·"]


def test_hex_rows_lean():
    view = View.parse("hex 3x3 mines=2\n...\n...\n...")
    assert lines(view) == ["    0 1 2", "0   · · ·", "1  · · ·", "2 · · ·"]


def test_a_hexagon_says_how_long_its_rows_are():
    view = View.parse("hexagon 2 mines=1\n..\n...\n..")
    assert lines(view) == ["   0 1", "0  · ·  0-1", "1 · · ·  0-2", "2  · ·  0-1"]


def test_layers_stand_side_by_side_as_far_as_they_fit():
    view = View(Topology.parse("cube:2x2x2"), Rules(Mines.number(1)))
    assert lines(view) == [
        "layer 0   layer 1",
        "  0 1       0 1",
        "0 · ·     0 · ·",
        "1 · ·     1 · ·",
    ]
    assert lines(view, width=10)[4:6] == ["", "layer 1"]


def test_triangles_point():
    view = View.parse("triangle 1x4 mines=1\n....")
    assert lines(view) == ["  0 1 2 3", "0 ▴ ▾ ▴ ▾"]


def test_a_graph_is_wrapped():
    view = View(_path(25), _one_mine())
    drawn = lines(view, width=44)
    assert drawn[0] == " " * 20 + "1"
    assert drawn[4:] == ["2", "0 1 2 3 4", "· · · · ·"]


def _path(cells: int) -> Topology:
    return Topology.parse("graph:" + ",".join(f"{k}-{k + 1}" for k in range(cells - 1)))


def _one_mine() -> Rules:
    return Rules(Mines.number(1))


def test_tens_stand_over_the_units():
    view = View(Topology.parse("1x22"), _one_mine())
    tens, units, _ = lines(view)
    assert tens == " " * 22 + "1" + " " * 19 + "2"
    assert units[2:].split() == [str(column % 10) for column in range(22)]


def test_expert_fits_80_columns():
    view = View(Topology.parse("16x30"), Rules(Mines.number(99)))
    assert max(map(len, lines(view))) <= 80


def test_heat_and_highlight():
    view = View.parse("square 1x4 mines=1\n1...")
    text = board_text(view, heat={1: 0.0, 2: 0.254, 3: 1.0}, highlight={0: Shade.MOVE})
    assert [line.rstrip() for line in text.plain.split("\n")] == ["  0  1  2  3", "0 1  ok 25 X"]
    assert any(span.style == Shade.MOVE.value for span in text.spans)


@pytest.mark.parametrize("name", list(LATTICES))
def test_every_cell_of_every_topology_is_drawn(name):
    topology = Topology.of(name, LATTICES[name].example)
    text = board_text(View(topology, Rules(Mines.number(1))), width=300).plain
    assert sum(text.count(mark) for mark in "·▴▾") == len(topology)
