"""An agent that is an object, in a process of its own: forked from this one before the deal.

Any object works, since nothing is copied but the process itself, and codes go over the pipe, never
the mines. The object keeps its state from game to game in there; the caller's own does not change.
Where the system cannot fork, the object plays in this process.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import ClassVar

from mineproof.agents.adapters.source import AgentSource
from mineproof.agents.agent import AgentFactory
from mineproof.errors import AgentFailure
from mineproof.match.isolation import IsolatedAgent, Limits
from mineproof.match.isolation_child import serve
from mineproof.processes.lines import ChildLost, LineChild
from mineproof.processes.linux import hide_memory

__all__ = ["ForkedAgent", "apart"]


class ForkedAgent(IsolatedAgent):
    """Plays as the object that `make` gives does, which lives in a forked process.

    An exception ends its game. If the process itself is lost, its other games are lost too: a new
    fork could see what this process learned meanwhile.
    """

    lives_on: ClassVar[bool] = True

    def __init__(self, make: AgentFactory, name: str, limits: Limits) -> None:
        super().__init__(AgentSource(None, name), limits)
        self._make = make
        self._started = False

    def _start(self) -> LineChild:
        if self._started:
            raise AgentFailure("its process ended in an earlier game")
        self._started = True
        with suppress(OSError):
            hide_memory()
        try:
            return LineChild(partial(serve, self._make), clock=self._clock)
        except (ChildLost, OSError) as error:
            raise AgentFailure(f"the agent's process {error}") from None


@contextmanager
def apart(
    objects: Iterable[tuple[str, AgentFactory]], limits: Limits
) -> Iterator[tuple[tuple[str, AgentFactory], ...]]:
    """What makes the players of agents that are no names, each in a process that starts now."""
    if not hasattr(os, "fork"):
        yield tuple(objects)
        return
    players = [(name, ForkedAgent(make, name, limits)) for name, make in objects]
    try:
        for _, player in players:
            player.prepare()
        yield tuple((name, partial(_itself, player)) for name, player in players)
    finally:
        for _, player in players:
            player.close()


def _itself(player: ForkedAgent) -> ForkedAgent:
    return player
