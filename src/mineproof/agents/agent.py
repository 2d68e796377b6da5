"""What an agent is: one method.

    class Mine:
        def act(self, view):
            return next(view.hidden)

`act` returns a `Decision`, or just a cell to open: its number or its coordinates. An agent may
also have `begin(view, rng)`, called once before its first move of every game with a stream of
random numbers of its own, and `knowledge(view)`, a text that `play --step` shows. An agent that
cannot play by all rules may have `check_rules(rules, cells)`, which raises RulesError: then there
is no game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import index
from typing import Protocol, SupportsIndex, TypeAlias, TypeGuard, runtime_checkable

import numpy as np

from mineproof.agents.decision import Action, Decision
from mineproof.board.topology import Topology
from mineproof.errors import AgentFailure, InputError, quoted
from mineproof.rng import Stream
from mineproof.view.view import View

__all__ = ["Agent", "AgentFactory", "Answer", "Beginner", "Knowing", "as_decision"]

Answer: TypeAlias = Decision | int | tuple[int, ...]


class Agent(Protocol):
    """Chooses the next move from what the player sees."""

    def act(self, view: View) -> Answer: ...


@runtime_checkable
class Beginner(Protocol):
    """An agent that wants to know when a game begins."""

    def begin(self, view: View, rng: Stream) -> None: ...


@runtime_checkable
class Knowing(Protocol):
    """An agent that can tell what it knows."""

    def knowledge(self, view: View) -> str: ...


AgentFactory: TypeAlias = Callable[[], Agent]


def as_decision(answer: object, topology: Topology) -> Decision:
    """The decision an agent's answer stands for. Raises AgentFailure for nonsense."""
    if isinstance(answer, Decision):
        cell = answer.cell
        if answer.action is Action.STOP:
            return answer
        if _is_whole(cell) and 0 <= index(cell) < len(topology):
            return answer if type(cell) is int else replace(answer, cell=index(cell))
        raise AgentFailure(f"the agent chose cell {quoted(cell)}, which is not on the board")
    if _is_whole(answer):
        return as_decision(Decision.open(index(answer)), topology)
    if isinstance(answer, tuple | list) and all(map(_is_whole, answer)):
        try:
            return Decision.open(topology.cell(tuple(map(index, answer))))
        except InputError as error:
            raise AgentFailure(f"the agent answered with a wrong cell: {error}") from None
    raise AgentFailure(
        f"the agent answered {quoted(repr(answer))}; accepted: a Decision, a cell number or"
        " coordinates"
    )


def _is_whole(answer: object) -> TypeGuard[SupportsIndex]:
    """Whether it is a whole number: numpy's integers are, truth values are not."""
    return isinstance(answer, int | np.integer) and not isinstance(answer, bool)
