"""An analysis by the Python twin."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import InconsistentPosition
from mineproof.inference.engine.analysis import Analysis, Part
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget
from mineproof.inference.engine.clash import clash_of
from mineproof.inference.engine.constraints import Constraint, constraints
from mineproof.inference.engine.twin import Counted, count_view, known_flags
from mineproof.rng import Purpose, Stream
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["TwinAnalysis"]


class TwinAnalysis(Analysis):
    """The posterior in exact fractions. Raises InconsistentPosition and BudgetExceeded."""

    __slots__ = ("_budget", "_counted")

    engine: ClassVar[str] = "exact (Python)"

    def __init__(
        self, view: View, *, budget: Budget = DEFAULT_BUDGET, trust_flags: bool = False
    ) -> None:
        super().__init__(view, trust_flags)
        self._budget = budget
        try:
            self._counted = count_view(view, trust_flags=trust_flags, budget=budget)
        except InconsistentPosition:
            raise clash_of(view, trust_flags=trust_flags, budget=budget) from None

    def fractions(self) -> dict[int, Fraction]:
        return dict(self._counted.chances)

    def _chances(self) -> NDArray[np.float64]:
        chances = np.zeros(len(self.view))
        chances[list(self.view.opened_mines)] = 1.0
        for cell, chance in self._counted.chances.items():
            chances[cell] = _settled(chance)
        chances.flags.writeable = False
        return chances

    def _count(self) -> int:
        counted = count_view(
            self.view, trust_flags=self.trust_flags, budget=self._budget, support=True
        )
        return int(counted.weight)

    def _find_parts(self) -> tuple[tuple[Part, ...], Part]:
        parts = [
            Part(component.cells, component.clues, _floats(self._counted.component_mines(place)))
            for place, component in enumerate(self._counted.components)
        ]
        return tuple(parts), Part(self._counted.sea, (), _floats(self._counted.sea_mines))

    def _count_odds(self, cell: int) -> list[float]:
        view, topology = self.view, self.view.topology
        near = topology.neighbours(cell)
        hidden = tuple(other for other in near if view.is_hidden(other))
        opened_mines = sum(view.code(other) == Mark.MINE.value for other in near)
        known = known_flags(view, self.trust_flags)
        if known.get(cell):
            return [0.0] * (len(near) + 1)
        found = constraints(view, known)
        safe = () if view.is_open(cell) else (Constraint((cell,), 0),)
        whole = self._counted.evidence
        odds = []
        for true in range(len(near) + 1):
            clues = (
                *found,
                *safe,
                Constraint.of_weights(hidden, true - opened_mines, (Fraction(1),), None),
            )
            try:
                asked = [clue.given(known) for clue in clues]
                counted = Counted(view, asked, known, budget=self._budget)
                odds.append(float(counted.evidence / whole))
            except InconsistentPosition:
                odds.append(0.0)
        return odds

    def _draw(self, n: int, seed: int) -> Iterator[NDArray[np.uint8]]:
        opened = list(self.view.opened_mines)
        streams = (Stream(seed, index, Purpose.SAMPLE) for index in range(n))
        for drawn in self._counted.draws(streams):
            mines = np.zeros(len(self.view), dtype=np.uint8)
            mines[opened] = 1
            mines[list(drawn)] = 1
            yield mines


def _settled(chance: Fraction) -> float:
    """The nearest float, which is 0.0 or 1.0 only if the cell is certain."""
    least, most = float(np.nextafter(0.0, 1.0)), float(np.nextafter(1.0, 0.0))
    return float(chance) if chance in (0, 1) else min(max(float(chance), least), most)


def _floats(distribution: dict[int, Fraction]) -> dict[int, float]:
    return {mines: float(chance) for mines, chance in distribution.items()}
