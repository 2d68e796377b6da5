"""World files: generated ones read back, broken ones name their line."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.board.worlds import World, find_world, format_worlds, parse_worlds, read_worlds
from mineproof.errors import NotationError, UnknownName
from mineproof.testing import strategies

SMALL = "S1\n0 1 1\n1 1 t\nt 1 1\n"
"""Worked by hand: (1,2) and (2,0) are tornadoes on the 3x3 rhombus."""

NAMES = st.from_regex(r"\A[A-Za-z][A-Za-z0-9_-]{1,8}\Z")
LAYOUTS = strategies.layouts(strategies.topologies(30, ["hex"], blocked=False))


@given(st.dictionaries(NAMES, LAYOUTS, min_size=1, max_size=4))
def test_worlds_read_back(layouts) -> None:
    worlds = tuple(World(name, layout) for name, layout in layouts.items())
    assert parse_worlds(format_worlds(worlds)) == worlds


def test_a_world_by_hand() -> None:
    (world,) = parse_worlds("# a comment\n\n" + SMALL + "# the end\n")
    assert world.name == "S1"
    assert world.layout.topology.text == "hex:3x3"
    assert world.layout.cells.names == ("1,2", "2,0")


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
        ("S1\n0 x\n", "line 2: 'x' in world S1; accepted: t or a clue"),
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
