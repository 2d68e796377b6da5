"""Why a puzzle has no solution: hints that cannot all be met, as few as can be found cheaply."""

from __future__ import annotations

from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.order import Order
from mineproof.puzzle.search import PuzzleSearch

__all__ = ["clash"]

_NODES = 300_000
_NODES_EACH = 20_000
_FAST = Order(("mrv", "degree"))


def clash(hints: Hints, name: str = "the puzzle") -> InconsistentPosition:
    """The error that says which hints of an unsolvable puzzle clash.

    Hints are dropped one by one while the rest stays unsolvable, so every hint that is named is
    needed. If a test would take too many nodes, the hint is kept and the message says so.
    """
    kept = list(range(len(hints.cells)))
    total = hints.mines is not None
    sure = True
    nodes = _NODES

    def solvable(puzzle: Hints) -> bool | None:
        """Whether there is a solution; None if the answer would cost too much."""
        nonlocal nodes
        budget = min(nodes, _NODES_EACH)
        search = PuzzleSearch(puzzle, _FAST, forward_checking=True, memo=True, budget=budget)
        try:
            return next(search.solutions(), None) is not None
        except BudgetExceeded:
            return None
        finally:
            nodes -= search.nodes

    if total:
        solved = solvable(hints.only(kept, total=False))
        sure = solved is not None
        total = solved is not False
    for hint in tuple(kept):
        rest = [other for other in kept if other != hint]
        solved = solvable(hints.only(rest, total=total))
        if solved is False:
            kept = rest
        sure = sure and solved is not None
    cells = tuple(hints.cells[hint] for hint in kept)
    named = [hints.topology.cell_name(cell) for cell in cells]
    parts = []
    if named:
        parts.append(f"the hint{'s' if len(named) > 1 else ''} at {' '.join(named)}")
    if total:
        parts.append(f"the number of mines ({hints.mines} left to place)")
    alone = len(named) + total == 1
    message = (
        f"{name} has no solution: {' and '.join(parts)} cannot {'' if alone else 'all '}be met"
    )
    if not sure:
        message += " (perhaps fewer hints already clash)"
    return InconsistentPosition(message, cells, uses_total=total)
