"""The logics exact and naive: what clues prove, and what is left where a clue is a lie."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from mineproof import kernel
from mineproof.agents.agent import Guessed, LogicAgent, Proved
from mineproof.agents.catalog import make_agent
from mineproof.engine.analysis import Premises, infer
from mineproof.engine.exact import analyze, settled_cells
from mineproof.errors import InconsistentPosition
from mineproof.game import Transcript, play
from mineproof.game.check import check
from mineproof.game.play import play_many
from mineproof.game.referee import Termination
from mineproof.logics.base import SinglePoint
from mineproof.logics.exact import ExactLogic, NaiveLogic
from mineproof.rng import Purpose, Stream
from mineproof.testing.strategies import topologies, views
from mineproof.view import Mark, View

PAIR = View.parse("square 2x4 mines=2\n....\n121.")
"""Single clues prove nothing here; two of them together prove all."""
TOTAL = View.parse("square 2x3 mines=1\n1..\n...")
"""The clue alone proves nothing here; with the total it does."""


@given(views(topologies(12)))
@settings(max_examples=200)
def test_what_single_clues_decide_is_what_the_twin_says(view: View) -> None:
    safe, mines = map(list, settled_cells(view))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mineproof.kernel.core", None)
        assert settled_cells(view) == (safe, mines)
    analysis = analyze(view)
    assert set(safe) <= set(analysis.safe)
    assert set(mines) <= set(analysis.mines)
    proved = infer(SinglePoint(), view)
    assert set(proved.safe) <= set(safe)
    assert set(proved.mines) <= set(mines)
    if view.rules.clues == "exact":
        assert (safe, mines) == (sorted(proved.safe), sorted(proved.mines))


@given(views(topologies(16)))
@settings(max_examples=200)
def test_what_pairs_of_clues_decide_is_what_the_twin_says(view: View) -> None:
    safe, mines = map(list, settled_cells(view, pairs=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mineproof.kernel.core", None)
        assert settled_cells(view, pairs=True) == (safe, mines)
    single = settled_cells(view)
    assert set(single[0]) <= set(safe) <= set(analyze(view).safe)
    assert set(single[1]) <= set(mines) <= set(analyze(view).mines)


@pytest.mark.parametrize("with_core", [True, False])
@pytest.mark.parametrize("text", ["square 1x3 mines=1\n010", "square 1x3 mines=1\n0.1"])
def test_a_clue_that_cannot_be_met_is_named(
    text: str, with_core: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not with_core:
        monkeypatch.setattr(kernel, "core", None)
    with pytest.raises(InconsistentPosition, match="no layout explains the position"):
        settled_cells(View.parse(text))


def test_single_clues_come_first_and_the_total_is_not_their_premise() -> None:
    view = View.parse("square 3x5 mines=2\n..1..\n001..\n00...")
    logic = ExactLogic()
    logic.begin(view)
    first = logic.learn(view)
    assert dict(first.safe) == dict.fromkeys(settled_cells(view)[0], Premises())
    assert first.safe
    rest = logic.learn(view)
    assert not set(rest.safe) & set(first.safe)
    assert {*first.safe, *rest.safe} == set(analyze(view).safe)
    assert {*first.mines, *rest.mines} == set(analyze(view).mines)
    assert not logic.learn(view)

    at_once = ExactLogic(at_once=True)
    at_once.begin(view)
    assert list(at_once.learn(view).safe) == list(analyze(view).safe)


def test_where_single_clues_say_nothing_pairs_come_next() -> None:
    assert not any(settled_cells(PAIR))
    logic = ExactLogic()
    logic.begin(PAIR)
    verdict = logic.learn(PAIR)
    assert (list(verdict.safe), list(verdict.mines)) == tuple(
        map(list, settled_cells(PAIR, pairs=True))
    )
    assert list(verdict.safe) == list(analyze(PAIR).safe)
    assert set(verdict.safe.values()) == {Premises()}
    assert not logic.learn(PAIR)


def test_where_pairs_say_nothing_all_is_told() -> None:
    assert not settled_cells(TOTAL, pairs=True)[0]
    logic = ExactLogic()
    logic.begin(TOTAL)
    verdict = logic.learn(TOTAL)
    assert list(verdict.safe) == list(analyze(TOTAL).safe)
    assert list(verdict.mines) == list(analyze(TOTAL).mines)
    assert set(verdict.safe.values()) == {Premises(total=True)}


def test_a_flag_of_somebody_else_hides_nothing_more() -> None:
    """A settled cell that cannot be opened is told once; what else is certain still comes."""
    view = View.parse("square 1x6 mines=1\n01....")
    agent = make_agent("exact")
    flagged = view.with_flags({4})
    agent.begin(flagged, Stream(1, 0, Purpose.AGENT))
    opened = []
    for _ in range(2):
        decision = agent.act(flagged)
        assert decision.cell is not None
        opened.append(decision.cell)
        flagged = flagged.reveal({decision.cell: 1 if decision.cell == 3 else 0})
    assert opened == [3, 5]


def guesses(game: Transcript) -> list[tuple[int | None, tuple[int, ...]]]:
    """Every guessed cell with the cells that were open before it."""
    return [
        (step.decision.cell, tuple(sorted(before.opened)))
        for step, before in zip(game.steps, game.views(), strict=False)
        if isinstance(step.decision.reason, Guessed)
    ]


@pytest.mark.parametrize(
    ("board", "rules"),
    [
        ("beginner", {"first_click": "any"}),
        ("intermediate", {"first_click": "safe"}),
        ("expert", {"first_click": "opening"}),
        ("hex:8x8/12", {"on_mine": "continue"}),
        ("torus:8x8/11", {"cascade": "off"}),
        ("8x8/12", {"total": "unknown"}),
        ("8x8/~20%", {"total": "unknown", "goal": "mark-all"}),
        ("6x6/6", {"clues": "withheld:0.3"}),
        ("6x6/6", {"clues": "optimistic"}),
        ("6x6/6", {"clues": "cautious"}),
        ("5x5/4", {"clues": "noisy:0.1"}),
    ],
)
def test_the_same_cells_are_open_at_every_guess(board: str, rules: dict[str, str]) -> None:
    for index in range(3):
        first, at_once = (
            play(board, agent, 8, index=index, **rules) for agent in ("exact", "exact[at-once]")
        )
        assert guesses(first) == guesses(at_once)
        assert first.outcome.won == at_once.outcome.won


@pytest.mark.parametrize("agent", ["exact", "exact[at-once]", "exact[order=mines-first]"])
@pytest.mark.parametrize("rules", [{}, {"clues": "withheld:0.2"}, {"total": "unknown"}])
def test_the_twin_takes_the_same_steps(agent: str, rules: dict[str, str]) -> None:
    with_core = [play("7x7/8", agent, 3, index=index, **rules).text for index in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mineproof.kernel.core", None)
        without = [play("7x7/8", agent, 3, index=index, **rules).text for index in range(3)]
    assert with_core == without


def test_all_at_once_is_played_by_the_referee() -> None:
    first, at_once = (play_many("8x8/12", agent, 20, 5) for agent in ("exact", "exact[at-once]"))
    for name in ("won", "guesses", "opened", "flags"):
        assert getattr(first, name).tolist() == getattr(at_once, name).tolist()


# -------------------------------------- naive: every clue believed, the newest of a clash given up


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
