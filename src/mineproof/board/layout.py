"""A mine layout, how it is dealt, and how hard it is to clear.

A layout is the truth of a board. During a game only the referee holds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.topology import CellSet, Place, Topology, as_topology
from mineproof.errors import BoardError, InputError, check_kind, quoted
from mineproof.graphs import components
from mineproof.rng import Purpose, Stream
from mineproof.rules import FirstClick, Given, Mines, Rules

_CODE = "0123456789abcdefghijklmnopqrstuv"


class Layout:
    """Where the mines are. Immutable.

    >>> layout = mp.Layout.of("2x3", [(0, 0), 5])
    >>> layout.total, layout.is_mine((0, 0)), layout.cells.names
    (2, True, ('0,0', '1,2'))
    """

    def __init__(self, topology: Topology, mines: NDArray[np.uint8]) -> None:
        check_kind(topology, Topology, "topology", "a Topology")
        self.topology = topology
        bytes_of_cells = f"an array of {len(topology)} bytes, 1 for a mine and 0 for none"
        check_kind(mines, np.ndarray, "mines", bytes_of_cells)
        if mines.shape != (len(topology),) or mines.dtype != np.uint8:
            raise InputError(
                f"mines of {topology.text} are {mines.dtype}{mines.shape}; accepted:"
                f" {bytes_of_cells}"
            )
        self.mines = mines.copy() if mines.flags.writeable else mines
        self.mines.flags.writeable = False

    @classmethod
    def of(cls, topology: Topology | str, cells: Iterable[Place]) -> Layout:
        """The layout with mines in these cells, each a number or coordinates.

        >>> print(Layout.of("2x3", [(0, 0), 5]))
        *21
        12*
        """
        topology = as_topology(topology)
        mines = np.zeros(len(topology), dtype=np.uint8)
        mines[list(CellSet.of(topology, cells))] = 1
        return cls(topology, mines)

    @cached_property
    def total(self) -> int:
        return int(self.mines.sum())

    @cached_property
    def counts(self) -> NDArray[np.uint8]:
        """The number of mines around every cell, mines included."""
        counts = count_mines(self.topology, self.mines)
        counts.flags.writeable = False
        return counts

    @property
    def cells(self) -> CellSet:
        return CellSet.of(self.topology, np.flatnonzero(self.mines).tolist())

    def is_mine(self, cell: Place) -> bool:
        if type(cell) is not int or not 0 <= cell < len(self.mines):
            cell = self.topology.cell(cell)
        return bool(self.mines[cell])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.topology == other.topology and bool((self.mines == other.mines).all())

    def __hash__(self) -> int:
        return hash((self.topology, self.mines.tobytes()))

    @property
    def code(self) -> str:
        """The mines in a few characters for an address: five cells each, as other sites write them.

        >>> Layout.of("2x3", [(0, 0), 5]).code
        'gg'
        """
        bits = "".join(map(str, self.mines.tolist()))
        return "".join(
            _CODE[int(bits[at : at + 5].ljust(5, "0"), 2)] for at in range(0, len(bits), 5)
        )

    @classmethod
    def of_code(cls, topology: Topology | str, code: str) -> Layout:
        """The layout that `code` writes. Raises InputError.

        >>> Layout.of_code("2x3", "gg").cells.names
        ('0,0', '1,2')
        """
        topology = as_topology(topology)
        cells = len(topology)
        characters = -(-cells // 5)
        if len(code) != characters or not set(code) <= set(_CODE):
            raise InputError(
                f"layout {quoted(code)} of {cells} cells; accepted: {characters} characters from 0"
                " to 9 and a to v"
            )
        bits = "".join(f"{_CODE.index(mark):05b}" for mark in code)
        if "1" in bits[cells:]:
            raise InputError(f"layout {quoted(code)} has a mine past its {cells} cells")
        return cls(topology, np.array([bit == "1" for bit in bits[:cells]], dtype=np.uint8))

    def __str__(self) -> str:
        """Rows of `*` for mines and clues elsewhere; spaces between where a clue has two digits."""
        wide = bool((self.counts > 9).any())
        counts, mines = self.counts.tolist(), self.mines.tolist()
        return "\n".join(
            (" " if wide else "").join(
                "#" if cell is None else "*" if mines[cell] else str(counts[cell]) for cell in row
            )
            for row in self.topology.rows()
        )

    def __repr__(self) -> str:
        return f"Layout.of({self.topology!r}, {list(self.cells)})"


def count_mines(topology: Topology, mines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How many neighbours of each cell are mines; without the core, its twin below counts."""
    if kernel.available():
        counts: NDArray[np.uint8] = kernel.core.count_mines(
            topology.offsets, topology.targets, mines
        )
        return counts
    sums = np.concatenate([[0], np.cumsum(mines[topology.targets], dtype=np.int64)])
    around = sums[topology.offsets[1:]] - sums[topology.offsets[:-1]]
    return np.asarray(around, dtype=np.uint8)


# ----------------------------------------------------------------------------
# Dealing mines: the same (seed, index) gives the same layout in Python, in C++ and on every run.
#
# A deal is a shuffled order of all cells. The mines are the first k of them that the first-click
# rule does not keep free. So each layout that the rule allows is equally likely, and two agents
# that begin in different cells still play on almost the same board.


