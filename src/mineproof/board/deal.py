"""Dealing mines: the same (seed, index) gives the same layout in Python, in C++ and on every run.

A deal is a shuffled order of all cells. The mines are the first k of them that the first-click rule
does not keep free. So each layout that the rule allows is equally likely, and two agents that begin
in different cells still play on almost the same board.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.errors import BoardError
from mineproof.rng import Purpose, Stream
from mineproof.rules import FirstClick, Given, Mines, Rules

__all__ = ["check_room", "deal", "given_cells", "kept_free", "kept_free_for_given"]


def given_cells(topology: Topology, given: Given) -> tuple[int, ...]:
    """The cells that are given by name, in the order they are opened; drawn ones are not here.

    Raises InputError for a cell off the board.
    """
    if given.corner_centre:
        return tuple(dict.fromkeys((topology.corner, topology.centre)))
    return tuple(dict.fromkeys(map(topology.cell, given.cells)))


def kept_free_for_given(topology: Topology, rules: Rules) -> tuple[int, ...]:
    """The cells that a deal keeps free of mines for those given by name.

    Corner and centre are known safe cells, as those of a world are, whatever the first click.
    """
    places = given_cells(topology, rules.given)
    free = set(kept_free(topology, rules.first_click, places))
    if rules.given.corner_centre:
        free.update(places)
    return tuple(sorted(free))


def kept_free(topology: Topology, rule: FirstClick, first: tuple[int, ...]) -> tuple[int, ...]:
    """The cells that a first click (or the cells given at the start) keeps free of mines."""
    if rule is FirstClick.ANY:
        return ()
    free = set(first)
    if rule is FirstClick.OPENING:
        for cell in first:
            free.update(topology.neighbours(cell))
    return tuple(sorted(free))


def check_room(topology: Topology, rules: Rules, first: tuple[int, ...] | None = None) -> None:
    """Refuse rules whose mines do not fit beside the free cells.

    Without `first` the check is for the first cell that keeps the fewest cells free.
    """
    mines = 1 if rules.mines == Mines.uniform() else rules.mines.fixed(len(topology))
    if mines is None:
        return
    if first is not None:
        free = len(kept_free(topology, rules.first_click, first))
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


def deal(
    topology: Topology, mines: Mines, seed: int, index: int = 0, free: tuple[int, ...] = ()
) -> Layout:
    """The layout of game `index` under `seed`, with no mine in `free`. Raises BoardError."""
    excluded = np.zeros(len(topology), dtype=np.uint8)
    excluded[list(free)] = 1
    room = len(topology) - int(excluded.sum())
    if mines == Mines.uniform():
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
