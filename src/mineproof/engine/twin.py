"""The Python twin of the exact engine: every component counted, then joined by the mine total.

Everything is exact: integers inside a component, fractions where the prior needs them. The chance
of a mine in a cell is the weight of all layouts with a mine there over the weight of all layouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from mineproof.engine.analysis import (
    DEFAULT_BUDGET,
    Analysis,
    AnalysisPart,
    Budget,
    StateMeter,
    check_flags,
    clash_error,
    nearest_float,
)
from mineproof.engine.constraints import (
    Component,
    Constraint,
    CountingProgram,
    Number,
    Polynomial,
    components_of,
    constraints,
    settle,
    with_free,
)
from mineproof.engine.twin_sampling import LayoutSampler, draw_cells, draw_index, pieces_of
from mineproof.errors import InconsistentPosition
from mineproof.rng import Purpose, Stream
from mineproof.view.channels import Mark
from mineproof.view.view import View


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
            chances[cell] = nearest_float(chance)
        chances.flags.writeable = False
        return chances

    def _count(self) -> int:
        counted = count_view(
            self.view, trust_flags=self.trust_flags, budget=self._budget, support=True
        )
        return int(counted.weight)

    def _find_parts(self) -> tuple[tuple[AnalysisPart, ...], AnalysisPart]:
        parts = [
            AnalysisPart(
                component.cells, component.clues, _floats(self._counted.component_mines(place))
            )
            for place, component in enumerate(self._counted.components)
        ]
        return tuple(parts), AnalysisPart(self._counted.sea, (), _floats(self._counted.sea_mines))

    def _count_odds(self, cell: int) -> list[float]:
        view, topology = self.view, self.view.topology
        near = topology.neighbours(cell)
        hidden = tuple(other for other in near if view.is_hidden(other))
        opened_mines = sum(view.code(other) == Mark.MINE.value for other in near)
        known = known_flags(view, self.trust_flags)
        if known.get(cell):
            return [0.0] * (len(near) + 1)
        # The chance of a count is the evidence with that clue added, over the evidence without.
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
                counted = PositionCount(view, asked, known, budget=self._budget)
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


def _floats(distribution: dict[int, Fraction]) -> dict[int, float]:
    return {mines: float(chance) for mines, chance in distribution.items()}


# -- Constraints over a view's hidden cells, counted per component and joined by the mine total --


def known_flags(view: View, trust_flags: bool) -> dict[int, bool]:
    """What is known beside the clues: cells that the rules keep free, and flagged ones as mines, if
    flags are to be trusted.
    """
    if not trust_flags:
        return with_free(view)
    check_flags(view)
    return with_free(view, dict.fromkeys(view.flags, True))


def count_view(
    view: View, *, trust_flags: bool = False, budget: Budget = DEFAULT_BUDGET, support: bool = False
) -> PositionCount:
    """A view counted. Raises InconsistentPosition (not yet minimal) and BudgetExceeded."""
    known = known_flags(view, trust_flags)
    return PositionCount(view, constraints(view, known), known, budget=budget, support=support)


class PositionCount:
    """Constraints over the hidden cells of a view, counted and joined with the prior.

    `known` cells are facts (True is a mine). With `support` layouts are counted, not weighed: any
    weight or prior other than 0 counts as 1. Raises InconsistentPosition if nothing is left.
    """

    def __init__(
        self,
        view: View,
        found: Iterable[Constraint],
        known: Mapping[int, bool],
        *,
        budget: Budget = DEFAULT_BUDGET,
        support: bool = False,
    ) -> None:
        self.view = view
        self._support = support
        settled, left, self._factor = settle(found)
        self._left = left
        self._budget = budget
        self.known = {**known, **settled}
        if any(constraint.impossible for constraint in left):
            raise InconsistentPosition("the clues clash")
        meter = StateMeter(budget)
        self.programs = [
            CountingProgram(
                component,
                meter,
                name=view.topology.cell_name(component.boxes[0].cells[0]),
                support=support,
            )
            for component in components_of(left)
        ]
        touched = {cell for constraint in left for cell in constraint.cells}
        self.sea = tuple(
            cell for cell in view.hidden if cell not in touched and cell not in self.known
        )
        self._found_mines = sum(self.known.values()) + len(view.opened_mines)
        if not all(any(program.total) for program in self.programs):
            raise InconsistentPosition("the clues clash")
        if not self.weight:
            raise InconsistentPosition("the clues and the number of mines clash")

    # -- joining -----------------------------------------------------------------------------

    def _prior(self, mines: int) -> Number:
        """The weight of one layout with this many mines in all."""
        view, cells = self.view, len(self.view)
        if view.total is not None:
            return int(mines == view.total)
        if view.density is None:
            room = view.rules.mines.room or cells
            weight: Number = Fraction(1, comb(room, mines)) if 0 < mines <= room else 0
        else:
            chance = view.density
            weight = chance.numerator**mines
            # The denominator is the same for every layout: left out, the weights are integers.
            weight *= (chance.denominator - chance.numerator) ** (cells - mines)
        if drawn := view.drawn:
            # The more mines, the fewer safe cells there were to draw these from.
            fits = drawn == min(view.rules.given.drawn(cells), cells - mines)
            weight = Fraction(weight, comb(cells - mines, drawn)) if fits else 0
        return int(weight > 0) if self._support else weight

    def _sea_weights(self, frontier_mines: int) -> list[Number]:
        """Entry k: the weight of k mines in the sea where the components hold this many."""
        before, size = self._found_mines + frontier_mines, len(self.sea)
        if self.view.total is not None:
            weights: list[Number] = [0] * (size + 1)
            left = self.view.total - before
            if 0 <= left <= size:
                weights[left] = comb(size, left)
            return weights
        return [comb(size, k) * self._prior(before + k) for k in range(size + 1)]

    @cached_property
    def _after(self) -> list[list[Number]]:
        """Row i, entry m: the weight of component i and all after it, and of the sea, where the
        components before it hold m mines.
        """
        return self._suffixes([program.total for program in self.programs])

    def _suffixes(self, totals: Sequence[Polynomial]) -> list[list[Number]]:
        most = sum(len(total) - 1 for total in totals)
        rows: list[list[Number]] = [[sum(self._sea_weights(m)) for m in range(most + 1)]]
        for total in reversed(totals):
            most -= len(total) - 1
            rows.append(
                [
                    sum((w * rows[-1][m + k] for k, w in enumerate(total)), 0)
                    for m in range(most + 1)
                ]
            )
        return rows[::-1]

    @cached_property
    def _before(self) -> list[list[int]]:
        """Row i, entry m: the weight of the components before i where they hold m mines."""
        rows = [[1]]
        for program in self.programs:
            sums = [0] * (len(rows[-1]) + len(program.total) - 1)
            for m, weight in enumerate(rows[-1]):
                for k, more in enumerate(program.total):
                    sums[m + k] += weight * more
            rows.append(sums)
        return rows

    @property
    def weight(self) -> Number:
        """The weight of all layouts, up to a factor that is the same for all of them.

        For a known total and exact clues: their number.
        """
        return self._after[0][0]

    @property
    def evidence(self) -> Fraction:
        """The weight of all layouts on a scale that is the same for every set of clues of a view:
        prior times likelihoods.
        """
        scale = prod(program.scale for program in self.programs)
        return Fraction(self.weight) * self._factor / scale

    def _outside(self, place: int) -> list[Number]:
        """Entry m: the weight of everything but component `place`, where it has m mines."""
        before, after = self._before[place], self._after[place + 1]
        return [
            sum((weight * after[b + m] for b, weight in enumerate(before)), 0)
            for m in range(len(self.programs[place].total))
        ]

    # -- answers -----------------------------------------------------------------------------

    @cached_property
    def chances(self) -> dict[int, Fraction]:
        """The chance of a mine for every hidden cell."""
        found = {cell: Fraction(mine) for cell, mine in self.known.items()}
        for place, program in enumerate(self.programs):
            with_mine = program.mine_weights(self._outside(place))
            for box, weight in zip(program.boxes, with_mine, strict=True):
                found.update(dict.fromkeys(box.cells, Fraction(weight) / Fraction(self.weight)))
        if self.sea:
            mean = sum(k * chance for k, chance in self.sea_mines.items())
            found.update(dict.fromkeys(self.sea, Fraction(mean) / len(self.sea)))
        return {cell: found[cell] for cell in self.view.hidden}

    @cached_property
    def sea_mines(self) -> dict[int, Fraction]:
        """The distribution of the number of mines in the sea."""
        sums: list[Number] = [0] * (len(self.sea) + 1)
        for m, weight in enumerate(self._before[-1]):
            for k, more in enumerate(self._sea_weights(m)):
                sums[k] += weight * more
        return self._distribution(sums)

    def component_mines(self, place: int) -> dict[int, Fraction]:
        """The distribution of the number of mines in a component."""
        outside = self._outside(place)
        total = self.programs[place].total
        return self._distribution([a * b for a, b in zip(total, outside, strict=True)])

    def _distribution(self, weights: Sequence[Number]) -> dict[int, Fraction]:
        return {
            m: Fraction(weight) / Fraction(self.weight)
            for m, weight in enumerate(weights)
            if weight
        }

    @property
    def components(self) -> tuple[Component, ...]:
        return tuple(program.component for program in self.programs)

    def draws(self, streams: Iterable[Stream]) -> Iterator[set[int]]:
        """The hidden mines of layouts drawn from the posterior, as the core draws them."""
        meter = StateMeter(self._budget)
        pieces = pieces_of(self._left)
        name = self.view.topology.cell_name
        walks = [
            LayoutSampler(piece, meter, f"drawing at {name(piece.boxes[0][0])}") for piece in pieces
        ]
        after = self._suffixes([walk.total for walk in walks])
        boxes = [[list(cells) for cells in piece.boxes] for piece in pieces]
        sea = list(self.sea)
        for stream in streams:
            chosen = {cell for cell, mine in self.known.items() if mine}
            used = 0
            counts = []
            for walk, rest in zip(walks, after[1:], strict=True):
                counts.append(
                    draw_index([w * rest[used + k] for k, w in enumerate(walk.total)], stream)
                )
                used += counts[-1]
            for walk, mines, cells in zip(walks, counts, boxes, strict=True):
                for box, count in walk.draw(mines, stream):
                    chosen.update(draw_cells(cells[box], count, stream))
            chosen.update(self._draw_sea(sea, used, stream))
            yield chosen

    def _draw_sea(self, sea: list[int], frontier_mines: int, stream: Stream) -> list[int]:
        density = self.view.density
        if not sea:
            return []
        if self.view.total is not None:
            mines = self.view.total - self._found_mines - frontier_mines
        elif density is None or (self.view.drawn and 0 < density < 1):
            mines = draw_index(self._sea_weights(frontier_mines), stream)
        elif 0 < density < 1:
            chance = float(density)
            return [cell for cell in self.sea if stream.uniform() < chance]
        else:
            mines = len(sea) * int(density)
        return draw_cells(sea, mines, stream)


# -- Why a position has no solution: a minimal set of clues that clash ---------


def clash_of(
    view: View, *, trust_flags: bool = False, budget: Budget = DEFAULT_BUDGET
) -> InconsistentPosition:
    """The error of a position without a solution: without any one of its clues there is a solution.

    Found by deletion: a clue is dropped if the rest still clashes.
    """
    known = known_flags(view, trust_flags)
    try:
        found = list(constraints(view, known))
    except InconsistentPosition as alone:
        return clash_error(view, alone.clues, uses_total=False)

    def clues_clash(some: Sequence[Constraint]) -> bool:
        left = settle(some).left
        if any(constraint.impossible for constraint in left):
            return True
        meter = StateMeter(budget)
        return not all(
            CountingProgram(part, meter, support=True).total for part in components_of(left)
        )

    def total_clashes(some: Sequence[Constraint]) -> bool:
        try:
            PositionCount(view, some, known, budget=budget, support=True)
        except InconsistentPosition:
            return True
        return False

    uses_total = not clues_clash(found)
    clashes: Callable[[Sequence[Constraint]], bool] = total_clashes if uses_total else clues_clash
    # Components share no cell: a clash without the total lies within one of them.
    if not uses_total:
        parts = components_of(found)
        found = next((list(p.constraints) for p in parts if clashes(p.constraints)), found)
    for constraint in tuple(found):
        fewer = [other for other in found if other is not constraint]
        if clashes(fewer):
            found = fewer
    clues = [constraint.clue for constraint in found if constraint.clue is not None]
    return clash_error(view, clues, uses_total=uses_total)
