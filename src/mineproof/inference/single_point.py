"""One clue at a time (reports 0 "basic" and 2 "SPX").

For every opened clue: if all its mines are known, its other hidden neighbours are safe (all marked
neighbours); if as many cells are unknown around it as mines are missing, they are all mines (all
free neighbours). What follows only from two clues together, or from the mine total, it cannot see.

Where clues may lie, a clue stands for the range of counts its channel leaves possible: the upper
end proves safety, the lower end proves mines.
"""

from __future__ import annotations

from mineproof.errors import InconsistentPosition
from mineproof.inference.verdict import Premises, Verdict
from mineproof.view.channels import bounds
from mineproof.view.marks import MAX_CLUE, Mark
from mineproof.view.view import View

__all__ = ["SinglePoint", "single_point"]

NAME = "single-point"
_UNKNOWN, _SAFE, _MINE = 0, 1, 2


def single_point(view: View) -> Verdict:
    """Everything that single clues prove of a position, to a fixpoint."""
    logic = SinglePoint()
    logic.begin(view)
    return logic.learn(view)


class SinglePoint:
    """Follows a game; every cell and clue is looked at when something around it changes."""

    name = NAME

    def begin(self, view: View) -> None:
        self._known = bytearray(len(view))
        self._low: dict[int, int] = {}
        self._high: dict[int, int] = {}
        self._unknown: dict[int, int] = {}
        self._seen: View | None = None
        self._looks = 0

    def learn(self, view: View) -> Verdict:
        fresh = None if self._seen is None else view.opened_since(self._seen)
        if fresh is None:
            if self._seen is not None:
                self.begin(view)
            fresh = tuple(view.opened)
        self._seen = view
        safe: dict[int, Premises] = {}
        mines: dict[int, Premises] = {}
        todo: list[int] = []
        for cell in fresh:
            mine = view.code(cell) == Mark.MINE.value
            self._settle(view, cell, _MINE if mine else _SAFE, todo)
        for cell in fresh:
            self._read_clue(view, cell, todo)
        self._looks = 0
        while todo:
            self._look(view, todo.pop(), safe, mines, todo)
        return Verdict(NAME, safe, mines, {"looks": self._looks})

    def _read_clue(self, view: View, cell: int, todo: list[int]) -> None:
        code = view.code(cell)
        if code > MAX_CLUE:
            return
        near = view.topology.neighbours(cell)
        low, high = bounds(view.channel, code, len(near))
        known = [self._known[other] for other in near]
        mines = known.count(_MINE)
        self._low[cell], self._high[cell] = low - mines, high - mines
        self._unknown[cell] = known.count(_UNKNOWN)
        todo.append(cell)

    def _settle(self, view: View, cell: int, what: int, todo: list[int]) -> None:
        """Write down that a cell is safe or a mine, and tell the clues around it."""
        if self._known[cell]:
            if self._known[cell] != what:
                name = view.topology.cell_name(cell)
                raise InconsistentPosition(f"the clues prove {name} both safe and a mine")
            return
        self._known[cell] = what
        unknown = self._unknown
        for near in view.topology.neighbours(cell):
            if near in unknown:
                unknown[near] -= 1
                if what == _MINE:
                    self._low[near] -= 1
                    self._high[near] -= 1
                todo.append(near)

    def _look(
        self,
        view: View,
        clue: int,
        safe: dict[int, Premises],
        mines: dict[int, Premises],
        todo: list[int],
    ) -> None:
        self._looks += 1
        low, high, unknown = self._low[clue], self._high[clue], self._unknown[clue]
        if high < 0 or low > unknown:
            name = view.topology.cell_name(clue)
            raise InconsistentPosition(
                f"the clue at {name} cannot be met by the cells around it", (clue,)
            )
        if not unknown or (high and low < unknown):
            return
        what, proved = (_SAFE, safe) if not high else (_MINE, mines)
        premises = Premises((clue,))
        for near in view.topology.neighbours(clue):
            if not self._known[near]:
                proved[near] = premises
                self._settle(view, near, what, todo)

    def knowledge(self, view: View) -> str:
        """The open clues: how many mines are missing in which cells."""
        lines = []
        for clue, unknown in sorted(self._unknown.items()):
            if unknown:
                cells = [
                    view.topology.cell_name(near)
                    for near in view.topology.neighbours(clue)
                    if not self._known[near]
                ]
                low, high = self._low[clue], self._high[clue]
                count = str(low) if low == high else f"{max(low, 0)}..{min(high, unknown)}"
                lines.append(f"{view.topology.cell_name(clue)}: {count} in {{{' '.join(cells)}}}")
        return "\n".join(lines)
