"""Layouts that show cells to be uncertain, drawn from the exact posterior."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.exact import analyze
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["cover", "one_with", "pair"]

_SAMPLES = 64
_SEED = 1


def pair(view: View, cell: int) -> tuple[tuple[int, ...], ...]:
    """Two layouts of a position, one with a mine in an uncertain cell and one without."""
    return tuple(one_with(view, cell, mine) for mine in (True, False))


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
    # A withheld clue of probability 0 could not be missing; a plain cell without a clue says
    # nothing, and plain clues allow what withheld ones that are shown allow.
    if view.rules.clues.startswith("withheld"):
        view = view.with_rules(view.rules.with_words(clues="exact"))
    opened = view.reveal({cell: Mark.MINE if mine else Mark.BLANK})
    return analyze(opened).sample(1, _SEED)[0].mines


def _mines(layout: NDArray[np.uint8]) -> tuple[int, ...]:
    found: list[int] = np.flatnonzero(layout).tolist()
    return tuple(found)
