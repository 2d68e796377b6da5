"""Board names."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board import Board
from mineproof.board.presets import PRESETS
from mineproof.errors import InputError, UnknownName
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
