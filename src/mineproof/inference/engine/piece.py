"""Components numbered as the core numbers them, so that both draw the same layouts from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log2

from mineproof.inference.engine.constraints import Constraint

__all__ = ["Piece", "pieces_of"]


@dataclass(frozen=True)
class Piece:
    """A component: boxes and clues in the order in which a breadth-first search finds them.

    `clues_of` are the clues of every box, `boxes_of` the boxes of every clue.
    """

    boxes: tuple[tuple[int, ...], ...]
    clues: tuple[Constraint, ...]
    clues_of: tuple[tuple[int, ...], ...]
    boxes_of: tuple[tuple[int, ...], ...]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.boxes))

    @cached_property
    def weighs(self) -> bool:
        """Whether some clue is met by more than one number of mines."""
        return any(clue.count is None for clue in self.clues)

    @cached_property
    def near(self) -> tuple[tuple[int, ...], ...]:
        """For every clue the others that share a box with it, in the order of its boxes."""
        found = []
        for clue, boxes in enumerate(self.boxes_of):
            met = dict.fromkeys(other for box in boxes for other in self.clues_of[box])
            met.pop(clue)
            found.append(tuple(met))
        return tuple(found)

    @cached_property
    def ranges(self) -> tuple[float, ...]:
        """How much a clue counts where orders are compared."""
        return tuple(0.6 * log2(clue.high + 1) for clue in self.clues)


def pieces_of(found: Sequence[Constraint]) -> list[Piece]:
    """Boxes are cells that occur in the same constraints; pieces hang together by constraints."""
    spoken: dict[int, list[int]] = {}
    for number, constraint in enumerate(found):
        for cell in constraint.cells:
            spoken.setdefault(cell, []).append(number)
    members: dict[tuple[int, ...], list[int]] = {}
    for cell in sorted(spoken):
        members.setdefault(tuple(spoken[cell]), []).append(cell)
    boxes = [dict.fromkeys(tuple(spoken[cell]) for cell in one.cells) for one in found]
    pieces: list[Piece] = []
    done: set[int] = set()
    for start in range(len(found)):
        if start in done:
            continue
        place = {start: 0}
        met = [start]
        local: dict[tuple[int, ...], int] = {}
        for number in met:  # grows as it is read
            for box in boxes[number]:
                if box in local:
                    continue
                local[box] = len(local)
                for other in box:
                    if other not in place:
                        place[other] = len(met)
                        met.append(other)
        done.update(met)
        pieces.append(
            Piece(
                tuple(tuple(members[box]) for box in local),
                tuple(found[number] for number in met),
                tuple(tuple(place[other] for other in box) for box in local),
                tuple(tuple(local[box] for box in boxes[number]) for number in met),
            )
        )
    return pieces
