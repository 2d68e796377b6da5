"""The exact engine, believing every clue: the baseline for unreliable clues.

It reads the view as if its clues were exact. If such clues clash, the newest clue of a minimal
clash is taken for wrong and dropped, until the rest has a solution: older clues stay, and each
contradiction drops one clue. If only the number of mines does not fit, it is taken as unknown.
Nothing that it proves is certain unless the clues are exact or withheld.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from mineproof.errors import InconsistentPosition
from mineproof.inference.engine.analysis import Probabilities
from mineproof.inference.logics.exact_logic import ExactLogic
from mineproof.inference.verdict import Verdict
from mineproof.rules import Mines
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["NaiveLogic"]

T = TypeVar("T")

NAME = "naive"
_BLANK = Mark.BLANK.value
_EVEN = Mines.independent(Fraction(1, 2))


class NaiveLogic(ExactLogic):
    """Follows a game with the exact logic, on the view as it believes it.

    `dropped` are the clues taken for wrong, each with the clash it was found in; a verdict's logic
    says how many there are: `naive-without-2`.
    """

    name = NAME
    options = ()

    def __init__(self) -> None:
        super().__init__(at_once=True)  # a clash that only several clues show comes before any cell

    def begin(self, view: View) -> None:
        super().begin(view)
        self.dropped: dict[int, str] = {}
        self._total_fits = True
        self._seen = view
        self._read = self._believed(view)

    def learn(self, view: View) -> Verdict:
        verdict = self._asked(view, super().learn)
        logic = f"{NAME}-without-{len(self.dropped)}" if self.dropped else NAME
        return replace(verdict, logic=logic)

    def chances(self, view: View) -> Probabilities:
        """The chance of a mine for every cell, were the clues exact."""
        return self._asked(view, super().chances)

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

    def _asked(self, view: View, question: Callable[[View], T]) -> T:
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
        elif view.rules != self._seen.rules:
            self._read = self._believed(view)
        elif fresh:
            self._read = self._read.reveal_codes((cell, view.code(cell)) for cell in fresh)
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
        self._read = self._believed(view)

    def _believed(self, view: View) -> View:
        """The view with exact clues, and without the dropped ones."""
        rules = replace(view.rules, clues="exact")
        if not self._total_fits:
            rules = replace(rules, mines=_EVEN, total_known=False)
        read = View(view.topology, rules)
        return read.reveal_codes(
            (cell, _BLANK if cell in self.dropped else view.code(cell)) for cell in view.opened
        )
