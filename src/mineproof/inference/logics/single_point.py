"""One clue at a time (reports 0 "basic" and 2 "SPX").

For every opened clue: if all its mines are known, its other hidden neighbours are safe (all free
neighbours); if as many cells are unknown around it as mines are missing, they are all mines (all
marked neighbours). It misses what follows only from two clues together, or from the mine total.

An unreliable clue stands for the range of counts its channel leaves possible: the upper end proves
safety, the lower end proves mines.
"""

from __future__ import annotations

from mineproof.inference.logics.fact_logic import FactLogic

__all__ = ["SinglePoint"]


class SinglePoint(FactLogic):
    """The facts and nothing more: they are closed under what single clues force."""

    name = "single-point"
