"""A static puzzle as variables and hints: what the search assigns and what it must satisfy.

Variables are the hidden cells of a view, hints its clues; an opened mine counts towards the clues
around it and towards the total. Flags are ignored.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from mineproof.board.topology import Topology
from mineproof.errors import InputError
from mineproof.view.channels import EXACT
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["Hints"]

_MOST_REMEMBERED = 4_000_000


@dataclass(frozen=True)
class Hints:
    """The constraints of a puzzle.

    `cells` are the hint cells and `missing[h]` the mines still to be placed around `cells[h]`;
    `around[h]` are its variables. `mines` is the number of mines to place, None if the total is
    unknown.
    """

    topology: Topology
    variables: tuple[int, ...]
    cells: tuple[int, ...]
    missing: tuple[int, ...]
    around: tuple[tuple[int, ...], ...]
    mines: int | None

    @classmethod
    def of(cls, view: View) -> Hints:
        """The puzzle of a view. Raises InputError if its clues are uncertain."""
        if view.channel is not EXACT:
            raise InputError(
                f"a puzzle needs exact clues, not {view.rules.clues}; accepted: clues=exact"
            )
        cells, missing, around = [], [], []
        for cell, clue in sorted(view.clues):
            near = view.topology.neighbours(cell)
            cells.append(cell)
            missing.append(clue - sum(view.code(other) == Mark.MINE.value for other in near))
            around.append(tuple(filter(view.is_hidden, near)))
        mines = view.total
        if mines is not None:
            mines -= len(view.opened_mines)
        return cls(
            view.topology,
            tuple(view.hidden),
            tuple(cells),
            tuple(missing),
            tuple(around),
            mines,
        )

    def only(self, hints: Iterable[int], *, total: bool) -> Hints:
        """The puzzle with only these hints (by number), with or without the total."""
        kept = tuple(hints)
        return Hints(
            self.topology,
            self.variables,
            tuple(self.cells[hint] for hint in kept),
            tuple(self.missing[hint] for hint in kept),
            tuple(self.around[hint] for hint in kept),
            self.mines if total else None,
        )

    def name(self, hint: int) -> str:
        """The cell of a hint, as people write it."""
        return self.topology.cell_name(self.cells[hint])

    @cached_property
    def hints_of(self) -> dict[int, tuple[int, ...]]:
        """For every variable the hints around it, by number."""
        found: dict[int, list[int]] = {variable: [] for variable in self.variables}
        for hint, variables in enumerate(self.around):
            for variable in variables:
                found[variable].append(hint)
        return {variable: tuple(hints) for variable, hints in found.items()}

    @cached_property
    def linked(self) -> dict[int, tuple[int, ...]]:
        """For every variable the others that share a hint with it."""
        return {
            variable: tuple(
                sorted({other for hint in hints for other in self.around[hint]} - {variable})
            )
            for variable, hints in self.hints_of.items()
        }

    @cached_property
    def _nearest(self) -> dict[int, tuple[int, ...]]:
        return {}

    def nearest(self, origin: int) -> tuple[int, ...]:
        """All variables by their distance from a cell, then by number.

        The distance is the Manhattan distance on a lattice, and the number of steps on a graph,
        which has no coordinates.
        """
        if (known := self._nearest.get(origin)) is None:
            distance = self._distances(origin)
            known = tuple(sorted(self.variables, key=lambda cell: (distance[cell], cell)))
            if len(self._nearest) * len(known) > _MOST_REMEMBERED:
                self._nearest.clear()
            self._nearest[origin] = known
        return known

    def _distances(self, origin: int) -> dict[int, int]:
        if self.topology.name != "graph":
            place = self.topology.coordinates
            here = place(origin)
            return {
                cell: sum(abs(a - b) for a, b in zip(here, place(cell), strict=True))
                for cell in self.variables
            }
        steps = {origin: 0}
        waiting = deque([origin])
        while waiting:
            cell = waiting.popleft()
            for other in self.topology.neighbours(cell):
                if other not in steps:
                    steps[other] = steps[cell] + 1
                    waiting.append(other)
        beyond = len(self.topology)
        return {cell: steps.get(cell, beyond) for cell in self.variables}
