"""The knowledge base of a view as a logical sentence, for people to read (report 2, SATX).

`M[2,3]` says that there is a mine at 2,3. A clue becomes the disjunction of all its possibilities,
each the conjunction of what it says of every cell, as the report's `createClause` writes them:

    the 1 at 2,3: (M[1,3] & ~M[1,4]) | (~M[1,3] & M[1,4])

A clue with many possibilities, and the total, are written as what they say: `exactly 3 of {...}`.
The sentence is the conjunction of its lines. It has the solutions of the position, if clues are
exact and every number of mines that it allows can be dealt. An unreliable clue stands for the range
of counts its channel leaves possible, as in DIMACS.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb

from mineproof.board.topology import Topology
from mineproof.inference.logics.clauses import sums_of_clues
from mineproof.view.view import View

__all__ = ["ASCII_SIGNS", "UNICODE_SIGNS", "Line", "Signs", "sentence"]

MOST_POSSIBILITIES = 8
"""A clue with more is written as a number of cells."""
MOST_LISTED = 24
"""Of more hidden cells than this, the total does not list them."""


@dataclass(frozen=True)
class Signs:
    """How negation, conjunction and disjunction are written."""

    no: str
    both: str
    either: str


ASCII_SIGNS = Signs("~", " & ", " | ")
UNICODE_SIGNS = Signs("\N{NOT SIGN}", " \N{LOGICAL AND} ", " \N{LOGICAL OR} ")


@dataclass(frozen=True)
class Line:
    """What one premise says: its name for people, the cell of its clue, and the formula."""

    premise: str
    clue: int | None
    formula: str

    def __str__(self) -> str:
        return f"{self.premise}: {self.formula}"


def sentence(
    view: View, signs: Signs = ASCII_SIGNS, *, use_total: bool = True, trust_flags: bool = False
) -> Iterator[Line]:
    """The lines of a view's sentence, by rising clue, the total last.

    Clues that touch no hidden cell and hold say nothing and are left out. With `trust_flags` every
    flag says that there is a mine.
    """
    name = view.topology.cell_name
    for clue, (cells, low, high) in sums_of_clues(view).items():
        if cells or low > 0 or high < 0:
            formula = _formula(view.topology, cells, low, high, signs)
            shown = view.clue(clue)
            what = "open cell" if shown is None else str(shown)
            yield Line(f"the {what} at {name(clue)}", clue, formula)
    if trust_flags:
        for cell in view.flags:
            yield Line(f"the flag at {name(cell)}", None, _mine(view.topology, cell))
    if use_total and view.total is not None:
        left = view.total - len(view.opened_mines)
        hidden = list(view.hidden)
        if len(hidden) > MOST_LISTED and 0 <= left <= len(hidden):
            said = f"exactly {left} of the {len(hidden)} hidden cells"
        else:
            said = _formula(view.topology, hidden, left, left, signs, possibilities=1)
        yield Line(f"the total of {view.total}", None, said)


def _formula(
    topology: Topology,
    cells: Sequence[int],
    low: int,
    high: int,
    signs: Signs,
    *,
    possibilities: int = MOST_POSSIBILITIES,
) -> str:
    """That `low` to `high` of some cells are mines."""
    low, high = max(low, 0), min(high, len(cells))
    if low > high:
        return "false"
    if low == 0 and high == len(cells):
        return "true"
    if sum(comb(len(cells), mines) for mines in range(low, high + 1)) > possibilities:
        many = f"exactly {low}" if low == high else f"{low} to {high}"
        return f"{many} of {{{', '.join(_mine(topology, cell) for cell in cells)}}}"
    ways = chain.from_iterable(combinations(cells, mines) for mines in range(low, high + 1))
    said = [
        signs.both.join(
            ("" if cell in mines else signs.no) + _mine(topology, cell) for cell in cells
        )
        for mines in map(set, ways)
    ]
    if len(said) == 1:
        return said[0]
    return signs.either.join(said if len(cells) == 1 else [f"({one})" for one in said])


def _mine(topology: Topology, cell: int) -> str:
    return f"M[{topology.cell_name(cell)}]"
