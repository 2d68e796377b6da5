"""Cardinality constraints as clauses, and the clues of a view as DIMACS CNF.

`sum_clauses` says with a sequential counter that so many of some literals hold. Variables are
numbers from 1, and a literal is a variable or its negative, as SAT solvers take them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from mineproof.inference.logics.python_sat import at_least, at_most
from mineproof.view.channels import bounds, speaks
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["sum_clauses", "sums_of_clues", "to_dimacs"]


def sum_clauses(
    literals: Sequence[int], low: int, high: int, top: int
) -> tuple[list[list[int]], int]:
    """Clauses that hold where `low..high` of the literals do, and the highest variable used.

    Variables above `top` are free for counters.
    """
    clauses, extra = _pattern(len(literals), low, high)
    names = [0, *literals, *range(top + 1, top + 1 + extra)]
    written = [
        [names[literal] if literal > 0 else -names[-literal] for literal in clause]
        for clause in clauses
    ]
    return written, top + extra


@lru_cache(maxsize=4096)
def _pattern(size: int, low: int, high: int) -> tuple[list[list[int]], int]:
    """The clauses for literals 1..size, and how many variables they add."""
    literals = list(range(1, size + 1))
    top = size
    clauses: list[list[int]] = []
    if high < size:
        encoded, top = at_most(literals, high, top)
        clauses += encoded
    if low > 0:
        encoded, top = at_least(literals, low, top)
        clauses += encoded
    return clauses, top - size


def to_dimacs(view: View, *, use_total: bool = False) -> str:
    """The clues of a view as DIMACS CNF; comments say which variable is which cell.

    Satisfiable exactly where some layout explains the clues (and the total, with `use_total`).
    Cells not named in the comments are opened, or no clause speaks of them.
    """
    hidden = list(view.hidden)
    variable = {cell: number for number, cell in enumerate(hidden, 1)}
    lines = [f"c {view.topology.text} mines={view.rules.mines.text} clues={view.rules.clues}"]
    lines += [f"c variable {n} cell {view.topology.cell_name(c)}" for c, n in variable.items()]
    clauses: list[list[int]] = []
    top = len(hidden)
    sums = list(sums_of_clues(view).values())
    if use_total and view.total is not None:
        left = view.total - len(view.opened_mines)
        sums.append((hidden, left, left))
    for cells, low, high in sums:
        if low > high or high < 0 or low > len(cells):
            clauses.append([])
            continue
        found, top = sum_clauses(
            [variable[cell] for cell in cells], max(low, 0), min(high, len(cells)), top
        )
        clauses += found
    if top > len(hidden):
        lines.append(f"c variables {len(hidden) + 1} to {top} are counters")
    lines.append(f"p cnf {top} {len(clauses)}")
    lines += [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join(lines) + "\n"


def sums_of_clues(view: View) -> dict[int, tuple[list[int], int, int]]:
    """What every clue says of its hidden neighbours, by rising clue: (cells, low, high).

    `low` may be below 0 and `high` above the number of cells.
    """
    sums = {}
    for clue in sorted(view.opened):
        if not speaks(view.channel, view.code(clue)):
            continue
        near = view.topology.neighbours(clue)
        low, high = bounds(view.channel, view.clue(clue), len(near))
        mines = sum(view.code(cell) == Mark.MINE.value for cell in near)
        sums[clue] = ([c for c in near if view.is_hidden(c)], low - mines, high - mines)
    return sums
