"""Entailment by refutation in a SAT solver (report 2, SATX).

The clues become clauses: each open equation is a cardinality constraint over its cells, encoded
with a sequential counter. A cell is safe if the clauses together with "it is a mine" cannot be met,
and a mine if they cannot be met with "it is safe". One solver lives as long as the game: new clues
add clauses, and assumptions come and go. Every model found answers the queries it can: a cell seen
both ways is uncertain.

It proves everything that follows from the clues. With `safe-only` it asks only whether cells are
safe, as the report's agent does; `global` adds the mine total, where it can matter, as one more
cardinality constraint. `solve --dimacs` writes the clauses for any other solver.

An unreliable clue is a range; what follows only from a gap inside the range is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from mineproof.errors import InconsistentPosition
from mineproof.inference.logics.clauses import sum_clauses
from mineproof.inference.logics.fact_logic import ComponentLogic, Findings
from mineproof.inference.logics.facts import Equation
from mineproof.inference.logics.option import GLOBAL, Option
from mineproof.inference.logics.python_sat import make_solver
from mineproof.inference.verdict import Premises, Verdict
from mineproof.view.view import View

__all__ = ["Sat"]

_CLUES = Premises(by_contradiction=True)
_TOTAL = Premises(total=True, by_contradiction=True)
_MOST_MISSES = 5
"""Models with a wrong total, after which the total itself is encoded."""


class Sat(ComponentLogic):
    """Asks one incremental solver about every component that changed."""

    name = "sat"
    unit = "queries"
    options = (Option("safe-only", "asks only whether cells are safe"), GLOBAL)

    def __init__(self, *, safe_only: bool = False, use_total: bool = False) -> None:
        self.safe_only = safe_only
        self.use_total = use_total

    def begin(self, view: View) -> None:
        super().begin(view)
        self._solver: Any = make_solver()
        self._solver.add_clause([len(view), -len(view)])  # so that models name every cell
        self._variables = len(view)
        """Variable `c + 1` is cell `c`; the others belong to counters."""
        self._encoded: set[int] = set()
        self._switch: int | None = None
        """The variable that switches the total on, once it is encoded."""

    def learn(self, view: View) -> Verdict:
        verdict = super().learn(view)
        return replace(verdict, mines={}) if self.safe_only else verdict

    def _prove(self, view: View) -> None:
        facts = self._facts
        while not self._has_news:
            before = len(facts.log)
            self._encode_new()
            super()._prove(view)
            if self.use_total and not self._has_news:
                self._refute_with_total(view)
            if len(facts.log) == before:
                return

    @property
    def _has_news(self) -> bool:
        return bool(self._facts.safe) if self.safe_only else self._facts.proved_any

    # -- clauses -----------------------------------------------------------------------------

    def _encode_new(self) -> None:
        """Add the clauses of new clues, and known cells as units."""
        facts, solver = self._facts, self._solver
        for cell in self._newly_known():
            solver.add_clause([cell + 1 if facts.is_mine(cell) else -cell - 1])
        for clue in sorted(facts.changed - self._encoded):
            equation = facts.equation(clue)
            if equation is not None:
                self._encoded.add(clue)
                self._add_sum([cell + 1 for cell in equation.cells], equation.low, equation.high)

    def _add_sum(self, literals: Sequence[int], low: int, high: int, unless: int = 0) -> None:
        """Add the clauses of a cardinality constraint, to hold unless a literal does."""
        clauses, self._variables = sum_clauses(literals, low, high, self._variables)
        for clause in clauses:
            self._solver.add_clause([*clause, unless] if unless else clause)

    # -- queries -----------------------------------------------------------------------------

    def _prove_component(self, component: list[Equation]) -> Findings:
        cells = sorted({cell for equation in component for cell in equation.cells})
        if not self._solve():
            clues = [equation.clue for equation in component]
            raise InconsistentPosition("the clues cannot all be met", clues)
        safe, mines = self._ask(cells, set(), set())
        return dict.fromkeys(safe, _CLUES), dict.fromkeys(mines, _CLUES)

    def _refute_with_total(self, view: View) -> None:
        """Ask again with the total, under an assumption that switches it on.

        It is encoded once, over all cells unknown by then, and only where models without it do
        not show every cell both ways already. Cells away from all clues are alike, so one of them
        is asked about.
        """
        facts = self._facts
        left = facts.mines_left(view)
        if left is None or not facts.total_matters(view):
            return
        spoken = sorted({cell for equation in facts.equations() for cell in equation.cells})
        held = set(spoken)
        sea = [cell for cell in facts.unknown if cell not in held]
        cells = spoken + sea[:1]
        ever, never = self._shown_with_total(spoken, sea, left)
        if len(ever) == len(never) == len(cells):
            return
        if self._switch is None:
            self._variables += 1
            self._switch = self._variables
            self._add_sum([cell + 1 for cell in facts.unknown], left, left, -self._switch)
        if not self._solve(self._switch):
            raise InconsistentPosition(
                "no layout with this total meets the clues", facts.open_clues, uses_total=True
            )
        safe, mines = self._ask(cells, ever, never, self._switch)
        for proved in (safe, mines):
            if sea and sea[0] in proved:
                proved += sea[1:]
        facts.add(dict.fromkeys(safe, _TOTAL), dict.fromkeys(mines, _TOTAL))

    def _shown_with_total(
        self, spoken: Sequence[int], sea: Sequence[int], left: int
    ) -> tuple[set[int], set[int]]:
        """The cells that models of the clues show as mines, and as safe, with the right total.

        The cells away from clues take the mines that a model leaves over, if they have the room.
        """
        ever: set[int] = set()
        never: set[int] = set()
        misses = 0
        for cell in spoken:
            for literal, shown in ((cell + 1, ever), (-cell - 1, never)):
                if cell in shown or misses > _MOST_MISSES or not self._solve(literal):
                    continue
                model = self._solver.get_model()
                over = left - sum(model[other] > 0 for other in spoken)
                if not 0 <= over <= len(sea):
                    misses += 1
                    continue
                self._witness(spoken, ever, never)
                if over > 0:
                    ever.update(sea[:1])
                if over < len(sea):
                    never.update(sea[:1])
        return ever, never

    def _ask(
        self, cells: Sequence[int], ever: set[int], never: set[int], *assumed: int
    ) -> tuple[list[int], list[int]]:
        """The cells that cannot be mines, and those that cannot be safe, after a `_solve`.

        `ever` and `never` are the cells already shown as mines and as safe.
        """
        safe: list[int] = []
        mines: list[int] = []
        self._witness(cells, ever, never)
        for cell in cells:
            if cell not in ever:
                if self._solve(*assumed, cell + 1):
                    self._witness(cells, ever, never)
                else:
                    safe.append(cell)
            if cell not in never and not self.safe_only:
                if self._solve(*assumed, -cell - 1):
                    self._witness(cells, ever, never)
                else:
                    mines.append(cell)
        return safe, mines

    def _witness(self, cells: Iterable[int], ever: set[int], never: set[int]) -> None:
        """Note what the last model shows, and steer the next one towards what it does not."""
        model = self._solver.get_model()
        wanted = []
        for cell in cells:
            mine = model[cell] > 0
            (ever if mine else never).add(cell)
            if cell not in ever or cell not in never:
                wanted.append(-cell - 1 if mine else cell + 1)
        self._solver.set_phases(wanted)

    def _solve(self, *assumptions: int) -> bool:
        self._work += 1
        return bool(self._solver.solve(assumptions=assumptions))
