"""The exact engine as a logic that follows a game (what reports 1 and 2 ask for as improvement).

It proves every certain cell: all that follows from the clues and what the rules tell of the mines,
the total included. A session re-solves only what an opened cell touches; its chances are those the
guessing policy `exact-risk` chooses by.
"""

from __future__ import annotations

from mineproof.inference.analysis import Probabilities
from mineproof.inference.session import Session
from mineproof.inference.verdict import Premises, Verdict
from mineproof.view.view import View

__all__ = ["ExactLogic"]

NAME = "exact"


class ExactLogic:
    """Follows a game with one session."""

    name = NAME

    def begin(self, view: View) -> None:
        self._session: Session | None = None

    def learn(self, view: View) -> Verdict:
        session = self._at(view)
        safe: list[int] = []
        mines: list[int] = []
        # All of them, in rising order: the core and its twin find them in different orders.
        while any(new := session.newly_certain()):
            safe += new[0]
            mines += new[1]
        premises = Premises(total=view.total is not None)
        return Verdict(
            NAME, dict.fromkeys(sorted(safe), premises), dict.fromkeys(sorted(mines), premises)
        )

    def chances(self, view: View) -> Probabilities:
        """The exact chance of a mine for every cell."""
        return self._at(view).p

    def _at(self, view: View) -> Session:
        """The session, at this view; a new one where the game or what is told of it is new."""
        session = self._session
        if (
            session is None
            or session.view.rules != view.rules
            or view.opened_since(session.view) is None
        ):
            session = self._session = Session(view)
        else:
            session.follow(view)
        return session

    def knowledge(self, view: View) -> str:
        """The chance of a mine in every hidden cell, the least first."""
        chances = Session(view).p
        ranked = sorted((chances[cell], cell) for cell in view.hidden)
        return "\n".join(f"{view.topology.cell_name(cell)}: {risk:.6f}" for risk, cell in ranked)
