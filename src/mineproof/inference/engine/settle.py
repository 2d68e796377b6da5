"""What single clues decide, and two together.

A clue decides its cells if its mines are all found, or all of its cells must be mines. Of two clues
one may need so many more mines than the other that all cells of its own are mines; then those of
the other's own are safe.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from mineproof.inference.engine.constraints import Constraint

__all__ = ["Settled", "settle", "settle_pairs"]


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


def settle_pairs(found: Iterable[Constraint]) -> Settled:
    """The same with what two exact constraints decide together, to a fixpoint."""
    known, left, factor = settle(found)
    while fresh := _compare(left):
        known.update(fresh)
        more, left, further = settle(constraint.given(fresh) for constraint in left)
        known.update(more)
        factor *= further
    return Settled(known, left, factor)


def _compare(constraints: Sequence[Constraint]) -> dict[int, bool]:
    """What the first two constraints that decide anything together decide."""
    near: defaultdict[int, list[Constraint]] = defaultdict(list)
    for constraint in constraints:
        for cell in constraint.cells:
            near[cell].append(constraint)
    for one in constraints:
        for other in {id(two): two for cell in one.cells for two in near[cell]}.values():
            own = set(one.cells).difference(other.cells)
            others = set(other.cells).difference(one.cells)
            if one.low - other.low == len(own) and (own or others):
                return dict.fromkeys(own, True) | dict.fromkeys(others, False)
    return {}
