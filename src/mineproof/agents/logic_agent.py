"""agent = logic + policy: open and flag what the logic proves, guess where it proves nothing."""

from __future__ import annotations

from collections import Counter, deque
from enum import Enum

from mineproof.agents.decision import Decision, Proved
from mineproof.agents.policy import Eager, Follower, Policy
from mineproof.inference.verdict import Logic, check_rules
from mineproof.rng import Stream
from mineproof.rules import Rules
from mineproof.view.view import View

__all__ = ["LogicAgent", "MoveOrder"]


class MoveOrder(Enum):
    """Which proved cells are played first (an open question of report 0)."""

    SAFE_FIRST = "safe-first"
    MINES_FIRST = "mines-first"


class LogicAgent:
    """Plays what is proved, in its order, and guesses by its policy where nothing is.

    The logic is asked again only when all cells it proved safe are open. An eager policy is asked
    before every move. `effort` is the work that the logic counted in the current game.
    """

    def __init__(
        self, logic: Logic, policy: Policy, order: MoveOrder = MoveOrder.SAFE_FIRST
    ) -> None:
        self.logic = logic
        self.policy = policy
        self.order = order
        self._follower = policy if isinstance(policy, Follower) else None
        self._eager = policy if isinstance(policy, Eager) else None

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError where the logic was told what these rules cannot give."""
        check_rules(self.logic, rules, cells)

    def begin(self, view: View, rng: Stream) -> None:
        self._rng = rng
        self._safe: deque[tuple[int, Proved]] = deque()
        self._mines: deque[tuple[int, Proved]] = deque()
        self._known_mines: set[int] = set()
        self.effort: Counter[str] = Counter()
        self.logic.begin(view)
        self._last: Decision | None = None
        if self._follower is not None:
            self._follower.begin(view)

    def act(self, view: View) -> Decision:
        if self._follower is not None and self._last is not None:
            self._follower.follow(self._last, view)
        self._last = decision = self._early(view) or self._move(view)
        return decision

    def _early(self, view: View) -> Decision | None:
        """What an eager policy guesses before anything else is played."""
        if self._eager is None:
            return None
        choice = self._eager.early(view, self._candidates(view), self._rng, self.logic)
        return None if choice is None else Decision.open(*choice)

    def _move(self, view: View) -> Decision:
        if self.order is MoveOrder.MINES_FIRST and (decision := self._flag(view)):
            return decision
        if decision := self._open(view):
            return decision
        while self._learn(view):
            if self.order is MoveOrder.MINES_FIRST and (decision := self._flag(view)):
                return decision
            if decision := self._open(view):
                return decision
        return self._flag(view) or self._guess(view)

    def _learn(self, view: View) -> bool:
        """Ask the logic; False if nothing more follows."""
        verdict = self.logic.learn(view)
        self.effort.update(verdict.effort)
        logic = verdict.logic
        self._safe.extend((cell, Proved(logic, why)) for cell, why in verdict.safe.items())
        self._mines.extend((cell, Proved(logic, why)) for cell, why in verdict.mines.items())
        self._known_mines.update(verdict.mines)
        return bool(verdict)

    def _open(self, view: View) -> Decision | None:
        while self._safe:
            cell, reason = self._safe.popleft()
            # A flag that is not this agent's may stand on a proved cell: it cannot be opened.
            if view.is_hidden(cell) and not view.is_flagged(cell):
                return Decision.open(cell, reason)
        return None

    def _flag(self, view: View) -> Decision | None:
        while self._mines:
            cell, reason = self._mines.popleft()
            if view.is_hidden(cell) and not view.is_flagged(cell):
                return Decision.flag(cell, reason)
        return None

    def _candidates(self, view: View) -> list[int]:
        """The hidden cells that are not known to be mines."""
        known = self._known_mines
        if view.flag_count:
            known = known.union(view.flags)
        return [cell for cell in view.hidden if cell not in known]

    def _guess(self, view: View) -> Decision:
        candidates = self._candidates(view)
        if not candidates:
            return Decision.stop("every hidden cell is proved to be a mine")
        choice = self.policy(view, candidates, self._rng, self.logic)
        if choice is None:
            return Decision.stop("nothing more is proved")
        return Decision.open(*choice)

    def knowledge(self, view: View) -> str:
        """What the logic knows, for people."""
        return self.logic.knowledge(view)
