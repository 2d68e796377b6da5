"""Pictures of every topology, and chances in words that never round to certainty."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from mineproof.board import Topology
from mineproof.board.lattices import LATTICES
from mineproof.errors import InputError
from mineproof.rules import Rules
from mineproof.text import percent, whole_percent
from mineproof.view import Mark, View
from mineproof.view.svg import draw_svg

SHAPES = {
    "square": "2x3",
    "square4": "2x3",
    "torus": "3x3",
    "hex": "3x3",
    "hexagon": "2",
    "triangle": "2x4",
    "cube": "2x2x3",
    "graph": "0-1,1-2,2-0,2-3",
}


@pytest.mark.parametrize("name", LATTICES)
def test_every_topology_has_a_picture(name: str) -> None:
    topology = Topology.of(name, SHAPES[name])
    view = View(topology, Rules.parse("mines=1")).reveal({0: 1}).toggle_flag(1)
    chances = [cell / len(topology) for cell in topology.cells]
    root = ElementTree.fromstring(draw_svg(view, chances, (2,)))
    polygons = root.findall(".//{*}polygon")
    assert len(polygons) == len(topology)
    width, height = (float(word) for word in root.attrib["viewBox"].split()[2:])
    for polygon in polygons:
        for point in polygon.attrib["points"].split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height
    assert sum("class" in polygon.attrib for polygon in polygons) == 1
    said = [title.text or "" for title in root.findall(".//{*}g/{*}title")]
    assert f"{topology.cell_name(0)}: clue 1" in said
    assert any(text.startswith(f"{topology.cell_name(1)}: flag, ") for text in said)


def test_a_plain_picture() -> None:
    view = View.parse("square 1x4 mines=1 on-mine=continue\n*?F.")
    root = ElementTree.fromstring(draw_svg(view))
    assert [text.text for text in root.findall(".//{*}text")] == ["*", "?", "F"]
    assert view[0] is Mark.MINE


def test_pictures_have_a_limit() -> None:
    view = View(Topology.parse("600x600"), Rules.parse("mines=1"))
    with pytest.raises(InputError, match="360000 cells"):
        draw_svg(view)


@pytest.mark.parametrize(
    ("chance", "words", "short"),
    [
        (0.0, "0 %", "0"),
        (1.0, "100 %", "100"),
        (1e-9, "<0.1 %", "<1"),
        (1 - 1e-12, ">99.9 %", ">99"),
        (0.0004, "<0.1 %", "<1"),
        (0.9996, ">99.9 %", ">99"),
        (0.125, "12.5 %", "12"),
        (0.994, "99.4 %", ">99"),
    ],
)
def test_only_certainty_is_0_or_100_percent(chance: float, words: str, short: str) -> None:
    assert (percent(chance), whole_percent(chance)) == (words, short)
