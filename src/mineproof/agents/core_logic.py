"""What `swift` and `champion` share: both are players of the compiled core.

The core is shown what the player sees and nothing else. A decision depends on what is shown and on
one number drawn from the agent's stream, so games played wholly in the core are the same games that
the Python referee plays with these agents. The players of the core know neither unreliable clues
nor an unknown total: there the agent `exact` plays in their place, and options, which it does not
have, are refused.
"""

from __future__ import annotations

from typing import ClassVar

from mineproof import kernel
from mineproof.agents.first_click import first_cells
from mineproof.errors import InputError, RulesError
from mineproof.inference.engine.ground import ground_of
from mineproof.inference.logics.exact_logic import ExactLogic
from mineproof.inference.verdict import Premises, Verdict
from mineproof.kernel import core
from mineproof.rng import Stream
from mineproof.rules import Rules
from mineproof.view.view import View

__all__ = ["CoreLogic", "needs_core"]

_PREMISES = Premises(total=True)


def needs_core(name: str) -> None:
    """Raises InputError where the core is not compiled."""
    if not kernel.available():
        raise InputError(
            f"agent {name} needs the compiled core, which is not there; accepted: such as exact"
        )


class CoreLogic(ExactLogic):
    """Proves what the core's player proves, and knows its guess. Raises InputError without a core.

    It proves all that is certain, as `exact` does and in the same order.
    """

    player: ClassVar[str]

    def __init__(self, **given: float) -> None:
        needs_core(self.player)
        super().__init__()
        self.given = given

    def check_rules(self, rules: Rules, cells: int) -> None:
        """Raises RulesError where it was given options and the core does not know the rules."""
        total = rules.mines.fixed(cells) if rules.total_known else None
        if self.given and (total is None or rules.clues != "exact"):
            raise RulesError(
                f"{self.player}[{','.join(self.given)}] needs exact clues and a known number of"
                f" mines; accepted: {self.player} without options, which then plays as exact"
            )

    def begin(self, view: View) -> None:
        self.check_rules(view.rules, len(view))
        super().begin(view)
        self._seat = self._take_seat(view)
        self._keyed = False

    def _take_seat(self, view: View) -> core.Seat | None:
        total, rules = view.total, view.rules
        if total is None or rules.clues != "exact":
            return None
        return core.Seat(
            ground_of(view.topology).board,
            total,
            rules.first_click.value,
            first_cells(view.topology, rules.first_click, total),
            self.player,
            self.given,
        )

    def learn(self, view: View) -> Verdict:
        if self._seat is None:
            return super().learn(view)
        try:
            safe, mines = self._seat.prove(view.code_bytes())
        except (core.Contradiction, core.OverBudget):
            return super().learn(view)  # this says which clues clash
        if safe and self._told.issuperset(safe):
            # Told and still hidden: a flag that is not the agent's stands there. The core's player
            # has no more to say then, but more may be certain.
            return super().learn(view)
        return self._tell(safe, mines, _PREMISES)

    def guess(self, view: View, rng: Stream) -> tuple[int, float, int] | None:
        """The guess at a view in which nothing is proved safe: cell, risk, among how many cells.

        None where the core does not know these rules, or there is nothing to guess.
        """
        if self._seat is None:
            return None
        if not self._keyed:
            self._seat.begin(rng.next())
            self._keyed = True
        try:
            safe, mines = self._seat.prove(view.code_bytes())
        except (core.Contradiction, core.OverBudget):
            return None
        return None if safe or len(mines) == view.hidden_count else self._seat.guess()
