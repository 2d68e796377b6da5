"""Entailment by refutation in a SAT solver (report 2, SATX).

The clues become clauses: each open equation is a cardinality constraint over its cells, encoded
with a sequential counter. A cell is safe if the clauses together with "it is a mine" cannot be met,
and a mine if they cannot be met with "it is safe". One solver lives as long as the game: new clues
add clauses, and assumptions come and go. Every model found answers the queries it can: a cell seen
both ways is uncertain.

It proves everything that follows from the clues. With `safe-only` it asks only whether cells are
safe, as the report's agent does; `global` adds the mine total, where it can matter, as one more
cardinality constraint. `solve --dimacs` writes the clauses for any other solver.

An unreliable clue is a range; what follows only from a gap inside the range is missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations
from math import comb
from typing import Any

from mineproof.board.topology import Topology
from mineproof.engine.analysis import Premises, Verdict
from mineproof.errors import InconsistentPosition, MissingLibrary
from mineproof.logics.base import GLOBAL, ComponentLogic, Equation, Findings, Option
from mineproof.view.channels import Mark, count_bounds, is_evidence
from mineproof.view.view import View

_CLUES = Premises(by_contradiction=True)
_TOTAL = Premises(total=True, by_contradiction=True)
# A model with the right total answers questions that would otherwise need the encoded total; one
# with a wrong total answers none.
_MOST_MISSES = 5
"""Models with a wrong total, after which the total itself is encoded."""


class Sat(ComponentLogic):
    """Asks one incremental solver about every component that changed."""

    name = "sat"
    unit = "queries"
    options = (Option("safe-only", "asks only whether cells are safe"), GLOBAL)

    def __init__(self, *, safe_only: bool = False, use_total: bool = False) -> None:
        self.safe_only = safe_only
        self.use_total = use_total

    def begin(self, view: View) -> None:
        super().begin(view)
        self._solver: Any = make_solver()
        self._solver.add_clause([len(view), -len(view)])  # so that models name every cell
        self._variables = len(view)
        """Variable `c + 1` is cell `c`; the others belong to counters."""
        self._encoded: set[int] = set()
        self._switch: int | None = None
        """The variable that switches the total on, once it is encoded."""

    def learn(self, view: View) -> Verdict:
        verdict = super().learn(view)
        return replace(verdict, mines={}) if self.safe_only else verdict

    def _prove(self, view: View) -> None:
        facts = self._facts
        while not self._has_news:
            before = len(facts.log)
            self._encode_new()
            super()._prove(view)
            if self.use_total and not self._has_news:
                self._refute_with_total(view)
            if len(facts.log) == before:
                return

    @property
    def _has_news(self) -> bool:
        return bool(self._facts.safe) if self.safe_only else self._facts.proved_any

    # -- clauses -----------------------------------------------------------------------------

    def _encode_new(self) -> None:
        """Add the clauses of new clues, and known cells as units."""
        facts, solver = self._facts, self._solver
        for cell in self._newly_known():
            solver.add_clause([cell + 1 if facts.is_mine(cell) else -cell - 1])
        for clue in sorted(facts.changed - self._encoded):
            equation = facts.equation(clue)
            if equation is not None:
                self._encoded.add(clue)
                self._add_sum([cell + 1 for cell in equation.cells], equation.low, equation.high)

    def _add_sum(self, literals: Sequence[int], low: int, high: int, unless: int = 0) -> None:
        """Add the clauses of a cardinality constraint, to hold unless a literal does."""
        clauses, self._variables = sum_clauses(literals, low, high, self._variables)
        for clause in clauses:
            self._solver.add_clause([*clause, unless] if unless else clause)

    # -- queries -----------------------------------------------------------------------------

    def _prove_component(self, component: list[Equation]) -> Findings:
        cells = sorted({cell for equation in component for cell in equation.cells})
        if not self._solve():
            clues = [equation.clue for equation in component]
            raise InconsistentPosition("the clues cannot all be met", clues)
        safe, mines = self._ask(cells, set(), set())
        return dict.fromkeys(safe, _CLUES), dict.fromkeys(mines, _CLUES)

    def _refute_with_total(self, view: View) -> None:
        """Ask again with the total, under an assumption that switches it on.

        It is encoded once, over all cells unknown by then, and only where models without it do
        not show every cell both ways already. Cells away from all clues are alike, so one of them
        is asked about.
        """
        facts = self._facts
        left = facts.mines_left(view)
        if left is None or not facts.total_matters(view):
            return
        spoken = sorted({cell for equation in facts.equations() for cell in equation.cells})
        held = set(spoken)
        sea = [cell for cell in facts.unknown if cell not in held]
        cells = spoken + sea[:1]
        ever, never = self._shown_with_total(spoken, sea, left)
        if len(ever) == len(never) == len(cells):
            return
        if self._switch is None:
            self._variables += 1
            self._switch = self._variables
            self._add_sum([cell + 1 for cell in facts.unknown], left, left, -self._switch)
        if not self._solve(self._switch):
            raise InconsistentPosition(
                "no layout with this total meets the clues", facts.open_clues, uses_total=True
            )
        safe, mines = self._ask(cells, ever, never, self._switch)
        for proved in (safe, mines):
            if sea and sea[0] in proved:
                proved += sea[1:]
        facts.add(dict.fromkeys(safe, _TOTAL), dict.fromkeys(mines, _TOTAL))

    def _shown_with_total(
        self, spoken: Sequence[int], sea: Sequence[int], left: int
    ) -> tuple[set[int], set[int]]:
        """The cells that models of the clues show as mines, and as safe, with the right total.

        The cells away from clues take the mines that a model leaves over, if they have the room.
        """
        ever: set[int] = set()
        never: set[int] = set()
        misses = 0
        for cell in spoken:
            for literal, shown in ((cell + 1, ever), (-cell - 1, never)):
                if cell in shown or misses > _MOST_MISSES or not self._solve(literal):
                    continue
                model = self._solver.get_model()
                over = left - sum(model[other] > 0 for other in spoken)
                if not 0 <= over <= len(sea):
                    misses += 1
                    continue
                self._witness(spoken, ever, never)
                if over > 0:
                    ever.update(sea[:1])
                if over < len(sea):
                    never.update(sea[:1])
        return ever, never

    def _ask(
        self, cells: Sequence[int], ever: set[int], never: set[int], *assumed: int
    ) -> tuple[list[int], list[int]]:
        """The cells that cannot be mines, and those that cannot be safe, after a `_solve`.

        `ever` and `never` are the cells already shown as mines and as safe.
        """
        safe: list[int] = []
        mines: list[int] = []
        self._witness(cells, ever, never)
        for cell in cells:
            if cell not in ever:
                if self._solve(*assumed, cell + 1):
                    self._witness(cells, ever, never)
                else:
                    safe.append(cell)
            if cell not in never and not self.safe_only:
                if self._solve(*assumed, -cell - 1):
                    self._witness(cells, ever, never)
                else:
                    mines.append(cell)
        return safe, mines

    def _witness(self, cells: Iterable[int], ever: set[int], never: set[int]) -> None:
        """Note what the last model shows, and steer the next one towards what it does not."""
        model = self._solver.get_model()
        wanted = []
        for cell in cells:
            mine = model[cell] > 0
            (ever if mine else never).add(cell)
            if cell not in ever or cell not in never:
                wanted.append(-cell - 1 if mine else cell + 1)
        self._solver.set_phases(wanted)

    def _solve(self, *assumptions: int) -> bool:
        self._work += 1
        return bool(self._solver.solve(assumptions=assumptions))


# ----------------------------------------------------------------------------
# Cardinality constraints as clauses, and the clues of a view as DIMACS CNF.
#
# `sum_clauses` says with a sequential counter that so many of some literals hold. Variables are
# numbers from 1, and a literal is a variable or its negative, as SAT solvers take them.


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
        encoded, top = _encode_cardinality("atmost", literals, high, top)
        clauses += encoded
    if low > 0:
        encoded, top = _encode_cardinality("atleast", literals, low, top)
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

    A hidden cell that the rules keep free says that of itself. `low` may be below 0 and `high`
    above the number of cells.
    """
    sums = {cell: ([cell], 0, 0) for cell in view.free}
    for clue in sorted(view.opened):
        if not is_evidence(view.channel, view.code(clue)):
            continue
        near = view.topology.neighbours(clue)
        low, high = count_bounds(view.channel, view.clue(clue), len(near))
        mines = sum(view.code(cell) == Mark.MINE.value for cell in near)
        sums[clue] = ([c for c in near if view.is_hidden(c)], low - mines, high - mines)
    return dict(sorted(sums.items()))


