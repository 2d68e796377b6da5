"""Proof by contradiction over equations (report 0, the "reductio ad absurdum" agent).

The knowledge base is the open equations, simplified at every new safe cell or mine. Where no single
one forces anything, each cell is assumed to be a mine, then safe; if a depth-first search finds
that the equations cannot be met, the opposite is proved. A solution found on the way settles every
query that it answers: a cell seen both ways needs no search.

It proves everything that follows from the clues. With `use_total` also everything that follows from
the clues and the mine total together: components then only meet in their numbers of mines. The
solutions found show many cells both ways with the total too. Only for the other cells, every number
of mines that a component can hold is worked out. If that takes too much work, on boards with very
many neighbours, BudgetExceeded is raised.

An unreliable clue is a range; what follows only from a gap inside the range is missed.
"""

from __future__ import annotations

from functools import reduce

from mineproof.errors import InconsistentPosition
from mineproof.inference.logics.backtrack import BoxSums, Search, Sum, boxes_of, combine
from mineproof.inference.logics.fact_logic import ComponentLogic, Findings
from mineproof.inference.logics.facts import Equation
from mineproof.inference.logics.option import GLOBAL
from mineproof.inference.verdict import Premises
from mineproof.view.view import View

__all__ = ["Reductio"]

_CLUES = Premises(by_contradiction=True)
_TOTAL = Premises(total=True, by_contradiction=True)
_MOST_KEPT = 1000
"""Components whose numbers are kept; a game has far fewer at a time."""


class Reductio(ComponentLogic):
    """Searches every component that changed for contradictions."""

    name = "reductio"
    unit = "nodes"
    options = (GLOBAL,)

    def __init__(self, *, use_total: bool = False) -> None:
        self.use_total = use_total

    def begin(self, view: View) -> None:
        super().begin(view)
        self._last: dict[int, bool] = {}
        """The value of every cell in the last solution that held it."""
        self._seen: dict[tuple[Equation, ...], _Counts] = {}
        """For every component the numbers of mines of the solutions found."""
        self._counted: dict[tuple[Equation, ...], _Counts] = {}
        """The same for every solution there is."""

    def _prove(self, view: View) -> None:
        super()._prove(view)
        if self.use_total:
            self._refute_with_total(view)

    def _prove_component(self, component: list[Equation]) -> Findings:
        """The cells of a component that one assumption or the other contradicts."""
        sums: list[Sum] = [(cells, low, high) for cells, low, high, _ in component]
        search = Search(sums)
        solution = search.solve(hint=self._last)
        if solution is None:
            raise InconsistentPosition(
                "the clues cannot all be met", [equation.clue for equation in component]
            )
        self._last.update(solution)
        seen = _Counts.none(boxes_of(sums))
        seen.witness(solution)
        if self.use_total:
            # Solutions with few and with many mines, for what the total leaves open.
            for mine in (False, True):
                other = search.solve(hint=dict.fromkeys(search.cells, mine))
                if other is not None:
                    seen.witness(other)
        safe: list[int] = []
        mines: list[int] = []
        # Cells of one box are interchangeable: what is refuted for one is refuted for all.
        for number, box in enumerate(seen.boxes):
            for mine, proved in ((True, safe), (False, mines)):
                if not seen.shown(number, mine):
                    found = search.solve((box[0], mine), self._last)
                    if found is None:
                        proved += box
                    else:
                        self._last.update(found)
                        seen.witness(found)
        if self.use_total:
            if len(self._seen) > _MOST_KEPT:
                self._seen.clear()
            self._seen[tuple(component)] = seen
        self._work += search.nodes
        return dict.fromkeys(safe, _CLUES), dict.fromkeys(mines, _CLUES)

    def _refute_with_total(self, view: View) -> None:
        """What the numbers of mines possible in each component, and the total, leave out."""
        facts = self._facts
        left = facts.mines_left(view)
        if left is None or facts.proved_any or not facts.total_matters(view):
            return
        components = [tuple(part) for part in facts.components(facts.open_clues)]
        spoken = {cell for part in components for equation in part for cell in equation.cells}
        sea = _Counts.free(tuple(cell for cell in facts.unknown if cell not in spoken))
        seen = [self._seen[part] for part in components if part in self._seen]
        if len(seen) == len(components) and not any(_refuted([*seen, sea], left)):
            return
        parts = [self._counts_of(part) for part in components]
        safe, mines = _refuted([*parts, sea], left)
        if combine_all([part.whole for part in [*parts, sea]]) >> left & 1 == 0:
            raise InconsistentPosition(
                "no layout with this total meets the clues", facts.open_clues, uses_total=True
            )
        facts.add(dict.fromkeys(safe, _TOTAL), dict.fromkeys(mines, _TOTAL))

    def _counts_of(self, component: tuple[Equation, ...]) -> _Counts:
        if component not in self._counted:
            if len(self._counted) > _MOST_KEPT:
                self._counted.clear()
            sums = BoxSums([(cells, low, high) for cells, low, high, _ in component])
            given = [
                [sums.given(number, mines) for mines in range(len(box) + 1)]
                for number, box in enumerate(sums.boxes)
            ]
            self._work += sums.nodes
            self._counted[component] = _Counts(sums.boxes, given)
        return self._counted[component]


class _Counts:
    """For every box and number of mines in it, numbers of mines of its component, as masks."""

    def __init__(self, boxes: list[tuple[int, ...]], given: list[list[int]]) -> None:
        self.boxes = boxes
        self.given = given

    @classmethod
    def none(cls, boxes: list[tuple[int, ...]]) -> _Counts:
        """Nothing seen yet."""
        return cls(boxes, [[0] * (len(box) + 1) for box in boxes])

    @classmethod
    def free(cls, cells: tuple[int, ...]) -> _Counts:
        """Cells that nothing but the total speaks of."""
        return cls([cells], [[1 << mines for mines in range(len(cells) + 1)]])

    def witness(self, solution: dict[int, bool]) -> None:
        """Note the numbers of mines of a solution."""
        mask = 1 << sum(solution.values())
        for box, given in zip(self.boxes, self.given, strict=True):
            given[sum(solution[cell] for cell in box)] |= mask

    def shown(self, box: int, mine: bool) -> bool:
        """Whether some solution has a mine, or a safe cell, in a box."""
        given = self.given[box]
        return any(given[1:] if mine else given[:-1])

    @property
    def whole(self) -> int:
        """The numbers of mines in the component."""
        return reduce(int.__or__, self.given[0]) if self.given else 1


def _refuted(parts: list[_Counts], left: int) -> tuple[list[int], list[int]]:
    """The cells that can be no mine, and those that can be nothing else, with `left` mines in all.

    True of what is so where the numbers are all there are; where they are only some, the cells
    not shown both ways.
    """
    safe: list[int] = []
    mines: list[int] = []
    whole = [part.whole for part in parts]
    for number, part in enumerate(parts):
        others = combine_all(whole[:number] + whole[number + 1 :])
        for box, given in zip(part.boxes, part.given, strict=True):
            possible = [bool(combine(counts, others) >> left & 1) for counts in given]
            if box and not any(possible[1:]):
                safe += box
            if box and not any(possible[:-1]):
                mines += box
    return safe, mines


def combine_all(masks: list[int]) -> int:
    """The sums of several sets of numbers."""
    return reduce(combine, masks, 1)
