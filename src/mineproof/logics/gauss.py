"""Linear elimination with bounds (report 0, "how we might improve it": systems of equations).

The open equations of a component are the rows of a matrix, its boxes of interchangeable cells the
columns. The reduced row echelon form is computed in integers. Each of its rows says that a weighted
sum of box counts has one value; every count lies between 0 and the size of its box, so the sum has
a least and a greatest value. If the value is the greatest, boxes with a positive weight are full of
mines and those with a negative one are safe; if it is the least, the other way round. What is
proved goes back into the equations, until nothing new is found.

Only one elimination order is tried, and each row is read on its own. So it proves more than single
clues, but not all that splitting sets proves, nor all that follows. Only exact clues become rows;
an unreliable clue is still used on its own, as single-point does.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from mineproof.engine.analysis import Premises
from mineproof.errors import InconsistentPosition
from mineproof.logics.base import ComponentLogic, Equation, Findings
from mineproof.logics.reductio import boxes_of


@dataclass
class LinearRow:
    """The sum of `weights[box]` times the mines in each box is `value`, as the `clues` tell."""

    weights: dict[int, int]
    value: int
    clues: set[int]


class Gauss(ComponentLogic):
    """Eliminates in every component that changed."""

    name = "gauss"
    unit = "rows"

    def _prove_component(self, component: list[Equation]) -> Findings:
        exact = [equation for equation in component if equation.low == equation.high]
        boxes = boxes_of([(cells, low, high) for cells, low, high, _ in exact])
        box_of = {cell: number for number, box in enumerate(boxes) for cell in box}
        sizes = [len(box) for box in boxes]
        rows = eliminate(
            [
                LinearRow(dict.fromkeys((box_of[cell] for cell in cells), 1), low, {clue})
                for cells, low, _, clue in exact
            ]
        )
        self._work += len(rows)
        safe: dict[int, Premises] = {}
        mines: dict[int, Premises] = {}
        for row in rows:
            least = sum(w * sizes[box] for box, w in row.weights.items() if w < 0)
            most = sum(w * sizes[box] for box, w in row.weights.items() if w > 0)
            if not least <= row.value <= most:
                raise InconsistentPosition("the clues cannot all be met", sorted(row.clues))
            if row.value not in (least, most):
                continue
            premises = Premises(tuple(sorted(row.clues)))
            for box, weight in row.weights.items():
                full = (weight > 0) == (row.value == most)
                for cell in boxes[box]:
                    (mines if full else safe).setdefault(cell, premises)
        clash = safe.keys() & mines.keys()
        if clash:
            name = self._facts.topology.cell_name(min(clash))
            raise InconsistentPosition(f"the clues prove {name} both safe and a mine")
        return safe, mines


def eliminate(rows: list[LinearRow]) -> list[LinearRow]:
    """The reduced row echelon form of the rows, in integers, columns in ascending order.

    Rows that reduce to 0 = 0 are left out; one that reduces to 0 = value is kept, without weights.
    """
    left = rows
    done: list[LinearRow] = []
    while left:
        # The lowest column any row begins with; the shortest such row keeps the others short.
        column = min((min(row.weights) for row in left if row.weights), default=None)
        if column is None:
            return done + [row for row in left if row.value]
        holders = [row for row in left if column in row.weights]
        pivot = min(holders, key=lambda row: (abs(row.weights[column]), len(row.weights)))
        for row in holders:
            if row is not pivot:
                _subtract(row, pivot, column)
        for row in done:
            if column in row.weights:
                _subtract(row, pivot, column)
        left = [row for row in left if row is not pivot and (row.weights or row.value)]
        done.append(pivot)
    return done


def _subtract(row: LinearRow, pivot: LinearRow, column: int) -> None:
    """Remove a column from a row by subtracting a multiple of the pivot."""
    weight, by = row.weights[column], pivot.weights[column]
    common = gcd(weight, by)
    scale, times = by // common, weight // common
    if scale < 0:
        scale, times = -scale, -times
    if scale != 1:
        row.weights = {box: w * scale for box, w in row.weights.items()}
    row.value = row.value * scale - pivot.value * times
    weights = row.weights
    for box, w in pivot.weights.items():
        new = weights.get(box, 0) - w * times
        if new:
            weights[box] = new
        else:
            weights.pop(box, None)
    row.clues |= pivot.clues
    common = gcd(row.value, *weights.values())
    if common > 1:
        row.weights = {box: w // common for box, w in weights.items()}
        row.value //= common
