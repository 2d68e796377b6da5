"""Exact inference by counting: `analyze`, `analyze_many`, `settled` and the prover `exact`.

The compiled core answers if it was built, its Python twin otherwise; both give the same answers.
Work beyond the budget is an error, never an approximation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof import kernel
from mineproof.errors import InconsistentPosition, InputError, each_of
from mineproof.inference.engine import native
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget
from mineproof.inference.verdict import Premises, Verdict
from mineproof.view.channels import EXACT
from mineproof.view.setting import position_of
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["analyze", "analyze_many", "exact", "settled"]

NAME = "exact"


def analyze(
    view: View | str, *, budget: Budget = DEFAULT_BUDGET, trust_flags: bool = False
) -> Analysis:
    """The exact posterior of a position, a view or its text.

    Flags are not evidence, unless `trust_flags` is set; then a flagged cell counts as a mine.
    Raises InconsistentPosition with a minimal set of clashing clues, and BudgetExceeded.

    >>> analysis = mp.analyze("square 3x3 mines=2\\n1..\\n12.\\n01.")
    >>> analysis.solutions, analysis.p[1, 2], (0, 2) in analysis.safe
    (2, 0.5, True)
    """
    # A microsecond is a sixth of a mid-game position: what needs no reading is not read.
    if type(view) is not View:
        view = position_of(view)
    if budget is not DEFAULT_BUDGET:
        budget = Budget.taken(budget)
    if kernel.available():
        return native.solve(view, budget, trust_flags)
    from mineproof.inference.engine.twin_analysis import TwinAnalysis

    return TwinAnalysis(view, budget=budget, trust_flags=trust_flags)


def analyze_many(
    views: Iterable[View | str],
    *,
    threads: int = 2,
    budget: Budget = DEFAULT_BUDGET,
    trust_flags: bool = False,
) -> list[Analysis]:
    """The analyses of many positions, in their order, on several threads of the core.

    The budget is that of each position. Raises what `analyze` raises for the first position that
    has no answer.

    >>> texts = ["square 1x3 mines=1\\n1..", "square 1x3 mines=1\\n.1."]
    >>> [analysis.solutions for analysis in mp.analyze_many(texts)]
    [1, 2]
    """
    budget = Budget.taken(budget)
    if not 1 <= (threads := whole(threads, "threads")) < 2**63:
        raise InputError(f"{threads} threads; accepted: 1 or more")
    positions = [
        view if type(view) is View else position_of(view)
        for view in each_of(views, "views", "a list of positions")
    ]
    if kernel.available():
        return native.solve_many(positions, budget, trust_flags, threads)
    return [analyze(view, budget=budget, trust_flags=trust_flags) for view in positions]


def settled(view: View, *, pairs: bool = False) -> tuple[Sequence[int], Sequence[int]]:
    """The hidden cells that single clues decide, in ascending order: safe ones, and mines.

    This is what the engine finds before it looks at any component; a clash between several clues
    may go unnoticed. With `pairs` also what two clues decide together, where clues are exact.
    Raises InconsistentPosition if a clue cannot be met.

    >>> view = mp.View.parse("square 2x4 mines=2\\n....\\n121.")
    >>> settled(view), settled(view, pairs=True)
    (([], []), ([1, 3, 7], [0, 2]))
    """
    pairs = pairs and view.rules.clues == EXACT.text
    if kernel.available():
        return native.settled(view, pairs)
    from mineproof.inference.engine.clash import clash_of
    from mineproof.inference.engine.constraints import constraints
    from mineproof.inference.engine.settle import settle, settle_pairs

    try:
        known, left, _ = (settle_pairs if pairs else settle)(constraints(view))
    except InconsistentPosition:
        raise clash_of(view) from None
    if any(constraint.impossible for constraint in left):
        raise clash_of(view)
    safe = [cell for cell in sorted(known) if not known[cell]]
    mines = [cell for cell in sorted(known) if known[cell]]
    return safe, mines


def exact(view: View) -> Verdict:
    """Every certain cell of a position, proved by counting."""
    analysis = analyze(view)
    premises = Premises(total=view.total is not None)
    return Verdict(
        NAME,
        dict.fromkeys(analysis.safe, premises),
        dict.fromkeys(analysis.mines, premises),
    )
