"""What a user may hand over wrongly: refused in one line, with the place and the cure."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mineproof.agents import make_agent
from mineproof.board import Board, Topology
from mineproof.board.lattices.graph import Graph
from mineproof.board.worlds import parse_worlds
from mineproof.errors import InputError
from mineproof.files import read_text
from mineproof.match import Transcript, play
from mineproof.view import View

ROWS = "\n...\n...\n..."

CASES: dict[str, tuple[Callable[[], object], str]] = {
    "unknown board": (lambda: play("beginer"), "did you mean beginner"),
    "unknown agent": (lambda: make_agent("randm"), "did you mean random"),
    "unknown topology": (lambda: Board.parse("hexx:3x3/1"), "did you mean hex"),
    "size of 0": (lambda: Board.parse("0x9/1"), "accepted: sides of 1 and more"),
    "negative size": (lambda: Board.parse("-3x9/1"), "accepted: such as 16x30"),
    "more mines than cells": (lambda: Board.parse("3x3/10"), "accepted: at most one per cell"),
    "no room beside a safe click": (lambda: play("3x3/9"), "accepted: at most 8"),
    "no room beside an opening": (
        lambda: play("3x3/6", first_click="opening"),
        "kept free by first click opening; accepted: at most 5",
    ),
    "no room beside given cells": (
        lambda: play("3x3/8", given="0,0;2,2"),
        "accepted: at most 7",
    ),
    "density above 1": (lambda: Board.parse("9x9/120%"), "accepted: 0 to 1"),
    "density below 0": (lambda: Board.parse("9x9/-5%"), "from 0 to 1"),
    "ragged rows": (
        lambda: View.parse("square 3x3 mines=1\n...\n..\n..."),
        "line 3: row 1 has 2 cells and needs 3",
    ),
    "unknown character": (
        lambda: View.parse("square 3x3 mines=1\n...\n.!.\n..."),
        "line 3: unknown mark '!'; accepted: . hidden",
    ),
    "truncated position": (
        lambda: View.parse("square 3x3 mines=1\n..."),
        "line 2: the text ends after 1 of 3 rows",
    ),
    "truncated world": (lambda: parse_worlds("S1\n"), "line 1: world S1 has no rows"),
    "truncated game": (
        lambda: Transcript.parse(play("3x3/1", seed=1).text.split("seed:")[0]),
        "the game has no line",
    ),
    "clue above its neighbours": (
        lambda: View.parse("square 3x3 mines=1\n4..\n...\n..."),
        "line 2: clue 4 at 0,0, which has 3 neighbours; accepted: 0 to 3",
    ),
    "graph with a self-loop": (lambda: Board.parse("graph:0-1,1-1/1"), "accepted: two cells"),
    "graph with a missing cell": (
        lambda: Graph.from_json('{"cells": 2, "edges": [[0, 2]]}'),
        "names a missing cell; accepted: 0 to 1",
    ),
    "graph file that is not there": (
        lambda: Board.parse("graph:none.json/1"),
        "cannot be read .*accepted: an edge list",
    ),
    "board past the limit": (lambda: Topology.parse("9999x9999"), "accepted: at most 4000000"),
    "cell off the board": (lambda: play("3x3/1", given="5,5"), "accepted: 2 coordinates from 0"),
    "clues of no channel": (lambda: View.parse(f"square 3x3 mines=1 clues=x{ROWS}"), "line 1: .*x"),
    "seed out of range": (lambda: play("3x3/1", seed=-1), "accepted: 0 to"),
    "rule without such a value": (lambda: play("3x3/1", goal="win"), "accepted: clear, mark-all"),
}


@pytest.mark.parametrize("what", CASES)
def test_bad_input_is_refused_in_one_line(what: str) -> None:
    call, message = CASES[what]
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 300


def test_binary_files_are_refused_in_one_line(tmp_path) -> None:
    path = tmp_path / "binary"
    path.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(InputError, match="not UTF-8 text; accepted: a text file") as caught:
        read_text(path)
    assert len(str(caught.value).splitlines()) == 1
