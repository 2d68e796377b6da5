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

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

from mineproof.engine.analysis import Premises
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.graphs import group_by_sets
from mineproof.logics.base import GLOBAL, ComponentLogic, Equation, Findings, Option
from mineproof.view.view import View

# ----------------------------------------------------------------------------
# Depth-first search for an assignment of mines that meets a set of equations.
#
# Four ideas keep the tree small, as report 0 asks:
#
# - unit clauses: an equation whose cells must all be safe, or all be mines, assigns them at once;
# - early termination: an equation that can no longer be met ends the branch;
# - variable order: cells near the assumption come first, because that is where it fails, and of
#   those the one in the most equations;
# - value order: the value of the last solution found comes first, because far from the assumption
#   it adds no new constraint. Without one, the likelier value comes first.
#
# `PlainSearch` does without some of them, so that what each is worth can be measured.
#
# `BoxSums` answers another question: which numbers of mines are possible at all? It is the same
# search over boxes of interchangeable cells, split into independent parts at every branch, with a
# memo of the parts already searched.

Sum: TypeAlias = tuple[tuple[int, ...], int, int]
"""`low..high` mines in some cells: (cells, low, high)."""

_UNSET = 2


class AssignmentSearch:
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
        """Assign what single equations force before anything is assumed; False on a clash."""
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


@dataclass(frozen=True)
class SearchIdeas:
    """Which of the four ideas a search uses."""

    unit_clauses: bool = True
    early_termination: bool = True
    variable_order: bool = True
    value_order: bool = True


MOST_PLAIN_NODES = 20_000


class PlainSearch(AssignmentSearch):
    """The same search without some of the four ideas.

    Without unit clauses every cell is tried both ways. Without early termination an equation is
    looked at only once all its cells are assigned. Without a variable order the cells keep that of
    the board, after the assumption. Without a value order each cell is tried as safe first.

    `solve` raises BudgetExceeded past MOST_PLAIN_NODES: a tree that nothing cuts back doubles with
    every cell.
    """

    def __init__(self, sums: Iterable[Sum], ideas: SearchIdeas) -> None:
        super().__init__(sums)
        self.ideas = ideas

    def solve(
        self, assumption: tuple[int, bool] | None = None, hint: Mapping[int, bool] | None = None
    ) -> dict[int, bool] | None:
        self._most_nodes = self.nodes + MOST_PLAIN_NODES
        return super().solve(assumption, hint)

    def _start(self) -> bool:
        return super()._start() if self.ideas.unit_clauses else True

    def _order(self, start: int) -> list[int]:
        if self.ideas.variable_order or not self.cells:
            return super()._order(start)
        return [start, *(place for place in range(len(self.cells)) if place != start)]

    def _likelier(self, variable: int, hint: Mapping[int, bool]) -> int:
        return super()._likelier(variable, hint) if self.ideas.value_order else 0

    def _assign(self, variable: int, wanted: int) -> bool:
        if self.nodes > self._most_nodes:
            raise BudgetExceeded(f"more than {MOST_PLAIN_NODES} nodes in one search")
        value, units, early = self._value, self.ideas.unit_clauses, self.ideas.early_termination
        low, high, unknown = self._low, self._high, self._unknown
        waiting = [(variable, wanted)]
        while waiting:
            variable, wanted = waiting.pop()
            if value[variable] != _UNSET:
                if value[variable] != wanted:
                    return False
                continue
            value[variable] = wanted
            self._trail.append(variable)
            mine = self._rules[variable]
            for number in mine:
                unknown[number] -= 1
                low[number] -= wanted
                high[number] -= wanted
            for number in mine:
                most, rest = high[number], unknown[number]
                if (early or not rest) and (most < 0 or low[number] > rest):
                    return False
                if units and rest and (most <= 0 or low[number] >= rest):
                    forced = int(most > 0)
                    waiting += [
                        (other, forced) for other in self._members[number] if value[other] == _UNSET
                    ]
        return True


def boxes_of(sums: Sequence[Sum]) -> list[tuple[int, ...]]:
    """The cells of the equations, grouped: those in the same equations are interchangeable."""
    return [tuple(cells) for cells in group_by_sets([cells for cells, _, _ in sums]).values()]


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

    # The limit is for boards with very many neighbours, where the branches grow too many.
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


# -- The logic -----------------------------------------------------------------

_CLUES = Premises(by_contradiction=True)
_TOTAL = Premises(total=True, by_contradiction=True)
_MOST_KEPT = 1000
"""Components whose numbers are kept; a game has far fewer at a time."""


