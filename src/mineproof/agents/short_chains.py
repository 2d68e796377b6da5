"""`short-chains`: keep chains of influence short where there is a choice (report 1's question 6).

Every agent opens what is proved safe sooner or later, so chains can only be kept short by the
choice between guesses. Of the cells whose exact risk is at most 2 percentage points above the least
(`short-chains-at-ties`: of the cells of least risk), this policy opens one whose clues have the
least depth. Cells that touch no clue come last. Ties go to the fewest hidden neighbours, as in
`exact-risk`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.agents.decision import Action, Decision, Guessed
from mineproof.agents.policy import EXACT_DIGITS, Choice, first_click_is_safe, listed
from mineproof.inference.logics.exact_logic import ExactLogic
from mineproof.inference.verdict import Logic
from mineproof.proofs.support import DEFAULT_STEPS, Supporter
from mineproof.rng import Stream
from mineproof.view.channels import speaks
from mineproof.view.view import View

__all__ = ["Depths", "ShortChains", "ShortChainsAtTies"]


class Depths:
    """The depth of every cell opened in the current game, computed on demand.

    Depths are those of `mineproof.chains.of`, as long as each move opens one cell.
    """

    def __init__(self, view: View, steps: int = DEFAULT_STEPS) -> None:
        self._depths: dict[int, int] = dict.fromkeys(view.opened, 0)
        self._supporter = Supporter(view.topology, self._depths, steps)
        self._supporter.take(view.opened, view)
        self._view = view
        self._waiting: list[tuple[Decision, View, View]] = []

    def follow(self, decision: Decision, after: View) -> None:
        """Take in a decision that was carried out, and what the player sees after it."""
        self._waiting.append((decision, self._view, after))
        self._view = after

    def of(self, cells: Iterable[int]) -> list[int]:
        """The depths of opened cells."""
        for decision, before, after in self._waiting:
            self._take(decision, before, after)
        self._waiting.clear()
        return [self._depths[cell] for cell in cells]

    def _take(self, decision: Decision, before: View, after: View) -> None:
        opened = after.opened_since(before)
        if not opened or decision.cell is None:
            return
        support = None
        if not isinstance(decision.reason, Guessed):
            support = self._supporter.safe(decision.cell, before)
        depth = 0
        if support is not None:
            depth = 1 + max((self._depths[clue] for clue in support.clues), default=-1)
        self._depths.update(dict.fromkeys(opened, depth))
        self._supporter.take(opened, after)


class ShortChains:
    """About the least exact risk, where the chains behind the clues are shortest (report 1).

    `spend` is how much risk beyond the least it accepts for that, from 0 to 1.
    """

    name = "short-chains"
    spend = 0.02

    def begin(self, view: View) -> None:
        self._exact = ExactLogic()
        self._exact.begin(view)
        self._depths = Depths(view)

    def follow(self, decision: Decision, view: View) -> None:
        if decision.action is Action.OPEN:
            self._depths.follow(decision, view)

    def __call__(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice:
        chances = [0.0] * len(view)
        if not first_click_is_safe(view):
            exact = logic if isinstance(logic, ExactLogic) else self._exact
            chances = exact.chances(view).array.tolist()
        risks = {cell: round(chances[cell], EXACT_DIGITS) for cell in candidates}
        most = min(risks.values()) + self.spend
        near = [cell for cell in candidates if risks[cell] <= most]
        ranks = {cell: self._rank(cell, view) for cell in near}
        first = min(ranks.values())
        cells = [cell for cell in near if ranks[cell] == first]
        cell = rng.choice(cells)
        return cell, Guessed(self.name, len(cells), risks[cell], listed(cells))

    def _rank(self, cell: int, view: View) -> tuple[bool, int, int]:
        """Whether no clue touches a cell, the depth of its deepest clue, its hidden neighbours."""
        near = view.topology.neighbours(cell)
        clues = [other for other in near if speaks(view.channel, view.code(other))]
        return not clues, max(self._depths.of(clues), default=0), sum(map(view.is_hidden, near))


class ShortChainsAtTies(ShortChains):
    """As `short-chains`, but only among cells of exactly the least risk (report 1)."""

    name = "short-chains-at-ties"
    spend = 0.0
