"""Depth-first search for an assignment of mines that meets a set of equations.

Four things keep the tree small, as report 0 asks:

- unit clauses: an equation whose cells must all be safe, or all be mines, assigns them at once;
- early termination: an equation that can no longer be met ends the branch;
- variable order: cells near the assumption come first, because that is where it fails, and of those
  the one in the most equations;
- value order: the value of the last solution found comes first, because far from the assumption it
  adds no new constraint. Without one, the likelier value comes first.

`BoxSums` answers another question: which numbers of mines are possible at all? It is the same
search over boxes of interchangeable cells, split into independent parts at every branch, with a
memo of the parts already searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from mineproof.errors import BudgetExceeded

__all__ = ["BoxSums", "Search", "boxes_of", "combine"]

Sum: TypeAlias = tuple[tuple[int, ...], int, int]
"""`low..high` mines in some cells: (cells, low, high)."""

_UNSET = 2


class Search:
    """The equations of one component, ready to be searched under different assumptions.

    `nodes` counts the assignments tried, over all searches.
    """

    def __init__(self, sums: Iterable[Sum]) -> None:
        listed = list(sums)
        self.cells = sorted({cell for cells, _, _ in listed for cell in cells})
        self._place = {cell: place for place, cell in enumerate(self.cells)}
        self._members = [[self._place[cell] for cell in cells] for cells, _, _ in listed]
        self._rules: list[list[int]] = [[] for _ in self.cells]
        for number, members in enumerate(self._members):
            for variable in members:
                self._rules[variable].append(number)
        self._bounds = (
            [low for _, low, _ in listed],
            [high for _, _, high in listed],
            [len(cells) for cells, _, _ in listed],
        )
        self.nodes = 0

    def solve(
        self, assumption: tuple[int, bool] | None = None, hint: Mapping[int, bool] | None = None
    ) -> dict[int, bool] | None:
        """An assignment of every cell that meets the equations, or None if there is none.

        `assumption` fixes one cell; `hint` gives values to try first.
        """
        self._low, self._high, self._unknown = (list(bounds) for bounds in self._bounds)
        self._value = [_UNSET] * len(self.cells)
        self._trail: list[int] = []
        if not self._start():
            return None
        start = 0
        if assumption is not None:
            start = self._place[assumption[0]]
            self.nodes += 1
            if not self._assign(start, int(assumption[1])):
                return None
        if not self._descend(self._order(start), hint or {}):
            return None
        return dict(zip(self.cells, map(bool, self._value), strict=True))

    def _start(self) -> bool:
        """Assign what single equations force before anything is assumed."""
        for number, members in enumerate(self._members):
            low, high, unknown = self._low[number], self._high[number], self._unknown[number]
            if high < 0 or low > unknown:
                return False
            if unknown and (high == 0 or low == unknown):
                for variable in members:
                    if not self._assign(variable, int(high > 0)):
                        return False
        return True

    def _order(self, start: int) -> list[int]:
        """The variables by distance from the assumption, then by how many equations hold them."""
        if not self.cells:
            return []
        order, layer, seen = [start], [start], bytearray(len(self.cells))
        seen[start] = 1
        used = bytearray(len(self._members))
        while layer:
            following = []
            for variable in layer:
                for number in self._rules[variable]:
                    if not used[number]:
                        used[number] = 1
                        for other in self._members[number]:
                            if not seen[other]:
                                seen[other] = 1
                                following.append(other)
            following.sort(key=lambda variable: -len(self._rules[variable]))
            order += following
            layer = following
        return order + [variable for variable in range(len(self.cells)) if not seen[variable]]

    def _descend(self, order: list[int], hint: Mapping[int, bool]) -> bool:
        """Try values along the order; go back to the last choice with a value left to try."""
        value, trail = self._value, self._trail
        choices: list[tuple[int, int, int, int]] = []
        place, last = 0, len(order)
        while True:
            while place < last and value[order[place]] != _UNSET:
                place += 1
            if place == last:
                return True
            variable = order[place]
            wanted = self._likelier(variable, hint)
            choices.append((place, variable, 1 - wanted, len(trail)))
            self.nodes += 1
            if self._assign(variable, wanted):
                continue
            while True:
                if not choices:
                    return False
                place, variable, wanted, mark = choices.pop()
                self._undo(mark)
                self.nodes += 1
                if self._assign(variable, wanted):
                    break
                self._undo(mark)

    def _likelier(self, variable: int, hint: Mapping[int, bool]) -> int:
        found = hint.get(self.cells[variable])
        if found is not None:
            return int(found)
        number = self._rules[variable][0]
        return int(self._low[number] + self._high[number] > self._unknown[number])

    def _assign(self, variable: int, wanted: int) -> bool:
        """Assign a value and every value that follows from single equations; False on a clash."""
        value, rules, trail = self._value, self._rules, self._trail
        low, high, unknown = self._low, self._high, self._unknown
        waiting = [(variable, wanted)]
        while waiting:
            variable, wanted = waiting.pop()
            if value[variable] != _UNSET:
                if value[variable] != wanted:
                    return False
                continue
            value[variable] = wanted
            trail.append(variable)
            mine = rules[variable]
            for number in mine:
                unknown[number] -= 1
                low[number] -= wanted
                high[number] -= wanted
            for number in mine:
                most, rest = high[number], unknown[number]
                if most < 0 or low[number] > rest:
                    return False
                if rest and (not most or low[number] == rest):
                    forced = int(most > 0)
                    waiting += [
                        (other, forced) for other in self._members[number] if value[other] == _UNSET
                    ]
        return True

    def _undo(self, mark: int) -> None:
        value, trail = self._value, self._trail
        while len(trail) > mark:
            variable = trail.pop()
            was = value[variable]
            value[variable] = _UNSET
            for number in self._rules[variable]:
                self._unknown[number] += 1
                self._low[number] += was
                self._high[number] += was


def boxes_of(sums: Sequence[Sum]) -> list[tuple[int, ...]]:
    """The cells of the equations, grouped: those in the same equations are interchangeable."""
    member: dict[int, list[int]] = {}
    for number, (cells, _, _) in enumerate(sums):
        for cell in cells:
            member.setdefault(cell, []).append(number)
    boxes: dict[tuple[int, ...], list[int]] = {}
    for cell in sorted(member):
        boxes.setdefault(tuple(member[cell]), []).append(cell)
    return [tuple(cells) for cells in boxes.values()]


def combine(one: int, two: int) -> int:
    """The sums of two sets of numbers, each a mask: bit `n` says that `n` is possible."""
    if one.bit_count() < two.bit_count():
        one, two = two, one
    sums = 0
    while two:
        lowest = two & -two
        sums |= one << (lowest.bit_length() - 1)
        two ^= lowest
    return sums


class BoxSums:
    """Which numbers of mines the equations allow, in all and given the number in one box.

    Numbers are masks: bit `n` says that `n` mines are possible. `nodes` counts branches; past
    `most_nodes` BudgetExceeded is raised.
    """

    def __init__(self, sums: Sequence[Sum], most_nodes: int = 300_000) -> None:
        self.boxes = boxes_of(sums)
        box_of = {cell: number for number, box in enumerate(self.boxes) for cell in box}
        self._sizes = [len(box) for box in self.boxes]
        self._sums = frozenset(
            (tuple(sorted({box_of[cell] for cell in cells})), low, high)
            for cells, low, high in sums
        )
        self._memory: dict[frozenset[Sum], int] = {}
        self._most_nodes = most_nodes
        self.nodes = 0

    def given(self, box: int, mines: int) -> int:
        """The numbers of mines in all cells that are possible with `mines` of them in a box."""
        others = _set_box(self._sums, box, mines, self._sizes)
        if others is None:
            return 0
        free = set(range(len(self.boxes))) - {box}
        return self._counts(others, free) << mines

    def _counts(self, sums: frozenset[Sum], boxes: set[int]) -> int:
        """The possible numbers of mines in `boxes` under the sums, which speak of no others."""
        found = 1
        for part, members in _parts(sums):
            boxes = boxes - members
            if part not in self._memory:
                self._memory[part] = self._branch(part, members)
            found = combine(found, self._memory[part])
            if not found:
                return 0
        for box in boxes:
            found = combine(found, (2 << self._sizes[box]) - 1)
        return found

    def _branch(self, sums: frozenset[Sum], members: set[int]) -> int:
        held: dict[int, int] = {}
        for boxes, _, _ in sums:
            for box in boxes:
                held[box] = held.get(box, 0) + 1
        box = max(held, key=lambda box: (held[box], -box))
        found = 0
        for mines in range(self._sizes[box] + 1):
            self.nodes += 1
            if self.nodes > self._most_nodes:
                raise BudgetExceeded(
                    f"more than {self._most_nodes} branches in the search for mine counts"
                )
            others = _set_box(sums, box, mines, self._sizes)
            if others is not None:
                found |= self._counts(others, members - {box}) << mines
        return found


def _set_box(sums: frozenset[Sum], box: int, mines: int, sizes: list[int]) -> frozenset[Sum] | None:
    """The sums once a box holds so many mines; None where one of them cannot be met."""
    left: set[Sum] = set()
    for boxes, low, high in sums:
        if box in boxes:
            boxes = tuple(other for other in boxes if other != box)
            low, high = low - mines, high - mines
            room = sum(sizes[other] for other in boxes)
            if high < 0 or low > room:
                return None
            if low <= 0 and high >= room:
                continue
            low, high = max(low, 0), min(high, room)
        left.add((boxes, low, high))
    return frozenset(left)


def _parts(sums: frozenset[Sum]) -> list[tuple[frozenset[Sum], set[int]]]:
    """The sums in independent parts, each with the boxes it speaks of."""
    parts: list[tuple[set[Sum], set[int]]] = []
    for found in sums:
        merged, members = {found}, set(found[0])
        apart = []
        for part in parts:
            if part[1].isdisjoint(members):
                apart.append(part)
            else:
                merged |= part[0]
                members |= part[1]
        parts = [*apart, (merged, members)]
    return [(frozenset(part), members) for part, members in parts]
