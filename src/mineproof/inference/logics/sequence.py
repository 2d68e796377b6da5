"""Logics one after the other: a costlier one is asked only if the cheaper ones prove nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from mineproof.inference.verdict import Logic, Verdict, check_rules
from mineproof.rules import Rules
from mineproof.view.view import View

__all__ = ["LogicSequence", "Nothing", "Noting"]


@runtime_checkable
class Noting(Protocol):
    """A logic that can take over what another one proved."""

    def note(self, verdict: Verdict) -> None: ...


class Nothing:
    """The logic that proves nothing."""

    name = "none"

    def begin(self, view: View) -> None:
        """Nothing to forget."""

    def learn(self, view: View) -> Verdict:
        return Verdict(self.name)

    def knowledge(self, view: View) -> str:
        return ""


class LogicSequence:
    """Proves what any of its logics proves, the first one first. A verdict names who proved it."""

    def __init__(self, logics: Sequence[Logic]) -> None:
        self.logics = tuple(logics)
        self.name = ">".join(logic.name for logic in logics)

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError as its logics do."""
        for logic in self.logics:
            check_rules(logic, rules, cells)

    def begin(self, view: View) -> None:
        self._known: set[int] = set()
        for logic in self.logics:
            logic.begin(view)

    def learn(self, view: View) -> Verdict:
        for logic in self.logics:
            while verdict := logic.learn(view):
                if new := self._without_known(verdict):
                    self._spread(new, logic)
                    return new
        return Verdict(self.name)

    def _without_known(self, verdict: Verdict) -> Verdict:
        """What the sequence did not know yet."""
        safe = {cell: why for cell, why in verdict.safe.items() if cell not in self._known}
        mines = {cell: why for cell, why in verdict.mines.items() if cell not in self._known}
        return Verdict(verdict.logic, safe, mines, verdict.effort)

    def _spread(self, verdict: Verdict, source: Logic) -> None:
        self._known.update(verdict.safe, verdict.mines)
        for logic in self.logics:
            if logic is not source and isinstance(logic, Noting):
                logic.note(verdict)

    def knowledge(self, view: View) -> str:
        """The knowledge of the last logic, which has the most."""
        return self.logics[-1].knowledge(view)
