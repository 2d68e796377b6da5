"""Why a position has no solution: a minimal set of clues that clash, found by the twin."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mineproof.errors import InconsistentPosition
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget, Meter
from mineproof.inference.engine.constraints import Constraint, constraints
from mineproof.inference.engine.counting import Program
from mineproof.inference.engine.frontier import components_of
from mineproof.inference.engine.inconsistency import inconsistent
from mineproof.inference.engine.settle import settle
from mineproof.inference.engine.twin import Counted, known_flags
from mineproof.view.view import View

__all__ = ["clash_of"]


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
        return inconsistent(view, alone.clues, uses_total=False)

    def clues_clash(some: Sequence[Constraint]) -> bool:
        left = settle(some).left
        if any(constraint.impossible for constraint in left):
            return True
        meter = Meter(budget)
        return not all(Program(part, meter, support=True).total for part in components_of(left))

    def total_clashes(some: Sequence[Constraint]) -> bool:
        try:
            Counted(view, some, known, budget=budget, support=True)
        except InconsistentPosition:
            return True
        return False

    uses_total = not clues_clash(found)
    clashes: Callable[[Sequence[Constraint]], bool] = total_clashes if uses_total else clues_clash
    if not uses_total:
        parts = components_of(found)
        found = next((list(p.constraints) for p in parts if clashes(p.constraints)), found)
    for constraint in tuple(found):
        fewer = [other for other in found if other is not constraint]
        if clashes(fewer):
            found = fewer
    clues = [constraint.clue for constraint in found if constraint.clue is not None]
    return inconsistent(view, clues, uses_total=uses_total)
