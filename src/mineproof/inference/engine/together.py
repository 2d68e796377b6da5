"""The chance of a mine among cells that are opened together."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget
from mineproof.inference.engine.exact import analyze
from mineproof.view.marks import Mark

__all__ = ["any_mine"]


def any_mine(analysis: Analysis, cells: Sequence[int], budget: Budget = DEFAULT_BUDGET) -> float:
    """The chance of a mine among hidden cells; where clues may lie, a lower bound.

    Raises BudgetExceeded.
    """
    risks = [analysis.p[cell] for cell in cells]
    if max(risks, default=0.0) in (0.0, 1.0) or len(cells) == 1:
        return max(risks, default=0.0)
    if analysis.view.rules.clues != "exact":
        # What a lying clue will show is no plain fact to condition on: the largest is a bound.
        return max(risks)
    safe = 1.0
    for cell in cells:
        chance = analysis.p[cell]
        if chance == 1.0:
            return 1.0
        safe *= 1.0 - chance
        # A cell that is open without a clue says nothing but that it is safe.
        analysis = analyze(analysis.view.reveal({cell: Mark.BLANK}), budget=budget)
    return 1.0 - safe