class Reductio(ComponentLogic):
    """Searches every component that changed for contradictions."""

    name = "reductio"
    unit = "nodes"
    options = (
        GLOBAL,
        Option("no-unit-clauses", "tries every cell both ways, forced ones too"),
        Option("no-early-termination", "looks at an equation once all its cells are assigned"),
        Option("no-variable-order", "assigns cells in the order of the board"),
        Option("no-value-order", "tries each cell as safe first"),
    )

    def __init__(
        self,
        *,
        use_total: bool = False,
        no_unit_clauses: bool = False,
        no_early_termination: bool = False,
        no_variable_order: bool = False,
        no_value_order: bool = False,
    ) -> None:
        self.use_total = use_total
        self.ideas = SearchIdeas(
            not no_unit_clauses, not no_early_termination, not no_variable_order, not no_value_order
        )

    def begin(self, view: View) -> None:
        super().begin(view)
        self._last: dict[int, bool] = {}
        """The value of every cell in the last solution that held it."""
        self._seen: dict[tuple[Equation, ...], _MineCounts] = {}
        """For every component the numbers of mines of the solutions found."""
        self._counted: dict[tuple[Equation, ...], _MineCounts] = {}
        """The same for every solution there is."""

    def _prove(self, view: View) -> None:
        super()._prove(view)
        if self.use_total:
            self._refute_with_total(view)

    def _prove_component(self, component: list[Equation]) -> Findings:
        """The cells of a component that one assumption or the other contradicts."""
        sums: list[Sum] = [(cells, low, high) for cells, low, high, _ in component]
        plain = self.ideas != SearchIdeas()
        search = PlainSearch(sums, self.ideas) if plain else AssignmentSearch(sums)
        try:
            return self._search(component, sums, search)
        except BudgetExceeded:
            return {}, {}  # the first search, or one for the total, has not come to an end
        finally:
            self._work += search.nodes

    def _search(
        self, component: list[Equation], sums: list[Sum], search: AssignmentSearch
    ) -> Findings:
        solution = search.solve(hint=self._last)
        if solution is None:
            raise InconsistentPosition(
                "the clues cannot all be met", [equation.clue for equation in component]
            )
        self._last.update(solution)
        boxes = boxes_of(sums)
        seen = _MineCounts(boxes, [[0] * (len(box) + 1) for box in boxes])
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
                    try:
                        found = search.solve((box[0], mine), self._last)
                    except BudgetExceeded:
                        continue  # not refuted
                    if found is None:
                        proved += box
                    else:
                        self._last.update(found)
                        seen.witness(found)
        if self.use_total:
            if len(self._seen) > _MOST_KEPT:
                self._seen.clear()
            self._seen[tuple(component)] = seen
        return dict.fromkeys(safe, _CLUES), dict.fromkeys(mines, _CLUES)

    def _refute_with_total(self, view: View) -> None:
        """What the numbers of mines possible in each component, and the total, leave out."""
        facts = self._facts
        left = facts.mines_left(view)
        if left is None or facts.proved_any or not facts.total_matters(view):
            return
        components = [tuple(part) for part in facts.components(facts.open_clues)]
        spoken = {cell for part in components for equation in part for cell in equation.cells}
        cells = tuple(cell for cell in facts.unknown if cell not in spoken)
        # Nothing but the total speaks of these: they may hold any number of mines.
        sea = _MineCounts([cells], [[1 << mines for mines in range(len(cells) + 1)]])
        seen = [self._seen[part] for part in components if part in self._seen]
        if len(seen) == len(components) and not any(_refuted_cells([*seen, sea], left)):
            return
        parts = [self._counts_of(part) for part in components]
        safe, mines = _refuted_cells([*parts, sea], left)
        if combine_all([part.whole for part in [*parts, sea]]) >> left & 1 == 0:
            raise InconsistentPosition(
                "no layout with this total meets the clues", facts.open_clues, uses_total=True
            )
        facts.add(dict.fromkeys(safe, _TOTAL), dict.fromkeys(mines, _TOTAL))

    def _counts_of(self, component: tuple[Equation, ...]) -> _MineCounts:
        if component not in self._counted:
            if len(self._counted) > _MOST_KEPT:
                self._counted.clear()
            sums = BoxSums([(cells, low, high) for cells, low, high, _ in component])
            given = [
                [sums.given(number, mines) for mines in range(len(box) + 1)]
                for number, box in enumerate(sums.boxes)
            ]
            self._work += sums.nodes
            self._counted[component] = _MineCounts(sums.boxes, given)
        return self._counted[component]


class _MineCounts:
    """For every box and number of mines in it, numbers of mines of its component, as masks."""

    def __init__(self, boxes: list[tuple[int, ...]], given: list[list[int]]) -> None:
        self.boxes = boxes
        self.given = given

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


def _refuted_cells(parts: list[_MineCounts], left: int) -> tuple[list[int], list[int]]:
    """The cells that can be no mine, and those that can be nothing else, with `left` mines in all.

    That is proved where `parts` hold all possible numbers. Where they hold only those found so
    far, it is what has not been seen both ways yet.
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
