"""Wrappers of agents: premises for proved moves, and the size of the knowledge base."""

from __future__ import annotations

import pytest

from mineproof.agents.agent import Action, Decision, Guessed, Proved
from mineproof.agents.catalog import AGENTS, parse_agent
from mineproof.engine.enumerate import prove_by_enumeration
from mineproof.game import play
from mineproof.game.annotate import (
    AgentWrapper,
    KnowledgeLog,
    few_premises,
    name_premises,
    statements_of,
)
from mineproof.game.transcript import Transcript
from mineproof.view import View
from mineproof.view.channels import Mark
from tests.core import players_need_core

# ----------------------------------------------------------------------------
# Every proved move names clues that force it, whatever the logic keeps track of.

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
    return plain, play(board, AgentWrapper(parse_agent(agent).make(), name_premises), 3, **rules)


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
        play(
            "4x4/4",
            AgentWrapper(parse_agent(agent).make(), name_premises),
            seed,
            on_mine="continue",
        )
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
        found = prove_by_enumeration(View.of_codes(view.topology, rules, codes))
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
    assert (
        AgentWrapper(parse_agent("exact").make(), name_premises).annotate(view, decision)
        is decision
    )


def test_fewer_are_looked_for_where_there_are_many() -> None:
    view = View.parse("square 1x7 mines=1\n.100000")
    decision = Decision.flag(0, Proved("counting", [1, 2, 3, 4, 5, 6]))
    named = AgentWrapper(parse_agent("exact").make(), name_premises).annotate(view, decision)
    assert isinstance(named.reason, Proved)
    assert named.reason.premises.clues == (1,)


def test_what_is_not_proved_gets_no_premises() -> None:
    agent = AgentWrapper(parse_agent("exact").make(), name_premises)
    view = View.parse("square 1x3 mines=1\n.1.")
    for decision in (
        Decision.open(0, Proved("bold")),
        Decision.open(0, Guessed("bold", 2)),
        Decision.open(1, Proved("blind")),
        Decision.stop(),
    ):
        assert agent.annotate(view, decision) is decision


def test_premises_are_found_with_uncertain_clues_and_by_the_total() -> None:
    withheld = View.parse("square 1x4 mines=1 clues=withheld:0.5\n.1?.")
    assert few_premises(withheld, 3, False) is not None
    found = few_premises(View.parse("square 1x5 mines=1\n.1.#."), 3, False)
    assert found is not None
    assert found.total


# ----------------------------------------------------------------------------
# How much an agent knows, step by step.


class Silent:
    """An agent that tells nothing of what it knows."""

    def act(self, view: View) -> int:
        return view.hidden[0]


def test_every_step_has_its_size() -> None:
    log = KnowledgeLog(AgentWrapper(parse_agent("resolution").make(), name_premises))
    game = play("16x16/25", log, 4, given="random:8", goal="mark-all")
    assert [size.step for size in log.sizes] == list(range(1, len(game.steps) + 1))
    views = list(game.views())
    last = log.sizes[-1]
    assert last.hidden == views[-2].hidden_count - views[-2].flag_count
    assert max(size.statements or 0 for size in log.sizes) > 10
    assert log.sizes[0].to_json().keys() == {"step", "statements", "open_clues", "hidden"}


def test_a_clue_is_open_while_it_touches_a_cell_neither_open_nor_flagged() -> None:
    view = View.parse("square 1x4 mines=1\n.101")
    log = KnowledgeLog(Silent())
    log.act(view)
    log.act(view.toggle_flag(0))
    assert [size.open_clues for size in log.sizes] == [1, 0]


def test_an_agent_that_tells_nothing_has_no_statements() -> None:
    log = KnowledgeLog(Silent())
    play("4x4/2", log, 1)
    assert {size.statements for size in log.sizes} == {None}
    log = KnowledgeLog(AgentWrapper(parse_agent("random").make(), name_premises))
    play("4x4/2", log, 1)
    assert log.sizes


def test_known_cells_are_no_statements() -> None:
    assert statements_of("-0,0 or -0,2\nsafe: 0,1\nmines: none") == (
        ["-0,0 or -0,2"],
        ["safe: 0,1", "mines: none"],
    )
    assert statements_of("") == ([], [])
