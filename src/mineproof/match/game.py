"""The game loop: a referee, an agent, and the transcript they leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import isfinite

from mineproof.agents.agent import Agent, as_decision
from mineproof.agents.decision import Action, Decision, Guessed, Proved, Unstated
from mineproof.board.presets import Board
from mineproof.board.topology import Topology
from mineproof.board.worlds import World
from mineproof.errors import AgentFailure, IllegalMove, RulesError, quoted
from mineproof.match.isolation import IsolatedAgent, make_player
from mineproof.match.outcome import Termination
from mineproof.match.referee import Referee
from mineproof.match.transcript import Step, Transcript
from mineproof.rng import Purpose, Stream, check_seed
from mineproof.rules import FirstClick, Given, Mines, Rules
from mineproof.view.clue_table import with_files
from mineproof.view.marks import Mark

__all__ = ["Watcher", "play", "play_game", "world_rules"]

Watcher = Callable[[Referee, Decision | None], None]
"""Called before the first move with None, then after every move with its decision."""


@dataclass(frozen=True)
class Setting:
    """What is played: a board by its text, or a world, under rules."""

    board: Board
    rules: Rules
    world: World | None = None


def world_rules(**words: str | None) -> Rules:
    """The rules that a named world implies: any first click, corner and centre given."""
    rules = Rules(first_click=FirstClick.ANY, given=Given(corner_centre=True))
    return rules.with_words(**words)


def play(
    board: str | World = "expert",
    agent: str | Agent = "single-point",
    seed: int = 0,
    *,
    index: int = 0,
    agent_seed: int | None = None,
    watch: Watcher | None = None,
    proofs: bool = False,
    **rules: str | None,
) -> Transcript:
    """Play one game and write it down.

    `board` is a board's name or a world; `agent` a name of the catalog, `path/to/file.py:Class`
    (which plays in a process of its own) or an object with `act`.
    With `proofs` every move that the agent calls proved carries its proof.
    Rules are given by name, as on the command line: `first_click="opening"`, `on_mine="continue"`.
    """
    if isinstance(board, World):
        layout = board.layout
        chosen = Board(layout.topology, Mines.number(layout.total))
        setting = Setting(
            chosen, replace(world_rules(**_board_rules(rules)), mines=chosen.mines), board
        )
    else:
        chosen = Board.parse(board)
        setting = Setting(
            chosen, replace(Rules().with_words(**_board_rules(rules)), mines=chosen.mines)
        )
    name = agent if isinstance(agent, str) else type(agent).__name__
    player = make_player(agent) if isinstance(agent, str) else agent
    try:
        if not proofs:
            return play_game(setting, player, name, seed, index, agent_seed, watch)
        from mineproof.match.proving import Proving

        prover = Proving(player)
        game = play_game(setting, prover, name, seed, index, agent_seed, watch)
        return replace(game, proofs=prover.texts)
    finally:
        if isinstance(agent, str) and isinstance(player, IsolatedAgent):
            player.close()


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

    The agent's own random numbers come from `agent_seed`, which is `seed` unless given; no agent
    sees either.
    """
    chosen_agent_seed = seed if agent_seed is None else check_seed(agent_seed, "agent seed")
    world = setting.world
    layout = None if world is None else world.layout
    topology = setting.board.topology
    referee = Referee(topology, setting.rules, check_seed(seed), index, layout)
    if watch is not None:
        watch(referee, None)
    steps: list[Step] = []
    rng = Stream(chosen_agent_seed, index, Purpose.AGENT)
    try:
        # A protocol's isinstance would take longer than many agents' whole games.
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
    except (AgentFailure, IllegalMove) as error:
        referee.stop(Termination.FAILED, _one_line(error))
    except Exception as error:  # an agent is somebody else's code: its faults end its game only
        referee.stop(Termination.FAILED, f"{type(error).__name__}: {_one_line(error)}")
    return Transcript(
        board=setting.board.text if world is None else world.name,
        topology=topology,
        rules=setting.rules,
        agent=name,
        seed=seed,
        index=index,
        agent_seed=chosen_agent_seed,
        steps=tuple(steps),
        outcome=referee.outcome,
        world=None if world is None else world.name,
        layout=layout,
    )


def _board_rules(words: Mapping[str, str | None]) -> Mapping[str, str | None]:
    """The words of rules that a board leaves open, with a file of clues read."""
    if words.get("mines") is not None:
        raise RulesError("mines is no rule beside a board; accepted: a board such as 9x9/10")
    return with_files(words)


def _written(decision: Decision, topology: Topology) -> Decision:
    """A decision whose reason a transcript can hold. Raises AgentFailure."""
    reason = decision.reason
    if not isinstance(decision.action, Action):
        raise AgentFailure(f"the agent's action is {quoted(repr(decision.action))}, no Action")
    if decision.action is Action.STOP:
        decision = replace(decision, cell=None)
    if isinstance(reason, Unstated):
        return replace(decision, reason=Unstated(_one_line(reason.note)))
    if isinstance(reason, Proved):
        word, cells, fair = reason.logic, reason.premises.clues, True
    elif isinstance(reason, Guessed):
        risk = 0.0 if reason.risk is None else reason.risk
        word, cells, fair = reason.policy, reason.cells, reason.among >= 0 and isfinite(risk)
    else:  # whatever the types say, an agent may answer anything
        raise AgentFailure(
            f"the agent's reason is {quoted(repr(reason))}; accepted: Proved, Guessed or Unstated"
        )
    if word.split() != [word] or not word.isprintable():
        raise AgentFailure(f"the agent's reason names {quoted(word)}; accepted: one word")
    if not fair or not all(type(cell) is int and cell in topology.cells for cell in cells):
        raise AgentFailure(
            "the agent's reason holds numbers that cannot be, or cells off the board"
        )
    return decision


def _one_line(text: object) -> str:
    line = " ".join(str(text).split())[:200].rstrip()
    return "".join(mark if mark.isprintable() else "\ufffd" for mark in line)
