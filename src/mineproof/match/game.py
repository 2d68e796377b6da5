"""The game loop: a referee, an agent, and the transcript they leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isfinite

from mineproof.agents.agent import Agent, as_decision
from mineproof.agents.decision import Action, Decision, Guessed, Proved, Unstated
from mineproof.board.topology import Topology
from mineproof.errors import (
    AgentFailure,
    IllegalMove,
    MissingLibrary,
    as_given,
    check_function,
    one_line,
    quoted,
)
from mineproof.inference.verdict import check_rules
from mineproof.match.entrants import DEFAULT_AGENT, AnyAgent, entrants
from mineproof.match.outcome import Termination
from mineproof.match.raised import told
from mineproof.match.referee import Referee
from mineproof.match.transcript import Step, Transcript
from mineproof.rng import Purpose, Stream, check_seed
from mineproof.rules import RuleValue
from mineproof.view.marks import Mark
from mineproof.view.setting import DEFAULT_BOARD, AnyBoard, AnyRules, Setting

__all__ = ["Watcher", "play", "play_game"]

Watcher = Callable[[Referee, Decision | None], None]
"""Called before the first move with None, then after every move with its decision."""


def play(
    board: AnyBoard = DEFAULT_BOARD,
    agent: AnyAgent = DEFAULT_AGENT,
    seed: int = 0,
    *,
    index: int = 0,
    agent_seed: int | None = None,
    watch: Watcher | None = None,
    proofs: bool = False,
    judge: bool = False,
    rules: AnyRules | None = None,
    **words: RuleValue,
) -> Transcript:
    """Play one game and write it down.

    `board` is a name, a Board, a topology with its mines, a World or a Layout. Rules are given by
    name (`first_click="opening"`) or as `rules`. `agent` is a name of the catalog,
    `path/to/file.py:Class` (which plays in a process of its own), an object with `act`, or a class
    of such. With `proofs` every move that the agent calls proved carries its proof. With `judge`
    every step called proved that is not certain is marked: `step.unsound` is the chance that it is
    false. Raises InputError.

    >>> mp.play("beginner", "single-point", seed=1).outcome.text
    'won (cleared)'
    >>> mp.play(mp.Board("9x9", 10), seed=1, first_click="opening").agent
    'exact'
    """
    check_function(watch, "watch", "a function of the referee and a step, or None")
    setting = Setting.of(board, rules, **words)
    (entrant,) = entrants([agent])
    with entrant.players() as make:
        player = make()
        judged = prover = None
        if judge:
            from mineproof.match.certainty import Judged

            player = judged = Judged(player, dealt=setting.layout is None)
        if proofs:
            from mineproof.match.proving import Proving

            player = prover = Proving(player)
        game = play_game(setting, player, entrant.name, seed, index, agent_seed, watch)
    if judged is not None:
        game = game.with_unsound(judged.unsound)
    return game if prover is None else replace(game, proofs=prover.texts)


def play_game(
    setting: Setting,
    agent: Agent,
    name: str,
    seed: int,
    index: int = 0,
    agent_seed: int | None = None,
    watch: Watcher | None = None,
) -> Transcript:
    """Play game `index` of `seed`; whatever the agent does, the game ends with an outcome.

    Raises RulesError, before the game, if the agent cannot play by these rules, and MissingLibrary
    if it needs a library that is not installed. The agent's own
    random numbers come from `agent_seed`, which is `seed` unless given; no agent sees either.
    """
    seed, index = check_seed(seed), check_seed(index, "index")
    chosen_agent_seed = seed if agent_seed is None else check_seed(agent_seed, "agent seed")
    world, topology = setting.world, setting.board.topology
    check_rules(agent, setting.rules, len(topology))
    referee = Referee(setting, seed, index)
    if watch is not None:
        watch(referee, None)
    steps: list[Step] = []
    rng = Stream(chosen_agent_seed, index, Purpose.AGENT)
    try:
        # isinstance on a protocol would take longer than whole games of many agents.
        begin = getattr(agent, "begin", None)
        if begin is not None:
            begin(referee.view, rng)
        # An agent that only toggles flags would play for ever.
        most_steps = 4 * len(topology) + 100
        while not referee.over:
            if len(steps) >= most_steps:
                raise AgentFailure(f"no end after {most_steps} steps")
            before = referee.view
            decision = _written(as_decision(agent.act(before), topology), topology)
            referee.apply(decision)
            cell = decision.cell
            after = referee.view
            shown = Mark.HIDDEN if cell is None else after[cell]
            steps.append(Step(decision, shown, after.opened_count - before.opened_count))
            if watch is not None:
                watch(referee, decision)
    except MissingLibrary:
        raise  # the fault of the installation: a game lost to it would count against the agent
    except (AgentFailure, IllegalMove) as error:
        referee.stop(Termination.FAILED, one_line(error))
    except Exception as error:  # an agent is a user's code: its faults end only its game
        referee.stop(Termination.FAILED, told(error))
    return Transcript(
        board=setting.name,
        topology=topology,
        rules=setting.rules,
        agent=name,
        seed=seed,
        index=index,
        agent_seed=chosen_agent_seed,
        steps=tuple(steps),
        outcome=referee.outcome,
        world=None if world is None else world.name,
        layout=setting.layout,
    )


def _written(decision: Decision, topology: Topology) -> Decision:
    """A decision whose reason a transcript can hold. Raises AgentFailure."""
    reason = decision.reason
    if not isinstance(decision.action, Action):
        raise AgentFailure(f"the agent's action is {as_given(decision.action)}, no Action")
    if decision.action is Action.STOP:
        decision = replace(decision, cell=None)
    if isinstance(reason, Unstated):
        return replace(decision, reason=Unstated(one_line(reason.note)))
    if isinstance(reason, Proved):
        word, cells, fair = reason.logic, reason.premises.clues, True
    elif isinstance(reason, Guessed):
        risk = 0.0 if reason.risk is None else reason.risk
        word, cells, fair = reason.policy, reason.cells, reason.among >= 0 and isfinite(risk)
    else:  # whatever the types say, an agent may answer anything
        raise AgentFailure(
            f"the agent's reason is {as_given(reason)}; accepted: Proved, Guessed or Unstated"
        )
    if word.split() != [word] or not word.isprintable():
        raise AgentFailure(f"the agent's reason names {quoted(word)}; accepted: one word")
    if not fair or (cells and not 0 <= min(cells) <= max(cells) < len(topology)):
        raise AgentFailure(
            "the agent's reason holds numbers that cannot be, or cells off the board"
        )
    return decision
