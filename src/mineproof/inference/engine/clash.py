"""Why a position has no solution: a minimal set of clues that clash, in one line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mineproof.errors import InconsistentPosition
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget, Meter
from mineproof.inference.engine.constraints import Constraint, constraints
from mineproof.inference.engine.counting import Program
from mineproof.inference.engine.frontier import components_of
from mineproof.inference.engine.settle import settle
from mineproof.inference.engine.twin import Counted, known_flags
from mineproof.view.view import View

__all__ = ["clash_of", "inconsistent"]

_MOST_NAMED = 8


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


def _mines(total: int) -> str:
    return "the 1 mine" if total == 1 else f"the {total} mines"


def inconsistent(view: View, clues: Sequence[int], *, uses_total: bool) -> InconsistentPosition:
    """The error that names clashing clues, and the number of mines if it takes part.

    The message names a few of them; the error has them all.
    """
    names = [view.topology.cell_name(cell) for cell in sorted(clues)]
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED - 1 :] = [f"{len(names) - _MOST_NAMED + 1} more"]
    mines = _mines(view.total) if view.total is not None else f"mines={view.rules.mines}"
    if not names:
        left = f"{view.hidden_count} hidden cell{'' if view.hidden_count == 1 else 's'}"
        opened = len(view.opened_mines)
        fit = "does" if view.total == 1 else "do"
        said = f"{mines} {fit} not fit {left} and {opened} opened mine{'' if opened == 1 else 's'}"
    elif len(names) == 1 and not uses_total:
        said = f"the clue at {names[0]} cannot be met by the cells around it"
    else:
        last = f" and {names[-1]}" if len(names) > 1 else ""
        listed = " ".join(names[:-1] if last else names) + last
        said = f"the clue{'s' if last else ''} at {listed}"
        said += f" and {mines} clash" if uses_total else " clash"
    return InconsistentPosition(
        f"no layout explains the position: {said}", sorted(clues), uses_total=uses_total
    )
