"""Agents as a caller gives them: by name, as a file, as an object or as a class."""

from __future__ import annotations

import inspect
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from mineproof.agents.agent import Agent, AgentFactory
from mineproof.errors import InputError, as_given, quoted
from mineproof.match.isolation import IsolatedAgent, Limits, make_player

__all__ = ["DEFAULT_AGENT", "AnyAgent", "Entrant", "entrants", "split_agents"]

DEFAULT_AGENT = "exact"

AnyAgent: TypeAlias = str | os.PathLike[str] | Agent | type[Agent]
"""An agent by its text, as a file, as an object, or as a class."""


@dataclass(frozen=True)
class Entrant:
    """An agent by its name. `make` gives the player of a game; None where the name is its text."""

    name: str
    make: AgentFactory | None = None

    @contextmanager
    def players(self, limits: Limits | None = None) -> Iterator[AgentFactory]:
        """What gives the player of each game; a process of its own ends with the `with`.

        Raises InputError for a text that names no agent.
        """
        if self.make is not None:
            yield self.make
            return
        player = make_player(self.name, limits)
        if isinstance(player, IsolatedAgent):
            with closing(player):
                yield lambda: player
        else:
            yield lambda: player


def entrants(agents: Sequence[AnyAgent]) -> tuple[Entrant, ...]:
    """The entrants for these agents; whether a text names one is not asked yet.

    A text keeps its name, an object is named by its class. An object plays all games itself, in
    this process; of a class every game gets a new one. Raises InputError.
    """
    if isinstance(agents, str | os.PathLike) or not isinstance(agents, Iterable):
        raise InputError(
            f"agents {as_given(agents)} are no list; accepted: such as ['single-point', 'exact']"
        )
    found: list[Entrant] = []
    names: Counter[str] = Counter()
    for agent in agents:
        entrant = _entrant(agent)
        names[entrant.name] += 1
        if names[entrant.name] > 1:
            if entrant.make is None:
                raise InputError(
                    f"agent {quoted(entrant.name)} is given twice; accepted: each once"
                )
            entrant = Entrant(f"{entrant.name} {names[entrant.name]}", entrant.make)
        found.append(entrant)
    if not found:
        raise InputError("no agent is named; accepted: at least one")
    return tuple(found)


def _entrant(agent: AnyAgent) -> Entrant:
    if isinstance(agent, str | os.PathLike):
        return Entrant(os.fspath(agent))
    name = agent.__name__ if isinstance(agent, type) else type(agent).__name__
    if not callable(getattr(agent, "act", None)):
        raise InputError(f"{quoted(name)} has no method `act`; accepted: a name or an agent")
    if isinstance(agent, type) and not _made_of_nothing(agent):
        raise InputError(
            f"class {quoted(name)} needs arguments; accepted: an object of it, or a class that"
            " needs none"
        )
    return Entrant(name, agent if isinstance(agent, type) else lambda: agent)


def _made_of_nothing(kind: type[Agent]) -> bool:
    """Whether a class can be called without arguments, as far as it says."""
    try:
        inspect.signature(kind).bind()
    except ValueError:  # it does not say
        return True
    except TypeError:
        return False
    return True


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
