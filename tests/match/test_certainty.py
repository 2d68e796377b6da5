"""What an agent calls proved is judged at once, with the exact chance that it is false."""

from __future__ import annotations

import pytest

import mineproof as mp
from mineproof.agents import Action, Decision, Proved
from mineproof.errors import BudgetExceeded
from mineproof.inference.engine.together import any_mine
from mineproof.inference.enumerate import enumerate_layouts
from mineproof.inference.verdict import Verdict
from mineproof.match.certainty import (
    CalledProved,
    Certainty,
    Judged,
    called_proved,
    certain_cells,
    chance_false,
)
from mineproof.rng import Stream
from mineproof.view import View

HALF = View.parse("square 1x3 mines=1\n.1.")
VIEW = View.parse("square 3x4 mines=3\n1...\n12..\n01..")


def false_share(view: View, cells: tuple[int, ...], mine: bool) -> float:
    """The share of the layouts in which some cell is not what it is called."""
    layouts = [mines for mines, _ in enumerate_layouts(view)]
    wrong = [mines for mines in layouts if any((cell in mines) != mine for cell in cells)]
    return len(wrong) / len(layouts)


@pytest.mark.parametrize("cell", [cell for cell, _ in enumerate(VIEW) if VIEW.is_hidden(cell)])
@pytest.mark.parametrize("mine", [True, False])
def test_a_chance_is_the_share_of_layouts_that_refute(cell: int, mine: bool) -> None:
    called = CalledProved((cell,), mine)
    share = false_share(VIEW, (cell,), mine)
    assert chance_false(VIEW, called) == pytest.approx(share)
    assert bool(Certainty().doubtful(VIEW, called)) == (share > 0)


def test_a_chord_calls_all_that_it_opens_safe() -> None:
    view = VIEW.with_flags([1])
    idle = called_proved(view, Decision(Action.CHORD, 4, Proved("hope")))
    assert idle == CalledProved((), mine=False)
    assert Certainty().doubtful(view, idle) == ()
    chord = called_proved(view, Decision(Action.CHORD, 5, Proved("hope")))
    assert chord == CalledProved((2, 6, 10), mine=False)
    assert chance_false(view, chord) == pytest.approx(false_share(view, chord.cells, False))
    assert any_mine(mp.analyze(view), ()) == 0.0


@pytest.mark.parametrize(
    "decision",
    [
        Decision.open(2),
        Decision.open(0, Proved("open already")),
        Decision.unflag(2, Proved("hope")),
        Decision.stop(),
    ],
)
def test_other_moves_call_nothing_proved(decision: Decision) -> None:
    assert called_proved(VIEW, decision) is None


class Hopes:
    """Calls everything proved."""

    def act(self, view: View) -> Decision:
        return Decision.open(view.hidden[0], Proved("hope"))


def marks(game: mp.Transcript) -> list[float | None]:
    return [step.unsound for step in game.steps]


def test_a_game_is_marked_where_another_layout_fits() -> None:
    game = mp.play("5x5/6", Hopes, seed=3, judge=True)
    views = list(game.views())
    assert marks(game)[0] is None  # the rules promise that the first cell is safe
    assert any(marks(game))
    for view, step in zip(views[1:], game.steps[1:], strict=False):
        assert step.decision.cell is not None
        share = false_share(view, (step.decision.cell,), False)
        assert step.unsound == (pytest.approx(share) if share else None)
    assert not any(marks(mp.play("5x5/6", Hopes, seed=3)))
    assert not any(marks(mp.play("5x5/6", "exact", seed=3, judge=True)))


def test_a_first_click_that_nothing_promises_is_no_proof() -> None:
    assert marks(mp.play("5x5/6", Hopes, seed=3, judge=True, first_click="any"))[0] == 6 / 25
    layout = mp.Layout.of("2x2", [(1, 1)])
    assert marks(mp.play(layout, Hopes, judge=True))[0] == 1 / 4


def test_proofs_and_marks_go_together() -> None:
    game = mp.play("5x5/6", Hopes, seed=3, judge=True, proofs=True)
    marked = {number for number, mark in enumerate(marks(game), 1) if mark is not None}
    assert marked
    assert not marked & set(game.proofs)


def test_what_is_too_costly_is_not_marked() -> None:
    def refuse(view: View) -> Verdict:
        raise BudgetExceeded("too much")

    for certain, found in ((certain_cells, {1: 1 / 2}), (refuse, {})):
        judged = Judged(Hopes(), certain)
        judged.begin(HALF, Stream(1))
        judged.act(HALF)
        assert judged.unsound == found


def test_every_game_is_judged_anew() -> None:
    judged = Judged(Hopes())
    judged.begin(VIEW, Stream(1))
    judged.act(VIEW)
    assert list(judged.unsound) == [1]
    judged.begin(VIEW, Stream(1))
    assert judged.unsound == {}
    assert judged.knowledge(VIEW) == ""


def test_what_was_certain_stays_certain() -> None:
    asked: list[View] = []

    def certain(view: View) -> Verdict:
        asked.append(view)
        return certain_cells(view)

    certainty = Certainty(certain)
    for _ in range(2):
        assert certainty.doubtful(VIEW, CalledProved((1,), True)) == ()
    assert len(asked) == 1
