"""The steps of a game by kind, as report 0 lists them."""

from __future__ import annotations

from mineproof.agents.decision import Action, Decision, Guessed, Proved
from mineproof.match.step_kinds import MoveKind, kind_of, kinds_text, ranges_text, steps_by_kind

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
