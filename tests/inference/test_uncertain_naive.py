"""The naive reading: every clue believed, contradictions reported, the newest clue given up."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from mineproof.agents import Guessed, Proved, make_agent
from mineproof.agents.logic_agent import LogicAgent
from mineproof.inference.engine.exact import analyze
from mineproof.inference.logics.naive_logic import NaiveLogic
from mineproof.match import play
from mineproof.match.outcome import Termination
from mineproof.match.soundness import check
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View


def reading(text: str) -> NaiveLogic:
    view = View.parse(text)
    logic = NaiveLogic()
    logic.begin(view)
    logic.learn(view)
    return logic


@given(views(topologies(9)))
@settings(max_examples=200)
def test_every_view_has_a_reading(view: View) -> None:
    """Whatever is shown, there are chances; they are those of the clues that are left."""
    logic = NaiveLogic()
    logic.begin(view)
    chances = logic.chances(view)
    codes = view.codes()
    for cell in logic.dropped:
        assert view.clue(cell) is not None
        codes[cell] = Mark.BLANK.value
    believed = View.of_codes(view.topology, view.rules.with_words(clues="exact"), codes)
    assert chances.array.tolist() == pytest.approx(analyze(believed).p.array.tolist())
    assert bool(logic.knowledge(view)) == bool(logic.dropped or view.hidden_count)


@pytest.mark.parametrize("clues", ["exact", "withheld:0.4"])
def test_it_plays_as_exact_where_clues_do_not_lie(clues: str) -> None:
    for index in range(5):
        naive, exact = (
            play("8x8/10", agent=name, seed=4, index=index, clues=clues)
            for name in ("naive", "exact[at-once]")
        )
        assert [step.decision.cell for step in naive.steps] == [
            step.decision.cell for step in exact.steps
        ]


def test_the_newest_clue_of_a_clash_is_dropped() -> None:
    view = View.parse("square 1x5 mines=1 clues=noisy:0.3\n.....")
    logic = NaiveLogic()
    logic.begin(view)
    for cell, shown in ((1, 0), (3, 2)):
        view = view.reveal({cell: shown})
        verdict = logic.learn(view)
    assert list(logic.dropped) == [3]
    assert verdict.logic == "naive-without-1"
    assert set(verdict.safe) == {0, 2}
    assert "0,3: its 2 is taken for a lie (no layout explains the position" in logic.knowledge(view)
    assert set(verdict.mines) == {4}
    # A clue that nothing around it can meet clashes alone.
    logic.learn(view.reveal({2: 1}))
    assert list(logic.dropped) == [3, 2]


def test_mines_that_do_not_fit_are_forgotten() -> None:
    assert reading("square 1x3 mines=0 on-mine=continue\n*..").dropped == {}
    assert list(reading("square 1x4 mines=0 clues=noisy:0.3\n.1..").dropped) == [1]


@pytest.mark.parametrize(
    "clues",
    ["optimistic", "cautious", "noisy:0.3", "table:0:0.5,8:0.5;1:1;2:1;3:1;4:1;5:1;6:1;7:1;8:1"],
)
@pytest.mark.parametrize("on_mine", ["lose", "continue"])
def test_it_never_fails_and_says_what_it_dropped(clues: str, on_mine: str) -> None:
    agent = make_agent("naive")
    assert isinstance(agent, LogicAgent)
    logics: set[str] = set()
    for index in range(12):
        game = play("6x6/6", agent=agent, seed=2, index=index, clues=clues, on_mine=on_mine)
        assert game.outcome.termination is not Termination.FAILED, game.outcome.note
        reasons = [step.decision.reason for step in game.steps]
        assert all(isinstance(reason, Proved | Guessed) for reason in reasons if game.outcome.won)
        logics.update(reason.logic for reason in reasons if isinstance(reason, Proved))
    assert any(logic.startswith("naive-without-") for logic in logics)


def test_the_check_finds_it_unsound_where_clues_lie() -> None:
    report = check(
        lambda: make_agent("naive"), boards=["5x5/5"], games=5, rules={"clues": "optimistic"}
    )
    assert not report.passed
