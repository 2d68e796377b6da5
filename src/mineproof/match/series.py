"""Many games: every agent plays the same games, and each game leaves a row.

A game is named by (seed, index), so every agent meets the same mines and comparisons are paired.
Rows come in the order world, index, agent: a series cut short leaves all agents equally far.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Guessed, Proved
from mineproof.closing import Closing
from mineproof.errors import InputError, quoted
from mineproof.match.game import play_game
from mineproof.match.isolation import IsolatedAgent, Limits, make_player
from mineproof.match.outcome import Termination
from mineproof.match.setting import Setting
from mineproof.match.transcript import Transcript
from mineproof.rng import check_seed

__all__ = [
    "Entrant",
    "Named",
    "Row",
    "Series",
    "entrants",
    "play_row",
    "row_of",
    "split_agents",
]

Named: TypeAlias = str | Agent | type[Agent]
"""An agent by its text, as an object, or as a class."""


@dataclass(frozen=True)
class Row:
    """One game of a series. `reason` says how it was lost; it is empty for a win.

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


@dataclass(frozen=True)
class Entrant:
    """An agent of a series by the name it was given; `make` is called before each game."""

    name: str
    make: Callable[[], Agent]
    close: Callable[[], None] = field(default=lambda: None)


def entrants(agents: Sequence[Named], limits: Limits | None = None) -> tuple[Entrant, ...]:
    """The entrants for these agents: texts as on the command line, objects, or classes.

    A text keeps its name; agents of somebody else's files run isolated, objects in this process. An
    object plays all games itself; of a class every game gets a new one. Raises InputError.
    """
    found: list[Entrant] = []
    names: Counter[str] = Counter()
    for agent in agents:
        name = agent if isinstance(agent, str) else _name(agent)
        names[name] += 1
        if names[name] > 1:
            if isinstance(agent, str):
                raise InputError(f"agent {quoted(name)} is given twice; accepted: each once")
            name = f"{name} {names[name]}"
        found.append(_entrant(name, agent, limits))
    if not found:
        raise InputError("no agent is named; accepted: at least one")
    return tuple(found)


def _name(agent: Agent | type[Agent]) -> str:
    return agent.__name__ if isinstance(agent, type) else type(agent).__name__


def _entrant(name: str, agent: Named, limits: Limits | None) -> Entrant:
    if isinstance(agent, str):
        player = make_player(agent, limits)
        if isinstance(player, IsolatedAgent):
            return Entrant(name, lambda: player, player.close)
        return Entrant(name, lambda: player)
    if isinstance(agent, type):
        return Entrant(name, agent)
    if not callable(getattr(agent, "act", None)):
        raise InputError(f"{quoted(name)} has no method `act`; accepted: a name or an agent")
    return Entrant(name, lambda: agent)


def split_agents(text: str) -> tuple[str, ...]:
    """The agents of a list, split at commas outside brackets. Raises InputError."""
    names, depth, start = [], 0, 0
    for place, char in enumerate(text):
        depth += (char in "[(") - (char in "])")
        if depth < 0:
            break
        if char == "," and not depth:
            names.append(text[start:place].strip())
            start = place + 1
    if depth:
        raise InputError(f"agents {quoted(text)}: a bracket is left open or closed too often")
    names.append(text[start:].strip())
    if not all(names):
        raise InputError(f"agents {quoted(text)} has an empty name; accepted: such as random,sat")
    return tuple(names)


class Series(Closing):
    """Agents times settings times games; close it, or use it in a `with`, to end agents' processes.

    `games` counts games per setting; `agent_seed` is `seed` unless given.
    """

    def __init__(
        self,
        entrants: Sequence[Entrant],
        settings: Sequence[Setting],
        games: int,
        seed: int = 0,
        agent_seed: int | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        if games < 1:
            raise InputError(f"{games} games; accepted: 1 or more")
        self.entrants = tuple(entrants)
        self.settings = tuple(settings)
        self.games = games
        self.seed = check_seed(seed)
        self.agent_seed = seed if agent_seed is None else check_seed(agent_seed, "agent seed")
        self._clock = clock

    def __len__(self) -> int:
        """How many rows there will be."""
        return len(self.entrants) * len(self.settings) * self.games

    def rows(self) -> Iterator[Row]:
        """Play; a row as soon as its game is over."""
        for setting in self.settings:
            for index in range(self.games):
                for entrant in self.entrants:
                    yield self._play(setting, index, entrant)

    def _play(self, setting: Setting, index: int, entrant: Entrant) -> Row:
        agent = entrant.make()
        return play_row(
            setting, agent, entrant.name, self.seed, index, self.agent_seed, self._clock
        )

    def close(self) -> None:
        for entrant in self.entrants:
            entrant.close()


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
