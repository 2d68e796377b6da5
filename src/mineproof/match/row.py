"""The row that a game leaves: how it ended, and what it took.

A game is named by (seed, index), so every agent meets the same mines and comparisons are paired.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Decision, Guessed, Proved
from mineproof.match.game import play_game
from mineproof.match.isolation import IsolatedAgent
from mineproof.match.luck import risks_of, risks_text
from mineproof.match.outcome import Termination
from mineproof.match.referee import Referee
from mineproof.match.transcript import Transcript
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = ["EXPLODED_UNSTATED", "Record", "Row", "play_recorded", "row_of"]

EXPLODED_UNSTATED = "exploded: no reason stated"
"""The reason of a loss at a mine that no agent opened with a reason; a given cell, for one."""


@dataclass(frozen=True)
class Row:
    """One game. `reason` says how it was lost; it is empty for a win.

    `effort` is the work that the agent counted in this game, 0 where it counts none; `seconds` is
    the time the whole game took. `risks` are those of the cells that an agent from outside opened,
    negative where it met a mine (see `match/luck.py`).
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
    risks: str = ""

    @property
    def failed(self) -> bool:
        """Whether the agent itself failed: it raised, hung or made an illegal move."""
        return self.reason.startswith(Termination.FAILED.value)


def play_recorded(
    setting: Setting,
    agent: Agent,
    name: str,
    seed: int,
    index: int,
    agent_seed: int,
    clock: Callable[[], float] = time.perf_counter,
    *,
    luck: bool = False,
) -> tuple[Row, Transcript]:
    """Play one game and return its row and its transcript; with `luck`, the row holds its risks."""
    if isinstance(agent, IsolatedAgent):
        agent.prepare()
    began = clock()
    record = Record() if luck else None
    game = play_game(setting, agent, name, seed, index, agent_seed, record)
    row = row_of(game, clock() - began, _effort(agent))
    return row if record is None else replace(row, risks=record.risks(setting)), game


class Record:
    """Watches a game: every move with the view it was made on, and the mines once it is over."""

    def __init__(self) -> None:
        self._referee: Referee
        self._before: View
        self._seen: list[tuple[View, Decision]] = []

    def __call__(self, referee: Referee, decision: Decision | None) -> None:
        if decision is not None:
            self._seen.append((self._before, decision))
        self._referee, self._before = referee, referee.view

    def risks(self, setting: Setting) -> str:
        """The risks of a game that is over, as a row holds them."""
        return risks_text(risks_of(setting, self._seen, self._referee.layout))


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
    return EXPLODED_UNSTATED


def _effort(agent: Agent) -> int:
    """The work an agent counted in the game just played, where it counts."""
    counted = getattr(agent, "effort", 0)
    if isinstance(counted, Mapping):
        return sum(value for value in counted.values() if isinstance(value, int))
    return counted if isinstance(counted, int) else 0
