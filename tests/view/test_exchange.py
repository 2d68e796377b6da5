"""Positions as other programs, chats and courses write them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.board import Layout, Topology
from mineproof.errors import InputError, NotationError
from mineproof.rules import Mines, Rules
from mineproof.testing import strategies
from mineproof.view import Mark, View, exchange

READ = View.parse("square 2x3 mines=2\n1..\n12.")
FLAGGED = View.parse("square 2x3 mines=2\n1.F\n12.")
SQUARES = strategies.views(
    st.builds(lambda r, c: Topology.of("square", f"{r}x{c}"), st.integers(1, 6), st.integers(1, 7))
)


@pytest.mark.parametrize(
    "text",
    [
        "1HH\n12H",
        "1__\n12_",
        "1##\n12#",
        "1 . .\n1 2 .",
        "1,-1,-1\n1,2,-1",
        "1;-2;-2\n1;2;-2",
        "1\t?\t?\n1\t2\t?",
        "| 1 | . | . |\n| 1 | 2 | . |",
        "+---+\n|1HH|\n|12H|\n+---+",
        "```\n1..\n12.\n```",
        "[[1, -1, -1], [1, 2, -1]]",
        "[[ 1. -1. -1.]\n [ 1.  2. -1.]]",
        "[['1', '.', '.'], ['1', '2', '.']]",
        "[[1, None, None], [1, 2, None]]",
        "array([[ 1, -1, -1],\n       [ 1,  2, -1]])",
        "1️⃣🟦🟦\n1️⃣2️⃣🟦",
        "\uff11⬛⬛\n\uff11\uff12⬛",
        ":one::blue_square::blue_square:\n:one::two::blue_square:",
        "\n  \n1..\n\n12.\n",
    ],
)
def test_grids_without_a_header(text: str) -> None:
    assert View.parse(text, mines=2) == READ
    assert View.parse(f"{text}\nMines: 2") == View.parse(f"2 mines\n{text}") == READ
    assert View.parse(text, "unknown").total is None
    with pytest.raises(NotationError, match="nothing tells how many mines"):
        View.parse(text)
    with pytest.raises(NotationError, match="3 mines, but the text tells 2"):
        View.parse(f"{text}\n2 mines", mines=3)
    with pytest.raises(InputError, match="mines 7"):
        View.parse(text, mines=7)


def test_flags_mines_and_wrong_flags() -> None:
    for text in (
        "1HF\n12H",
        "1,-1,-2\n1,2,-1",
        "1️⃣🟦🚩\n1️⃣2️⃣🟦",
        ":one:⬛:triangular_flag_on_post:\n12⬛",
    ):
        assert View.parse(text, 2) == FLAGGED
    over = View.parse("1X*\n1!.", 2)
    assert [over.code(cell) for cell in (1, 2, 4)] == [
        Mark.MINE.value,
        Mark.MINE.value,
        Mark.BLANK.value,
    ]


def test_boards_of_a_chat_tell_their_mines() -> None:
    """Below the spoiler marks stands the whole board."""
    text = "||:one:||||:bomb:||||:bomb:||\n:one:||:two:||||:two:||"
    assert View.parse(text) == View.parse("square 2x3 mines=2\n...\n1..")
    with pytest.raises(NotationError, match="5 mines, but the text tells 2"):
        View.parse(text, 5)


def test_a_mark_that_may_mean_either_is_asked_about() -> None:
    with pytest.raises(NotationError, match=r"line 2: each of # and \. may mean a hidden cell"):
        View.parse("11\n#.", 1)
    assert View.parse("10\n#.", 1) == View.parse("10\n..", 1)  # a zero is told apart


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1..\n12", "line 2: row 1 has 2 cells and row 0 has 3"),
        ("1..\n12z", "line 2: unknown mark 'z'"),
        ("1..\n19.", "line 2: unknown mark '9'"),
        ("8x8", "header '8x8' names no topology"),
        ("hello", "header 'hello' names no topology"),
        ("", "the text is empty"),
        ("[[], []]", "names no topology"),
        ("2 mines", "names no topology"),
    ],
)
def test_errors_name_the_place(text: str, error: str) -> None:
    with pytest.raises(NotationError) as raised:
        View.parse(text, 2)
    assert error in str(raised.value)


def test_rows_of_clues_are_told_from_puzzles() -> None:
    assert View.parse("1 1 2\n. . .", 2).topology == Topology.of("square", "2x3")
    assert View.parse("2 2 1 1 -1 1 -1").text == "square 2x2 mines=1\n1.\n1.\n"
    with pytest.raises(NotationError, match="9 mines, but the text tells 1"):
        View.parse("2 2 1 1 -1 1 -1", 9)


# ------------------------------------------------------------------------------------------ links


@settings(max_examples=150)
@given(SQUARES)
def test_links_and_emoji_read_back(view: View) -> None:
    plain = view.total is not None and view.rules == Rules(mines=Mines.number(view.total))
    codes = view.codes().tolist()
    if plain and not view.free and not {Mark.MINE.value, Mark.BLANK.value} & {*codes}:
        assert View.parse(exchange.write_link(view)) == view
        assert View.parse(exchange.write_emoji(view)) == view
        return
    with pytest.raises(NotationError):
        exchange.write_link(view)


def test_a_link_lowers_clues_by_the_flags_beside_them() -> None:
    """For a flag `F` and a known mine `I` the clues beside them were lowered, for `O` not.

    The last was written by JSMinesweeper's own compressor.
    """
    for runs, text in (
        ("2Sc", "square 1x4 mines=1\nF.00\n"),
        ("2bS", "square 1x3 mines=1\nF1.\n"),
        ("ObS", "square 1x3 mines=1\n.1.\n"),
        ("9lS", "square 1x3 mines=1\nF1.\n"),
        ("R9lS", "square 1x3 mines=1\nF1.\n"),
        ("bl2SmTbmScm", "square 4x4 mines=3\n02F.\n12..\n011.\n0011\n"),
    ):
        width, height = (int(size) for size in reversed(text.split()[1].split("x")))
        mines = {"1": "b", "3": "d"}[text.partition("mines=")[2][0]]
        code = f"a{chr(97 + width)}a{chr(97 + height)}aaa{mines}"
        assert View.parse(f"https://h/?analysis={code}{runs}").text == text


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("analysis=afae", "cut off"),
        ("analysis=afaeaaad%2B", "with '+'"),
        ("analysis=afaeaaadbb", "holds 11 cells"),
        ("analysis=aaaaaaaa", "accepted"),
        ("analysis=afaeaaad" + "J" * 5000, "more cells than the 20"),
        ("board=x", "accepted"),
        ("b=2&m=000", "accepted: 52 characters"),
        ("q=1", "accepted: a link of JSMinesweeper"),
        ("&".join(f"v{n}=1" for n in range(30)), "more than 20 values"),
    ],
)
def test_broken_links(query: str, error: str) -> None:
    with pytest.raises(InputError) as raised:
        View.parse(f"https://h/index.html?{query}")
    assert error in str(raised.value)


def test_an_empty_board_of_a_link() -> None:
    assert View.parse("https://h/#/?board=3x2x1").text == "square 2x3 mines=1\n...\n...\n"
    assert View.read("https://h/?board=9x9x10").total == 10


@settings(max_examples=300)
@given(st.text(st.sampled_from("0123.#-_|,;[]('\" \nHF*!?=&bmx🟦🚩:ae"), max_size=60))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try:
        view = View.parse(text, 3)
    except InputError:
        return
    assert View.parse(view.text) == view


def test_a_whole_board_is_met_before_the_first_click(tmp_path: Path) -> None:
    layout = Layout.of("16x30", range(0, 480, 5))
    file = tmp_path / "board.mbf"
    file.write_bytes(layout.mbf)
    link = layout.link
    for view in (View.parse(link), View.read(link), View.read(file), View.parse(link, 96)):
        assert (view.topology, view.total) == (layout.topology, 96)
        assert len(view.hidden) == 480
    with pytest.raises(NotationError, match="5 mines, but the text tells 96"):
        View.parse(link, 5)
