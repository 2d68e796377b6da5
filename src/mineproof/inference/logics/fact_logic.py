"""What the logics over facts share: to follow a game, tell what is new, note what others prove.

A member says in `_prove` what follows where single clues force nothing more. Everything else is
here: which view was read, what was told already, what the work is counted in, and the knowledge for
people.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from typing import ClassVar, Self, TypeAlias

from mineproof.errors import RulesError
from mineproof.inference.logics.facts import Equation, Facts, equations_text
from mineproof.inference.logics.option import Option
from mineproof.inference.verdict import Premises, Verdict, infer
from mineproof.rules import Rules
from mineproof.view.view import View

__all__ = ["ComponentLogic", "FactLogic", "Findings"]

Findings: TypeAlias = tuple[dict[int, Premises], dict[int, Premises]]
"""The cells proved safe and those proved mines, each with its premises."""


class FactLogic:
    """Follows one game; `begin` resets all its state."""

    name: str
    options: ClassVar[tuple[Option, ...]] = ()
    use_total: bool = False

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError where it was told to use a total that the rules do not tell."""
        if self.use_total and not rules.total_known:
            raise RulesError(
                f"option global of {self.name} needs the mine total, which these rules do not tell;"
                f" accepted: {self.name} without it, or rules that tell the total (total=known)"
            )

    def begin(self, view: View) -> None:
        self._facts = Facts(view)
        self._taken = 0
        self._work = 0
        """Steps taken since the last verdict, in the unit that `_effort` names."""

    def learn(self, view: View) -> Verdict:
        if self.use_total and view.opened_count:
            # A total that is not told by now is never told.
            self.check_rules(view.rules, len(view))
        if not self._facts.follows(view):
            self.begin(view)
        self._facts.read(view)
        self._work = 0
        if not self._has_news:
            self._prove(view)
        return self._facts.take(self.name, **self._effort())

    def note(self, verdict: Verdict) -> None:
        """Take over what another logic of a sequence proved."""
        self._facts.note(verdict)

    def knowledge(self, view: View) -> str:
        """The open equations: how many mines are missing in which cells."""
        return equations_text(self._at(view)._facts)

    # -- for members -------------------------------------------------------------------------

    def _prove(self, view: View) -> None:
        """Add to the facts what follows where single clues force nothing more."""

    def _effort(self) -> dict[str, int]:
        """The work since the last verdict, and the size of the knowledge base."""
        return {}

    @property
    def _has_news(self) -> bool:
        """Whether there is enough for a verdict, so that costlier steps can wait."""
        return self._facts.proved_any

    def _newly_known(self) -> list[int]:
        """The cells that became known since this was last asked, in their order."""
        log, first = self._facts.log, self._taken
        self._taken = len(log)
        return log[first:]

    def _at(self, view: View, *, all_taken: bool = False) -> Self:
        """This logic where it has read all of a view, else a copy that has.

        With `all_taken` it must also have taken over every fact, for those that keep more than the
        facts.
        """
        facts = self._facts
        behind = all_taken and (facts.changed or self._taken < len(facts.log))
        if facts.is_at(view) and not behind:
            return self
        fresh = copy(self)
        infer(fresh, view)
        return fresh


class ComponentLogic(FactLogic, ABC):
    """Works on one component of the open equations at a time, and only on those that changed."""

    unit: ClassVar[str]
    """What its work is counted in."""

    def _prove(self, view: View) -> None:
        """Work on the components that changed, until one of them proves something."""
        facts = self._facts
        for component in facts.components(facts.changed):
            facts.changed.difference_update(equation.clue for equation in component)
            safe, mines = self._prove_component(component)
            if safe or mines:
                facts.add(safe, mines)
                return
        facts.changed.clear()

    @abstractmethod
    def _prove_component(self, component: list[Equation]) -> Findings:
        """What follows from some equations. Raises InconsistentPosition."""

    def _effort(self) -> dict[str, int]:
        return {self.unit: self._work, "equations": self._facts.open_count}
