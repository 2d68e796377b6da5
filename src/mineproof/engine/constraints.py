"""What clues say: constraints, what follows from one or two of them, and counting a component.

`Constraint(cells, low, weights, clue)` says that `low + i` mines among `cells` have the weight
`weights[i]`, and any other number has none. A plain clue has one weight, 1; an unreliable clue has
one for every count it leaves possible.

>>> view = View.parse("square 1x3 mines=1\\n.1.")
>>> [str(constraint) for constraint in constraints(view)]
['1 mine in {0, 2}']
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, log2, prod
from typing import NamedTuple, TypeAlias

from mineproof.board.topology import Topology
from mineproof.engine.analysis import StateMeter
from mineproof.errors import InconsistentPosition
from mineproof.graphs import components, group_by_sets
from mineproof.text import plural, range_text
from mineproof.view.channels import Channel, Mark, is_evidence
from mineproof.view.view import View

_ONE: tuple[Fraction, ...] = (Fraction(1),)


@dataclass(frozen=True, slots=True)
class Constraint:
    """How likely each number of mines among some hidden cells makes what is shown.

    `cells` are in ascending order. `weights` neither begins nor ends with 0, and is empty if no
    number of mines is possible. `clue` is the cell that shows it, or None for the mine total.
    """

    cells: tuple[int, ...]
    low: int
    weights: tuple[Fraction, ...] = _ONE
    clue: int | None = None

    @classmethod
    def of_weights(
        cls, cells: tuple[int, ...], low: int, weights: tuple[Fraction, ...], clue: int | None
    ) -> Constraint:
        """The constraint in normal form, without impossible counts and outer weights of 0."""
        first, last = max(0, -low), min(len(weights), len(cells) - low + 1)
        while first < last and not weights[first]:
            first += 1
        while first < last and not weights[last - 1]:
            last -= 1
        if first >= last:
            return cls(cells, 0, (), clue)
        return cls(cells, low + first, weights[first:last], clue)

    @property
    def high(self) -> int:
        """The greatest possible number of mines; below `low` if there is none."""
        return self.low + len(self.weights) - 1

    @property
    def impossible(self) -> bool:
        """Whether no number of mines is possible."""
        return not self.weights

    @property
    def flat(self) -> bool:
        """Whether it says nothing: every number of mines is equally likely to show this."""
        whole = len(self.weights) == len(self.cells) + 1
        return whole and all(weight == self.weights[0] for weight in self.weights)

    @property
    def count(self) -> int | None:
        """The number of mines, if only one is possible."""
        return self.low if len(self.weights) == 1 else None

    @property
    def possible(self) -> tuple[int, ...]:
        """Every possible number of mines, in ascending order."""
        return tuple(self.low + i for i, weight in enumerate(self.weights) if weight)

    def weight(self, mines: int) -> Fraction:
        """The weight of a number of mines among the cells."""
        place = mines - self.low
        return self.weights[place] if 0 <= place < len(self.weights) else Fraction(0)

    @property
    def scale(self) -> int:
        """The least factor that makes every weight a whole number."""
        return lcm(*(weight.denominator for weight in self.weights))

    def whole_weights(self) -> dict[int, int]:
        """The weight of every possible number of mines, times `scale`."""
        scale = self.scale
        return {mines: int(self.weight(mines) * scale) for mines in self.possible}

    def given(self, known: Mapping[int, bool]) -> Constraint:
        """What remains to be met once some cells are known: True is a mine, False is safe.

        The result is `impossible` if the known cells violate it.
        """
        left = tuple(cell for cell in self.cells if cell not in known)
        if len(left) == len(self.cells):
            return self
        mines = sum(known.get(cell, False) for cell in self.cells)
        return Constraint.of_weights(left, self.low - mines, self.weights, self.clue)

    def text(self, topology: Topology) -> str:
        """For people: `2 mines in {0,1 0,2 1,2}`."""
        return self._sentence(f"{{{' '.join(map(topology.cell_name, self.cells))}}}")

    def __str__(self) -> str:
        return self._sentence(f"{{{', '.join(map(str, self.cells))}}}")

    def _sentence(self, cells: str) -> str:
        if self.impossible:
            return f"no number of mines will do in {cells}"
        return f"{range_text(self.low, self.high)} mine{plural(self.count or 0)} in {cells}"


def constraints(view: View, known: Mapping[int, bool] | None = None) -> tuple[Constraint, ...]:
    """What every clue says about hidden cells, by ascending clue cell; without `known` cells.

    Opened mines are subtracted, and clues without an unknown neighbour left out. Raises
    InconsistentPosition for a clue that cannot be met on its own.
    """
    codes = view.codes().tolist()
    known = with_free(view, known)
    found = []
    for cell in sorted(view.opened):
        constraint = constraint_of_clue(view.topology, codes, cell, view.channel)
        if constraint is None:
            continue
        if known:
            constraint = constraint.given(known)
        if constraint.impossible:
            name = view.topology.cell_name(cell)
            raise InconsistentPosition(
                f"the clue at {name} cannot be met by the cells around it", (cell,)
            )
        if constraint.cells:
            found.append(constraint)
    return tuple(found)


def with_free(view: View, known: Mapping[int, bool] | None = None) -> dict[int, bool]:
    """Known cells (True is a mine, False is safe) and those that the rules keep free."""
    return {**dict.fromkeys(view.free, False), **(known or {})}


def constraint_of_clue(
    topology: Topology, codes: list[int], cell: int, through: Channel
) -> Constraint | None:
    """What an opened cell says about its hidden neighbours; None if it says nothing.

    A cell opened without a clue says nothing, unless missing clues of the channel depend on the
    count or cannot be.
    """
    code = codes[cell]
    if not is_evidence(through, code):
        return None
    shown = None if code == Mark.BLANK.value else code
    hidden, opened_mines = [], 0
    near = topology.neighbours(cell)
    for other in near:
        if codes[other] == Mark.HIDDEN.value:
            hidden.append(other)
        elif codes[other] == Mark.MINE.value:
            opened_mines += 1
    if through.text == "exact":
        low, weights = code, _ONE
    else:
        low, weights = _likelihoods(through, shown, len(near))
    return Constraint.of_weights(tuple(hidden), low - opened_mines, weights, cell)


@lru_cache(maxsize=4096)
def _likelihoods(
    through: Channel, shown: int | None, neighbours: int
) -> tuple[int, tuple[Fraction, ...]]:
    """The least true count that a shown clue leaves possible, and the weights from there on."""
    every = tuple(through.likelihood(shown, true, neighbours) for true in range(neighbours + 1))
    whole = Constraint.of_weights(tuple(range(neighbours)), 0, every, None)
    return whole.low, whole.weights


def total_constraint(view: View, known: Mapping[int, bool] | None = None) -> Constraint | None:
    """What the mine total says about all hidden cells; None if the total is unknown."""
    if view.total is None:
        return None
    left = view.total - len(view.opened_mines)
    whole = Constraint.of_weights(tuple(view.hidden), left, _ONE, None)
    return whole.given(with_free(view, known))


# ----------------------------------------------------------------------------
# The frontier: boxes of cells that touch the same clues, and components connected by clues.
#
# Cells of one box are interchangeable, so only the number of mines in a box matters. Components are
# independent but for the mine total. The sea is every unknown cell that no clue touches.


@dataclass(frozen=True)
class Box:
    """Cells that occur in the same constraints.

    `constraints` are indices into the component's list, in ascending order.
    """

    cells: tuple[int, ...]
    constraints: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.cells)


@dataclass(frozen=True)
class Component:
    """Boxes connected by constraints, and to nothing else but the total."""

    boxes: tuple[Box, ...]
    constraints: tuple[Constraint, ...]

    @property
    def cells(self) -> tuple[int, ...]:
        """Its cells, in ascending order."""
        return tuple(sorted(cell for box in self.boxes for cell in box.cells))

    @property
    def clues(self) -> tuple[int, ...]:
        """The cells that show its clues, in ascending order."""
        return tuple(sorted(c.clue for c in self.constraints if c.clue is not None))


@dataclass(frozen=True)
class Frontier:
    """The unknown cells of a view, sorted into components and sea."""

    components: tuple[Component, ...]
    sea: tuple[int, ...]


def frontier(view: View, known: Mapping[int, bool] | None = None) -> Frontier:
    """The frontier of a view, by ascending first cell. Raises InconsistentPosition.

    `known` cells (True is a mine, False is safe) belong neither to a component nor to the sea.
    """
    parts = components_of(constraints(view, known))
    touched = {cell for part in parts for box in part.boxes for cell in box.cells}
    touched.update(with_free(view, known))
    return Frontier(parts, tuple(cell for cell in view.hidden if cell not in touched))


def components_of(found: Iterable[Constraint]) -> tuple[Component, ...]:
    """Boxes and components of some constraints, by ascending first cell."""
    every = list(found)
    boxes = group_by_sets([constraint.cells for constraint in every])
    boxes_at: list[list[tuple[int, ...]]] = [[] for _ in every]
    for numbers in boxes:
        for number in numbers:
            boxes_at[number].append(numbers)
    parts = components(boxes, lambda numbers: (box for n in numbers for box in boxes_at[n]))
    return tuple(_component({numbers: boxes[numbers] for numbers in part}, every) for part in parts)


def _component(boxes: Mapping[tuple[int, ...], list[int]], every: list[Constraint]) -> Component:
    used = sorted({number for numbers in boxes for number in numbers})
    place = {number: local for local, number in enumerate(used)}
    by_first_cell = sorted(boxes.items(), key=lambda box: box[1][0])
    return Component(
        tuple(
            Box(tuple(cells), tuple(place[n] for n in numbers)) for numbers, cells in by_first_cell
        ),
        tuple(every[number] for number in used),
    )


# ----------------------------------------------------------------------------
# What single clues decide, and two together.
#
# A clue decides its cells if its mines are all found, or all of its cells must be mines. Of two
# clues one may need so many more mines than the other that all cells of its own are mines; then
# those of the other's own are safe.


class SettleResult(NamedTuple):
    """Cells that are decided (True is a mine), what other clues still say, and the likelihood of
    the clues that are done with.
    """

    known: dict[int, bool]
    left: tuple[Constraint, ...]
    factor: Fraction


def settle(found: Iterable[Constraint]) -> SettleResult:
    """The cells that single constraints decide, to a fixpoint, and what the others still say.

    Clues that say nothing are dropped. An `impossible` constraint stays in the list as it is.
    """
    open_now = list(found)
    known: dict[int, bool] = {}
    factor = Fraction(1)
    fresh = True
    while fresh:
        fresh = False
        left = []
        for constraint in open_now:
            constraint = constraint.given(known)
            decided = constraint.count in (0, len(constraint.cells))
            if constraint.flat:
                factor *= constraint.weights[0]
            elif decided and not constraint.impossible:
                factor *= constraint.weights[0]
                known.update(dict.fromkeys(constraint.cells, constraint.low > 0))
                fresh = fresh or bool(constraint.cells)
            else:
                left.append(constraint)
        open_now = left
    return SettleResult(known, tuple(open_now), factor)


def settle_pairs(found: Iterable[Constraint]) -> SettleResult:
    """The same with what two exact constraints decide together, to a fixpoint."""
    known, left, factor = settle(found)
    while fresh := _settle_one_pair(left):
        known.update(fresh)
        more, left, further = settle(constraint.given(fresh) for constraint in left)
        known.update(more)
        factor *= further
    return SettleResult(known, left, factor)


def _settle_one_pair(constraints: Sequence[Constraint]) -> dict[int, bool]:
    """What the first two constraints that decide anything together decide."""
    near: defaultdict[int, list[Constraint]] = defaultdict(list)
    for constraint in constraints:
        for cell in constraint.cells:
            near[cell].append(constraint)
    for one in constraints:
        for other in {id(two): two for cell in one.cells for two in near[cell]}.values():
            own = set(one.cells).difference(other.cells)
            others = set(other.cells).difference(one.cells)
            # Then `own` is all mines and `others` safe, however the shared cells lie.
            if one.low - other.low == len(own) and (own or others):
                return dict.fromkeys(own, True) | dict.fromkeys(others, False)
    return {}


# ----------------------------------------------------------------------------
# The counting program over one component of the frontier, in exact integers.
#
# Boxes are taken one after the other (the elimination order). For every constraint of which some
# but not all boxes are counted, a state holds its number of mines so far. The weight of a state is
# a polynomial in the number of mines used. When the last box of a constraint is counted, its
# likelihood is multiplied in and it leaves the state. The number of states grows with the width of
# the frontier, not its length. Counting box by box on what clues still miss keeps 10 to 1000 times
# fewer states than tables over box counts, or a sweep cell by cell.
#
# This is the readable twin of `cpp/exact`: the same numbers, more slowly.

Number: TypeAlias = int | Fraction
Polynomial: TypeAlias = list[int]
"""Entry `m` is the weight of `m` mines."""
State: TypeAlias = tuple[int, ...]
"""Mines so far for every constraint; 0 if it is not begun or already met."""


class CountingProgram:
    """One component, counted forwards; `total[m]` is the weight of its layouts with m mines.

    Weights are scaled to integers: they are `scale` times the likelihoods of the clues. With
    `support` every weight other than 0 counts as 1, so `total` counts layouts.
    """

    def __init__(
        self, component: Component, meter: StateMeter, *, name: str = "", support: bool = False
    ) -> None:
        self.component = component
        self._name = f"the component of {len(component.boxes)} boxes{name and ' at '}{name}"
        self.boxes = _elimination_order(component)
        self.scale = prod(constraint.scale for constraint in component.constraints)
        self._weights = [constraint.whole_weights() for constraint in component.constraints]
        if support:
            self._weights = [dict.fromkeys(weights, 1) for weights in self._weights]
        self._last = [0] * len(component.constraints)
        for place, box in enumerate(self.boxes):
            for number in box.constraints:
                self._last[number] = place
        self._room = self._cells_to_come()
        self.layers = self._forward(meter)
        final = self.layers[-1]
        self.total: Polynomial = next(iter(final.values())) if final else []

    def _cells_to_come(self) -> list[list[int]]:
        """After every box: how many cells of each constraint are not counted yet."""
        room = [len(constraint.cells) for constraint in self.component.constraints]
        after = []
        for box in self.boxes:
            for number in box.constraints:
                room[number] -= len(box)
            after.append(room.copy())
        return after

    def _moves(self, place: int, state: State) -> Iterator[tuple[int, int, State]]:
        """Every number of mines the next box may hold, with its weight and the state after it."""
        box = self.boxes[place]
        for mines in range(len(box) + 1):
            weight = comb(len(box), mines)
            after = list(state)
            for number in box.constraints:
                after[number] += mines
                counts = self._weights[number]
                if self._last[number] == place:
                    weight *= counts.get(after[number], 0)
                    after[number] = 0
                else:
                    least = after[number]
                    most = least + self._room[place][number]
                    # What can no longer be met is dropped now, not where the clue closes.
                    weight *= any(least <= count <= most for count in counts)
            if weight:
                yield mines, weight, tuple(after)

    def _forward(self, meter: StateMeter) -> list[dict[State, Polynomial]]:
        """Layer `i` holds the states before box `i`, with their polynomials."""
        start: State = (0,) * len(self.component.constraints)
        layers: list[dict[State, Polynomial]] = [{start: [1]}]
        width = estimated_width(self.component)
        for place, box in enumerate(self.boxes):
            layer: dict[State, Polynomial] = {}
            for state, before in layers[-1].items():
                for mines, weight, after in self._moves(place, state):
                    sums = layer.get(after)
                    if sums is None:
                        most = sum(map(len, self.boxes[:place])) + len(box)
                        sums = layer[after] = [0] * (most + 1)
                    for m, value in enumerate(before):
                        sums[m + mines] += weight * value
            meter.charge(len(layer), self._name, width)
            layers.append(layer)
        return layers

    def mine_weights(self, outside: Sequence[Number]) -> list[Number]:
        """For every box the weight of all layouts with a mine in one given cell of it.

        `outside[m]` is the weight of the rest of the board if this component has m mines. The
        backward pass starts from there.
        """
        found: list[Number] = [0] * len(self.boxes)
        # Seeded with the weight of the rest of the board, the backward pass gives the chance of a
        # box as one sum of products, without a join for every box.
        ((end, _),) = self.layers[-1].items()
        complete: dict[State, Sequence[Number]] = {end: outside}
        for place in reversed(range(len(self.boxes))):
            size = len(self.boxes[place])
            with_mines: Number = 0
            before: dict[State, Sequence[Number]] = {}
            for state, forward in self.layers[place].items():
                sums: list[Number] = [0] * len(forward)
                for mines, weight, after in self._moves(place, state):
                    if after not in complete:
                        continue
                    rest = complete[after]
                    for m, value in enumerate(forward):
                        completed = weight * rest[m + mines]
                        sums[m] += completed
                        with_mines += mines * value * completed
                before[state] = sums
            complete = before
            found[place] = Fraction(with_mines) / size
        return found


def _elimination_order(component: Component) -> list[Box]:
    """The boxes in an elimination order that keeps few constraints open, chosen greedily."""
    left = list(component.boxes)
    to_come = [0] * len(component.constraints)
    for box in left:
        for number in box.constraints:
            to_come[number] += 1
    begun: set[int] = set()
    ordered: list[Box] = []

    # Clues that are closed early leave the state, so few are open at a time. The first cell breaks
    # ties: the order, and with it the work, is the same in every run.
    def cost(box: Box) -> tuple[int, int]:
        opens = sum(n not in begun for n in box.constraints)
        closes = sum(to_come[n] == 1 for n in box.constraints)
        return opens - closes, box.cells[0]

    while left:
        near = [box for box in left if begun.intersection(box.constraints)]
        box = min(near or left, key=cost)
        left.remove(box)
        ordered.append(box)
        for number in box.constraints:
            begun.add(number)
            to_come[number] -= 1
            if not to_come[number]:
                begun.discard(number)
    return ordered


def estimated_width(component: Component) -> float:
    """About the logarithm (base 2) of the number of states that a sweep over the board must keep.

    Every constraint that is begun and not met multiplies the states by the values it can have so
    far. This is an upper bound for the sweep, and a first estimate for better orders.
    """
    boxes = sorted(component.boxes, key=lambda box: box.cells[0])
    last: dict[int, int] = {}
    for place, box in enumerate(boxes):
        last.update(dict.fromkeys(box.constraints, place))
    begun: dict[int, int] = {}
    widest = bits = 0.0
    for place, box in enumerate(boxes):
        for number in box.constraints:
            before = begun.get(number, 0)
            high = component.constraints[number].high
            bits -= log2(min(before, high) + 1)
            if last[number] == place:
                begun.pop(number, None)
            else:
                begun[number] = before + len(box)
                bits += log2(min(before + len(box), high) + 1)
        widest = max(widest, bits)
    return widest
