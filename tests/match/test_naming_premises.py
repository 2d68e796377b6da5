"""Every proved move names clues that force it, whatever the logic keeps track of."""

from __future__ import annotations

import pytest

from mineproof.agents.catalog import AGENTS, parse_agent
from mineproof.agents.decision import Action, Decision, Guessed, Proved
from mineproof.inference.enumerate import enumerated
from mineproof.match import play
from mineproof.match.naming_premises import NamingPremises, few_premises
from mineproof.match.transcript import Transcript
from mineproof.view import View
from mineproof.view.marks import Mark
from tests.core import players_need_core

UNTOLD = View.parse("square 1x1 mines=unknown density=0.5\n.")
LOGICS = [
    *(name for name in AGENTS if name not in ("random", "naive")),
    "reductio[global]",
    "sat[global]",
    "sat[safe-only]",
    "single-point>sat",
    "resolution[global=25]",
]


def named(agent: str, board: str = "beginner", **rules: str) -> tuple[Transcript, Transcript]:
    """A game as the agent plays it, and with the premises named."""
    plain = play(board, agent, 3, **rules)
    return plain, play(board, NamingPremises(parse_agent(agent).make()), 3, **rules)


@pytest.mark.parametrize("agent", players_need_core(LOGICS))
def test_every_proved_move_names_its_clues_and_the_game_stays_the_same(agent: str) -> None:
    plain, game = named(agent, first_click="opening")
    assert [(step.decision.action, step.decision.cell) for step in game.steps] == [
        (step.decision.action, step.decision.cell) for step in plain.steps
    ]
    for view, step in zip(game.views(), game.steps, strict=False):
        reason = step.decision.reason
        if isinstance(reason, Proved):
            assert reason.premises.clues or reason.premises.total
            assert all(view.clue(clue) is not None for clue in reason.premises.clues)


@pytest.mark.parametrize("agent", ["reductio", "sat", "exact"])
def test_the_clues_named_force_the_cell(agent: str) -> None:
    """With all other clues taken away, every layout agrees on the cell.

    A clue that a logic names itself may rest on mines that it proved before.
    """
    checked = 0
    games = [
        play("4x4/4", NamingPremises(parse_agent(agent).make()), seed, on_mine="continue")
        for seed in range(5)
    ]
    moves = [move for game in games for move in zip(game.views(), game.steps, strict=False)]
    for view, step in moves:
        reason, cell = step.decision.reason, step.decision.cell
        if not isinstance(reason, Proved) or cell is None:
            continue
        if agent != "exact" and not reason.premises.by_contradiction:
            continue
        codes = view.codes().copy()
        for clue, _ in view.clues:
            if clue not in reason.premises.clues:
                codes[clue] = Mark.BLANK.value
        rules = view.rules if reason.premises.total else UNTOLD.rules
        found = enumerated(View.of_codes(view.topology, rules, codes))
        assert cell in (found.mines if step.decision.action is Action.FLAG else found.safe)
        checked += 1
    assert checked > 3


def test_a_proof_by_contradiction_stays_one() -> None:
    _, game = named("reductio", "expert", first_click="opening")
    reasons = [step.decision.reason for step in game.steps]
    proofs = [reason.premises for reason in reasons if isinstance(reason, Proved)]
    assert any(one.by_contradiction for one in proofs)
    assert not all(one.by_contradiction for one in proofs)
    assert Transcript.parse(game.text) == game


def test_few_clues_that_are_given_stay_as_they_are() -> None:
    view = View.parse("square 1x5 mines=1\n.1.0.")
    decision = Decision.open(2, Proved("mine-own", [1, 3]))
    assert NamingPremises(parse_agent("exact").make()).followed(view, decision) is decision


def test_fewer_are_looked_for_where_there_are_many() -> None:
    view = View.parse("square 1x7 mines=1\n.100000")
    decision = Decision.flag(0, Proved("counting", [1, 2, 3, 4, 5, 6]))
    named = NamingPremises(parse_agent("exact").make()).followed(view, decision)
    assert isinstance(named.reason, Proved)
    assert named.reason.premises.clues == (1,)


def test_what_is_not_proved_gets_no_premises() -> None:
    agent = NamingPremises(parse_agent("exact").make())
    view = View.parse("square 1x3 mines=1\n.1.")
    for decision in (
        Decision.open(0, Proved("bold")),
        Decision.open(0, Guessed("bold", 2)),
        Decision.open(1, Proved("blind")),
        Decision.stop(),
    ):
        assert agent.followed(view, decision) is decision


def test_premises_are_found_with_uncertain_clues_and_by_the_total() -> None:
    withheld = View.parse("square 1x4 mines=1 clues=withheld:0.5\n.1?.")
    assert few_premises(withheld, 3, False) is not None
    found = few_premises(View.parse("square 1x5 mines=1\n.1.#."), 3, False)
    assert found is not None
    assert found.total
