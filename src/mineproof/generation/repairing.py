"""Boards that need no guess where such are rare: a deal is changed near where it gets stuck.

A hidden cell there changes places with any other cell, a mine with a safe one, and the change stays
if no fewer cells can be opened than before. What comes out needs no guess, but such boards are not
equally likely.
The core does it on several threads; the readable twin here makes the same changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mineproof import kernel
from mineproof.board.layout import Layout
from mineproof.generation.beginning import Beginning
from mineproof.generation.clearing import play_certain
from mineproof.generation.searching import search
from mineproof.kernel import core
from mineproof.rng import Purpose, Stream
from mineproof.view.view import View

__all__ = ["Mended", "Repairs", "repair"]

_PATIENCE = 200
"""Changes that a deal may be tried with since one last opened more; then it is given up."""


@dataclass(frozen=True)
class Mended:
    """A layout, the index of the deal it was made of, and how many changes stayed."""

    index: int
    changes: int
    layout: Layout


class Repairs(NamedTuple):
    """The deals that could be mended, in rising order, and how many were tried."""

    boards: list[Mended]
    tried: int


def repair(
    beginning: Beginning, seed: int, start: int, deals: int, count: int, threads: int = 1
) -> Repairs:
    """Of the deals from `start` on, at most `deals`, the first `count` that could be mended.

    The answer is the same for any number of threads, and without the core. Raises BudgetExceeded
    where a position is too hard for the exact engine; with several threads also if it is one of a
    deal after the last that was needed.
    """
    if not kernel.available():
        return _twin(beginning, seed, start, deals, count)
    found, tried = search(core.repair_no_guess, beginning, seed, start, deals, count, threads)
    topology = beginning.topology
    return Repairs(
        [
            Mended(index, changes, Layout(topology, np.frombuffer(mines, dtype=np.uint8)))
            for index, changes, mines in found
        ],
        tried,
    )


def _twin(beginning: Beginning, seed: int, start: int, deals: int, count: int) -> Repairs:
    boards: list[Mended] = []
    tried = 0
    while tried < deals and len(boards) < count:
        mended = _mend(beginning, seed, start + tried)
        if mended is not None:
            boards.append(mended)
        tried += 1
    return Repairs(boards, tried)


def _mend(beginning: Beginning, seed: int, index: int) -> Mended | None:
    """Deal `index`, changed until it needs no guess; None where patience ran out."""
    topology, first, mines = beginning.topology, beginning.first, beginning.mines
    layout = beginning.deal(seed, index)
    room = [cell for cell in topology.cells if cell not in beginning.free]
    stream = Stream(seed, index, Purpose.REPAIR)
    view = play_certain(layout, first)
    changes = in_vain = 0
    while view.hidden_count > mines and in_vain < _PATIENCE:
        in_vain += 1
        near = [cell for cell in view.hidden if _may_change(beginning, view, cell)]
        if not near:
            return None
        one = stream.choice(near)
        others = [cell for cell in room if layout.is_mine(cell) != layout.is_mine(one)]
        if not others:
            continue
        other = stream.choice(others)
        changed = Layout.of(topology, set(layout.cells) ^ {one, other})
        after = play_certain(changed, first)
        if after.opened_count >= view.opened_count:
            changes += 1
            if after.opened_count > view.opened_count:
                in_vain = 0
            layout, view = changed, after
    return Mended(index, changes, layout) if view.hidden_count == mines else None


def _may_change(beginning: Beginning, view: View, cell: int) -> bool:
    """Whether a hidden cell may be a mine and touches an open one."""
    near = view.topology.neighbours(cell)
    return cell not in beginning.free and any(map(view.is_open, near))
