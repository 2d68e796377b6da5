"""A proof by cases: suppose the contrary, follow single clues, and split where they say no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mineproof.proofs.meter import Spent, StepMeter
from mineproof.proofs.premises import Premise

__all__ = ["Assumption", "Branch", "split"]

_STEPS = 1500
_DEEPEST = 3


@dataclass(frozen=True)
class Assumption:
    """A premise that, with what is assumed so far, makes cells mines or safe."""

    premise: int
    cells: tuple[int, ...]
    mine: bool


@dataclass(frozen=True)
class Branch:
    """What follows from an assumption: moves, then a premise that breaks, or two branches.

    `assumed` is a cell and whether it is taken for a mine; None at the root of a clash.
    """

    assumed: tuple[int, bool] | None
    moves: tuple[Assumption, ...]
    broken: int | None
    branches: tuple[Branch, ...] = ()


def split(premises: Sequence[Premise], assumed: tuple[int, bool] | None) -> Branch | None:
    """The shallowest tree that refutes an assumption; None where it would be too large."""
    tree = _Tree(premises, StepMeter(_STEPS))
    try:
        for depth in range(_DEEPEST + 1):
            found = tree.refute({}, assumed, depth)
            if found is not None:
                return found
    except Spent:
        return None
    return None


class _Tree:
    def __init__(self, premises: Sequence[Premise], meter: StepMeter) -> None:
        self.premises, self.meter = premises, meter
        speaking: dict[int, list[int]] = {}
        for number, premise in enumerate(premises):
            for cell in premise.cells:
                speaking.setdefault(cell, []).append(number)
        boxes: dict[tuple[int, ...], int] = {}
        for cell in sorted(speaking):
            boxes.setdefault(tuple(speaking[cell]), cell)
        # Cells of one box are alike; those that more premises speak of tell more.
        self.choices = sorted(boxes.values(), key=lambda cell: (-len(speaking[cell]), cell))
        self.boxes = {cell: tuple(numbers) for cell, numbers in speaking.items()}

    def refute(
        self, known: dict[int, bool], assumed: tuple[int, bool] | None, depth: int
    ) -> Branch | None:
        known = dict(known)
        if assumed is not None:
            known[assumed[0]] = assumed[1]
        before = set(known)
        moves, broken = self._follow(known)
        if broken is not None:
            wanted = set(self.premises[broken].cells)
            return Branch(assumed, self._needed(moves, wanted, before), broken)
        if not depth:
            return None
        for cell in self._open_cells(known):
            sides = []
            for mine in (True, False):
                side = self.refute(known, (cell, mine), depth - 1)
                if side is None:
                    break
                sides.append(side)
            else:
                wanted = {one for side in sides for one in self._mentioned(side)}
                return Branch(assumed, self._needed(moves, wanted, before), None, tuple(sides))
        return None

    def _open_cells(self, known: dict[int, bool]) -> Iterator[int]:
        seen = set()
        for cell in [*self.choices, *self.boxes]:
            if cell not in known and self.boxes[cell] not in seen:
                seen.add(self.boxes[cell])
                yield cell

    def _follow(self, known: dict[int, bool]) -> tuple[list[Assumption], int | None]:
        """Settle what single premises settle; the moves, and the premise that broke."""
        self.meter.spend(1)
        moves: list[Assumption] = []
        changed = True
        while changed:
            changed = False
            for number, premise in enumerate(self.premises):
                left = tuple([cell for cell in premise.cells if cell not in known])
                mines = sum(known.get(cell, False) for cell in premise.cells)
                counts = (premise.allowed >> mines) & ((2 << len(left)) - 1)
                if not counts:
                    return moves, number
                if left and counts in (1, 1 << len(left)):
                    mine = counts > 1
                    known.update(dict.fromkeys(left, mine))
                    moves.append(Assumption(number, left, mine))
                    changed = True
        return moves, None

    def _mentioned(self, branch: Branch) -> set[int]:
        """The cells of every premise that a branch uses."""
        used = {move.premise for move in branch.moves}
        if branch.broken is not None:
            used.add(branch.broken)
        cells = {cell for number in used for cell in self.premises[number].cells}
        return cells.union(*(self._mentioned(side) for side in branch.branches))

    def _needed(
        self, moves: list[Assumption], wanted: set[int], before: set[int]
    ) -> tuple[Assumption, ...]:
        """The moves that lead to the wanted cells."""
        wanted = wanted - before
        kept: list[Assumption] = []
        for move in reversed(moves):
            if wanted & set(move.cells):
                kept.append(move)
                wanted |= set(self.premises[move.premise].cells) - before
        return tuple(reversed(kept))
