"""How much work a caller allows; past it the engine raises BudgetExceeded."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.errors import BudgetExceeded, InputError, check_kind
from mineproof.whole import whole

__all__ = ["DEFAULT_BUDGET", "Budget", "Meter"]


@dataclass(frozen=True, slots=True)
class Budget:
    """States of the counting program, and bytes of memory, that one call may use.

    >>> mp.analyze("square 2x2 mines=1\\n1.\\n..", budget=mp.Budget(states=1000)).solutions
    3
    """

    states: int = 400_000_000
    memory: int = 4 << 30

    def __post_init__(self) -> None:
        limits = (whole(self.states, "states"), whole(self.memory, "memory"))
        if not all(0 < limit < 2**63 for limit in limits):
            raise InputError(
                f"budget of {self.states} states and {self.memory} bytes; accepted: from 1 to"
                " 2**63 - 1 of each"
            )

    @classmethod
    def taken(cls, budget: Budget) -> Budget:
        """The budget that a caller gave. Raises InputError for anything else."""
        check_kind(budget, cls, "budget", "a Budget, such as Budget(states=1000000)")
        return budget


DEFAULT_BUDGET = Budget()


class Meter:
    """Counts the states that the Python twin keeps against a budget."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.states = 0

    def charge(self, states: int, what: str, width: float) -> None:
        """Count states of a component; BudgetExceeded names it and its estimated width."""
        self.states += states
        if self.states > self.budget.states:
            raise BudgetExceeded(
                f"{what} needs about 2**{width:.0f} states; the budget of"
                f" {self.budget.states} states is used up"
            )
