"""agent = logic + policy: orders, chains, flags, and losses that only guesses bring."""

from __future__ import annotations

import re

import pytest

from mineproof.agents.agent import Action, Decision, Guessed, LogicAgent, Proved
from mineproof.agents.catalog import AGENTS, parse_agent
from mineproof.game import Referee, Termination, play
from mineproof.rng import Stream
from mineproof.view.view import View
from tests.core import players_need_core

MORE = ["sat[safe-only]", "single-point>sat"]
LOGICAL = players_need_core([name for name in AGENTS if name != "random"] + MORE)


@pytest.mark.parametrize("name", LOGICAL)
def test_every_loss_of_a_logical_agent_comes_from_a_guess(name: str) -> None:
    """Report 2 says so of SPX and SATX; it holds of all."""
    lost = 0
    for index in range(12):
        game = play("hex:7x7/12", name, 3, index=index, first_click="any", given="corner+centre")
        assert game.outcome.termination is not Termination.FAILED, game.outcome.note
        if game.outcome.termination is Termination.EXPLODED:
            lost += 1
            assert isinstance(game.steps[-1].decision.reason, Guessed)
    if name == "single-point":
        assert lost


def test_mines_first_flags_before_it_opens() -> None:
    view = View.parse("square 1x6 mines=2\n1.1...")
    for text, action in (("single-point", Action.OPEN), ("basic[order=mines-first]", Action.FLAG)):
        agent = parse_agent(text).make()
        agent.begin(view, Stream(0))
        assert agent.act(view).action is action


def test_a_chain_names_who_proved_it() -> None:
    logics = set()
    for seed in range(10):
        game = play("8x8/12", "single-point>sat", seed)
        for step in game.steps:
            if isinstance(step.decision.reason, Proved):
                logics.add(step.decision.reason.logic)
    assert logics == {"single-point", "sat"}


def test_a_chain_guesses_by_its_policy_only() -> None:
    for index in range(10):
        chain = play("8x8/12", "single-point>sat+exact-risk", 4, index=index)
        assert chain.outcome.termination is not Termination.FAILED
        for step in chain.steps[1:]:
            if isinstance(step.decision.reason, Guessed):
                assert step.decision.reason.policy == "exact-risk"


def test_a_proved_cell_under_a_strange_flag_is_left_alone() -> None:
    view = View.parse("square 1x4 mines=1\nF10.")
    agent = parse_agent("single-point").make()
    agent.begin(view, Stream(0))
    decision = agent.act(view)
    assert decision.cell == 3 or decision.action is Action.STOP


@pytest.mark.parametrize("name", LOGICAL)
def test_what_is_proved_beside_a_strange_flag_is_played(name: str) -> None:
    """A single clue proves the flagged cell, and the two at the left prove two more."""
    view = View.parse("square 2x8 mines=3\n......F0\n11....10")
    agent = parse_agent(name).make()
    agent.begin(view, Stream(0))
    decision = agent.act(view)
    if decision.action is Action.OPEN and isinstance(decision.reason, Proved):
        assert decision.cell in (2, 10)
    else:
        assert name == "single-point"
        assert decision.cell != 6


def test_without_candidates_it_stops() -> None:
    view = View.parse("square 1x3 mines=2\nF2F")
    agent = parse_agent("single-point").make()
    agent.begin(view, Stream(0))
    assert agent.act(view).action is Action.STOP


def test_resolution_marks_every_cell_or_is_stuck() -> None:
    ends = {
        play(
            "16x16/25", "resolution", 1, index=index, goal="mark-all", given="random:16"
        ).outcome.termination
        for index in range(6)
    }
    assert ends <= {Termination.MARKED, Termination.STUCK}
    assert Termination.MARKED in ends


@pytest.mark.parametrize("name", players_need_core(AGENTS))
@pytest.mark.parametrize("clues", ["withheld:0.3", "optimistic", "cautious", "noisy:0.2"])
def test_agents_play_with_uncertain_clues(name: str, clues: str) -> None:
    for index in range(2):
        game = play("6x6/6", name, 8, index=index, clues=clues)
        assert game.outcome.termination is not Termination.FAILED, game.outcome.note
        if name == "naive":
            continue  # it takes lies for proofs
        for step in game.steps:
            if isinstance(step.decision.reason, Proved) and step.decision.action is Action.OPEN:
                assert isinstance(step.shown, int) or step.shown.name == "BLANK"


@pytest.mark.parametrize(
    "name", players_need_core([*AGENTS, "partition[global]", "single-point>sat"])
)
def test_asking_for_its_knowledge_changes_no_game(name: str) -> None:
    for index in range(3):
        agent = parse_agent(name).make()

        def watch(referee: Referee, _: Decision | None, agent: LogicAgent = agent) -> None:
            if referee.view.opened_count:
                agent.knowledge(referee.view)

        watched = play("8x8/12", agent, 6, index=index, watch=watch)
        alone = play("8x8/12", name, 6, index=index)
        assert watched.steps == alone.steps


def test_its_knowledge_is_that_of_the_view_asked_for() -> None:
    """Also between two questions to the logic, when cells it proved are still being opened."""
    game = play("8x8/12", "partition", 6)
    agent = parse_agent("partition").make()
    agent.begin(next(iter(game.views())), Stream(6))
    for view in list(game.views())[1:]:
        named = set(re.findall(r"\d,\d", agent.knowledge(view).replace("from", "\n")))
        hidden = {view.topology.cell_name(cell) for cell in view.hidden}
        clues = {view.topology.cell_name(cell) for cell, _ in view.clues}
        assert named <= hidden | clues
