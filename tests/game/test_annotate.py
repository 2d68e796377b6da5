"""Wrappers of agents: premises for proved moves, and the size of the knowledge base."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mineproof.agents.agent import Action, Decision, Guessed, Proved
from mineproof.agents.catalog import AGENTS, parse_agent
from mineproof.engine.analysis import Premises, infer
from mineproof.engine.exact import analyze
from mineproof.game import play
from mineproof.game.annotate import (
    AgentWrapper,
    KnowledgeLog,
    add_premises_of_flags,
    few_premises,
    name_premises,
    statements_of,
)
from mineproof.game.check import SMALL_BOARDS
from mineproof.game.transcript import Step, Transcript
from mineproof.logics.base import SinglePoint
from mineproof.rng import Stream
from mineproof.view import View
from mineproof.view.channels import Mark
from tests.core import players_need_core

# ----------------------------------------------------------------------------
# Every proved move names clues that force it, whatever the logic keeps track of.

LOGICS = [
    *(name for name in AGENTS if name not in ("random", "naive")),
    "reductio[global]",
    "sat[global]",
    "sat[safe-only]",
    "single-point>sat",
    "resolution[global=25]",
]


ORDERS = ["single-point[mines-first]", "partition[mines-first]", "partition[global]", "gauss"]
EVERY = players_need_core([*LOGICS, *ORDERS])


def alone(view: View, premises: Premises) -> View:
    """The view without any other clue, and without the total where that is no premise."""
    rules = view.rules
    if not premises.total and rules.total_known:
        rules = rules.with_words(mines="~20%", total="unknown")
    codes = view.codes().copy()
    for cell in view.opened:
        if cell not in premises.clues and view[cell] is not Mark.MINE:
            codes[cell] = Mark.BLANK.value
    free = [cell for cell in view.free if cell in premises.clues]
    return View.of_codes(view.topology, rules, codes, (), free)


def proved_steps(game: Transcript) -> Iterator[tuple[View, Step, Proved]]:
    for view, step in zip(game.views(), game.steps, strict=False):
        if isinstance(step.decision.reason, Proved):
            yield view, step, step.decision.reason


def assert_reasons_force_their_cells(game: Transcript) -> int:
    """Nothing but the clues that a reason names is left on the board, and no flag."""
    checked = 0
    for view, step, reason in proved_steps(game):
        cell = step.decision.cell
        assert cell is not None
        left = analyze(alone(view, reason.premises))
        assert left.p[cell] == float(step.decision.action is Action.FLAG), game.step_text(0, step)
        checked += 1
    return checked


@pytest.mark.parametrize("agent", EVERY)
def test_every_reason_of_a_game_forces_its_cell_by_itself(agent: str) -> None:
    """On every topology, and with mines that were proved but not flagged yet."""
    checked = 0
    for seed, board in enumerate([*SMALL_BOARDS, "9x9/14"]):
        words = {"on_mine": "continue"} if seed % 2 else {"first_click": "opening"}
        checked += assert_reasons_force_their_cells(play(board, agent, seed, **words))
    assert checked > 30


@pytest.mark.parametrize("agent", ["single-point", "partition", "reductio", "sat", "resolution"])
def test_every_reason_of_a_large_game_forces_its_cell_by_itself(agent: str) -> None:
    game = play("intermediate", agent, 10, on_mine="continue", given="random:8")
    assert assert_reasons_force_their_cells(game) > 20


@pytest.mark.parametrize("clues", ["withheld:0.2", "optimistic", "cautious"])
@pytest.mark.parametrize("agent", ["single-point", "partition", "sat", "exact"])
def test_every_reason_forces_its_cell_where_clues_are_uncertain(agent: str, clues: str) -> None:
    words = {"first_click": "opening", "on_mine": "continue", "clues": clues}
    for seed in range(3):
        assert_reasons_force_their_cells(play("6x6/5", agent, seed, **words))


def test_single_clues_in_turn_prove_the_cell_from_those_that_are_named() -> None:
    """So that who follows `single-point` finds its own way, not a shorter one that it misses."""
    checked = 0
    for seed in range(4):
        for view, step, reason in proved_steps(play("intermediate", "single-point", seed)):
            verdict = infer(SinglePoint(), alone(view, reason.premises))
            assert step.decision.cell in {**verdict.safe, **verdict.mines}
            checked += 1
    assert checked > 100


def test_the_clue_that_came_last_is_not_the_whole_reason() -> None:
    """The 1 at 0,2 makes 0,3 safe only with the mine in 0,1, which the 1 at 0,0 proves."""
    view = View.parse("square 1x6 mines=2\n1.1...")
    agent = parse_agent("single-point").make()
    agent.begin(view, Stream(0))
    decision = agent.act(view)
    assert decision == Decision.open(3, Proved("single-point", [2]))
    named = name_premises(view, decision)
    assert named.reason == Proved("single-point", [0, 2])
    assert name_premises(view, named) is named


def test_an_agent_of_ones_own_may_rest_on_its_flags() -> None:
    """What it names stays, and the clue that proves the flag is added."""
    view = View.parse("square 1x5 mines=1\n.1.0.").toggle_flag(0)
    told = add_premises_of_flags(view, Decision.open(2, Proved("own", [1])))
    assert told.reason == Proved("own", [1, 3])
    for clues in ([3], [1, 3]):
        decision = Decision.open(2, Proved("own", clues))
        assert add_premises_of_flags(view, decision) is decision


def test_what_ones_own_agent_names_wrongly_stays() -> None:
    view = View.parse("square 1x5 mines=1\n.1.0.")
    decision = Decision.open(4, Proved("own", [1]))
    assert add_premises_of_flags(view, decision) is decision


def test_a_proof_by_contradiction_stays_one() -> None:
    game = play("expert", "reductio", 3, first_click="opening")
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
