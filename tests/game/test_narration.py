"""Moves, steps and endings in words and pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from mineproof.agents.agent import Action, Decision, Guessed, Proved, Unstated
from mineproof.engine.analysis import Premises
from mineproof.game import play
from mineproof.game.narration import (
    LEFT,
    MoveKind,
    choice_text,
    counts_text,
    dealt_layout,
    draw_frame,
    ending_text,
    final_tints,
    frames,
    kind_of,
    kinds_text,
    many,
    move_text,
    opened_text,
    outcome_text,
    ranges_text,
    reason_text,
    steps_by_kind,
    unsound_text,
)
from mineproof.game.referee import Outcome, Termination
from mineproof.rules import Rules
from mineproof.view import View

# ----------------------------------------------------------------------------
# Moves and endings in words.

BEFORE = View.parse("square 3x3 mines=2\n1..\n12.\n01.")


def test_a_move_says_what_it_showed() -> None:
    after = BEFORE.reveal({2: 1, 5: 2})
    assert move_text(Decision.open(2), BEFORE, after) == "open 0,2: 1 (2 cells opened)"
    assert move_text(Decision.flag(1), BEFORE, BEFORE) == "flag 0,1"
    assert move_text(Decision.stop("tired"), BEFORE, BEFORE) == "stop"


def test_an_unsound_step_says_how_likely_it_is_false() -> None:
    cases = {
        Decision.open(2): "another layout fits (a mine with a chance of 25.0 %)",
        Decision.flag(2): "another layout fits (safe with a chance of 25.0 %)",
        Decision.chord(4): "another layout fits (opens a mine with a chance of 25.0 %)",
    }
    for decision, said in cases.items():
        assert unsound_text(decision, 0.25) == f"UNSOUND: called proved, but {said}"
    assert unsound_text(Decision.open(2), 1.0).endswith("but certainly a mine")
    assert unsound_text(Decision.flag(2), 1.0).endswith("but certainly safe")


def test_a_reason_names_its_premises() -> None:
    def said(*clues: int, total: bool = False) -> str:
        reason = Proved("sat", Premises(clues, total))
        return reason_text(Decision(Action.FLAG, 1, reason), BEFORE)

    assert said() == "proved a mine by sat"
    assert said(0) == "proved a mine by sat from the 1 at 0,0"
    assert said(0, 4, total=True).endswith("the 1 at 0,0, the 2 at 1,1 and the number of mines")
    assert said(0, 3, 4, 6, 7).endswith("from the 1s at 0,0 1,0 2,1, the 2 at 1,1 and the 0 at 2,0")
    guess = Guessed("least-risk", 3, 0.25, (2, 5, 8))
    assert reason_text(Decision.open(2, guess), BEFORE) == (
        "guessed: least-risk among 3 cells, risk 25.0 %"
    )
    assert choice_text(guess, BEFORE.topology) == "0,2 1,2 2,2"
    assert reason_text(Decision.open(2, Unstated("human")), BEFORE) == "human"


def test_a_proof_by_contradiction_says_what_clashes() -> None:
    def said(action: Action, *clues: int) -> str:
        reason = Proved("sat", Premises(clues, by_contradiction=True))
        return reason_text(Decision(action, 1, reason), BEFORE)

    assert said(Action.OPEN) == "proved safe by sat, by contradiction"
    assert said(Action.OPEN, 0, 4) == (
        "proved safe by sat, by contradiction: a mine in 0,1 clashes with the 1 at 0,0 and the 2"
        " at 1,1"
    )
    assert said(Action.FLAG, 0) == (
        "proved a mine by sat, by contradiction: 0,1 without a mine clashes with the 1 at 0,0"
    )


def test_what_opened_is_told_by_what_it_shows() -> None:
    after = BEFORE.reveal({2: 1, 5: 2})
    assert opened_text(BEFORE, after) == "1 at 0,2; 2 at 1,2"
    assert opened_text(BEFORE, after, 2) == "2 at 1,2"
    assert opened_text(View(BEFORE.topology, BEFORE.rules), BEFORE) == (
        "0 at 2,0; 1 at 0,0 1,0 2,1; 2 at 1,1"
    )


def test_the_end_tells_the_measures_of_its_rules() -> None:
    lost = Outcome(False, Termination.STUCK, 0.5, 0.25, 1.0, LEFT)
    rules = Rules()
    assert outcome_text(lost, 1, 2, rules) == (
        "left: before the end (left by the player); 1 step, 2 guesses; mines/covered 0.250"
    )
    stuck = Outcome(False, Termination.STUCK, 0.5, 0.25, 0.875)

    def told(**words: str) -> str:
        return outcome_text(stuck, 1, 2, rules.with_words(**words)).partition("guesses; ")[2]

    assert told() == "mines/covered 0.250, 87.50 % of cells marked"
    assert told(goal="mark-all") == "87.50 % of cells marked"
    assert told(on_mine="continue") == "score 0.500, 87.50 % of cells marked"
    assert told(on_mine="continue", goal="mark-all") == "score 0.500, 87.50 % of cells marked"
    wrong = Outcome(False, Termination.FINISHED, 0.5, 0.25, 1.0)
    for words, word in (({"on_mine": "continue"}, "finished"), ({"goal": "mark-all"}, "lost")):
        said = outcome_text(wrong, 1, 2, rules.with_words(**words))
        assert said.startswith(f"{word}: every cell is open or flagged, not all correctly; 1 step")
    game = play("5x5/4", "single-point", 14)
    said = outcome_text(game.outcome, 9, 0, game.rules)
    assert said == "won: every safe cell is open; 9 steps, 0 guesses; mines/covered 1.000"
    assert counts_text(BEFORE) == "2 mines, 0 flagged, 4 cells hidden"
    assert many(1, "cell") == "1 cell"


# ----------------------------------------------------------------------------
# The steps of a game by kind, as report 0 lists them.

GUESS = Decision.open(0, Guessed("random", 9))
SAFE = Decision.open(1, Proved("sat"))
MINE = Decision.flag(2, Proved("sat"))


def test_ranges_are_folded_as_the_report_folds_them() -> None:
    assert ranges_text([1, 2, 3, 4, 8, 11, 14]) == "1-4, 8, 11, 14"
    assert ranges_text([5, 6]) == "5-6"
    assert ranges_text([]) == "none"


def test_steps_are_listed_by_kind() -> None:
    steps = steps_by_kind([GUESS, GUESS, SAFE, MINE, SAFE, Decision.stop("done")])
    assert kinds_text(steps) == [
        "steps guessed: 1-2",
        "steps proved safe: 3, 5",
        "steps proved mine: 4",
    ]


def test_a_step_without_a_reason_is_told_apart() -> None:
    assert kind_of(Decision.open(3)) is MoveKind.UNSTATED
    assert kind_of(Decision(Action.CHORD, 3)) is MoveKind.UNSTATED
    assert kind_of(Decision.stop()) is None
    assert kinds_text(steps_by_kind([Decision.open(3)]))[-1] == "steps without a reason: 1"


def test_a_step_called_proved_that_is_not_is_told_apart() -> None:
    steps = steps_by_kind([SAFE, SAFE, MINE, GUESS])
    assert kinds_text(steps, {2: 0.5, 3: 1.0, 7: 0.1}) == [
        "steps guessed: 4",
        "steps proved safe: 1",
        "steps proved mine: none",
        "steps called proved, UNSOUND: 2-3",
    ]


# ----------------------------------------------------------------------------
# A game as pictures, step by step.

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
    assert ending_text(game).startswith("lost: the agent stopped (nothing more is proved); 7 steps")
    layout = dealt_layout(game)
    assert layout is not None
    assert layout.total == 10
    last = list(frames(game))[-1].view
    shown = final_tints(last, layout)
    assert {tint.text for tint in shown.values()} == {"X"}
    assert len(shown) + last.flag_count == 10
    wrong = last.toggle_flag(next(c for c in last.hidden if not layout.is_mine(c)))
    assert "!" in {tint.text for tint in final_tints(wrong, layout).values()}
