"""Depth-first backtracking over a static puzzle (report 3), complete for all solutions.

In the report every node places a mine and its children are the nearest cells, each tried as the
next mine. Here a cell that was tried as a mine is safe in what follows, so no set of mines is
reached twice: the nearest cell is a mine, or it is safe and the next nearest cell is tried. The
distance is measured from the last mine placed. All orders use this one search, so their nodes can
be compared:

    a node is one value tried for one cell, whether or not it is rejected at once.

`reject`: a hint beside the cell has too many mines or too few cells left, or the total has.
`accept`: all mines are placed and every hint is met. Forward checking leaves out values that a hint
has already ruled out, and turns back as soon as a cell has no value left. `children` limits how
many cells are tried from one mine; cells whose value is forced do not count. The memo holds the
remaining puzzles (cells, hints, mines) that were found to have no solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.puzzle.backtracking import MOST_NODES, Backtracking, Fate, Watching
from mineproof.puzzle.hints import Hints
from mineproof.puzzle.order import Order

__all__ = ["PuzzleSearch"]


@dataclass(slots=True)
class _Frame:
    """One cell of the path: the values not tried yet and where its search began."""

    cell: int
    values: list[bool]
    origin: int
    tried: int
    choice: bool
    key: tuple[int, ...] | None
    found: int
    value: bool | None = None
    kept: bool = False


class PuzzleSearch(Backtracking):
    """One search. After `solutions()` is exhausted, `nodes` is its cost."""

    def __init__(
        self,
        hints: Hints,
        order: Order | None = None,
        *,
        forward_checking: bool = False,
        children: int | None = None,
        memo: bool = False,
        budget: int = MOST_NODES,
        watching: Watching | None = None,
    ) -> None:
        super().__init__(budget, watching)
        self.hints = hints
        self.order = order if order is not None else Order()
        self.forward_checking = forward_checking
        self.children = children
        self._refuted: set[tuple[int, ...]] | None = set() if memo else None
        self._missing = list(hints.missing)
        self._room = [len(variables) for variables in hints.around]
        self._owed = sum(hints.missing)
        self._left = hints.mines
        self._free = dict.fromkeys(hints.variables)
        self._mines: list[int] = []
        self._turned_back = ""
        # For the memo, the state as two numbers: one bit per free cell and one digit per hint.
        self._free_mask = 0
        self._missing_code = 0
        self._bits: dict[int, int] = {}
        self._digits: dict[int, int] = {}
        if memo:
            self._bits = {cell: 1 << place for place, cell in enumerate(hints.variables)}
            self._free_mask = sum(self._bits.values())
            self._digits = {
                cell: sum(1 << (16 * hint) for hint in near)
                for cell, near in hints.hints_of.items()
            }

    def solutions(self) -> Iterator[tuple[int, ...]]:
        if not self._possible():
            return
        stack: list[_Frame] = []
        origin = self.hints.variables[0] if self.hints.variables else 0
        if self._accept():
            yield self._solution()
            return
        if (frame := self._enter(origin, 0)) is not None:
            stack.append(frame)
        while stack:
            frame = stack[-1]
            if frame.value is not None:
                self._undo(frame.cell, frame.value)
                if frame.kept:
                    self._tell(len(stack), frame.cell, frame.value, Fate.UNDONE, self._turned_back)
                    self._turned_back = ""
                frame.value = None
                frame.kept = False
            if not frame.values:
                stack.pop()
                if (
                    self._refuted is not None
                    and frame.key is not None
                    and (frame.found == self.found)
                ):
                    self._refuted.add(frame.key)
                continue
            value = frame.values.pop()
            self._count()
            self._assign(frame.cell, value)
            frame.value = value
            if self._reject(frame.cell):
                self._tell_rejected(len(stack), frame.cell, value)
                continue
            self.expanded += value
            frame.kept = True
            if self._accept():
                self._tell(len(stack), frame.cell, value, Fate.ACCEPTED)
                yield self._solution()
                continue
            self._tell(len(stack), frame.cell, value, Fate.KEPT)
            origin = frame.cell if value else frame.origin
            tried = 0 if value else frame.tried + frame.choice
            if (below := self._enter(origin, tried)) is not None:
                stack.append(below)

    # -- the state ---------------------------------------------------------------------------

    def _possible(self) -> bool:
        """Whether the puzzle may have a solution, before the first assignment."""
        fits = all(
            0 <= missing <= room for missing, room in zip(self._missing, self._room, strict=True)
        )
        return fits and (self._left is None or 0 <= self._left <= len(self._free))

    def _assign(self, cell: int, mine: bool) -> None:
        del self._free[cell]
        self._free_mask ^= self._bits.get(cell, 0)
        near = self.hints.hints_of[cell]
        for hint in near:
            self._room[hint] -= 1
        if mine:
            for hint in near:
                self._missing[hint] -= 1
            self._owed -= len(near)
            self._missing_code += self._digits.get(cell, 0)
            self._mines.append(cell)
            if self._left is not None:
                self._left -= 1

    def _undo(self, cell: int, mine: bool) -> None:
        self._free[cell] = None
        self._free_mask ^= self._bits.get(cell, 0)
        near = self.hints.hints_of[cell]
        for hint in near:
            self._room[hint] += 1
        if mine:
            for hint in near:
                self._missing[hint] += 1
            self._owed += len(near)
            self._missing_code -= self._digits.get(cell, 0)
            self._mines.pop()
            if self._left is not None:
                self._left += 1

    def _reject(self, cell: int) -> bool:
        left, missing, room = self._left, self._missing, self._room
        if left is not None and not 0 <= left <= len(self._free):
            return True
        if any(not 0 <= missing[hint] <= room[hint] for hint in self.hints.hints_of[cell]):
            return True
        if left == 0 and self._owed:
            return True
        return self.forward_checking and any(
            not self._values(other) for other in self.hints.linked[cell] if other in self._free
        )

    def _why_rejected(self, cell: int) -> str:
        if self._left is not None and self._left < 0:
            return "no mine left"
        if self._left is not None and self._left > len(self._free):
            return "too few cells left"
        for hint in self.hints.hints_of[cell]:
            if self._missing[hint] < 0:
                return f"too many mines at {self.hints.name(hint)}"
            if self._missing[hint] > self._room[hint]:
                return f"too few cells at {self.hints.name(hint)}"
        if self._left == 0 and self._owed:
            return "no mine left for other hints"
        empty = next(
            other
            for other in self.hints.linked[cell]
            if other in self._free and not self._values(other)
        )
        return f"no value for {self.hints.topology.cell_name(empty)}"

    def _accept(self) -> bool:
        if self._owed:
            return False
        return self._left == 0 if self._left is not None else not self._free

    def _solution(self) -> tuple[int, ...]:
        self.found += 1
        return tuple(sorted(self._mines))

    # -- what to try next --------------------------------------------------------------------

    def _enter(self, origin: int, tried: int) -> _Frame | None:
        """The next cell to branch on; None if the search must backtrack."""
        if not self._free:
            return None
        key: tuple[int, ...] | None = None
        if self._refuted is not None:
            key = (self._free_mask, self._missing_code, self._left or 0)
            # With a limit on children, what is found also depends on the last mine placed.
            if self.children is not None:
                key = (*key, origin, tried)
            if key in self._refuted:
                self._turned_back = "refuted before"
                return None
        if self.children is not None and tried >= self.children:
            self.cut = True
            self._turned_back = "enough children tried"
            return None
        cell = self._choose(origin)
        values = self._values(cell) if self.forward_checking else [False, True]
        if (
            self.order.lcv
            and len(values) == 2
            and self._ruled_out(cell, True) > self._ruled_out(cell, False)
        ):
            values.reverse()
        return _Frame(cell, values, origin, tried, len(values) == 2, key, self.found)

    def _values(self, cell: int) -> list[bool]:
        """The values that no single hint rules out; the one to try first comes last."""
        missing, room = self._missing, self._room
        left = self._left
        mine = left is None or left > 0
        safe = left is None or left < len(self._free)
        for hint in self.hints.hints_of[cell]:
            mine = mine and missing[hint] > 0
            safe = safe and missing[hint] < room[hint]
        return [False] * safe + [True] * mine

    def _choose(self, origin: int) -> int:
        """The free cell that comes first in the order."""
        nearest = (cell for cell in self.hints.nearest(origin) if cell in self._free)
        if not self.order.cells:
            return next(nearest)
        candidates = list(nearest)
        for word in self.order.cells:
            if word == "mrv":
                scores = [len(self._values(cell)) for cell in candidates]
            else:
                linked = self.hints.linked
                scores = [
                    -sum(other in self._free for other in linked[cell]) for cell in candidates
                ]
            best = min(scores)
            candidates = [
                cell for cell, score in zip(candidates, scores, strict=True) if score == best
            ]
        return candidates[0]

    def _ruled_out(self, cell: int, mine: bool) -> int:
        """How many values of the cells that share a hint this value would rule out."""
        others = [other for other in self.hints.linked[cell] if other in self._free]
        before = sum(len(self._values(other)) for other in others)
        self._assign(cell, mine)
        after = sum(len(self._values(other)) for other in others)
        self._undo(cell, mine)
        return before - after
