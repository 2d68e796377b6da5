"""The notations: every position reads back from every notation that can hold it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import fields

import pytest
from hypothesis import given, settings

from mineproof.board import Topology
from mineproof.board.lattices import LATTICES
from mineproof.errors import InputError, NotationError
from mineproof.rules import RULE_WORDS, Mines, Rules
from mineproof.testing import strategies
from mineproof.view import Mark, View, notation
from mineproof.view.notation import Puzzle


@settings(max_examples=150)
@given(strategies.views(strategies.topologies(most_cells=30)))
def test_short_and_board_hold_every_position(view: View) -> None:
    for write in (notation.write_short_text, notation.write_board_text):
        text = write(view)
        again = notation.parse(text)
        assert again == view
        assert write(again) == text
        assert notation.parse(text.replace("\n", "\n\n")) == view
        assert notation.parse("\n \n" + text.replace("\n", "  \n")) == view


@pytest.mark.parametrize("name", list(LATTICES))
def test_every_lattice_in_every_notation(name: str) -> None:
    topology = Topology.of(name, LATTICES[name].example)
    view = View(topology, Rules(mines=Mines.number(1))).reveal({0: 1}).toggle_flag(1)
    assert (
        View.parse(notation.write_short_text(view))
        == View.parse(notation.write_board_text(view))
        == view
    )


def test_every_rule_is_read_back_from_a_board_text() -> None:
    values = {
        "mines": "unknown density=0.2",
        "first-click": "opening",
        "on-mine": "continue",
        "total": "unknown",
        "clues": "withheld:0.3",
        "given": "0,0",
        "cascade": "off",
        "goal": "mark-all",
        "guesses": "fair",
    }
    assert set(values) == set(RULE_WORDS)
    assert len(values) == len(fields(Rules))
    for key, value in values.items():
        said = (
            "mines=unknown density=0.2" if key in ("mines", "total") else f"mines=2 {key}={value}"
        )
        view = View(Topology.parse("square:3x3"), notation.header_rules(said.split()))
        assert view.rules != Rules(mines=Mines.number(2))
        assert View.parse(notation.write_board_text(view)) == view


@settings(max_examples=60)
@given(strategies.views(strategies.topologies(30, ["square"], blocked=False), ["exact"]))
def test_mine_and_puzzle_hold_plain_squares(view: View) -> None:
    marks = {view[cell] for cell in view.opened}
    if view.total is None or Mark.MINE in marks:
        with pytest.raises(NotationError, match=r"holds plain|no opened mines"):
            notation.write_mine_text(view)
        return
    assert notation.parse(notation.write_mine_text(view)) == view
    plain = View.of_codes(view.topology, view.rules, view.codes())
    line = notation.write_puzzle_line(Puzzle("P1", plain))
    assert notation.parse_puzzle_line(line) == Puzzle("P1", plain)
    assert notation.parse_puzzles(f"# one\n\n{line}\n") == (Puzzle("P1", plain),)
    nameless = line.removeprefix("P1 ")
    assert notation.parse_puzzle_line(nameless) == Puzzle("puzzle-1", plain)
    assert notation.parse_puzzles(f"{line}\n{nameless}\n")[1] == Puzzle("puzzle-2", plain)
    assert View.parse(nameless) == plain
    assert notation.parse(line) == plain


def test_what_a_puzzle_line_cannot_hold_is_refused() -> None:
    for text in ("square 1x2 mines=1\n*.", "square 1x2 mines=1\n?.", "hex 1x2 mines=1\n1."):
        with pytest.raises(NotationError):
            notation.write_puzzle_line(Puzzle("P", View.parse(text)))


def test_the_example_of_the_design() -> None:
    view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
    assert view.total == 2
    assert dict(view.clues) == {0: 1, 3: 1, 4: 2, 6: 0, 7: 1}
    assert view.text == "square 3x3 mines=2\n1..\n12.\n01.\n"


def test_headers_name_what_they_need() -> None:
    view = View.parse("square 1x2 mines=unknown density=0.2 clues=optimistic\n?.")
    assert view.total is None
    assert str(view.density) == "1/5"
    assert view.channel.text == "optimistic"
    assert view[0] is Mark.BLANK
    assert View.parse("square 1x1 mines=unknown\n.").density is not None
    assert View.parse("square 1x1 mines=unknown density=uniform\n.").density is None
    assert View.parse("square 1x1 mines=1 first-click=any\n.").rules.first_click.value == "any"


def test_clues_above_nine_are_words_and_layers_stand_apart() -> None:
    centre = 13
    view = View(Topology.parse("cube:3x3x3"), Rules(mines=Mines.number(12))).reveal({centre: 12})
    lines = view.text.splitlines()
    assert lines[0] == "cube 3x3x3 mines=12"
    assert lines[4] == lines[8] == ""
    assert lines[6] == ". 12 ."
    assert View.parse(view.text) == view


def test_a_board_of_ms_toollib() -> None:
    view = View.parse(
        "# MINESWEEPER-BOARD v0.1\n# Render: ascii\n\nrows: 2\ncolumns: 4\nmines: 3\n"
        "game_mode: classic\n\n[view]\nU1F?\n@X#2\n\n[real]\nanything\n"
    )
    assert view.text == "square 2x4 mines=3\n.1F.\n**?2\n"


def test_a_position_of_jsminesweeper() -> None:
    assert View.parse("3x2x1\nHHF\n0 1 H\n").text == "square 2x3 mines=1\n..F\n01.\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text is empty; accepted: a header"),
        ("square", "line 1: header 'square' names no topology and shape"),
        ("\n\nsqare 3x3 mines=1", "line 3: header"),
        ("square 3x3\n...\n...\n...", "line 1: header names no mines"),
        ("square 3x3 mines=x\n...", "line 1: mines 'x' is not a number"),
        ("square 3x3 mines=1 mines=2\n...", "line 1: header word 'mines=2' is unknown or repeated"),
        ("square 3x3 mines=1 total=known\n...", "line 1: total is not a header word"),
        ("square 3x3 mines=1 density=0.2\n...", "line 1: density beside a known number"),
        ("square 3x3 mines=1 clues=bad\n...", "line 1: unknown clue channel"),
        ("square 3x3 mines=unknown density=2\n...", "line 1: density '2' is out of range"),
        ("square 3x3 mines=10\n...\n...\n...", "mines 10 on 9 cells"),
        ("square 0x3 mines=1\n", "line 1: square size 0x3 has a side of 0"),
        ("square 3x3 mines=1\n...\n..\n...", "line 3: row 1 has 2 cells and needs 3"),
        ("square 3x3 mines=1\n...\n....\n...", "line 3: row 1 has 4 cells and needs 3"),
        ("square 3x3 mines=1\n...\n...", "line 3: the text ends after 2 of 3 rows"),
        ("square 3x3 mines=1\n...\n...\n...\n...", "line 5: more rows than the 3"),
        ("square 3x3 mines=1\n...\n.z.\n...", "line 3: unknown mark 'z'; accepted: . hidden"),
        ("square 3x3 mines=1\n...\n...\n6..", "line 4: clue 6 at 2,0, which has 3 neighbours"),
        ("square 3x3 mines=1\n...\n. 251 .\n...", "line 3: unknown mark '251'"),
        ("square 1x2 mines=1\n##", "line 1: every cell is blocked"),
        ("square 99999999x99999999 mines=1\n.", "line 1: square size .* at most 4000000"),
        ("graph 0-999999999 mines=1\n.", "line 1: graph size .* at most 4000000"),
        ("graph 0-0 mines=1\n.", "line 1: graph edge 0-0 joins a cell to itself"),
        ("graph /dev/zero mines=1\n.", "line 1: graph shape '/dev/zero' cannot be read here"),
        ("square 3x3 mines=" + "9" * 10**6 + "\n...", "line 1: mines "),
        ("9" * 10**6 + "x3x1\nHHH", "line 1: square size "),
        ("3x3x10\nHHH\nHHH\nHHH", "line 1: mines 10 on 9 cells"),
        ("3x1x1\nHxH", "line 2: unknown mark 'x'; accepted: H hidden, F flag, 0-8"),
        ("P1 2 2 1 -1 -1 -1", "line 1: puzzle 'P1' has 3 numbers for 4 cells"),
        ("\nP1 1 2 1 -1 9", "line 2: '9' in puzzle 'P1'; accepted: -1 or a hint 0 to 8"),
        ("P1 1 2 3 -1 -1", "line 1: mines 3 on 2 cells"),
        ("# MINESWEEPER-BOARD v0.1\n", "no \\[view\\] section"),
        ("[view]\n..", "rows '' is missing or not a number"),
        ("rows: 1\ncolumns: x\n[view]\n..", "line 2: columns 'x' is missing or not a number"),
        ("rows: 1\ncolumns: 1\n[view]\nU", "header names no mines"),
        (
            "rows: 1\ncolumns: 1\nmines: 0\n[view]\nU\n[view]\nU",
            "line 6: section \\[view\\] is given",
        ),
        ("rows: 1\nnonsense\n[view]\nU", "line 2: 'nonsense' is not a `key: value` line"),
        (
            "rows: 1\ncolumns: 1\nmines: 0\ntopology: hexagon:2\n[view]\nU",
            "line 4: topology 'hexagon:2' has 3 rows and 3 columns",
        ),
        (
            "rows: 2\ncolumns: 2\nmines: 0\ntopology: square:2x2#0,0\n[view]\nUU\nUU",
            "line 4: topology names blocked cells",
        ),
        ("# MINESWEEPER-BOARD v0.1\n# Render: unicode\n[view]\nU", "line 2: render 'unicode'"),
    ],
)
def test_broken_positions_name_their_line(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        View.parse(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_file_is_named_in_its_errors(tmp_path) -> None:
    path = tmp_path / "position"
    path.write_text("square 3x3 mines=1\n...\n")
    with pytest.raises(NotationError, match="position: line 2: the text ends"):
        notation.read(path)
    path.write_bytes(b"\x00\xff\x80" * 100)
    with pytest.raises(NotationError, match="not UTF-8"):
        notation.read(path)
    for missing in (tmp_path / "none", tmp_path, "\0"):
        with pytest.raises(NotationError, match="accepted: a readable file or -"):
            notation.read(missing)
    path.write_bytes(b"square 1x2 mines=1\r\n.1\r\n")
    assert notation.read(path).text == "square 1x2 mines=1\n.1\n"
    assert View.read(path) == notation.read(path)


def test_truncated_texts_are_refused() -> None:
    text = View.parse("square 3x3 mines=2\n1..\n12.\n01.").text
    whole = View.parse(text)
    for end in range(len(text)):
        with suppress(InputError):
            assert View.parse(text[:end]) == whole


def test_too_many_mines_are_the_fault_of_the_header() -> None:
    with pytest.raises(NotationError, match="line 1: mines 20 on 9 cells"):
        View.parse("square 3x3 mines=20\n1..\n12.\n01.")