def deal(
    topology: Topology, mines: Mines, seed: int, index: int = 0, free: tuple[int, ...] = ()
) -> Layout:
    """The layout of game `index` under `seed`, with no mine in `free`. Raises BoardError."""
    excluded = np.zeros(len(topology), dtype=np.uint8)
    excluded[list(free)] = 1
    room = len(topology) - int(excluded.sum())
    if mines.is_uniform:
        # The number has a stream of its own, so the deal is the same as for a fixed number.
        if not room:
            raise BoardError("no cell is left for a mine; accepted: a larger board")
        number = 1 + Stream(seed, index, Purpose.NUMBER).below(room)
        return Layout(topology, _deal_number(seed, index, excluded, number))
    count = mines.fixed(len(topology))
    if count is None:
        return Layout(topology, _deal_independent(seed, index, excluded, mines.value))
    if count > room:
        raise BoardError(
            f"{count} mines do not fit on {len(topology)} cells beside {len(topology) - room} kept"
            f" free; accepted: at most {room}"
        )
    return Layout(topology, _deal_number(seed, index, excluded, count))


def _deal_number(
    seed: int, index: int, excluded: NDArray[np.uint8], count: int
) -> NDArray[np.uint8]:
    if kernel.available():
        return kernel.core.deal_number(seed, index, excluded, count)
    stream = Stream(seed, index, Purpose.DEAL)
    cells = list(range(len(excluded)))
    mines = np.zeros(len(excluded), dtype=np.uint8)
    laid = place = 0
    while laid < count:
        other = place + stream.below(len(cells) - place)
        cells[place], cells[other] = cells[other], cells[place]
        if not excluded[cells[place]]:
            mines[cells[place]] = 1
            laid += 1
        place += 1
    return mines


def _deal_independent(
    seed: int, index: int, excluded: NDArray[np.uint8], share: Fraction
) -> NDArray[np.uint8]:
    """Every cell draws one number, free or not: it is a mine if that is below share * 2**64."""
    threshold = int(share * 2**64)
    if kernel.available():
        laid: NDArray[np.uint8] = kernel.core.deal_independent(seed, index, excluded, threshold)
        return laid
    stream = Stream(seed, index, Purpose.DEAL)
    draws = [stream.next() < threshold for _ in range(len(excluded))]
    mines = np.array(draws, dtype=np.uint8)
    mines[excluded != 0] = 0
    return mines


def mine_free_cells(
    topology: Topology, rule: FirstClick, first: tuple[int, ...]
) -> tuple[int, ...]:
    """The cells that a first click (or the cells given at the start) keeps free of mines."""
    if rule is FirstClick.ANY:
        return ()
    free = set(first)
    if rule is FirstClick.OPENING:
        for cell in first:
            free.update(topology.neighbours(cell))
    return tuple(sorted(free))


def mine_free_given_cells(topology: Topology, rules: Rules) -> tuple[int, ...]:
    """The cells that a deal keeps free of mines for those given by name.

    Corner and centre are known safe cells, as those of a world are, whatever the first click.
    """
    places = given_cells(topology, rules.given)
    free = set(mine_free_cells(topology, rules.first_click, places))
    if rules.given.corner_centre:
        free.update(places)
    return tuple(sorted(free))


def given_cells(topology: Topology, given: Given) -> tuple[int, ...]:
    """The cells that are given by name, in the order they are opened; drawn ones are not here.

    Raises InputError for a cell off the board.
    """
    if given.corner_centre:
        return tuple(dict.fromkeys((topology.corner, topology.centre)))
    return tuple(dict.fromkeys(map(topology.cell, given.cells)))


def check_room(topology: Topology, rules: Rules, first: tuple[int, ...] | None = None) -> None:
    """Refuse rules whose mines do not fit beside the free cells.

    Without `first` the check is for the first cell that keeps the fewest cells free.
    """
    mines = 1 if rules.mines.is_uniform else rules.mines.fixed(len(topology))
    if mines is None:
        return
    if first is not None:
        free = len(mine_free_cells(topology, rules.first_click, first))
    elif rules.first_click is FirstClick.OPENING:
        free = 1 + int(topology.degrees.min())
    else:
        free = int(rules.first_click is FirstClick.SAFE)
    room = len(topology) - free
    if mines > room:
        where = f" beside {free} kept free by first click {rules.first_click.value}" if free else ""
        raise BoardError(
            f"{mines} mines do not fit on {len(topology)} cells{where}; accepted: at most {room}"
        )


# -- The players' measures of a board: 3BV, openings and islands ---------------


@dataclass(frozen=True)
class Measures:
    """What it takes to clear a layout by opening cells alone.

    `openings` are the areas of zeros. `three_bv` is the fewest clicks that open every safe cell:
    one for each opening, and one for every safe cell that no opening uncovers. `islands` are the
    areas that those cells form.
    """

    three_bv: int
    openings: int
    islands: int


def measure(layout: Layout) -> Measures:
    """The measures of a layout, on any topology.

    >>> measure(Layout.of(Topology.parse("1x5"), [2]))
    Measures(three_bv=2, openings=2, islands=0)
    """
    topology = layout.topology
    counts, mines = layout.counts.tolist(), layout.mines.tolist()
    zeros = {cell for cell in topology.cells if not mines[cell] and not counts[cell]}
    uncovered = {near for cell in zeros for near in topology.neighbours(cell)} | zeros
    alone = {cell for cell in topology.cells if not mines[cell] and cell not in uncovered}
    openings = len(components(zeros, topology.neighbours))
    islands = len(components(alone, topology.neighbours))
    return Measures(openings + len(alone), openings, islands)