# ----------------------------------------------------------------------------
# python-sat, imported where it is used: its solver and its cardinality constraints.
#
# The one place that imports it. It loads its own libraries slowly, and most work needs none of it.

_SOLVER = "minisat22"


def make_solver(clauses: Sequence[Sequence[int]] = ()) -> Any:
    """A new incremental solver with these clauses. Raises MissingLibrary."""
    try:
        from pysat.solvers import Solver
    except ModuleNotFoundError:
        raise _missing_python_sat() from None
    return Solver(name=_SOLVER, bootstrap_with=clauses)


def _encode_cardinality(
    kind: str, literals: Sequence[int], bound: int, top: int
) -> tuple[list[list[int]], int]:
    """Clauses that hold where `atmost` or `atleast` so many literals do, and the last variable.

    Variables above `top` are free for counters. Raises MissingLibrary.
    """
    try:
        from pysat.card import CardEnc, EncType
    except ModuleNotFoundError:
        raise _missing_python_sat() from None
    made = getattr(CardEnc, kind)(
        lits=list(literals), bound=bound, top_id=top, encoding=EncType.seqcounter
    )
    return made.clauses, max(top, made.nv)


def _missing_python_sat() -> MissingLibrary:
    return MissingLibrary("smallest proofs and the logic sat need", "python-sat", "python-sat")


