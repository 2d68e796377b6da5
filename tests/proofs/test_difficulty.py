"""Ratings of positions and of whole boards."""

from __future__ import annotations

import pytest

from mineproof.board import Board, deal
from mineproof.errors import InputError
from mineproof.match.referee import Referee
from mineproof.proofs.difficulty import BoardRating, rate_board, rate_position
from mineproof.proofs.techniques import Ladder, Technique
from mineproof.rules import Rules
from mineproof.view import View


def rating(name: str, seed: int) -> BoardRating:
    board = Board.parse(name)
    layout = deal(board.topology, board.mines, seed, 0, (board.topology.centre,))
    referee = Referee(layout, rules=Rules.parse(f"mines={layout.total}"))
    referee.open(board.topology.centre)

    def open_cell(cell: int) -> View:
        assert not layout.is_mine(cell), "only safe cells are proved safe"
        referee.open(cell)
        return referee.view

    def some_safe(view: View) -> int | None:
        return next((cell for cell in view.hidden if not layout.is_mine(cell)), None)

    rated = rate_board(referee.view, open_cell, some_safe)
    assert all(layout.is_mine(cell) for cell in referee.view.hidden)
    return rated


def test_positions() -> None:
    rated = rate_position(View.parse("square 3x3 mines=2\n1..\n12.\n01."))
    assert rated.next_step == Technique.parse("3 clues")
    assert rated.hardest == Technique.parse("3 clues")
    assert rated.sizes == {1: 1, 3: 1}
    assert rated.text == "next step 3 clues; hardest 3 clues; 2 certain cells"
    guess = rate_position(View.parse("square 1x3 mines=1\n.1."))
    assert (guess.next_step, guess.hardest) == (None, None)
    assert guess.text == "nothing is certain: a guess"


@pytest.mark.parametrize("name", ["beginner", "hex:7x7/10", "triangle:6x9/9", "cube:4x4x4/6"])
def test_boards(name: str) -> None:
    rated = [rating(name, seed) for seed in range(3)]
    assert any(one.sizes for one in rated)
    for one in rated:
        assert one.hard_steps <= sum(one.sizes.values())
        if one.hardest is not None and one.hardest.rung is Ladder.SINGLE_CLUE:
            assert not one.hard_steps
        assert f"{one.guesses} guesses" in one.text


def test_a_guess_may_end_it() -> None:
    view = View.parse("square 1x3 mines=1\n.1.")
    rated = rate_board(view, lambda cell: view, lambda view: None)
    assert (rated.hardest, rated.hard_steps, rated.guesses) == (None, 0, 0)


def test_names_of_techniques() -> None:
    assert Technique.parse("12 clues").rung is Ladder.SEVERAL_CLUES
    with pytest.raises(InputError, match="technique 'magic' is unknown"):
        Technique.parse("magic")
