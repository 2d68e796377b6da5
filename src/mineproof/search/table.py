"""The readable twin of the core's endgame: best play over a table of solutions.

What a player knows is the set of solutions that are left. A cell that is safe in all of them is
opened at no cost, and what it shows splits the set. After all such cells the set alone is the
state, however it was reached. Opening a cell that may be a mine loses the solutions where it is one
and splits the others by the value shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mineproof.board.topology import Topology
from mineproof.errors import BudgetExceeded

__all__ = ["LayoutTable"]

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
