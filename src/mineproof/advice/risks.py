"""The risks of a position side by side: which cells are as risky as one, and which are next."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mineproof.inference.engine.analysis import Analysis
from mineproof.view.marks import Mark

__all__ = ["EQUAL", "as_risky", "riskier"]

EQUAL = 1e-12
"""Chances that differ by no more are equal."""


def as_risky(analysis: Analysis, cell: int) -> tuple[int, ...]:
    """The other hidden cells with the risk of a cell."""
    cells, risks = _hidden(analysis)
    alike = cells[np.abs(risks - analysis.p[cell]) <= EQUAL]
    return tuple(alike[alike != cell].tolist())


def riskier(analysis: Analysis, risk: float, most: int) -> list[tuple[int, float]]:
    """A cell of each greater risk, the least first, with its risk; proved mines are left out."""
    cells, risks = _hidden(analysis)
    found: list[tuple[int, float]] = []
    while len(found) < most:
        left = (risks > risk + EQUAL) & (risks < 1.0)
        if not left.any():
            break
        risk = float(risks[left].min())
        found.append((int(cells[np.argmax(risks == risk)]), risk))
    return found


def _hidden(analysis: Analysis) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    cells = np.flatnonzero(analysis.view.codes() == Mark.HIDDEN.value)
    return cells, analysis.p.array[cells]
