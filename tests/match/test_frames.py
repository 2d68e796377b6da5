"""A game as pictures, step by step."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from mineproof.match import play
from mineproof.match.frames import draw_frame, ending, frames, mines_of, unveiled
from mineproof.match.step_kinds import MoveKind

BOARDS = ["5x5/4", "hex:4x4/3", "torus:4x4/3", "triangle:3x6/3", "cube:3x3x3/2", "graph:0-1,1-2/1"]


@pytest.mark.parametrize("board", BOARDS)
def test_every_step_of_every_topology_is_drawn(board: str) -> None:
    game = play(board, "single-point", 2)
    found = list(frames(game))
    assert [frame.number for frame in found] == list(range(len(game.steps) + 1))
    for frame in found:
        picture = ElementTree.fromstring(draw_frame(frame))
        space = "{http://www.w3.org/2000/svg}"
        assert picture.findtext(f"{space}title") == frame.text
        assert len(picture.findall(f"{space}g")) == len(game.topology)


def test_a_frame_says_the_step_its_reason_and_its_kind() -> None:
    game = play("hex:7x7/10", "single-point", 3)
    start, first, *rest = frames(game)
    assert start.text == "the start"
    assert first.text == "1. open 6,0: 0 (3 cells opened) - guessed: random among 49 cells"
    assert first.kind is MoveKind.GUESSED
    proved = next(frame for frame in rest if frame.kind is MoveKind.SAFE)
    assert proved.premises
    assert "premise" in draw_frame(proved)


def test_given_cells_are_seen_at_the_start() -> None:
    game = play("5x5/4", "single-point", 2, given="corner+centre")
    assert next(frames(game)).text == "the start, with given cells"


def test_the_end_shows_the_mines() -> None:
    game = play("hex:7x7/10", "resolution", 3)
    assert ending(game).startswith("lost: the agent stopped (nothing more is proved); 7 steps")
    layout = mines_of(game)
    assert layout is not None
    assert layout.total == 10
    last = list(frames(game))[-1].view
    shown = unveiled(last, layout)
    assert {tint.text for tint in shown.values()} == {"X"}
    assert len(shown) + last.flag_count == 10
    wrong = last.toggle_flag(next(c for c in last.hidden if not layout.is_mine(c)))
    assert "!" in {tint.text for tint in unveiled(wrong, layout).values()}
