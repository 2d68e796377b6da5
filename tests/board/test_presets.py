"""Board names, and world files: generated ones read back, broken ones name their line."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board import Board
from mineproof.board.presets import (
    PRESETS,
    World,
    find_world,
    format_worlds,
    parse_worlds,
    read_worlds,
)
from mineproof.errors import InputError, NotationError, UnknownName
from mineproof.testing import strategies


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("beginner", "square:9x9/10"),
        ("beginner8", "square:8x8/10"),
        ("intermediate", "square:16x16/40"),
        ("expert", "square:16x30/99"),
    ],
)
def test_presets(name: str, text: str) -> None:
    assert Board.parse(name).text == text
    assert str(Board.parse(name)) == text


def test_every_preset_is_a_board() -> None:
    assert all(Board.parse(name) == Board.parse(PRESETS[name]) for name in PRESETS)


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("4x4/4", "square:4x4/4"),
        ("9x9/20%", "square:9x9/20%"),
        ("9x9/1/3", "square:9x9/1/3"),
        ("9x9/~0.2%", "square:9x9/~0.2%"),
        ("hex:11x11/28", "hex:11x11/28"),
        ("torus:16x30/99", "torus:16x30/99"),
        ("cube:5x5x5/12", "cube:5x5x5/12"),
        ("graph:0-1,1-2/1", "graph:0-1,1-2/1"),
        ("graph:0-1,1-2/1/3", "graph:0-1,1-2/1/3"),
        ("square:3x3#1,1/uniform", "square:3x3#1,1/uniform"),
    ],
)
def test_boards_by_shape(text: str, full: str) -> None:
    assert Board.parse(text).text == full


@settings(max_examples=60)
@given(strategies.topologies(), strategies.mines(most=20))
def test_boards_read_back(topology, mines) -> None:
    with suppress(InputError):
        board = Board(topology, mines)
        assert Board.parse(board.text) == board == Board(topology.text, mines.text)
        return
    assert mines.fixed(len(topology)) > len(topology)


def test_a_graph_in_a_folder(tmp_path) -> None:
    (tmp_path / "g.json").write_text('{"cells": 3, "edges": [[0, 1], [1, 2]]}')
    assert Board.parse(f"graph:{tmp_path}/g.json/1").text == "graph:0-1,1-2/1"


@pytest.mark.parametrize("text", ["exprt", "expert ", "Expert", "intermedate", "begin"])
def test_wrong_names_get_the_nearest(text: str) -> None:
    with pytest.raises(UnknownName, match="did you mean"):
        Board.parse(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "unknown board ''; known: beginner"),
        ("9x9", "names no mines; accepted: such as expert"),
        ("hex:9x9", "names no mines"),
        ("9x9/", "mines '' cannot be read"),
        ("0x9/1", "has a side of 0"),
        ("-1x9/1", "cannot be read"),
        ("3x3/10", "10 mines on 9 cells; accepted: at most one per cell"),
        ("3x3/101%", "out of range; accepted: 0 to 1"),
        ("9x9/-1", "mines '-1' cannot be read"),
        ("moon:3x3/1", "unknown topology 'moon'"),
        ("9999999x9999999/1", "at most 4000000"),
    ],
)
def test_other_boards_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Board.parse(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_a_board_or_refused(text: str) -> None:
    for name in (text, f"3x3/{text}", f"{text}/3", f"hex:{text}/3"):
        with suppress(InputError):
            board = Board.parse(name)
            assert Board.parse(board.text) == board


# ------------------------------------------------------------------------------------- world files

SMALL = "S1\n0 1 1\n1 1 t\nt 1 1\n"
"""Worked by hand: (1,2) and (2,0) are tornadoes on the 3x3 rhombus."""

NAMES = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_-]{1,8}\Z")
LAYOUTS = strategies.layouts(strategies.topologies(30, ["hex", "square"]))


@given(st.dictionaries(NAMES, LAYOUTS, min_size=1, max_size=4))
def test_worlds_read_back(layouts) -> None:
    worlds = tuple(World(name, layout) for name, layout in layouts.items())
    assert parse_worlds(format_worlds(worlds)) == worlds


def test_a_world_by_hand() -> None:
    (world,) = parse_worlds("# a comment\n\n" + SMALL + "# the end\n")
    assert world.name == "S1"
    assert world.layout.topology.text == "hex:3x3"
    assert world.layout.cells.names == ("1,2", "2,0")


def test_a_square_world_with_blocked_cells_by_hand() -> None:
    first, second = parse_worlds("square:\nP1\n0 1 1\nb 1 t\n1 2 1\nt 1 0\n\nhex:\n" + SMALL)
    assert first.layout.topology.text == "square:4x3#1,0"
    assert first.layout.cells.names == ("1,2", "3,0")
    assert second.layout.topology.text == "hex:3x3"


def test_worlds_of_the_other_lattice_say_so() -> None:
    square = "P1\nt 1 0\n2 2 1\n1 t 1\n"
    assert parse_worlds("square:\n" + square)[0].layout.topology.text == "square:3x3"
    with pytest.raises(NotationError, match=r"on a hex board; all its clues fit on a square board"):
        parse_worlds(square)
    with pytest.raises(NotationError, match=r"on a square board; all .* accepted: a line `hex:`"):
        parse_worlds("square:\n" + SMALL)
    # A clue that fits nowhere is not blamed on the lattice.
    with pytest.raises(NotationError, match=r"where 2 tornadoes touch on a square board$"):
        parse_worlds("square:\n" + square.replace("2 2 1", "2 5 1"))


def test_an_empty_line_or_the_end_closes_a_world() -> None:
    assert [w.name for w in parse_worlds(SMALL + "\n\n" + SMALL.replace("S1", "S2"))] == [
        "S1",
        "S2",
    ]


def test_a_world_is_found_by_name() -> None:
    worlds = parse_worlds(SMALL)
    assert find_world(worlds, "S1") is worlds[0]
    with pytest.raises(UnknownName, match="unknown world 'S9'; did you mean S1"):
        find_world(worlds, "S9")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no world found"),
        ("# nothing\n", "no world found"),
        ("S1\n", "line 1: world S1 has no rows"),
        ("S1\n\n0 0\n0 0\n", ""),
        ("0 1\n", "line 1: '0 1' is not a world's name"),
        ("S1\n0 0\n0\n", "line 3: world S1 has 1 cells in this row and 2 in its first"),
        ("S1\n0 x\n", "line 2: 'x' in world S1; accepted: t, b or a clue"),
        ("S1\n0 -1\n", "line 2: '-1' in world S1"),
        ("S1\n0 " + "9" * 10**6 + "\n", "line 2: "),
        ("S1\n0 t\n1 1\n", "line 2: world S1 shows 0 at 0,0, where 1 tornadoes touch"),
        (SMALL + "\n" + SMALL, "line 6: world S1 is defined twice"),
    ],
)
def test_broken_worlds_name_their_line(text: str, message: str, tmp_path) -> None:
    if not message:
        assert len(parse_worlds(text)) == 1
        return
    with pytest.raises(NotationError, match=message) as caught:
        parse_worlds(text)
    assert "\n" not in str(caught.value)
    path = tmp_path / "worlds.txt"
    path.write_text(text)
    with pytest.raises(NotationError) as caught:
        read_worlds(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_files_that_are_no_text_are_refused(tmp_path) -> None:
    path = tmp_path / "worlds.txt"
    path.write_bytes(b"S1\n0 \xff\n")
    with pytest.raises(NotationError, match="line 2: not UTF-8 text"):
        read_worlds(path)
    for missing in (tmp_path / "none", tmp_path):
        with pytest.raises(NotationError, match="cannot be read"):
            read_worlds(missing)


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path) -> None:
    path = tmp_path / "worlds.txt"
    path.write_bytes(b"\xef\xbb\xbf" + SMALL.replace("\n", "\r\n").encode())
    assert read_worlds(path) == parse_worlds(SMALL)


@given(st.text(alphabet=st.sampled_from("S1 t012\n#\x00é"), max_size=60) | st.text(max_size=60))
def test_any_text_is_worlds_or_refused(text: str) -> None:
    with suppress(NotationError):
        worlds = parse_worlds(text)
        assert parse_worlds(format_worlds(worlds)) == worlds
