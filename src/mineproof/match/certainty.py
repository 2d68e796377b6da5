"""What an agent calls proved, judged: is it certain, and if not, how likely is it false?

`certain`, any prover that finds every certain cell, decides what is certain. By default small
positions are enumerated and the others counted by the exact engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from typing import TypeAlias

from mineproof.agents.agent import Agent
from mineproof.agents.decision import Action, Decision, Proved
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.inference.engine.exact import analyze, exact
from mineproof.inference.engine.together import any_mine
from mineproof.inference.enumerate import enumerated
from mineproof.inference.verdict import Verdict
from mineproof.match.following import Following
from mineproof.rng import Stream
from mineproof.rules import FirstClick
from mineproof.view.view import View

__all__ = [
    "CalledProved",
    "Certain",
    "Certainty",
    "Judged",
    "called_proved",
    "certain_cells",
    "chance_false",
]

Certain: TypeAlias = Callable[[View], Verdict]
"""Finds every certain cell of a position. Raises BudgetExceeded if that is too much work."""

MOST_LAYOUTS = 2_000


def enumerate_small(view: View) -> Verdict:
    """Every certain cell by enumeration. Raises BudgetExceeded past MOST_LAYOUTS layouts."""
    hidden = view.hidden_count
    if view.total is None:
        layouts = 2**hidden
    else:
        layouts = comb(hidden, max(view.total - len(view.opened_mines), 0))
    if layouts > MOST_LAYOUTS:
        raise BudgetExceeded(f"{layouts} layouts; the check enumerates at most {MOST_LAYOUTS}")
    return enumerated(view)


def certain_cells(view: View) -> Verdict:
    """Every certain cell: by enumeration where that is quick, by the exact engine elsewhere."""
    try:
        return enumerate_small(view)
    except BudgetExceeded:
        return exact(view)


@dataclass(frozen=True)
class CalledProved:
    """Hidden cells that are called proved mines, or proved safe."""

    cells: tuple[int, ...]
    mine: bool

    @property
    def word(self) -> str:
        """What the cells are called."""
        return "a mine" if self.mine else "safe"


def called_proved(view: View, decision: Decision) -> CalledProved | None:
    """What a decision calls proved of the view it was made on, or None."""
    cell = decision.cell
    if cell is None or not isinstance(decision.reason, Proved):
        return None
    if decision.action is Action.CHORD:
        near = view.topology.neighbours(cell)
        opens = (c for c in near if view.is_hidden(c) and not view.is_flagged(c))
        return CalledProved(tuple(opens), mine=False)
    if decision.action in (Action.OPEN, Action.FLAG) and view.is_hidden(cell):
        return CalledProved((cell,), decision.action is Action.FLAG)
    return None


def chance_false(view: View, claim: CalledProved) -> float:
    """The exact chance that a claim is false. Raises BudgetExceeded."""
    analysis = analyze(view)
    return 1.0 - analysis.p[claim.cells[0]] if claim.mine else any_mine(analysis, claim.cells)


class Certainty:
    """The claims of one game, in order.

    What was certain once stays certain, so `certain` is asked only about cells not known yet.
    `dealt` says that the mines are dealt at the first click, so that its rule holds.
    """

    def __init__(self, certain: Certain = certain_cells, *, dealt: bool = True) -> None:
        self._certain = certain
        self._dealt = dealt
        self._safe: set[int] = set()
        self._mines: set[int] = set()

    def doubtful(self, view: View, claim: CalledProved) -> tuple[int, ...]:
        """The cells of a claim that are not certain.

        Raises BudgetExceeded or InconsistentPosition where that cannot be told.
        """
        known = self._mines if claim.mine else self._safe
        if known.issuperset(claim.cells) or (self._first_click(view) and not claim.mine):
            return ()
        verdict = self._certain(view)
        self._safe.update(verdict.safe)
        self._mines.update(verdict.mines)
        return tuple(cell for cell in claim.cells if cell not in known)

    def _first_click(self, view: View) -> bool:
        """Whether the rules themselves guarantee that any cell is safe."""
        promised = view.rules.first_click is not FirstClick.ANY
        return self._dealt and promised and not view.opened_count


class Judged(Following):
    """Plays as another agent does, and judges at once every move that agent calls proved.

    `unsound` holds, by the number of the move, the exact chance that a claim is false, of those
    claims that are not certain. A claim that is too costly to judge is not among them.
    """

    def __init__(
        self, agent: Agent, certain: Certain = certain_cells, *, dealt: bool = True
    ) -> None:
        super().__init__(agent)
        self.unsound: dict[int, float] = {}
        self._certain = certain
        self._dealt = dealt
        self._moves = 0
        self._certainty = Certainty(certain, dealt=dealt)

    def begin(self, view: View, rng: Stream) -> None:
        self.unsound.clear()
        self._moves = 0
        self._certainty = Certainty(self._certain, dealt=self._dealt)
        super().begin(view, rng)

    def followed(self, view: View, decision: Decision) -> Decision:
        self._moves += 1
        claim = called_proved(view, decision)
        try:
            if claim is not None and self._certainty.doubtful(view, claim):
                self.unsound[self._moves] = chance_false(view, claim)
        except (BudgetExceeded, InconsistentPosition):
            pass
        return decision
