"""Layouts that show cells to be uncertain: two as near as can be, or a few for many cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import InconsistentPosition
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.exact import analyze
from mineproof.proofs.meter import Spent, StepMeter
from mineproof.proofs.premises import Evidence
from mineproof.proofs.swaps import smallest_swap
from mineproof.view.channels import unread
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["NEAREST", "cover", "one_with", "pair"]

NEAREST = 20_000
"""Steps within which the nearest two layouts are looked for."""
_SAMPLES = 64
_TRIED = 8
"""Layouts that are tried with a swap, where clues leave more than one number possible."""
_SEED = 1


def pair(
    evidence: Evidence, analysis: Analysis, cell: int, steps: int = NEAREST
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """Two layouts, one with a mine in an uncertain cell and one without, and whether they are
    nearest: no two differ in fewer cells.

    `steps` limits the search for the nearest; past it two near ones of many drawn at random do.
    """
    view = evidence.view
    movable = frozenset(one for one in view.hidden if 0.0 < analysis.p[one] < 1.0)

    def layouts(fixed: dict[int, bool]) -> Iterator[frozenset[int]]:
        try:
            for layout in _with(view, fixed).sample(_TRIED, _SEED):
                yield frozenset(_mines(layout.mines))
        except InconsistentPosition:
            return

    try:
        one, other, nearest = smallest_swap(evidence, cell, movable, layouts, StepMeter(steps))
    except Spent:
        return _near(analysis, cell), False
    return (tuple(sorted(one)), tuple(sorted(other))), nearest


def _near(analysis: Analysis, cell: int) -> tuple[tuple[int, ...], ...]:
    """Of layouts drawn at random, two that differ in a cell and in few others."""
    view = analysis.view
    drawn = np.array([layout.mines for layout in analysis.sample(_SAMPLES, _SEED)], dtype=bool)
    own = [_drawn_with(view, cell, mine).astype(bool) for mine in (True, False)]
    mined = np.vstack([drawn[drawn[:, cell]], own[0]])
    safe = np.vstack([drawn[~drawn[:, cell]], own[1]])
    apart = (mined[:, None, :] != safe[None, :, :]).sum(axis=2)
    first, second = np.unravel_index(int(apart.argmin()), apart.shape)
    return _mines(mined[first]), _mines(safe[second])


def one_with(view: View, cell: int, mine: bool) -> tuple[int, ...]:
    """A layout of a position with a mine in a hidden cell, or without one.

    Raises InconsistentPosition where there is none, and BudgetExceeded.
    """
    return _mines(_drawn_with(view, cell, mine))


def cover(analysis: Analysis, cells: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """A small set of layouts that shows each of some uncertain cells as a mine and as safe.

    Of cells that no clue touches, which are alike, one mine and one safe cell are enough.
    """
    view = analysis.view
    alone = _alone(view, cells)
    cells = [*(cell for cell in cells if cell not in alone), *sorted(alone)[:1]]
    if not cells:
        return ()
    places = np.asarray(cells)
    drawn = [layout.mines for layout in analysis.sample(_SAMPLES, _SEED)]
    for place, cell in enumerate(cells):
        for mine in (True, False):
            if not any(bool(mines[cell]) is mine for mines in drawn):
                drawn.append(_drawn_with(view, cells[place], mine))
    table = np.array(drawn, dtype=bool)[:, places]
    both = np.concatenate([table, ~table], axis=1)
    kept: list[int] = []
    missing = np.ones(both.shape[1], dtype=bool)
    while missing.any():
        best = int((both & missing).sum(axis=1).argmax())
        kept.append(best)
        missing &= ~both[best]
    for one in tuple(kept):
        others = [other for other in kept if other != one]
        if others and both[others].any(axis=0).all():
            kept = others
    return tuple(_mines(drawn[one]) for one in kept)


def _alone(view: View, cells: Sequence[int]) -> set[int]:
    """The cells that touch no open cell."""
    near = view.topology.neighbours
    return {cell for cell in cells if all(view.is_hidden(other) for other in near(cell))}


def _drawn_with(view: View, cell: int, mine: bool) -> NDArray[np.uint8]:
    """A layout of the position with a mine in a cell, or without one."""
    return _with(view, {cell: mine}).sample(1, _SEED)[0].mines


def _with(view: View, fixed: Mapping[int, bool]) -> Analysis:
    """The position with mines in some cells and none in others. Raises InconsistentPosition."""
    safe = unread(view.channel)
    codes = [(cell, Mark.MINE.value if mine else safe) for cell, mine in fixed.items()]
    return analyze(view.reveal_codes(codes))


def _mines(layout: NDArray[np.uint8] | NDArray[np.bool_]) -> tuple[int, ...]:
    found: list[int] = np.flatnonzero(layout).tolist()
    return tuple(found)
