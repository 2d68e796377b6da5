"""What single clues decide: a clue whose mines are all found, or whose cells must all be mines."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from mineproof.inference.engine.constraints import Constraint

__all__ = ["Settled", "settle"]


class Settled(NamedTuple):
    """Cells that are decided (True is a mine), what other clues still say, and the likelihood of
    the clues that are done with.
    """

    known: dict[int, bool]
    left: tuple[Constraint, ...]
    factor: Fraction


def settle(found: Iterable[Constraint]) -> Settled:
    """The cells that single constraints decide, to a fixpoint, and what the others still say.

    Clues that say nothing are dropped. An `impossible` constraint stays in the list as it is.
    """
    open_now = list(found)
    known: dict[int, bool] = {}
    factor = Fraction(1)
    fresh = True
    while fresh:
        fresh = False
        left = []
        for constraint in open_now:
            constraint = constraint.given(known)
            decided = constraint.count in (0, len(constraint.cells))
            if constraint.flat:
                factor *= constraint.weights[0]
            elif decided and not constraint.impossible:
                factor *= constraint.weights[0]
                known.update(dict.fromkeys(constraint.cells, constraint.low > 0))
                fresh = fresh or bool(constraint.cells)
            else:
                left.append(constraint)
        open_now = left
    return Settled(known, tuple(open_now), factor)
