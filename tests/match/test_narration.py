"""Moves and endings in words."""

from __future__ import annotations

from mineproof.agents.decision import Action, Decision, Guessed, Proved, Unstated
from mineproof.inference.verdict import Premises
from mineproof.match import play
from mineproof.match.narration import (
    LEFT,
    choice_text,
    many,
    move_text,
    outcome_text,
    reason_text,
    told_text,
)
from mineproof.match.outcome import Outcome, Termination
from mineproof.view import View

BEFORE = View.parse("square 3x3 mines=2\n1..\n12.\n01.")


def test_a_move_says_what_it_showed() -> None:
    after = BEFORE.reveal({2: 1, 5: 2})
    assert move_text(Decision.open(2), BEFORE, after) == "open 0,2: 1 (2 cells opened)"
    assert move_text(Decision.flag(1), BEFORE, BEFORE) == "flag 0,1"
    assert move_text(Decision.stop("tired"), BEFORE, BEFORE) == "stop"


def test_a_reason_names_its_premises() -> None:
    def said(*clues: int, total: bool = False) -> str:
        reason = Proved("sat", Premises(clues, total))
        return reason_text(Decision(Action.FLAG, 1, reason), BEFORE)

    assert said() == "proved a mine by sat"
    assert said(0) == "proved a mine by sat from the 1 at 0,0"
    assert said(0, 4, total=True).endswith("the 1 at 0,0, the 2 at 1,1 and the number of mines")
    assert said(0, 3, 4, 6, 7).endswith("the 2 at 1,1 and 2 more clues")
    guess = Guessed("least-risk", 3, 0.25, (2, 5, 8))
    assert reason_text(Decision.open(2, guess), BEFORE) == (
        "guessed: least-risk among 3 cells, risk 0.250"
    )
    assert choice_text(guess, BEFORE.topology) == "0,2 1,2 2,2"
    assert reason_text(Decision.open(2, Unstated("human")), BEFORE) == "human"


def test_the_end_says_who_left() -> None:
    lost = Outcome(False, Termination.STUCK, 0.5, 0.25, 1.0, LEFT)
    assert outcome_text(lost, 1, 2) == (
        "left: before the end (left by the player); 1 step, 2 guesses; score 0.500, finer 0.250"
    )
    game = play("5x5/4", "single-point", 14)
    assert outcome_text(game.outcome, 0, 0).startswith("won: every safe cell is open; 0 steps")
    assert told_text(BEFORE) == "2 mines, 0 flagged, 4 cells hidden"
    assert many(1, "cell") == "1 cell"