# ----------------------------------------------------------------------------
# The knowledge base of a view as a logical sentence, for people to read (report 2, SATX).
#
# `M[2,3]` says that there is a mine at 2,3. A clue becomes the disjunction of all its
# possibilities, each the conjunction of what it says of every cell, as the report's `createClause`
# writes them:
#
#     the 1 at 2,3: (M[1,3] & ~M[1,4]) | (~M[1,3] & M[1,4])
#
# A clue with many possibilities, and the total, are written as what they say: `exactly 3 of {...}`.
# The sentence is the conjunction of its lines. It has the solutions of the position, if clues are
# exact and every number of mines that it allows can be dealt. An unreliable clue stands for the
# range of counts its channel leaves possible, as in DIMACS.

MOST_POSSIBILITIES = 8
"""A clue with more is written as a number of cells."""
MOST_LISTED = 24
"""Of more hidden cells than this, the total does not list them."""


@dataclass(frozen=True)
class LogicSigns:
    """How negation, conjunction and disjunction are written."""

    no: str
    both: str
    either: str


ASCII_SIGNS = LogicSigns("~", " & ", " | ")
UNICODE_SIGNS = LogicSigns("\N{NOT SIGN}", " \N{LOGICAL AND} ", " \N{LOGICAL OR} ")


@dataclass(frozen=True)
class SentenceLine:
    """What one premise says: its name for people, the cell of its clue, and the formula."""

    premise: str
    clue: int | None
    formula: str

    def __str__(self) -> str:
        return f"{self.premise}: {self.formula}"


def sentence(
    view: View,
    signs: LogicSigns = ASCII_SIGNS,
    *,
    use_total: bool = True,
    trust_flags: bool = False,
) -> Iterator[SentenceLine]:
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
            if view.is_hidden(clue):
                what = "rule of the first click"
            yield SentenceLine(f"the {what} at {name(clue)}", clue, formula)
    if trust_flags:
        for cell in view.flags:
            yield SentenceLine(f"the flag at {name(cell)}", None, _mine(view.topology, cell))
    if use_total and view.total is not None:
        left = view.total - len(view.opened_mines)
        hidden = list(view.hidden)
        if len(hidden) > MOST_LISTED and 0 <= left <= len(hidden):
            said = f"exactly {left} of the {len(hidden)} hidden cells"
        else:
            said = _formula(view.topology, hidden, left, left, signs, possibilities=1)
        yield SentenceLine(f"the total of {view.total}", None, said)


def _formula(
    topology: Topology,
    cells: Sequence[int],
    low: int,
    high: int,
    signs: LogicSigns,
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
