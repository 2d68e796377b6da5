"""One clue at a time (reports 0 "basic" and 2 "SPX").

For every opened clue: if all its mines are known, its other hidden neighbours are safe (all marked
neighbours); if as many cells are unknown around it as mines are missing, they are all mines (all
free neighbours). What follows only from two clues together, or from the mine total, it cannot see.

Where clues may lie, a clue stands for the range of counts its channel leaves possible: the upper
end proves safety, the lower end proves mines.
"""

from __future__ import annotations

from mineproof.inference.logics.facts import Facts, equations_text
from mineproof.inference.verdict import Verdict, infer
from mineproof.view.view import View

__all__ = ["SinglePoint", "single_point"]

NAME = "single-point"


def single_point(view: View) -> Verdict:
    """Everything that single clues prove of a position, to a fixpoint."""
    return infer(SinglePoint(), view)


class SinglePoint:
    """Follows a game; every cell and clue is looked at when something around it changes."""

    name = NAME

    def begin(self, view: View) -> None:
        self._facts = Facts(view)

    def learn(self, view: View) -> Verdict:
        if not self._facts.follows(view):
            self.begin(view)
        self._facts.read(view)
        self._facts.changed.clear()
        return self._facts.take(NAME)

    def note(self, verdict: Verdict) -> None:
        """Take over what another logic of a chain proved."""
        self._facts.note(verdict)

    def knowledge(self, view: View) -> str:
        """The open clues: how many mines are missing in which cells."""
        if not self._facts.is_at(view):
            fresh = SinglePoint()
            infer(fresh, view)
            return fresh.knowledge(view)
        return equations_text(self._facts)
