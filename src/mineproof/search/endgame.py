"""The exact endgame: the chance to win of every cell, when few enough solutions are left."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

from mineproof import kernel
from mineproof.board.topology import Topology
from mineproof.engine.analysis import DEFAULT_BUDGET
from mineproof.engine.enumerate import enumerate_layouts
from mineproof.engine.exact import core_question, raise_core_error
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError, as_int
from mineproof.kernel import core
from mineproof.rules import Goal, OnMine
from mineproof.view.setting import position_of
from mineproof.view.view import View

# Expert positions within this limit take 5.7 ms on average, and 199 ms at the slowest
# (benchmarks/README.md).
MOST_SOLUTIONS = 5_000
"""By default, best play is searched for in regions of at most this many solutions."""
# Rows and not seconds: the same position is solved, or given up, on every machine.
MOST_WORK = 200_000_000
"""By default, the search looks at no more than this many rows of solutions."""
_TWIN_SOLUTIONS = 2_000
_TWIN_LAYOUTS = 50_000
"""The twin looks at every way to lay the mines, so a second or two is for so many."""


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
    check_best_play_rules(view)
    for name, most in (("solutions", solutions), ("rows of work", work)):
        if not 1 <= as_int(most, name) < 2**63:
            raise InputError(f"{most} {name}; accepted: 1 or more, below 2^63")
    if kernel.available():
        return _in_core(view, solutions, work, trust_flags)
    return _in_python(view, min(solutions, _TWIN_SOLUTIONS), work, trust_flags)


def check_best_play_rules(view: View) -> None:
    """Refuse rules under which a win is not "every safe cell open, no mine"."""
    rules = view.rules
    if view.total is None:
        raise InputError("best play needs a known number of mines; accepted: total known")
    if rules.clues != "exact":
        raise InputError(f"best play needs exact clues, not {rules.clues}; accepted: clues exact")
    if view.free:
        raise InputError(
            f"best play does not know cells that the rules keep free, such as {view.free.names[0]};"
            " accepted: a position in which clues show them"
        )
    if rules.on_mine is not OnMine.LOSE or rules.goal is not Goal.CLEAR:
        raise InputError("best play is worked out for on-mine lose and goal clear; accepted: those")


def _in_core(view: View, solutions: int, work: int, trust_flags: bool) -> Endgame:
    asked = core_question(view, trust_flags)
    end, regions = core.endgame(*asked, solutions, work)
    if end != "solved":
        raise _too_large(end, solutions, work)
    # A region without a solution: the engine finds the minimal set of clues that clash.
    if any(not total for _, _, _, total, _ in regions):
        budget = DEFAULT_BUDGET
        try:
            core.solve(*asked, budget.states, budget.memory)
        except core.Contradiction as error:
            raise_core_error(error, view, budget, trust_flags)
    # Regions with a fixed number of mines each tell nothing about another: their chances multiply.
    whole = prod((Fraction(won, total) for _, _, won, total, _ in regions), start=Fraction(1))
    solved = core.solve(*asked, DEFAULT_BUDGET.states, DEFAULT_BUDGET.memory)
    mines = int.from_bytes(solved.certain(1.0), "little")
    chances = {cell: Fraction(0) if mines >> cell & 1 else whole for cell in view.hidden}
    for cells, wins, won, _, _ in regions:
        for cell, count in zip(cells, wins, strict=True):
            chances[cell] = whole * Fraction(count, won)
    return Endgame(whole, chances)


def _in_python(view: View, solutions: int, work: int, trust_flags: bool) -> Endgame:
    assert view.total is not None
    left = max(view.total - len(view.opened_mines), 0)
    if comb(len(view.hidden), left) > _TWIN_LAYOUTS:
        raise _too_large("solutions", solutions, work)
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


# ----------------------------------------------------------------------------
# The readable twin of the core's endgame: best play over a table of solutions.
#
# What a player knows is the set of solutions that are left. A cell that is safe in all of them is
# opened at no cost, and what it shows splits the set. After all such cells the set alone is the
# state, however it was reached. Opening a cell that may be a mine loses the solutions where it is
# one and splits the others by the value shown.

MINE = -1
State = frozenset[int]


class LayoutTable:
    """Solutions, each equally likely, and for each what every hidden cell would show.

    `value` and `opened` count the solutions that best play wins. They raise BudgetExceeded past
    `work` rows looked at.
    """

    def __init__(
        self,
        topology: Topology,
        hidden: Iterable[int],
        layouts: Sequence[frozenset[int]],
        work: int,
    ) -> None:
        self.cells = tuple(hidden)
        self.rows = [
            {
                cell: MINE
                if cell in mines
                else sum(near in mines for near in topology.neighbours(cell))
                for cell in self.cells
            }
            for mines in layouts
        ]
        self.all: State = frozenset(range(len(layouts)))
        self.work = self.left = work
        self._known: dict[State, int] = {}

    def value(self, state: State) -> int:
        """The solutions of a state that best play wins."""
        if len(state) <= 1:
            return len(state)
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = self._best(state)
        return known

    def opened(self, state: State, cell: int) -> int:
        """The solutions of a state that are won when a cell is opened first."""
        return sum(map(self.value, self.split(state, cell)))

    def split(self, state: State, cell: int) -> list[State]:
        """The solutions where a cell is safe, by what it would show."""
        groups: dict[int, list[int]] = {}
        for row in state:
            groups.setdefault(self.rows[row][cell], []).append(row)
        groups.pop(MINE, None)
        return [frozenset(group) for group in groups.values()]

    def _best(self, state: State) -> int:
        self._spend(len(state))
        mines: dict[int, int] = {}
        living: list[int] = []
        for cell in self.cells:
            shown = [self.rows[row][cell] for row in state]
            mines[cell] = shown.count(MINE)
            values = set(shown) - {MINE}
            if not mines[cell] and len(values) > 1:
                return self.opened(state, cell)
            # A dead cell shows one value wherever it is safe. It tells nothing, so it can wait.
            if mines[cell] and len(values) > 1:
                living.append(cell)
        # If all cells are dead, one line of play is left, and it wins one solution.
        best = 1
        # The safest cell first: a cell that keeps no more solutions than the best one wins cannot
        # beat it, and then none of the riskier ones after it can.
        for cell in sorted(living, key=lambda cell: mines[cell]):
            if len(state) - mines[cell] <= best:
                break
            best = max(best, self.opened(state, cell))
        return best

    def _spend(self, rows: int) -> None:
        self.left -= rows
        if self.left < 0:
            raise BudgetExceeded(
                f"best play among {len(self.rows)} solutions needs more than {self.work} rows of"
                " work; accepted: a smaller position or a larger budget"
            )
