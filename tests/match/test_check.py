"""The soundness check finds what is wrong with an agent, and shows the position."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mineproof.agents import AGENTS, Action, Decision, Guessed, Proved
from mineproof.board import Board
from mineproof.board.lattices import LATTICES
from mineproof.errors import BudgetExceeded, InputError
from mineproof.inference import Verdict
from mineproof.match.soundness import SMALL_BOARDS, FaultKind, certain_cells, check
from mineproof.view import View
from tests.core import players_need_core


class Says:
    def __init__(self, answer: Callable[[View], object]) -> None:
        self.answer = answer

    def act(self, view: View) -> object:
        return self.answer(view)


def claims_everything(view: View) -> Decision:
    return Decision.open(view.hidden[0], Proved("hope"))


def claims_mines(view: View) -> Decision:
    free = [cell for cell in view.hidden if not view.is_flagged(cell)]
    return Decision.flag(free[0], Proved("hope")) if view.opened_count else Decision.open(free[0])


def flags_anything(view: View) -> Decision:
    free = [cell for cell in view.hidden if not view.is_flagged(cell)]
    return Decision.flag(free[0]) if view.opened_count else Decision.open(free[0])


def guesses_flags(view: View) -> Decision:
    free = [cell for cell in view.hidden if not view.is_flagged(cell)]
    if view.flag_count < 2 and len(free) > 1:
        return Decision.flag(free[-1], Guessed("hope", 1))
    return Decision.open(free[0]) if free else Decision.stop()


def raises(view: View) -> int:
    if view.opened_count:
        raise ZeroDivisionError("by zero")
    return 0


def reopens(view: View) -> int:
    return next(iter(view.opened), 0)


def chords_wrongly(view: View) -> Decision:
    for cell, clue in view.clues:
        hidden = [c for c in view.topology.neighbours(cell) if view.is_hidden(c)]
        flagged = [c for c in hidden if view.is_flagged(c)]
        if 0 < clue < len(hidden):
            if len(flagged) == clue:
                return Decision(Action.CHORD, cell, Proved("hope"))
            free = next(c for c in hidden if c not in flagged)
            return Decision.flag(free, Guessed("hope", len(hidden)))
    return Decision.open(next(c for c in view.hidden if not view.is_flagged(c)))


@pytest.mark.parametrize("name", players_need_core(AGENTS))
def test_listed_agents_pass(name: str) -> None:
    report = check(AGENTS[name].make, name=name, games=2)
    assert report.passed, report.text
    assert report.games == 2 * len(SMALL_BOARDS)
    assert report.text.startswith(f"{name}: {report.games} games")
    assert report.to_json()["fault"] is None


def test_the_boards_are_of_every_topology() -> None:
    boards = [Board.parse(text) for text in SMALL_BOARDS]
    assert {board.topology.name for board in boards} == set(LATTICES)
    assert any(board.topology.blocked for board in boards)


@pytest.mark.parametrize(
    ("answer", "kind", "message"),
    [
        (claims_everything, FaultKind.UNSOUND, "is called proved safe"),
        (claims_mines, FaultKind.UNSOUND, "is called proved a mine"),
        (chords_wrongly, FaultKind.UNSOUND, "is called proved safe"),
        (flags_anything, FaultKind.WRONG_FLAG, "is flagged and safe"),
        (raises, FaultKind.RAISED, "ZeroDivisionError: by zero"),
        (reopens, FaultKind.ILLEGAL, "is open already"),
        (lambda view: "nonsense", FaultKind.ILLEGAL, "answered"),
    ],
)
def test_faults_are_found_and_shown(
    answer: Callable[[View], object], kind: FaultKind, message: str
) -> None:
    report = check(lambda: Says(answer), name="mine", boards=["5x5/5"], games=20, seed=1)
    fault = report.fault
    assert fault is not None
    assert (fault.kind, report.passed) == (kind, False)
    assert message in fault.message
    views = list(fault.game.views())
    assert View.parse(fault.position) == views[fault.step - 1]
    assert message in report.text
    assert fault.position.strip() in report.text
    data = report.to_json()["fault"]
    assert data["kind"] == kind.value
    assert data["position"] == fault.position


def test_a_maker_that_raises_is_a_fault() -> None:
    def make() -> Says:
        raise ValueError("no agent today")

    report = check(make, boards=["3x3/2"])
    assert report.fault is not None
    assert report.fault.kind is FaultKind.RAISED
    assert report.fault.step == 1


def test_guessed_flags_are_no_fault() -> None:
    assert check(lambda: Says(guesses_flags), boards=["4x4/3"]).passed


def test_a_promised_first_click_is_proved() -> None:
    def promised(view: View) -> Decision:
        if view.opened_count:
            return Decision.stop()
        return Decision.open(0, Proved("rules"))

    assert check(lambda: Says(promised), boards=["5x5/5"]).judged == 20
    refused = check(lambda: Says(promised), boards=["5x5/5"], rules={"first_click": "any"})
    assert refused.fault is not None


def test_another_oracle_is_asked_and_may_give_up() -> None:
    asked = []

    def silent(view: View) -> Verdict:
        asked.append(view)
        raise BudgetExceeded("too much")

    report = check(AGENTS["single-point"].make, boards=["9x9/10"], games=2, certain=silent)
    assert report.passed
    assert asked
    assert report.unjudged > 0 == report.judged
    assert "too costly to judge" in report.text
    # What the mines refute is unsound, whatever the oracle could not say.
    lucky = check(lambda: Says(claims_everything), boards=["9x9/30"], certain=silent)
    assert lucky.fault is not None
    assert "and it is a mine" in lucky.fault.message


def test_the_oracle_is_enumeration_where_that_is_quick() -> None:
    small = View.parse("square 3x3 mines=1\n01.\n01.\n01.")
    assert certain_cells(small).logic == "enumerate"
    large = View.parse("square 5x5 mines=10\n" + ".....\n" * 5)
    assert certain_cells(large).logic == "exact"
    assert not certain_cells(large)


def test_settings_that_cannot_be_played_are_refused() -> None:
    for options in ({"games": 0}, {"boards": ["3x3/99"]}, {"rules": {"goal": "x"}}):
        with pytest.raises(InputError):
            check(AGENTS["random"].make, **options)
