"""An agent in the shape of Harvard's CS50 AI project, to try mineproof with.

    mineproof compare --agents examples/cs50_style_minesweeper.py,single-point --board beginner8
    mineproof check examples/cs50_style_minesweeper.py

The class has the interface of that course's `MinesweeperAI`; the code is this file's own. A rule is
a set of cells with the number of mines among them. If the cells of one rule contain those of
another, the difference is a third rule.
"""

import random

Cell = tuple[int, int]


class MinesweeperAI:
    """Collects rules, and knows the cells that they decide."""

    def __init__(self, height: int = 8, width: int = 8) -> None:
        self.height = height
        self.width = width
        self.moves_made: set[Cell] = set()
        self.mines: set[Cell] = set()
        self.safes: set[Cell] = set()
        self.rules: dict[frozenset[Cell], int] = {}

    def add_knowledge(self, cell: Cell, count: int) -> None:
        """Take in that `cell` is open and that `count` of its neighbours are mines."""
        self.moves_made.add(cell)
        self.safes.add(cell)
        self._add(self._around(cell), count)
        self._settle()

    def make_safe_move(self) -> Cell | None:
        """A cell known to be safe that is not open yet, or None."""
        return min(self.safes - self.moves_made, default=None)

    def make_random_move(self) -> Cell | None:
        """Any cell that is neither open nor known to be a mine, or None."""
        cells = [
            (row, column)
            for row in range(self.height)
            for column in range(self.width)
            if (row, column) not in self.moves_made and (row, column) not in self.mines
        ]
        return random.choice(cells) if cells else None

    def _around(self, cell: Cell) -> frozenset[Cell]:
        row, column = cell
        return frozenset(
            (r, c)
            for r in range(max(row - 1, 0), min(row + 2, self.height))
            for c in range(max(column - 1, 0), min(column + 2, self.width))
            if (r, c) != cell
        )

    def _add(self, cells: frozenset[Cell], count: int) -> bool:
        """Keep a rule about the cells that are not decided yet; True if it is new."""
        count -= len(cells & self.mines)
        cells = cells - self.mines - self.safes
        if not cells or cells in self.rules:
            return False
        self.rules[cells] = count
        return True

    def _settle(self) -> None:
        """Draw conclusions until there are no new ones."""
        changed = True
        while changed:
            changed = False
            for cells, count in list(self.rules.items()):
                if count == 0:
                    self.safes |= cells
                elif count == len(cells):
                    self.mines |= cells
            rules, self.rules = self.rules, {}
            for cells, count in rules.items():
                self._add(cells, count)
                changed = changed or bool(cells & (self.mines | self.safes))
            for small, few in list(self.rules.items()):
                for large, many in list(self.rules.items()):
                    if small < large and self._add(large - small, many - few):
                        changed = True
