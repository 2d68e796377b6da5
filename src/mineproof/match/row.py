"""The row that a game leaves: how it ended, and what it took.

A game is named by (seed, index), so every agent meets the same mines and comparisons are paired.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Guessed, Proved
from mineproof.match.game import play_game
from mineproof.match.isolation import IsolatedAgent
from mineproof.match.outcome import Termination
from mineproof.match.transcript import Transcript
from mineproof.view.setting import Setting

__all__ = ["Row", "play_row", "row_of"]


@dataclass(frozen=True)
class Row:
    """One game. `reason` says how it was lost; it is empty for a win.

    `effort` is the work that the agent counted in this game, 0 where it counts none; `seconds` is
    the time the whole game took.
    """

    agent: str
    world: str | None
    index: int
    won: bool
    stuck: bool
    score: float
    finer: float
    marked_share: float
    opened: int
    guesses: int
    steps: int
    seconds: float
    effort: int
    reason: str

    @property
    def failed(self) -> bool:
        """Whether the agent itself failed: it raised, hung or made an illegal move."""
        return self.reason.startswith(Termination.FAILED.value)


def play_row(
    setting: Setting,
    agent: Agent,
    name: str,
    seed: int,
    index: int,
    agent_seed: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Row:
    """Play one game and return its row."""
    if isinstance(agent, IsolatedAgent):
        agent.prepare()
    began = clock()
    game = play_game(setting, agent, name, seed, index, agent_seed)
    return row_of(game, clock() - began, _effort(agent))


def row_of(game: Transcript, seconds: float = 0.0, effort: int = 0) -> Row:
    """The row a game leaves."""
    end = game.outcome
    return Row(
        agent=game.agent,
        world=game.world,
        index=game.index,
        won=end.won,
        stuck=end.termination is Termination.STUCK,
        score=end.score,
        finer=end.finer,
        marked_share=end.marked_share,
        opened=sum(step.opened for step in game.steps),
        guesses=sum(isinstance(step.decision.reason, Guessed) for step in game.steps),
        steps=len(game.steps),
        seconds=seconds,
        effort=effort,
        reason="" if end.won else _reason_of_loss(game),
    )


def _reason_of_loss(game: Transcript) -> str:
    """How a game was lost; for an opened mine, why the agent opened it."""
    end = game.outcome
    if end.termination is not Termination.EXPLODED:
        return f"{end.termination.value}: {end.note}" if end.note else end.termination.value
    reason = game.steps[-1].decision.reason if game.steps else None
    if isinstance(reason, Guessed):
        return f"exploded: guessed by {reason.policy}"
    if isinstance(reason, Proved):
        return f"exploded: called proved by {reason.logic}"
    return "exploded: no reason stated"


def _effort(agent: Agent) -> int:
    """The work an agent counted in the game just played, where it counts."""
    counted = getattr(agent, "effort", 0)
    if isinstance(counted, Mapping):
        return sum(value for value in counted.values() if isinstance(value, int))
    return counted if isinstance(counted, int) else 0
