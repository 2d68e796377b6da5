"""The counting program over one component of the frontier, in exact integers.

Boxes are taken one after the other (the elimination order). For every constraint of which some but
not all boxes are counted, a state holds its number of mines so far. The weight of a state is a
polynomial in the number of mines used. When the last box of a constraint is counted, its likelihood
is multiplied in and it leaves the state. The number of states grows with the width of the frontier,
not its length.

This is the readable twin of `cpp/exact`: the same numbers, more slowly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, lcm, log2
from typing import TypeAlias

from mineproof.inference.engine.budget import Meter
from mineproof.inference.engine.constraints import Constraint
from mineproof.inference.engine.frontier import Box, Component

__all__ = ["Number", "Polynomial", "Program", "estimated_width"]

Number: TypeAlias = int | Fraction
Polynomial: TypeAlias = list[int]
"""Entry `m` is the weight of `m` mines."""
State: TypeAlias = tuple[int, ...]
"""Mines so far for every constraint; 0 if it is not begun or already met."""


class Program:
    """One component, counted forwards; `total[m]` is the weight of its layouts with m mines.

    Weights are scaled to integers: they are `scale` times the likelihoods of the clues. With
    `support` every weight other than 0 counts as 1, so `total` counts layouts.
    """

    def __init__(
        self, component: Component, meter: Meter, *, name: str = "", support: bool = False
    ) -> None:
        self.component = component
        self._name = f"the component of {len(component.boxes)} boxes{name and ' at '}{name}"
        self.boxes = _ordered(component)
        self.scale = 1
        self._weights = [self._whole(constraint) for constraint in component.constraints]
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

    def _whole(self, constraint: Constraint) -> dict[int, int]:
        scale = lcm(*(weight.denominator for weight in constraint.weights))
        self.scale *= scale
        return {mines: int(constraint.weight(mines) * scale) for mines in constraint.possible}

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
                    weight *= any(least <= count <= most for count in counts)
            if weight:
                yield mines, weight, tuple(after)

    def _forward(self, meter: Meter) -> list[dict[State, Polynomial]]:
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


def _ordered(component: Component) -> list[Box]:
    """The boxes in an elimination order that keeps few constraints open, chosen greedily."""
    left = list(component.boxes)
    to_come = [0] * len(component.constraints)
    for box in left:
        for number in box.constraints:
            to_come[number] += 1
    begun: set[int] = set()
    ordered: list[Box] = []

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
