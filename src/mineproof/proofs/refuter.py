"""Can some of the premises be met together? Asked of one incremental SAT solver.

Every premise has a switch: its clauses hold only where the switch is assumed. One solver serves all
cells of a component.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

from mineproof.inference.logics.sat import sum_clauses
from mineproof.proofs.meter import StepMeter
from mineproof.proofs.premises import Premise, counts_of

__all__ = ["Refuter"]

_SOLVER = "minisat22"
_SMALL = 7
_COST_OF_SOLVING = 5


class Refuter:
    """Premises behind switches. A choice of premises is a mask of their places in the list.

    `sea` cells are counted by the total alone; one of them, `shore`, stands for them all.
    """

    def __init__(self, premises: Sequence[Premise], total: Premise | None = None) -> None:
        from pysat.solvers import Solver

        self.premises = list(premises)
        cells = sorted({cell for premise in premises for cell in premise.cells})
        self._solver: Any = Solver(name=_SOLVER)
        self.shore: int | None = None
        if total is not None:
            spoken = set(cells)
            sea = [cell for cell in total.cells if cell not in spoken]
            if sea:
                self.shore = sea[0]
                cells.append(sea[0])
        self._variable = {cell: place for place, cell in enumerate(cells, 1)}
        self._literals = [[self._variable[cell] for cell in p.cells] for p in self.premises]
        self._sets = [frozenset(literals) for literals in self._literals]
        self._allowed = [premise.allowed for premise in self.premises]
        self._cells = len(cells)
        self._top = len(cells) + len(self.premises)
        first = len(cells) + 1
        self._switches = list(range(first, first + len(self.premises)))
        # Every variable is named once, so that models tell of all.
        self._solver.add_clause([self._top + 1, -self._top - 1])
        self._top += 1
        for premise, literals, switch in zip(
            self.premises, self._literals, self._switches, strict=True
        ):
            self._add(premise, literals, switch)
        self._fixed: list[int] = []
        if total is not None:
            self._add_total(total, len(cells))
        self.everything = (1 << len(self.premises)) - 1
        self.model: Sequence[int] = ()
        """The last layout found, as literals by variable."""
        if self._solver.solve(assumptions=[*self._fixed, *self._switches]):
            # Models near a layout that meets all premises break few of them.
            model = self._solver.get_model()
            self._solver.set_phases(model[: len(cells)])

    def _add(self, premise: Premise, literals: list[int], switch: int) -> None:
        if len(literals) <= _SMALL:
            for signs in _forbidden(len(literals), premise.allowed):
                clause = [literals[sign] if sign >= 0 else -literals[~sign] for sign in signs]
                self._solver.add_clause([*clause, -switch])
            return
        counts = counts_of(premise.allowed)
        if not counts:
            self._solver.add_clause([-switch])
            return
        # A gap between the counts that may be is closed by the number of mines it would hold:
        # either at most so many, or at least that many more.
        self._add_range(literals, counts[0], counts[-1], [-switch])
        for below, above in pairwise(counts):
            if above > below + 1:
                self._top += 1
                side = self._top
                self._add_range(literals, 0, below, [-switch, side])
                self._add_range(literals, above, len(literals), [-switch, -side])

    def _add_range(self, literals: list[int], low: int, high: int, unless: list[int]) -> None:
        clauses, self._top = sum_clauses(literals, low, high, self._top)
        for clause in clauses:
            self._solver.add_clause([*clause, *unless])

    def _add_total(self, total: Premise, cells: int) -> None:
        """The total over the cells that have a variable; the others only leave room."""
        room = len(total.cells) - cells
        self._top += 1
        switch = self._top
        self._fixed.append(switch)
        low, high = max(total.low - room, 0), min(total.high, cells)
        if not total.allowed or low > cells or high < low:
            self._solver.add_clause([-switch])
        elif low > 0 or high < cells:
            self._add_range(list(range(1, cells + 1)), low, high, [-switch])

    # -- questions -----------------------------------------------------------------------------

    def literal(self, cell: int, mine: bool) -> int:
        """The assumption that a cell is a mine, or is safe."""
        variable = self._variable[cell]
        return variable if mine else -variable

    def met(self, chosen: int, assumed: Sequence[int], meter: StepMeter) -> int | None:
        """The premises met by some layout that meets the chosen ones; None where there is none."""
        meter.spend(_COST_OF_SOLVING)
        switches = [s for place, s in enumerate(self._switches) if chosen >> place & 1]
        if not self._solver.solve(assumptions=[*assumed, *self._fixed, *switches]):
            return None
        self.model = model = self._solver.get_model()
        found = chosen
        mines = set(model[: self._cells])
        for place, literals in enumerate(self._sets):
            if not found >> place & 1 and self._allowed[place] >> len(literals & mines) & 1:
                found |= 1 << place
        return found

    def core(self, assumed: Sequence[int]) -> int:
        """Some of the premises that cannot be met together; to ask where all of them cannot."""
        self._solver.solve(assumptions=[*assumed, *self._fixed, *self._switches])
        core = set(self._solver.get_core() or ())
        return sum(1 << place for place, s in enumerate(self._switches) if s in core)


@lru_cache(maxsize=4096)
def _forbidden(size: int, allowed: int) -> list[tuple[int, ...]]:
    """Clauses that leave exactly the allowed counts; place `p` is `p`, and `~p` where negated."""
    counts = counts_of(allowed)
    if not counts:
        return [()]
    clauses: list[tuple[int, ...]] = []
    low, high = counts[0], counts[-1]
    if high < size:
        clauses += [tuple(~p for p in some) for some in combinations(range(size), high + 1)]
    if low > 0:
        clauses += list(combinations(range(size), size - low + 1))
    for count in range(low, high):
        if not allowed >> count & 1:
            for mines in combinations(range(size), count):
                clauses.append(tuple(~p if p in mines else p for p in range(size)))
    return clauses
