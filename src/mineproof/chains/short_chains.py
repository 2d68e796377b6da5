"""An agent that keeps chains of influence short where it may choose (report 1's question 6).

Every agent opens what is proved safe sooner or later, so chains can only be kept short by the
choice between guesses. Of the cells whose risk is at most `spend` above the least, this agent opens
one whose clues have the least depth. Cells that touch no clue come last. Ties go to the fewest
hidden neighbours, as in `exact-risk`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.agents.decision import Action, Decision, Guessed
from mineproof.agents.logic_agent import LogicAgent
from mineproof.chains.support import DEFAULT_STEPS, Supporter
from mineproof.inference.logics.exact_logic import ExactLogic
from mineproof.inference.verdict import Logic
from mineproof.rng import Stream
from mineproof.rules import FirstClick
from mineproof.view.marks import MAX_CLUE
from mineproof.view.view import View

__all__ = ["Depths", "ShortChains", "ShortChainsAtTies"]

_DIGITS = 12
_LISTED = 12


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
    """Plays as `exact` does, and guesses where the chains behind the clues are shortest.

    `spend` is how much risk beyond the least it accepts for that, from 0 to 1.
    """

    spend = 0.02

    def begin(self, view: View, rng: Stream) -> None:
        self._agent = LogicAgent(ExactLogic(), self._guess)
        self._agent.begin(view, rng)
        self._depths = Depths(view)
        self._last: Decision | None = None

    def act(self, view: View) -> Decision:
        if self._last is not None:
            self._depths.follow(self._last, view)
        decision = self._agent.act(view)
        self._last = decision if decision.action is Action.OPEN else None
        return decision

    def knowledge(self, view: View) -> str:
        """What the exact engine knows, for people."""
        return self._agent.knowledge(view)

    def _guess(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> tuple[int, Guessed]:
        chances = [0.0] * len(view)
        if view.opened_count or view.rules.first_click is FirstClick.ANY:
            assert isinstance(logic, ExactLogic)
            chances = logic.chances(view).array.tolist()
        risks = {cell: round(chances[cell], _DIGITS) for cell in candidates}
        most = min(risks.values()) + self.spend
        near = [cell for cell in candidates if risks[cell] <= most]
        ranks = {cell: self._rank(cell, view) for cell in near}
        first = min(ranks.values())
        cells = [cell for cell in near if ranks[cell] == first]
        cell = rng.choice(cells)
        listed = tuple(cells) if len(cells) <= _LISTED else ()
        return cell, Guessed("short-chains", len(cells), risks[cell], listed)

    def _rank(self, cell: int, view: View) -> tuple[bool, int, int]:
        """Whether no clue touches a cell, the depth of its deepest clue, its hidden neighbours."""
        near = view.topology.neighbours(cell)
        clues = [other for other in near if view.code(other) <= MAX_CLUE]
        return not clues, max(self._depths.of(clues), default=0), sum(map(view.is_hidden, near))


class ShortChainsAtTies(ShortChains):
    """The same, but only among cells of exactly the least risk."""

    spend = 0.0
