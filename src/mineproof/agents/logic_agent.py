"""agent = logic + policy: open and flag what the logic proves, guess where it proves nothing."""

from __future__ import annotations

from collections import deque

from mineproof.agents.decision import Decision, Proved
from mineproof.agents.policies import Policy
from mineproof.inference.verdict import Logic, Premises
from mineproof.rng import Stream
from mineproof.view.view import View

__all__ = ["LogicAgent"]


class LogicAgent:
    """Plays proved cells first, safe ones before mines, and guesses by its policy otherwise."""

    def __init__(self, logic: Logic, policy: Policy) -> None:
        self.logic = logic
        self.policy = policy

    def begin(self, view: View, rng: Stream) -> None:
        self._rng = rng
        self._safe: deque[tuple[int, Premises]] = deque()
        self._mines: deque[tuple[int, Premises]] = deque()
        self._known_mines: set[int] = set()
        self.logic.begin(view)

    def act(self, view: View) -> Decision:
        verdict = self.logic.learn(view)
        self._safe.extend(verdict.safe.items())
        self._mines.extend(verdict.mines.items())
        self._known_mines.update(verdict.mines)
        while self._safe:
            cell, premises = self._safe.popleft()
            if view.is_hidden(cell):
                return Decision.open(cell, Proved(self.logic.name, premises))
        while self._mines:
            cell, premises = self._mines.popleft()
            if view.is_hidden(cell) and not view.is_flagged(cell):
                return Decision.flag(cell, Proved(self.logic.name, premises))
        candidates = [
            cell
            for cell in view.hidden
            if cell not in self._known_mines and not view.is_flagged(cell)
        ]
        if not candidates:
            return Decision.stop("every hidden cell is proved to be a mine")
        cell, reason = self.policy(view, candidates, self._rng)
        return Decision.open(cell, reason)

    def knowledge(self, view: View) -> str:
        return self.logic.knowledge(view)
