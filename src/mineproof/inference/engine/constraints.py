r"""A clue as logic and as likelihood: how many mines are among its hidden neighbours.

`Constraint(cells, low, weights, clue)` says that `low + i` mines among `cells` have the weight
`weights[i]`, and any other number has none. A plain clue has one weight, 1; an unreliable clue has
one for every count it leaves possible.

>>> view = View.parse("square 1x3 mines=1\n.1.")
>>> [str(constraint) for constraint in constraints(view)]
['1 mine in {0, 2}']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from mineproof.board.topology import Topology
from mineproof.errors import InconsistentPosition
from mineproof.view.channels import Channel, speaks
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["Constraint", "constraint_of_clue", "constraints", "total_constraint"]

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
        return self._said(f"{{{' '.join(map(topology.cell_name, self.cells))}}}")

    def __str__(self) -> str:
        return self._said(f"{{{', '.join(map(str, self.cells))}}}")

    def _said(self, cells: str) -> str:
        if self.impossible:
            return f"no number of mines will do in {cells}"
        number = str(self.low) if self.count is not None else f"{self.low}..{self.high}"
        return f"{number} mine{'' if number == '1' else 's'} in {cells}"


def constraints(view: View, known: Mapping[int, bool] | None = None) -> tuple[Constraint, ...]:
    """What every clue says about hidden cells, by ascending clue cell; without `known` cells.

    Opened mines are subtracted, and clues without an unknown neighbour left out. Raises
    InconsistentPosition for a clue that cannot be met on its own.
    """
    codes = view.codes().tolist()
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


def constraint_of_clue(
    topology: Topology, codes: list[int], cell: int, through: Channel
) -> Constraint | None:
    """What an opened cell says about its hidden neighbours; None if it says nothing.

    A cell opened without a clue says nothing, unless missing clues of the channel depend on the
    count or cannot be.
    """
    code = codes[cell]
    if not speaks(through, code):
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
    return whole.given(known) if known else whole
