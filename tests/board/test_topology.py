"""Topologies, the sets of their cells, and what cells are called."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board import CellSet, Layout, Topology
from mineproof.board.lattices import LATTICES, MAX_CELLS, MAX_NEIGHBOURS, Graph, Point
from mineproof.board.topology import folded_names
from mineproof.errors import BoardError, InputError, UnknownName
from mineproof.testing import strategies
from mineproof.view import View

LIMIT = 1e-9


@dataclass(frozen=True)
class Sample:
    """What is expected of a lattice: shapes to try, its plane and its inside."""

    shapes: tuple[str, ...]
    inside: int | None
    """How many neighbours a cell in the middle of the largest shape has."""
    touching: bool
    """Whether two cells are neighbours where their outlines touch, and only there."""


SAMPLES = {
    "square": Sample(("1x1", "1x7", "7x1", "3x5", "7x7"), 8, True),
    "square4": Sample(("1x1", "1x7", "7x1", "3x5", "7x7"), 4, False),
    "torus": Sample(("1x1", "1x2", "2x2", "1x7", "3x3", "7x7"), 8, False),
    "hex": Sample(("1x1", "1x7", "7x1", "3x5", "7x7"), 6, True),
    "hexagon": Sample(("1", "2", "3", "4"), 6, True),
    "triangle": Sample(("1x1", "1x7", "7x1", "3x5", "6x9"), 12, True),
    "cube": Sample(("1x1x1", "1x1x5", "2x3x4", "5x5x5"), 26, False),
    "graph": Sample(("0", "0-1", "4", "0-1,1-2,2-0,3", "0-1,1-2,2-3,3-4,4-0,0-5,5-6"), None, False),
}
BOARDS = [(name, shape) for name in LATTICES for shape in SAMPLES[name].shapes]


@pytest.fixture(params=BOARDS, ids=lambda board: f"{board[0]}:{board[1]}")
def topology(request: pytest.FixtureRequest) -> Topology:
    name, shape = request.param
    return Topology.of(name, shape)


def test_every_lattice_has_samples() -> None:
    assert set(SAMPLES) == set(LATTICES) == set(strategies.SHAPES)


# --------------------------------------------------------------------------------------- the graph


def check_graph(topology: Topology) -> None:
    for cell in topology.cells:
        near = topology.neighbours(cell)
        assert list(near) == sorted(set(near))
        assert cell not in near
        assert topology.degree(cell) == len(near) <= MAX_NEIGHBOURS
        assert all(cell in topology.neighbours(other) for other in near)
        assert near == tuple(
            topology.targets[topology.offsets[cell] : topology.offsets[cell + 1]].tolist()
        )


def check_names(topology: Topology) -> None:
    seen = set()
    for cell in topology.cells:
        coordinates = topology.coordinates(cell)
        assert topology.cell(coordinates) == cell
        assert len(coordinates) == len(topology.lattice.dimensions)
        assert all(
            0 <= c < n for c, n in zip(coordinates, topology.lattice.dimensions, strict=True)
        )
        assert topology.cell_name(cell) == ",".join(map(str, coordinates))
        seen.add(coordinates)
    assert len(seen) == len(topology)
    assert [cell for row in topology.rows() for cell in row if cell is not None] == list(
        topology.cells
    )
    assert [len(row) for row in topology.rows()] == list(topology.lattice.row_lengths)


def test_neighbours_are_symmetric_sorted_and_without_loops(topology: Topology) -> None:
    check_graph(topology)


def test_cells_and_coordinates_name_each_other(topology: Topology) -> None:
    check_names(topology)


def test_the_text_reads_back(topology: Topology) -> None:
    again = Topology.parse(topology.text)
    assert again == topology
    assert hash(again) == hash(topology)
    assert again.text == topology.text
    assert eval_free_repr(topology) == topology


def eval_free_repr(topology: Topology) -> Topology:
    """Read `Topology.parse('...')` without eval."""
    head, tail = "Topology.parse('", "')"
    assert repr(topology).startswith(head)
    assert repr(topology).endswith(tail)
    return Topology.parse(repr(topology)[len(head) : -len(tail)])


def test_corner_and_centre_are_cells(topology: Topology) -> None:
    assert topology.corner == 0
    assert topology.centre in topology.cells


@pytest.mark.parametrize("name", [name for name in SAMPLES if SAMPLES[name].inside is not None])
def test_cells_inside_have_their_number_of_neighbours(name: str) -> None:
    board = Topology.of(name, SAMPLES[name].shapes[-1])
    assert board.degree(board.centre) == SAMPLES[name].inside
    assert int(board.degrees.max()) == SAMPLES[name].inside


def test_every_cell_of_a_torus_is_inside() -> None:
    assert set(Topology.parse("torus:3x4").degrees.tolist()) == {8}


def test_hex_has_the_neighbours_of_report_2() -> None:
    board = Topology.parse("hex:7x7")
    steps = ((-1, -1), (-1, 0), (0, -1), (0, 1), (1, 0), (1, 1))
    for cell in board.cells:
        r, c = board.coordinates(cell)
        near = {(r + dr, c + dc) for dr, dc in steps}
        near = {(r, c) for r, c in near if 0 <= r < 7 and 0 <= c < 7}
        assert {board.coordinates(other) for other in board.neighbours(cell)} == near


@pytest.mark.parametrize("name", ["square", "torus"])
def test_eight_neighbours_by_definition(name: str) -> None:
    rows, cols = 4, 6
    board = Topology.of(name, f"{rows}x{cols}")
    for cell in board.cells:
        r, c = board.coordinates(cell)
        near = {(r + dr, c + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)} - {(r, c)}
        if name == "torus":
            near = {(r % rows, c % cols) for r, c in near}
        near = {(r, c) for r, c in near if 0 <= r < rows and 0 <= c < cols}
        assert {board.coordinates(other) for other in board.neighbours(cell)} == near


def test_cube_by_definition() -> None:
    board = Topology.parse("cube:3x4x5")
    for cell, other in combinations(board.cells, 2):
        here, there = board.coordinates(cell), board.coordinates(other)
        touching = max(abs(a - b) for a, b in zip(here, there, strict=True)) == 1
        assert (other in board.neighbours(cell)) == touching


# ----------------------------------------------------------------------------------- blocked cells


def test_blocked_cells_leave_the_others_as_they_were(topology: Topology) -> None:
    if len(topology) < 2:
        return
    holes = sorted({topology.centre, len(topology) - 1, 0})[: len(topology) - 1]
    board = Topology.of(
        topology.name, topology.shape, [topology.coordinates(hole) for hole in holes]
    )
    assert len(board) == len(topology) - len(holes)
    assert board != topology
    assert Topology.parse(board.text) == board
    check_graph(board)
    check_names(board)
    for cell in board.cells:
        old = topology.cell(board.coordinates(cell))
        expected = [topology.coordinates(n) for n in topology.neighbours(old) if n not in holes]
        assert [board.coordinates(n) for n in board.neighbours(cell)] == expected
        assert board.polygon(cell) == topology.polygon(old)
    for hole in holes:
        with pytest.raises(InputError, match="is not on the board"):
            board.cell(topology.coordinates(hole))


def test_blocked_cells_may_be_named_in_any_order_and_twice() -> None:
    assert Topology.parse("3x3#2,2;0,0;2,2") == Topology.parse("square:3x3#0,0;2,2")


@settings(max_examples=100)
@given(strategies.topologies(most_cells=20))
def test_any_board(topology: Topology) -> None:
    check_graph(topology)
    check_names(topology)
    assert Topology.parse(topology.text) == topology
    cells = CellSet.of(topology, topology.cells)
    assert CellSet.parse(topology, str(cells)) == cells


# ----------------------------------------------------------------------------------------- drawing


def axes(polygon: tuple[Point, ...]) -> list[np.ndarray]:
    corners = np.array([*polygon, polygon[0]])
    return [np.array([-side[1], side[0]]) for side in np.diff(corners, axis=0)]


def gap(first: tuple[Point, ...], second: tuple[Point, ...]) -> float:
    """The widest gap along any separating axis of two convex polygons; negative in an overlap."""
    widest = -np.inf
    for axis in axes(first) + axes(second):
        unit = axis / np.hypot(*axis)
        one, two = np.array(first) @ unit, np.array(second) @ unit
        widest = max(widest, one.min() - two.max(), two.min() - one.max())
    return float(widest)


def check_convex(polygon: tuple[Point, ...]) -> None:
    sides = np.diff(np.array([*polygon, *polygon[:2]]), axis=0)
    turns = {np.sign(a[0] * b[1] - a[1] * b[0]) for a, b in pairwise(sides)}
    assert len(turns) == 1
    assert 0 not in turns


def test_outlines_do_not_overlap_and_neighbours_touch(topology: Topology) -> None:
    polygons = [topology.polygon(cell) for cell in topology.cells]
    for polygon in polygons:
        check_convex(polygon)
    touching = SAMPLES[topology.name].touching
    for a, b in combinations(topology.cells, 2):
        apart = gap(polygons[a], polygons[b])
        assert apart > -LIMIT
        if touching:
            assert (apart < LIMIT) == (b in topology.neighbours(a))


def test_square4_neighbours_share_a_side() -> None:
    board = Topology.parse("square4:4x5")
    for a, b in combinations(board.cells, 2):
        corners = set(board.polygon(a)) & set(board.polygon(b))
        assert (len(corners) == 2) == (b in board.neighbours(a))


def test_rows_are_indented_as_they_are_drawn(topology: Topology) -> None:
    lattice = topology.lattice
    assert all(lattice.indent(row) >= 0 for row in range(len(lattice.row_lengths)))


def test_positions_of_a_graph_are_drawn_apart() -> None:
    text = '{"cells": 4, "edges": [[0, 1]], "positions": [[0, 0], [0, 0.25], [5, 1e-3], [9, 9]]}'
    graph = Graph.from_json(text)
    for a, b in combinations(range(4), 2):
        assert gap(graph.polygon(a), graph.polygon(b)) > 0
    column = [[0, n * 3] for n in range(20_000)]
    many = Graph.from_json(json.dumps({"cells": 20_000, "edges": [], "positions": column}))
    assert many.polygon(1)


# ---------------------------------------------------------------------------------- what cannot be


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "size '' cannot be read"),
        ("0x5", "has a side of 0"),
        ("5x0", "has a side of 0"),
        ("-3x3", "cannot be read"),
        ("3", "cannot be read"),
        ("3x3x3", "cannot be read"),
        ("99999999x99999999", "at most 4000000"),
        ("9" * 10**6 + "x1", "cannot be read"),
        ("2001x2000", "at most 4000000"),
        ("cube:999999x999999x999999", "at most 4000000"),
        ("hexagon:99999999", "at most 4000000"),
        ("hexagon:0", "has a side of 0"),
        ("sqare:3x3", "did you mean square"),
        ("moon:3x3", "unknown topology"),
        ("3x3#", "names no blocked cell"),
        ("3x3#9,9", "off the square board"),
        ("3x3#0", "off the square board"),
        ("3x3#a", "cannot be read"),
        ("1x1#0,0", "every cell is blocked"),
        ("graph:0-0", "joins a cell to itself"),
        ("graph:0-1,1-0", "listed twice"),
        ("graph:0-999999999", "at most 4000000"),
        ("graph:", "cannot be read"),
        ("graph:no/such/file", "cannot be read"),
        ("graph:\0", "cannot be read"),
        ("graph:" + ",".join(f"0-{n}" for n in range(1, 202)), "at most 200"),
    ],
)
def test_impossible_boards_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Topology.parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_unknown_topologies_name_the_nearest() -> None:
    with pytest.raises(UnknownName) as caught:
        Topology.parse("hexx:3x3")
    assert "hex" in caught.value.suggestions


def test_the_largest_board_is_accepted() -> None:
    board = Topology.parse(f"1x{MAX_CELLS}")
    assert len(board) == MAX_CELLS
    assert board.cell((0, MAX_CELLS - 1)) == MAX_CELLS - 1


@pytest.mark.parametrize("coordinates", [(), (0,), (3, 0), (0, 3), (-1, 0), (0, 0, 0)])
def test_cells_off_the_board_are_refused(coordinates: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="accepted: 2 coordinates from 0 on a board of 3 x 3"):
        Topology.parse("3x3").cell(coordinates)


# --------------------------------------------------------------------------------- graphs in files


def test_a_graph_is_read_from_json_and_from_lines(tmp_path) -> None:
    plain = Topology.parse("graph:0-1,1-2,2-0,3")
    as_json, as_lines = tmp_path / "a.json", tmp_path / "a.txt"
    as_json.write_text('{"cells": 4, "edges": [[0, 1], [1, 2], [2, 0]]}')
    as_lines.write_text("# a triangle\n0 1\n1 2\n\n2 0 # closed\n3\n")
    for path in (as_json, as_lines):
        board = Topology.parse(f"graph:{path}")
        assert board == plain
        assert board.text == plain.text


def test_a_changed_graph_file_is_read_again(tmp_path) -> None:
    path = tmp_path / "graph"
    path.write_text("0 1\n")
    assert len(Topology.parse(f"graph:{path}")) == 2
    path.write_text("0 1\n1 2\n")
    assert len(Topology.parse(f"graph:{path}")) == 3


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        "{",
        '{"cells": 2}',
        '{"cells": -1, "edges": []}',
        '{"cells": 0, "edges": []}',
        '{"cells": true, "edges": []}',
        '{"cells": 1e9, "edges": []}',
        '{"cells": 999999999999, "edges": []}',
        '{"cells": 2, "edges": {}}',
        '{"cells": 2, "edges": [[0]]}',
        '{"cells": 2, "edges": [[0, 2]]}',
        '{"cells": 2, "edges": [[0, "1"]]}',
        '{"cells": 2, "edges": [[1, 1]]}',
        '{"cells": 2, "edges": [[0, 1], [1, 0]]}',
        '{"cells": 1, "edges": [], "positions": 5}',
        '{"cells": 1, "edges": [], "positions": [5]}',
        '{"cells": 1, "edges": [], "positions": [[1, NaN]]}',
        '{"cells": 1, "edges": [], "positions": [[1, 1e999]]}',
        '{"cells": 1, "edges": [], "positions": [[1, "a"]]}',
        '{"cells": 1, "edges": [], "positions": [[1, 2, 3]]}',
        '{"cells": 2, "edges": [], "positions": [[1, 1], [1, 1]]}',
        '{"cells": ' + "9" * 10**6 + ', "edges": []}',
        '{"cells": ' + "[" * 10**5,
        '{"a":' * 10**5,
    ],
)
def test_broken_json_graphs_are_refused(text: str, tmp_path) -> None:
    path = tmp_path / "graph.json"
    path.write_text(text)
    for read in (lambda: Graph.from_json(text), lambda: Graph.read(path)):
        with pytest.raises(BoardError) as caught:
            read()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"0 1 2", b"a b", b"0 -1", b"0 0", b"# only a comment", b"0" * 10**6]
)
def test_broken_graph_files_are_refused(data: bytes, tmp_path) -> None:
    path = tmp_path / "graph"
    path.write_bytes(data)
    with pytest.raises(BoardError) as caught:
        Graph.read(path)
    assert "\n" not in str(caught.value)


def test_a_directory_is_no_graph(tmp_path) -> None:
    with pytest.raises(BoardError, match="cannot be read"):
        Graph.read(tmp_path)


@settings(max_examples=200)
@given(st.text(max_size=30))
def test_any_text_is_a_board_or_refused(text: str) -> None:
    for shape in (text, f"square:{text}", f"hex:{text}", f"cube:{text}", f"square:3x3#{text}"):
        with suppress(InputError):
            board = Topology.parse(shape)
            assert Topology.parse(board.text) == board


def test_a_board_of_a_million_cells_is_quick_to_name() -> None:
    board = Topology.parse("1000x1000")
    assert board.neighbours(1001) == (0, 1, 2, 1000, 1002, 2000, 2001, 2002)
    assert View.parse("square 1x2 mines=1\n..").topology != board


def test_the_centre_of_a_board_whose_middle_is_blocked_is_a_cell_beside_it() -> None:
    topology = Topology.parse("square:5x5#0,0;2,2")
    assert topology.coordinates(topology.centre) == (1, 2)
    assert Topology.parse("square:5x5#0,0").coordinates(
        Topology.parse("square:5x5#0,0").centre
    ) == (2, 2)


@pytest.mark.parametrize("place", [-1, 9, 2**80, (3, 0), None])
def test_a_cell_off_the_board_has_no_neighbours_and_leaves_those_of_others_alone(place) -> None:
    topology = Topology.parse("3x3#0,0")
    layout = Layout.of(topology, [0])
    asked = (
        topology.neighbours,
        topology.degree,
        topology.coordinates,
        topology.cell_name,
        topology._site,
        layout.is_mine,
        lambda cell: topology.steps_to(cell, [0]),
    )
    for ask in asked:
        with pytest.raises(InputError, match="accepted"):
            ask(place)
    assert topology.neighbours(7) == (3, 4, 6)


# ------------------------------------------------------------- cell sets against plain Python sets


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


def test_sets_with_cells_off_the_board_are_refused() -> None:
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


# ------------------------------------------------------------------------- many cells in few words


def folded(board: str, *cells: int) -> str:
    return " ".join(folded_names(Topology.parse(board), cells))


def test_three_or_more_in_a_row_are_named_by_the_ends() -> None:
    assert folded("3x9", 3, 2, 1, 0, 8, 12, 13) == "0,0..0,3 0,8 1,3 1,4"
    assert folded("3x9") == ""


def test_a_run_ends_with_its_row() -> None:
    assert folded("2x3", 1, 2, 3, 4) == "0,1 0,2 1,0 1,1"
    assert folded("2x3", *range(6)) == "0,0..0,2 1,0..1,2"


def test_every_topology_folds_its_last_coordinate() -> None:
    assert folded("cube:2x2x3", *range(12)) == "0,0,0..0,0,2 0,1,0..0,1,2 1,0,0..1,0,2 1,1,0..1,1,2"
    assert folded("graph:0-1,1-2,2-3", 0, 1, 2, 3) == "0..3"
