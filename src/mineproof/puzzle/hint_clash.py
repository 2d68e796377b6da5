"""Why a puzzle has no solution: hints that cannot all be met, as few as can be found cheaply."""

from __future__ import annotations

from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.order import Order
from mineproof.puzzle.search import PuzzleSearch

__all__ = ["clash"]

_WORK = 6_000_000
_SHARE = 15
_MOST_NAMED = 12
_FAST = Order(("mrv", "degree"))


class _Tests:
    """Whether parts of a puzzle have a solution, within one budget for all.

    A node of this order looks at every variable, so nodes are the fewer the larger the puzzle is.
    """

    def __init__(self, variables: int) -> None:
        self._nodes = _WORK // max(variables, 20)
        self._each = self._nodes // _SHARE

    @property
    def spent(self) -> bool:
        return self._nodes <= 0

    def solvable(self, puzzle: Hints) -> bool | None:
        """Whether there is a solution; None if the answer would cost too much."""
        budget = min(self._nodes, self._each)
        search = PuzzleSearch(puzzle, _FAST, forward_checking=True, memo=True, budget=budget)
        try:
            return next(search.solutions(), None) is not None
        except BudgetExceeded:
            return None
        finally:
            self._nodes -= max(search.nodes, 1)


def clash(hints: Hints, name: str = "the puzzle") -> InconsistentPosition:
    """The error that says which hints of an unsolvable puzzle clash.

    Hints are dropped while the rest stays unsolvable, first many at once, then one by one, so every
    hint that is named is needed. If a test would take too many nodes, its hints are kept and the
    message says so.
    """
    tests = _Tests(len(hints.variables))
    kept = list(range(len(hints.cells)))
    total = hints.mines is not None
    sure = True
    if total:
        solved = tests.solvable(hints.only(kept, total=False))
        sure = solved is not None
        total = solved is not False
    size = max(len(kept) // 2, 1)
    while True:
        for block in [kept[at : at + size] for at in range(0, len(kept), size)]:
            if tests.spent:
                sure = False
                break
            rest = [other for other in kept if other not in block]
            solved = tests.solvable(hints.only(rest, total=total))
            if solved is False:
                kept = rest
            elif solved is None and size == 1:
                sure = False
        if size == 1 or tests.spent:
            break
        size //= 2
    cells = tuple(hints.cells[hint] for hint in kept)
    return InconsistentPosition(
        _message(hints, name, kept, total=total, sure=sure), cells, uses_total=total
    )


def _message(hints: Hints, name: str, kept: list[int], *, total: bool, sure: bool) -> str:
    parts = []
    if kept:
        named = " ".join(map(hints.name, kept[:_MOST_NAMED]))
        more = len(kept) - _MOST_NAMED
        others = f" (and {more} more)" if more > 0 else ""
        parts.append(f"the hint{'s' if len(kept) > 1 else ''} at {named}{others}")
    if total:
        parts.append(f"the number of mines ({hints.mines} left to place)")
    alone = len(kept) + total == 1
    message = (
        f"{name} has no solution: {' and '.join(parts)} cannot {'' if alone else 'all '}be met"
    )
    return message if sure else f"{message} (perhaps fewer hints already clash)"
