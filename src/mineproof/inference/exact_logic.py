"""The exact engine as a logic that follows a game (what reports 1 and 2 ask for as improvement).

It proves every certain cell: all that follows from the clues and what the rules tell of the mines,
the total included. What a single clue forces is settled without counting; the rest is one analysis
a position, which the guessing policy `exact-risk` uses again.
"""

from __future__ import annotations

from mineproof.inference.analysis import Analysis
from mineproof.inference.exact import analyze
from mineproof.inference.facts import Facts
from mineproof.inference.verdict import Premises, Verdict
from mineproof.view.view import View

__all__ = ["ExactLogic"]

NAME = "exact"


class ExactLogic:
    """Follows a game; counts only where single clues prove nothing."""

    name = NAME

    def begin(self, view: View) -> None:
        self._facts = Facts(view)
        self._analysis: Analysis | None = None

    def learn(self, view: View) -> Verdict:
        facts = self._facts
        if not facts.follows(view):
            self.begin(view)
            facts = self._facts
        facts.read(view)
        if not facts.proved_any:
            analysis = self.analysis(view)
            why = Premises(total=view.total is not None)
            facts.add(dict.fromkeys(analysis.safe, why), dict.fromkeys(analysis.mines, why))
        facts.changed.clear()
        return facts.take(NAME)

    def analysis(self, view: View) -> Analysis:
        """The exact posterior of a view, kept for the last one asked for."""
        last = self._analysis
        if last is None or last.view is not view:
            last = self._analysis = analyze(view)
        return last

    def note(self, verdict: Verdict) -> None:
        """Take over what another logic of a chain proved."""
        self._facts.note(verdict)

    def knowledge(self, view: View) -> str:
        """The chance of a mine in every hidden cell, the least first."""
        chances = self.analysis(view).p
        ranked = sorted((chances[cell], cell) for cell in view.hidden)
        return "\n".join(f"{view.topology.cell_name(cell)}: {risk:.6f}" for risk, cell in ranked)
