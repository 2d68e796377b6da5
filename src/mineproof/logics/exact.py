"""The exact engine as a logic that follows a game (what reports 1 and 2 ask for as improvement).

It proves every certain cell: all that follows from the clues and from what is known of the mines,
including the total. What single clues decide comes first, because it costs least, and then what two
clues decide together. Only if these prove no cell safe is the rest worked out. A session re-solves
only what the cells opened since touch; its chances are those the guessing policy `exact-risk`
chooses by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar, TypeVar

from mineproof.board.topology import folded_names
from mineproof.engine.analysis import Premises, Probabilities, Verdict
from mineproof.engine.exact import settled_cells
from mineproof.engine.session import Session
from mineproof.errors import InconsistentPosition
from mineproof.logics.base import Option
from mineproof.rules import Mines
from mineproof.text import percent
from mineproof.view.channels import EXACT, Mark
from mineproof.view.view import View, reveal_codes


class ExactLogic:
    """Follows a game with one session."""

    name = "exact"
    options: ClassVar[tuple[Option, ...]] = (
        Option("at-once", "proves all that is certain at once, not the cheap part first"),
    )

    def __init__(self, at_once: bool = False) -> None:
        # With `at_once` every verdict has all that is certain. The same cells are proved before the
        # first empty verdict either way, so that a player guesses in the same positions.
        self._at_once = at_once

    def begin(self, view: View) -> None:
        self._session: Session | None = None
        self._told: set[int] = set()

    def learn(self, view: View) -> Verdict:
        session = self._at(view)
        for pairs in self._cheap(view):
            safe, mines = settled_cells(view, pairs=pairs)
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
        return Verdict(
            "exact", dict.fromkeys(new_safe, premises), dict.fromkeys(new_mines, premises)
        )

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


T = TypeVar("T")

_BLANK = Mark.BLANK.value
_EVEN = Mines.independent(Fraction(1, 2))


class NaiveLogic(ExactLogic):
    """The exact engine, believing every clue: the baseline for unreliable clues.

    It reads the view as if its clues were exact. If such clues clash, the newest clue of a minimal
    clash is taken for wrong and dropped, until the rest has a solution: older clues stay, and each
    contradiction drops one clue. If only the number of mines does not fit, it is taken as unknown.
    Nothing that it proves is certain unless the clues are exact or withheld.
    """

    name = "naive"
    options = ()

    def __init__(self) -> None:
        super().__init__(at_once=True)  # a clash that only several clues show comes before any cell

    def begin(self, view: View) -> None:
        super().begin(view)
        # The clues taken for wrong, each with the clash it was found in; a verdict's logic says how
        # many there are: `naive-without-2`.
        self.dropped: dict[int, str] = {}
        self._total_fits = True
        self._seen = view
        self._read = self._belief(view)

    def learn(self, view: View) -> Verdict:
        verdict = self._ask(view, super().learn)
        logic = f"{self.name}-without-{len(self.dropped)}" if self.dropped else self.name
        return replace(verdict, logic=logic)

    def chances(self, view: View) -> Probabilities:
        """The chance of a mine for every cell, were the clues exact."""
        return self._ask(view, super().chances)

    def knowledge(self, view: View) -> str:
        """The clues taken for wrong, and the chances that follow from the others."""
        reader = NaiveLogic()
        reader.begin(view)
        reader.chances(view)
        name = view.topology.cell_name
        lies = [
            f"{name(cell)}: its {view[cell]} is taken for a lie ({why})"
            for cell, why in reader.dropped.items()
        ]
        return "\n".join([*lies, ExactLogic.knowledge(reader, reader._read)])

    def _ask(self, view: View, question: Callable[[View], T]) -> T:
        """The answer on the view as it is believed; what clashes is dropped until there is one."""
        self._follow(view)
        while True:
            try:
                return question(self._read)
            except InconsistentPosition as clash:
                self._give_way(view, clash)

    def _follow(self, view: View) -> None:
        """Believe what was opened since the last view."""
        fresh = view.opened_since(self._seen)
        if fresh is None:
            self.begin(view)
        elif view.rules != self._seen.rules or not set(self._seen.free).issuperset(view.free):
            self._read = self._belief(view)
        elif fresh:
            self._read = reveal_codes(self._read, ((cell, view.code(cell)) for cell in fresh))
        self._seen = view

    def _give_way(self, view: View, clash: InconsistentPosition) -> None:
        """Drop the newest clue of a clash, or the number of mines where no clue is in it."""
        clues = set(clash.clues)
        newest = next((cell for cell in reversed(list(view.opened)) if cell in clues), None)
        if newest is not None:
            self.dropped[newest] = str(clash)
        else:
            self._total_fits = False
        self._session = None
        self._read = self._belief(view)

    def _belief(self, view: View) -> View:
        """The view with exact clues, and without the dropped ones."""
        rules = replace(view.rules, clues="exact")
        if not self._total_fits:
            rules = replace(rules, mines=_EVEN, total_known=False)
        read = View(view.topology, rules, view.free)
        return reveal_codes(
            read,
            ((cell, _BLANK if cell in self.dropped else view.code(cell)) for cell in view.opened),
        )
