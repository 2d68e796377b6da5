"""Layouts drawn from the posterior, with the same words of the generator as the core.

Components get their mines one after the other, given those before; then the boxes of a component,
in the core's order; then cells of a box are swapped to its front. The core weighs with doubles and
the twin exactly, so a draw could differ where a random number falls within rounding of a boundary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb, lcm

from mineproof.inference.engine.budget import Meter
from mineproof.inference.engine.constraints import Constraint
from mineproof.inference.engine.counting import Number
from mineproof.inference.engine.elimination import elimination_order
from mineproof.inference.engine.piece import Piece
from mineproof.rng import Stream

__all__ = ["Walk", "pick", "some"]

State = tuple[int, ...]


class Walk:
    """The boxes of a piece in order, and from every state on the weights of what is to come.

    `total[m]` is the weight of the layouts of the piece with m mines.
    """

    def __init__(self, piece: Piece, meter: Meter, name: str) -> None:
        self.piece = piece
        self.order = elimination_order(piece, meter.budget.states)
        self._weights = [_whole(clue) for clue in piece.clues]
        self._last = {clue: step for step, b in enumerate(self.order) for clue in piece.clues_of[b]}
        self._room = [len(clue.cells) for clue in piece.clues]
        self._moves: list[dict[State, list[tuple[int, int, State]]]] = []
        layer: set[State] = {(0,) * len(piece.clues)}
        for step in range(len(self.order)):
            self._moves.append(self._step(step, layer))
            layer = {after for moves in self._moves[-1].values() for _, _, after in moves}
            meter.charge(len(layer), name, 0.0)
        self._rest = self._backwards(layer)
        self.total = next(iter(self._rest[0].values()))

    def _step(self, step: int, layer: set[State]) -> dict[State, list[tuple[int, int, State]]]:
        """For every state the numbers of mines the next box may hold, their weights, the states."""
        box = self.order[step]
        clues, size = self.piece.clues_of[box], self.piece.sizes[box]
        for clue in clues:
            self._room[clue] -= size
        found = {}
        for state in layer:
            moves = []
            for mines in range(size + 1):
                weight, after = comb(size, mines), list(state)
                for clue in clues:
                    after[clue] += mines
                    if self._last[clue] == step:
                        weight *= self._weights[clue].get(after[clue], 0)
                        after[clue] = 0
                    else:
                        said = self.piece.clues[clue]
                        weight *= said.low - self._room[clue] <= after[clue] <= said.high
                if weight:
                    moves.append((mines, weight, tuple(after)))
            found[state] = moves
        return found

    def _backwards(self, final: set[State]) -> list[dict[State, list[int]]]:
        rows: list[dict[State, list[int]]] = [{state: [1] for state in final}]
        for step in reversed(range(len(self.order))):
            most = self.piece.sizes[self.order[step]] + max(map(len, rows[-1].values()))
            row = {}
            for state, moves in self._moves[step].items():
                sums = [0] * most
                for mines, weight, after in moves:
                    for m, value in enumerate(rows[-1][after], mines):
                        sums[m] += weight * value
                row[state] = sums
            rows.append(row)
        return rows[::-1]

    def draw(self, mines: int, stream: Stream) -> Iterator[tuple[int, int]]:
        """The boxes in order, each with its mines, of a random layout of `mines` mines.

        Words of the generator may be used for the cells of a box before the next box is drawn.
        """
        state = next(iter(self._rest[0]))
        for step, box in enumerate(self.order):
            weights = [0] * (self.piece.sizes[box] + 1)
            then = {}
            for k, weight, after in self._moves[step][state]:
                rest = self._rest[step + 1][after]
                then[k] = after
                if 0 <= mines - k < len(rest):
                    weights[k] = weight * rest[mines - k]
            chosen = pick(weights, stream)
            state = then[chosen]
            mines -= chosen
            yield box, chosen


def pick(weights: Sequence[Number], stream: Stream) -> int:
    """An index drawn with these weights; one word of the generator, its upper 53 bits."""
    left = Fraction(stream.next() >> 11, 2**53) * Fraction(sum(weights))
    for place, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return place
    raise AssertionError("nothing to draw from")


def some(cells: list[int], mines: int, stream: Stream) -> list[int]:
    """So many of some cells, each set alike; they are swapped to the front of the list."""
    for place in range(mines):
        other = place + stream.below(len(cells) - place)
        cells[place], cells[other] = cells[other], cells[place]
    return cells[:mines]


def _whole(constraint: Constraint) -> dict[int, int]:
    scale = lcm(*(weight.denominator for weight in constraint.weights))
    return {mines: int(constraint.weight(mines) * scale) for mines in constraint.possible}
