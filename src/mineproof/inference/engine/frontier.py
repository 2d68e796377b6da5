"""The frontier: boxes of cells that touch the same clues, and components connected by clues.

Cells of one box are interchangeable, so only the number of mines in a box matters. Components are
independent but for the mine total. The sea is every unknown cell that no clue touches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mineproof.inference.engine.constraints import Constraint, constraints
from mineproof.view.view import View

__all__ = ["Box", "Component", "Frontier", "components_of", "frontier"]


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
    touched.update(known or ())
    return Frontier(parts, tuple(cell for cell in view.hidden if cell not in touched))


def components_of(found: Iterable[Constraint]) -> tuple[Component, ...]:
    """Boxes and components of some constraints, by ascending first cell."""
    listed = list(found)
    spoken: dict[int, list[int]] = {}
    for number, constraint in enumerate(listed):
        for cell in constraint.cells:
            spoken.setdefault(cell, []).append(number)
    boxes: dict[tuple[int, ...], list[int]] = {}
    for cell in sorted(spoken):
        boxes.setdefault(tuple(spoken[cell]), []).append(cell)
    root = list(range(len(listed)))

    def find(number: int) -> int:
        while root[number] != number:
            root[number] = root[root[number]]
            number = root[number]
        return number

    for numbers in boxes:
        for other in numbers[1:]:
            root[find(other)] = find(numbers[0])
    parts: dict[int, list[tuple[tuple[int, ...], list[int]]]] = {}
    for numbers, cells in boxes.items():
        parts.setdefault(find(numbers[0]), []).append((numbers, cells))
    return tuple(_component(part, listed) for part in parts.values())


def _component(
    part: list[tuple[tuple[int, ...], list[int]]], listed: list[Constraint]
) -> Component:
    used = sorted({number for numbers, _ in part for number in numbers})
    place = {number: local for local, number in enumerate(used)}
    return Component(
        tuple(Box(tuple(cells), tuple(place[n] for n in numbers)) for numbers, cells in part),
        tuple(listed[number] for number in used),
    )
