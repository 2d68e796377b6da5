"""Can some of the premises be met together? Asked of an incremental SAT solver.

Every premise has a switch: its clauses hold only where the switch is assumed. Clauses are written
once (`encode`); a `Refuter` is a solver of its own on them. What a solver has been asked before
leaves traces in what it answers next, so each search takes a fresh one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

from mineproof.inference.logics.clauses import sum_clauses
from mineproof.inference.logics.python_sat import make_solver
from mineproof.proofs.meter import StepMeter
from mineproof.proofs.premises import Premise, counts_of

__all__ = ["Encoding", "Refuter", "Unanswered", "encode"]

_SMALL = 7
_COST_OF_SOLVING = 5
_MOST_CONFLICTS = 10_000
"""Wrong turns that a solver may take in all its answers: about a second of them."""


class Unanswered(Exception):
    """The solver took too many wrong turns to say; caught by whoever can do without it."""


@dataclass(frozen=True)
class Encoding:
    """The clauses of some premises behind switches, as pure data.

    `literals` has the variables of each premise's cells, `variables` that of each cell. `fixed` are
    assumed always. `sea` cells are counted by the total alone; one of them, `shore`, stands for
    them all.
    """

    premises: tuple[Premise, ...]
    variables: dict[int, int]
    literals: tuple[frozenset[int], ...]
    switches: tuple[int, ...]
    fixed: tuple[int, ...]
    clauses: list[list[int]]
    shore: int | None

    @property
    def everything(self) -> int:
        """The choice of all premises."""
        return (1 << len(self.premises)) - 1

    def literal(self, cell: int, mine: bool) -> int:
        """The assumption that a cell is a mine, or is safe."""
        variable = self.variables[cell]
        return variable if mine else -variable


def encode(premises: Sequence[Premise], total: Premise | None = None) -> Encoding:
    """The clauses of premises; the mine total always holds where it is given."""
    return _Encoder(premises, total).encoding


class _Encoder:
    def __init__(self, premises: Sequence[Premise], total: Premise | None) -> None:
        cells = sorted({cell for premise in premises for cell in premise.cells})
        shore: int | None = None
        if total is not None:
            spoken = set(cells)
            shore = next((cell for cell in total.cells if cell not in spoken), None)
            if shore is not None:
                cells.append(shore)
        variables = {cell: place for place, cell in enumerate(cells, 1)}
        literals = [[variables[cell] for cell in premise.cells] for premise in premises]
        first = len(cells) + 1
        switches = range(first, first + len(premises))
        self.top = len(cells) + len(premises) + 1
        # Every variable is named once, so that models tell of all.
        self.clauses: list[list[int]] = [[self.top, -self.top]]
        for premise, named, switch in zip(premises, literals, switches, strict=True):
            self._add(premise, named, switch)
        fixed = () if total is None else (self._add_total(total, len(cells)),)
        self.encoding = Encoding(
            tuple(premises),
            variables,
            tuple(map(frozenset, literals)),
            tuple(switches),
            fixed,
            self.clauses,
            shore,
        )

    def _add(self, premise: Premise, literals: list[int], switch: int) -> None:
        if len(literals) <= _SMALL:
            for signs in _forbidden(len(literals), premise.allowed):
                clause = [literals[sign] if sign >= 0 else -literals[~sign] for sign in signs]
                self.clauses.append([*clause, -switch])
            return
        counts = counts_of(premise.allowed)
        if not counts:
            self.clauses.append([-switch])
            return
        # A gap between the counts that may be is closed by the number of mines it would hold:
        # either at most so many, or at least that many more.
        self._add_range(literals, counts[0], counts[-1], [-switch])
        for below, above in pairwise(counts):
            if above > below + 1:
                self.top += 1
                side = self.top
                self._add_range(literals, 0, below, [-switch, side])
                self._add_range(literals, above, len(literals), [-switch, -side])

    def _add_range(self, literals: list[int], low: int, high: int, unless: list[int]) -> None:
        clauses, self.top = sum_clauses(literals, low, high, self.top)
        self.clauses += [[*clause, *unless] for clause in clauses]

    def _add_total(self, total: Premise, cells: int) -> int:
        """The total over the cells that have a variable; the others only leave room."""
        room = len(total.cells) - cells
        self.top += 1
        switch = self.top
        low, high = max(total.low - room, 0), min(total.high, cells)
        if not total.allowed or low > cells or high < low:
            self.clauses.append([-switch])
        elif low > 0 or high < cells:
            self._add_range(list(range(1, cells + 1)), low, high, [-switch])
        return switch


class Refuter:
    """A solver on an encoding. A choice of premises is a mask of their places in the list."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._cells = len(encoding.variables)
        self._solver: Any = make_solver(encoding.clauses)
        if self._solve([*encoding.fixed, *encoding.switches]):
            # Models near a layout that meets all premises break few of them.
            self._solver.set_phases(self._solver.get_model()[: self._cells])

    def _solve(self, assumptions: list[int]) -> bool:
        """Whether there is a model. Raises Unanswered."""
        left = _MOST_CONFLICTS - self._solver.accum_stats()["conflicts"]
        if left > 0:
            self._solver.conf_budget(left)
            answer: bool | None = self._solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return answer
        raise Unanswered

    def met(self, chosen: int, assumed: Sequence[int], meter: StepMeter) -> int | None:
        """The premises met by some layout that meets the chosen ones; None where there is none.

        Raises Spent and Unanswered.
        """
        meter.spend(_COST_OF_SOLVING)
        encoding = self.encoding
        switches = [encoding.switches[place] for place in _places(chosen)]
        if not self._solve([*assumed, *encoding.fixed, *switches]):
            return None
        mines = set(self._solver.get_model()[: self._cells])
        found = chosen
        for place in _places(encoding.everything & ~chosen):
            counted = len(encoding.literals[place] & mines)
            if encoding.premises[place].allowed >> counted & 1:
                found |= 1 << place
        return found

    def core(self, assumed: Sequence[int]) -> int:
        """Some of the premises that cannot be met together; to ask where all of them cannot."""
        encoding = self.encoding
        self._solve([*assumed, *encoding.fixed, *encoding.switches])
        core = set(self._solver.get_core() or ())
        return sum(1 << place for place, s in enumerate(encoding.switches) if s in core)


def _places(mask: int) -> list[int]:
    """The places of a mask; by its digits, which is quick for hundreds of them."""
    return [place for place, digit in enumerate(reversed(f"{mask:b}")) if digit == "1"]


@lru_cache(maxsize=4096)
def _forbidden(size: int, allowed: int) -> list[tuple[int, ...]]:
    """Clauses that leave exactly the allowed counts; place `p` is `p`, and `~p` where negated."""
    counts = counts_of(allowed)
    if not counts:
        return [()]
    clauses: list[tuple[int, ...]] = []
    low, high = counts[0], counts[-1]
    if high < size:
        clauses += [tuple(~p for p in some) for some in combinations(range(size), high + 1)]
    if low > 0:
        clauses += list(combinations(range(size), size - low + 1))
    for count in range(low, high):
        if not allowed >> count & 1:
            for mines in combinations(range(size), count):
                clauses.append(tuple(~p if p in mines else p for p in range(size)))
    return clauses
