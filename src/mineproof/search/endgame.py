"""The exact endgame: the chance to win of every cell, when few enough solutions are left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from mineproof import kernel
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.inference.engine.budget import DEFAULT_BUDGET
from mineproof.inference.engine.ground import question
from mineproof.inference.engine.native import translate
from mineproof.inference.enumerate import enumerate_layouts
from mineproof.kernel import core
from mineproof.rules import Goal, OnMine
from mineproof.search.table import LayoutTable
from mineproof.view.setting import position_of
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["MOST_SOLUTIONS", "MOST_WORK", "Endgame", "check_rules", "endgame"]

MOST_SOLUTIONS = 5_000
"""By default, best play is searched for in regions of at most this many solutions."""
MOST_WORK = 200_000_000
"""By default, the search looks at no more than this many rows of solutions."""
_TWIN_SOLUTIONS = 2_000


@dataclass(frozen=True)
class Endgame:
    """Best play from a position: the chance to win, and for every hidden cell the chance to win by
    opening it first and playing best afterwards.
    """

    chance: Fraction
    cells: Mapping[int, Fraction]

    @property
    def best(self) -> tuple[int, ...]:
        """The cells with the best chance to win; none if no hidden cell can be safe."""
        return tuple(c for c, chance in self.cells.items() if chance and chance == self.chance)


def endgame(
    view: View | str,
    *,
    solutions: int = MOST_SOLUTIONS,
    work: int = MOST_WORK,
    trust_flags: bool = False,
) -> Endgame:
    """Best play from a position with exact clues and a known total.

    Raises BudgetExceeded if an independent region has more than `solutions` solutions or takes more
    than `work` rows to search; InconsistentPosition; InputError for other rules.

    >>> mp.endgame("square 3x3 mines=2\\n1..\\n12.\\n01.").chance
    Fraction(1, 1)
    """
    view = position_of(view)
    check_rules(view)
    for name, most in (("solutions", solutions), ("rows of work", work)):
        if not 1 <= whole(most, name) < 2**63:
            raise InputError(f"{most} {name}; accepted: 1 or more, below 2^63")
    if kernel.available():
        return _in_core(view, solutions, work, trust_flags)
    return _in_python(view, min(solutions, _TWIN_SOLUTIONS), work, trust_flags)


def check_rules(view: View) -> None:
    """Refuse rules under which a win is not "every safe cell open, no mine"."""
    rules = view.rules
    if view.total is None:
        raise InputError("best play needs a known number of mines; accepted: total known")
    if rules.clues != "exact":
        raise InputError(f"best play needs exact clues, not {rules.clues}; accepted: clues exact")
    if rules.on_mine is not OnMine.LOSE or rules.goal is not Goal.CLEAR:
        raise InputError("best play is worked out for on-mine lose and goal clear; accepted: those")


def _in_core(view: View, solutions: int, work: int, trust_flags: bool) -> Endgame:
    asked = question(view, trust_flags)
    end, regions = core.endgame(*asked, solutions, work)
    if end != "solved":
        raise _too_large(end, solutions, work)
    if any(not total for _, _, _, total, _ in regions):
        budget = DEFAULT_BUDGET
        try:
            core.solve(*asked, budget.states, budget.memory)
        except core.Contradiction as error:
            translate(error, view, budget, trust_flags)
    whole = prod((Fraction(won, total) for _, _, won, total, _ in regions), start=Fraction(1))
    solved = core.solve(*asked, DEFAULT_BUDGET.states, DEFAULT_BUDGET.memory)
    mines = int.from_bytes(solved.certain(1.0), "little")
    chances = {cell: Fraction(0) if mines >> cell & 1 else whole for cell in view.hidden}
    for cells, wins, won, _, _ in regions:
        for cell, count in zip(cells, wins, strict=True):
            chances[cell] = whole * Fraction(count, won)
    return Endgame(whole, chances)


def _in_python(view: View, solutions: int, work: int, trust_flags: bool) -> Endgame:
    layouts = []
    for mines, _ in enumerate_layouts(view):
        if trust_flags and not mines.issuperset(view.flags):
            continue
        layouts.append(mines | frozenset(view.opened_mines))
        if len(layouts) > solutions:
            raise _too_large("solutions", solutions, work)
    if not layouts:
        raise InconsistentPosition("no layout explains the position")
    table = LayoutTable(view.topology, view.hidden, layouts, work)
    total = len(layouts)
    return Endgame(
        Fraction(table.value(table.all), total),
        {cell: Fraction(table.opened(table.all, cell), total) for cell in view.hidden},
    )


def _too_large(what: str, solutions: int, work: int) -> BudgetExceeded:
    if what == "solutions":
        return BudgetExceeded(
            f"a part of the position has more than {solutions} solutions; best play is searched"
            " among at most so many"
        )
    return BudgetExceeded(f"best play needs more than {work} rows of work in this position")
