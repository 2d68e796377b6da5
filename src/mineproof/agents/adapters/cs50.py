"""An unchanged `minesweeper.py` of Harvard's CS50 AI course, as an agent.

Its class `MinesweeperAI(height, width)` is told every opened cell by `add_knowledge(cell, count)`
and asked for `make_safe_move()`, then `make_random_move()`; `mines` are the cells it is sure of.
A safe move counts as proved, a random one as a guess, and a cell of `mines` is flagged as proved
when no safe move is left. If it opens such a cell after all, as its own runner lets it, the flag is
taken off first. It knows cells as (row, column), so it plays plain square boards only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from mineproof.agents.decision import Decision, Guessed, Proved
from mineproof.errors import AgentFailure, InputError, as_given
from mineproof.view.view import View

__all__ = ["Cs50Agent", "is_cs50"]

NAME = "cs50"
_METHODS = ("add_knowledge", "make_safe_move", "make_random_move")

MakeAI: TypeAlias = Callable[..., Any]


def is_cs50(candidate: object) -> bool:
    """Whether a class has the methods of CS50's `MinesweeperAI`."""
    return all(callable(getattr(candidate, method, None)) for method in _METHODS)


class Cs50Agent:
    """Plays by a `MinesweeperAI`, a new one each game. Raises AgentFailure off square boards."""

    def __init__(self, make: MakeAI) -> None:
        self._make = make
        self._ai: Any = None
        self._told: View | None = None
        self._next: Decision | None = None

    def act(self, view: View) -> Decision:
        if self._next is not None:
            decision, self._next = self._next, None
            return decision
        new = None if self._told is None else view.opened_since(self._told)
        if new is None:
            self._ai = self._make(*self._size(view))
            new = tuple(view.opened)
        self._told = view
        for cell in new:
            self._tell(view, cell)
        if (safe := self._cell(view, self._ai.make_safe_move())) is not None:
            return self._opened(view, Decision.open(safe, Proved(NAME)))
        for place in sorted(getattr(self._ai, "mines", ())):
            mine = self._cell(view, place)
            if mine is not None and view.is_hidden(mine) and not view.is_flagged(mine):
                return Decision.flag(mine, Proved(NAME))
        if (guess := self._cell(view, self._ai.make_random_move())) is not None:
            among = max(view.hidden_count - view.flag_count, 1)
            return self._opened(view, Decision.open(guess, Guessed(NAME, among)))
        return Decision.stop("no move left")

    def _opened(self, view: View, decision: Decision) -> Decision:
        """A decision to open a cell; of a flagged one, first that to take the flag off."""
        cell = decision.cell
        if cell is None or not view.is_flagged(cell):
            return decision
        self._next = decision
        return Decision.unflag(cell)

    @staticmethod
    def _size(view: View) -> tuple[int, ...]:
        topology = view.topology
        if topology.name != "square" or topology.blocked:
            raise AgentFailure(
                f"a CS50 agent plays square boards without blocked cells, not {topology.text}"
            )
        return topology.lattice.dimensions

    def _tell(self, view: View, cell: int) -> None:
        place = view.topology.coordinates(cell)
        clue = view.clue(cell)
        if clue is not None:
            self._ai.add_knowledge(place, clue)
            return
        # Its interface has no word for an opened mine or a cell without a clue: mark both by hand.
        self._ai.moves_made.add(place)
        mark = "mark_mine" if cell in view.opened_mines else "mark_safe"
        if hasattr(self._ai, mark):
            getattr(self._ai, mark)(place)

    @staticmethod
    def _cell(view: View, place: object) -> int | None:
        if place is None:
            return None
        if not (isinstance(place, tuple) and all(type(part) is int for part in place)):
            raise AgentFailure(
                f"the agent answered {as_given(place)}; accepted: (row, column) or None"
            )
        try:
            return view.topology.cell(place)
        except InputError as error:
            raise AgentFailure(f"the agent answered with a wrong cell: {error}") from None
