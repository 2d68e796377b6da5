"""What an agent is: one method.

    class Mine:
        def act(self, view):
            return view.hidden[0]

`act` returns a `Decision`, or just a cell to open: its number or its coordinates. An agent may
also have `begin(view, rng)`, called once before its first move of every game with a stream of
random numbers of its own, and `knowledge(view)`, a text that `play --step` shows. An agent that
cannot play by all rules may have `check_rules(rules, cells)`, which raises RulesError: then there
is no game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from mineproof.agents.decision import Action, Decision, Guessed, Proved
from mineproof.board.topology import Topology
from mineproof.errors import AgentFailure, InputError, as_given
from mineproof.rng import Stream
from mineproof.view.view import View

__all__ = ["Agent", "AgentFactory", "Answer", "Beginner", "Knowing", "as_decision"]

Answer: TypeAlias = Decision | int | tuple[int, ...]


class Agent(Protocol):
    """Chooses the next move from what the player sees.

    >>> class First:
    ...     def act(self, view):
    ...         return view.hidden[0]
    >>> mp.play("beginner", First, seed=1).outcome.won
    False
    """

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
    """The decision an agent's answer stands for, its cells by number.

    Raises AgentFailure for nonsense.
    """
    if not isinstance(answer, Decision):
        if not isinstance(answer, int | np.integer | tuple | list | np.ndarray) or isinstance(
            answer, bool
        ):
            raise AgentFailure(
                f"the agent answered {as_given(answer)}; accepted: a Decision, a cell number or"
                " coordinates"
            )
        return Decision.open(_cell(answer, topology))
    if answer.action is Action.STOP:
        return answer
    cell = answer.cell
    if type(cell) is not int or not 0 <= cell < len(topology):
        answer = replace(answer, cell=_cell(cell, topology))
    return _with_numbers(answer, topology)


def _cell(place: object, topology: Topology, said: str = "the agent chose") -> int:
    try:
        given: Any = place
        return topology.cell(given)
    except InputError as error:
        raise AgentFailure(f"{said} a wrong cell: {error}") from None


_NUMBER = {int}
_REASON = "the agent's reason names"


def _with_numbers(decision: Decision, topology: Topology) -> Decision:
    """The decision whose reason, too, names cells by their numbers."""
    reason = decision.reason
    if isinstance(reason, Proved):
        clues = reason.premises.clues
        if clues and set(map(type, clues)) != _NUMBER:
            numbers = tuple(_cell(clue, topology, _REASON) for clue in clues)
            premises = replace(reason.premises, clues=numbers)
            return replace(decision, reason=Proved(reason.logic, premises))
    elif isinstance(reason, Guessed) and reason.cells and set(map(type, reason.cells)) != _NUMBER:
        cells = tuple(_cell(cell, topology, _REASON) for cell in reason.cells)
        return replace(decision, reason=replace(reason, cells=cells))
    return decision
