"""python-sat, imported where it is used: its solver and its cardinality constraints.

The one place that imports it. It loads its own libraries slowly, and most work needs none of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mineproof.errors import MissingLibrary

__all__ = ["at_least", "at_most", "make_solver"]

_SOLVER = "minisat22"


def make_solver(clauses: Sequence[Sequence[int]] = ()) -> Any:
    """A new incremental solver with these clauses. Raises MissingLibrary."""
    try:
        from pysat.solvers import Solver
    except ModuleNotFoundError:
        raise _missing() from None
    return Solver(name=_SOLVER, bootstrap_with=clauses)


def at_most(literals: Sequence[int], bound: int, top: int) -> tuple[list[list[int]], int]:
    """Clauses that hold where at most `bound` of the literals do, and the highest variable used.

    Variables above `top` are free for counters. Raises MissingLibrary.
    """
    return _encoded("atmost", literals, bound, top)


def at_least(literals: Sequence[int], bound: int, top: int) -> tuple[list[list[int]], int]:
    """The same for at least `bound` of them."""
    return _encoded("atleast", literals, bound, top)


def _encoded(
    kind: str, literals: Sequence[int], bound: int, top: int
) -> tuple[list[list[int]], int]:
    try:
        from pysat.card import CardEnc, EncType
    except ModuleNotFoundError:
        raise _missing() from None
    made = getattr(CardEnc, kind)(
        lits=list(literals), bound=bound, top_id=top, encoding=EncType.seqcounter
    )
    return made.clauses, max(top, made.nv)


def _missing() -> MissingLibrary:
    return MissingLibrary("smallest proofs and the logic sat need", "python-sat", "python-sat")
