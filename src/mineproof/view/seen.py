"""The cells of a view as collections: counted, asked and walked as often as one likes.

A cell is asked for by its number or its coordinates; a walk gives numbers.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import overload

from mineproof.board.topology import Place, Topology
from mineproof.errors import InputError
from mineproof.view.history import History
from mineproof.view.marks import MAX_CLUE, Mark

__all__ = ["Clues", "HiddenCells", "OpenedCells", "OpenedMines"]

_MINE = Mark.MINE.value
_MOST_SHOWN = 12


class _Cells(Sequence[int]):
    """Cells of one view in a fixed order; the view is the first `opened` entries of a history."""

    __slots__ = ("_history", "_list", "_opened", "_topology")

    def __init__(self, topology: Topology, history: History, opened: int) -> None:
        self._topology, self._history, self._opened = topology, history, opened
        self._list: list[int] | None = None

    @abstractmethod
    def __iter__(self) -> Iterator[int]: ...

    @abstractmethod
    def _holds(self, cell: int) -> bool:
        """Whether a cell of the board is one of them."""

    @property
    def _all(self) -> list[int]:
        if self._list is None:
            self._list = list(iter(self))
        return self._list

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> list[int]: ...

    def __getitem__(self, place: int | slice) -> int | list[int]:
        if place == 0:
            for first in self:  # no walk over all of them
                return first
        return self._all[place]

    def __contains__(self, cell: object) -> bool:
        number = self._topology.find(cell)
        return number is not None and self._holds(number)

    def __eq__(self, other: object) -> bool:
        """Equal to the same cells in the same order, also in a list or a tuple."""
        if not isinstance(other, _Cells | list | tuple):
            return NotImplemented
        return self._all == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._all))

    def __repr__(self) -> str:
        cells = self._all
        shown = [self._topology.cell_name(cell) for cell in cells[:_MOST_SHOWN]]
        more = ["..."] * (len(cells) > _MOST_SHOWN)
        many = "cell" if len(cells) == 1 else "cells"
        return f"<{len(cells)} {many}: {' '.join(shown + more)}>" if cells else "<no cells>"


class HiddenCells(_Cells):
    """The cells not opened, flagged or not, in ascending order."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        place, opened = self._history.place, self._opened
        return (cell for cell in self._topology.cells if place[cell] >= opened)

    def __len__(self) -> int:
        return len(self._topology) - self._opened

    def _holds(self, cell: int) -> bool:
        return self._history.place[cell] >= self._opened


class OpenedCells(_Cells):
    """The opened cells, in the order they were opened."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        return islice(self._history.log, self._opened)

    def __len__(self) -> int:
        return self._opened

    def _holds(self, cell: int) -> bool:
        return self._history.place[cell] < self._opened


class OpenedMines(OpenedCells):
    """The mines that were opened, in that order; there are some only where a game goes on."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        codes = self._history.codes
        return (cell for cell in islice(self._history.log, self._opened) if codes[cell] == _MINE)

    def __len__(self) -> int:
        return len(self._all)

    def _holds(self, cell: int) -> bool:
        return super()._holds(cell) and self._history.codes[cell] == _MINE


class Clues(Collection[tuple[int, int]]):
    """The numbers shown: `clues[cell]`, `cell in clues`, and a walk over pairs of cell and number.

    The pairs come in the order in which the cells were opened; `dict` takes them.
    """

    __slots__ = ("_history", "_opened", "_topology")

    def __init__(self, topology: Topology, history: History, opened: int) -> None:
        self._topology, self._history, self._opened = topology, history, opened

    def __iter__(self) -> Iterator[tuple[int, int]]:
        codes = self._history.codes
        opened = islice(self._history.log, self._opened)
        return ((cell, codes[cell]) for cell in opened if codes[cell] <= MAX_CLUE)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, cell: object) -> bool:
        number = self._topology.find(cell)
        return number is not None and self._shows(number)

    def __getitem__(self, cell: Place) -> int:
        """The number that a cell shows. Raises InputError where it shows none."""
        number = self._topology.cell(cell)
        if not self._shows(number):
            name = self._topology.cell_name(number)
            raise InputError(f"cell {name} shows no number; accepted: a cell of `view.clues`")
        return self._history.codes[number]

    def __eq__(self, other: object) -> bool:
        """Equal to the same numbers in the same cells, also in a dict."""
        if not isinstance(other, Clues | dict):
            return NotImplemented
        return dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def _shows(self, cell: int) -> bool:
        history = self._history
        return history.place[cell] < self._opened and history.codes[cell] <= MAX_CLUE

    def __repr__(self) -> str:
        name = self._topology.cell_name
        shown = [f"{name(cell)}={number}" for cell, number in islice(self, _MOST_SHOWN)]
        more = ["..."] * (len(self) > _MOST_SHOWN)
        many = "clue" if len(self) == 1 else "clues"
        return f"<{len(self)} {many}: {' '.join(shown + more)}>" if shown else "<no clues>"
