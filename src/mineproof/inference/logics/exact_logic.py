"""The exact engine as a logic that follows a game (what reports 1 and 2 ask for as improvement).

It proves every certain cell: all that follows from the clues and from what is known of the mines,
including the total. What single clues decide comes first, because it costs least, and then what two
clues decide together. Only if these prove no cell safe is the rest worked out. A session re-solves
only what the cells opened since touch; its chances are those the guessing policy `exact-risk`
chooses by.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from mineproof.board.cell_names import folded_names
from mineproof.inference.engine.analysis import Probabilities
from mineproof.inference.engine.exact import settled
from mineproof.inference.engine.session import Session
from mineproof.inference.logics.option import Option
from mineproof.inference.verdict import Premises, Verdict
from mineproof.percentages import percent
from mineproof.view.channels import EXACT
from mineproof.view.view import View

__all__ = ["ExactLogic"]

NAME = "exact"


class ExactLogic:
    """Follows a game with one session.

    With `at_once` every verdict has all that is certain. The same cells are proved before the
    first empty verdict either way, so that a player guesses in the same positions.
    """

    name = NAME
    options: ClassVar[tuple[Option, ...]] = (
        Option("at-once", "proves all that is certain at once, not the cheap part first"),
    )

    def __init__(self, at_once: bool = False) -> None:
        self._at_once = at_once

    def begin(self, view: View) -> None:
        self._session: Session | None = None
        self._told: set[int] = set()

    def learn(self, view: View) -> Verdict:
        session = self._at(view)
        for pairs in self._cheap(view):
            safe, mines = settled(view, pairs=pairs)
            if not self._told.issuperset(safe):
                return self._tell(safe, mines, Premises())
        all_safe: list[int] = []
        all_mines: list[int] = []
        while any(new := session.newly_certain()):
            all_safe += new[0]
            all_mines += new[1]
        return self._tell(all_safe, all_mines, Premises(total=view.total is not None))

    def _cheap(self, view: View) -> tuple[bool, ...]:
        """What comes before the engine: single clues, then pairs of them if they are exact."""
        if self._at_once:
            return ()
        return (False, True) if view.rules.clues == EXACT.text else (False,)

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
            self._told.clear()
        else:
            session.follow(view)
        return session

    def _tell(self, safe: Iterable[int], mines: Iterable[int], premises: Premises) -> Verdict:
        """The cells not reported before, in ascending order: core and twin find them in other
        orders.
        """
        new_safe = sorted(cell for cell in safe if cell not in self._told)
        new_mines = sorted(cell for cell in mines if cell not in self._told)
        self._told.update(new_safe, new_mines)
        return Verdict(NAME, dict.fromkeys(new_safe, premises), dict.fromkeys(new_mines, premises))

    def knowledge(self, view: View) -> str:
        """The chance of a mine in every hidden cell, the least first, equal ones together."""
        chances = Session(view).p
        cells: dict[str, list[int]] = {}
        for chance, cell in sorted((chances[cell], cell) for cell in view.hidden):
            cells.setdefault(percent(chance), []).append(cell)
        return "\n".join(
            f"{chance}: {' '.join(folded_names(view.topology, alike))}"
            for chance, alike in cells.items()
        )
