"""Propositional resolution over a knowledge base of clauses (report 4).

A literal is a cell and a sign: "a mine", "not a mine". A hint of n mines in m unmarked cells
becomes every clause of m-n+1 positive literals (one of them is a mine) and every clause of n+1
negative ones (one of them is safe). A clause is inserted after unit propagation over the marked
cells, mines and safe ones alike, unless it is there already or a stronger one is; weaker ones give
way to it. Where no cell can be marked, clauses are matched in pairs of which one has two literals:
on exactly one complementary pair they are resolved and the resolvent is inserted. Ten rounds
without a new mark, or one without a new clause, and it is stuck. The empty clause is a
contradiction, and raised.

It misses what needs resolution between two longer clauses.

The mine total comes in late, when at most `total_cells` cells are unmarked. If they are at most
CLAUSE_CELLS, it becomes clauses, like one more hint. More cells would give far too many clauses, so
there it is a counting argument: a cell is assumed to be a mine or safe, and the assumption is
propagated. It is refuted if hints that share no cell then need more mines, or more safe cells, than
are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from typing import TypeAlias

from mineproof.board.topology import folded_names
from mineproof.engine.analysis import Premises, Verdict
from mineproof.errors import InconsistentPosition
from mineproof.logics.base import FactLogic, Option, OptionValue
from mineproof.view.view import View

MOST_ROUNDS = 10
TOTAL_CELLS = 9
CLAUSE_CELLS = 10
MOST_MATCHES = 20_000
"""A round past this many matches is left for later; only boards with many neighbours get there."""
MOST_HINT_CLAUSES = 150
"""A hint with more clauses waits until fewer of its cells are unmarked."""

Clause: TypeAlias = frozenset[int]
"""Literals: `c + 1` says that cell `c` is a mine, `-c - 1` that it is safe."""


def hint_clauses(cells: tuple[int, ...], low: int, high: int) -> Iterator[Clause]:
    """Every clause of a hint with `low..high` mines in `cells`."""
    if low > 0:
        for some in combinations(cells, len(cells) - low + 1):
            yield frozenset(cell + 1 for cell in some)
    if high < len(cells):
        for some in combinations(cells, high + 1):
            yield frozenset(-cell - 1 for cell in some)


def _clause_count(cells: int, low: int, high: int) -> int:
    positive = comb(cells, cells - low + 1) if low > 0 else 0
    return positive + (comb(cells, high + 1) if high < cells else 0)


class Resolution(FactLogic):
    """Keeps the clauses of a game; a pair of them is matched once."""

    name = "resolution"
    options = (
        Option(
            "global",
            "uses the mine total when at most this many cells are unmarked (default 9); 0: never",
            OptionValue.COUNT,
            "total_cells",
        ),
    )

    def __init__(self, *, total_cells: int | None = None) -> None:
        """`total_cells` is how many unmarked cells at most bring in the total; 0 is never.

        Where it is left out it is TOTAL_CELLS, and a total that the rules do not tell is done
        without.
        """
        self.total_cells = TOTAL_CELLS if total_cells is None else total_cells
        self.use_total = bool(total_cells)

    def begin(self, view: View) -> None:
        super().begin(view)
        self._clauses: dict[Clause, frozenset[int]] = {}
        """The knowledge base: every clause, with the clues it came from."""
        self._holding: dict[int, dict[Clause, None]] = {}
        """For every literal the clauses that hold it, in the order they came (as below)."""
        self._first: dict[int, dict[Clause, None]] = {}
        """Clauses by their least literal: a subset of a clause is found under one of its own."""
        self._pairs: dict[int, dict[Clause, None]] = {}
        """Two-literal clauses by literal."""
        self._fresh: dict[Clause, None] = {}
        self._inserted: set[int] = set()
        self._waiting: set[int] = set()
        self._units: dict[int, frozenset[int]] = {}
        self._total_said = False
        self._uses_total = False

    def learn(self, view: View) -> Verdict:
        try:
            return super().learn(view)
        except InconsistentPosition as error:
            raise InconsistentPosition(
                f"the empty clause follows: {error}", error.clues, uses_total=error.uses_total
            ) from None

    def _effort(self) -> dict[str, int]:
        return {"matched": self._work, "clauses": len(self._clauses)}

    def _prove(self, view: View) -> None:
        """Match clauses in rounds until a cell is marked or the rounds are used up."""
        self._take_over_facts()
        self._take_over_total(view)
        for _ in range(MOST_ROUNDS):
            self._mark()
            if self._facts.proved_any or not self._fresh or self._work > MOST_MATCHES:
                break
            self._match_round()
        self._mark()
        if not self._facts.proved_any and self._unmarked_within(view, self.total_cells):
            self._count(view)

    def _mark(self) -> None:
        """Mark the cells of single-literal clauses."""
        units, self._units = self._units, {}
        safe: dict[int, Premises] = {}
        mines: dict[int, Premises] = {}
        for literal, clues in units.items():
            premises = Premises(tuple(sorted(clues)), total=self._uses_total)
            (mines if literal > 0 else safe)[abs(literal) - 1] = premises
        self._facts.add(safe, mines)

    # -- insertion ---------------------------------------------------------------------------

    def _take_over_facts(self) -> None:
        """Propagate new marks through the clauses, then insert the clauses of new hints."""
        facts = self._facts
        for cell in self._newly_known():
            literal = cell + 1 if facts.is_mine(cell) else -cell - 1
            for clause in tuple(self._holding.get(literal, ())):
                self._remove(clause)
            for clause in tuple(self._holding.get(-literal, ())):
                if clause in self._clauses:  # the one before may have subsumed it
                    clues = self._remove(clause)
                    self._insert(clause, clues)
        for clue in sorted(facts.changed - self._inserted | self._waiting):
            equation = facts.equation(clue)
            self._inserted.add(clue)
            self._waiting.discard(clue)
            if equation is None:
                continue
            cells, low, high, _ = equation
            if _clause_count(len(cells), low, high) > MOST_HINT_CLAUSES:
                self._waiting.add(clue)
                continue
            clues = frozenset((clue,))
            for clause in hint_clauses(cells, low, high):
                self._insert(clause, clues)
        facts.changed.clear()

    def _insert(self, clause: Iterable[int], clues: frozenset[int]) -> None:
        """Unit propagation, then duplicates, then subsumption both ways."""
        facts = self._facts
        left = []
        for literal in clause:
            cell = abs(literal) - 1
            if not facts.known[cell]:
                left.append(literal)
            elif facts.is_mine(cell) == (literal > 0):
                return
        if not left:
            raise InconsistentPosition(
                "no literal of a clause is left", sorted(clues), uses_total=self._uses_total
            )
        if len(left) == 1:
            if -left[0] in self._units:
                raise InconsistentPosition(
                    "two single literals are complementary",
                    sorted(clues | self._units[-left[0]]),
                    uses_total=self._uses_total,
                )
            self._units.setdefault(left[0], clues)
            return
        new = frozenset(left)
        if new in self._clauses:
            return
        for literal in left:
            for old in self._first.get(literal, ()):
                if old < new:
                    return
        fewest = min((self._holding.get(literal, {}) for literal in left), key=len)
        for old in [old for old in fewest if new < old]:
            self._remove(old)
        self._clauses[new] = clues
        self._fresh[new] = None
        for literal in left:
            self._holding.setdefault(literal, {})[new] = None
            if len(left) == 2:
                self._pairs.setdefault(literal, {})[new] = None
        self._first.setdefault(min(left), {})[new] = None

    def _remove(self, clause: Clause) -> frozenset[int]:
        for literal in clause:
            del self._holding[literal][clause]
            if len(clause) == 2:
                del self._pairs[literal][clause]
        del self._first[min(clause)][clause]
        self._fresh.pop(clause, None)
        return self._clauses.pop(clause)

    # -- matching ----------------------------------------------------------------------------

    def _match_round(self) -> None:
        """Match every new clause with every other, where one of the two has two literals.

        A round ends early where a single literal comes up; the rest waits for the next one.
        """
        fresh, self._fresh = self._fresh, {}
        for one in fresh:
            if self._units or self._work > MOST_MATCHES:
                self._fresh[one] = None
                continue
            index = self._holding if len(one) == 2 else self._pairs
            for literal in sorted(one):
                for two in tuple(index.get(-literal, ())):
                    if one not in self._clauses:
                        break
                    if two in self._clauses:
                        self._match(one, two, literal)

    def _match(self, one: Clause, two: Clause, literal: int) -> None:
        """Resolve on a literal, unless another pair is complementary too (a tautology)."""
        self._work += 1
        short, long = (one, two) if len(one) <= len(two) else (two, one)
        if sum([-other in long for other in short]) == 1:
            resolvent = (one | two) - {literal, -literal}
            if resolvent not in self._clauses:
                self._insert(resolvent, self._clauses[one] | self._clauses[two])

    # -- the mine total ----------------------------------------------------------------------

    def _unmarked_within(self, view: View, most: int) -> bool:
        return view.total is not None and 0 < self._facts.unknown_count <= most

    def _take_over_total(self, view: View) -> None:
        """Insert the total as one more hint, once, when few cells are unmarked."""
        if self._total_said or not self._unmarked_within(view, min(self.total_cells, CLAUSE_CELLS)):
            return
        left = self._facts.mines_left(view)
        if left is None:
            return
        self._total_said = self._uses_total = True
        for clause in hint_clauses(tuple(self._facts.unknown), left, left):
            self._insert(clause, frozenset())

    def _count(self, view: View) -> None:
        """The counting argument: refute a cell's value by what the hints then still need."""
        facts = self._facts
        if facts.close_by_total(view):
            return
        left = facts.mines_left(view)
        if left is None:
            return
        hints = [(equation.cells, equation.low, equation.high) for equation in facts.equations()]
        premises = Premises(tuple(facts.open_clues), total=True, by_contradiction=True)
        safe: dict[int, Premises] = {}
        mines: dict[int, Premises] = {}
        for cell in facts.unknown:
            if self._is_refuted(cell + 1, left, hints):
                safe[cell] = premises
            elif self._is_refuted(-cell - 1, left, hints):
                mines[cell] = premises
        facts.add(safe, mines)

    def _is_refuted(
        self, assumed: int, left: int, hints: list[tuple[tuple[int, ...], int, int]]
    ) -> bool:
        true = self._propagate(assumed)
        if true is None:
            return True
        mines = sum(literal > 0 for literal in true)
        safe = len(true) - mines
        taken: set[int] = set()
        open_hints = []
        for cells, low, high in hints:
            cells_left = [c for c in cells if c + 1 not in true and -c - 1 not in true]
            here = sum(cell + 1 in true for cell in cells)
            if here > high or low - here > len(cells_left):
                return True
            open_hints.append((len(cells_left), cells_left, low - here, high - here))
        for size, cells_left, low, high in sorted(open_hints):
            if taken.isdisjoint(cells_left):
                taken.update(cells_left)
                mines += max(low, 0)
                safe += max(size - high, 0)
        return mines > left or safe > self._facts.unknown_count - left

    def _propagate(self, assumed: int) -> set[int] | None:
        """Every literal that unit propagation makes true; None where a clause breaks."""
        true = {assumed}
        waiting = [assumed]
        while waiting:
            for clause in self._holding.get(-waiting.pop(), ()):
                if clause.isdisjoint(true):
                    open_literals = [literal for literal in clause if -literal not in true]
                    if not open_literals:
                        return None
                    if len(open_literals) == 1:
                        true.add(open_literals[0])
                        waiting.append(open_literals[0])
        return true

    # -- for others --------------------------------------------------------------------------

    def knowledge(self, view: View) -> str:
        """The clauses, then the cells known to be safe and not yet open, and the known mines."""
        logic = self._at(view, all_taken=True)
        name, facts = view.topology.cell_name, logic._facts

        def written(clause: Clause) -> str:
            signed = sorted(clause, key=abs)
            return " or ".join(("+" if lit > 0 else "-") + name(abs(lit) - 1) for lit in signed)

        known = [cell for cell in view.hidden if facts.known[cell]]
        safe = folded_names(view.topology, (c for c in known if not facts.is_mine(c)))
        mines = folded_names(view.topology, (c for c in known if facts.is_mine(c)))
        by_cells = sorted(logic._clauses, key=lambda c: sorted((abs(lit), lit > 0) for lit in c))
        lines = [written(clause) for clause in by_cells]
        lines += [f"safe: {' '.join(safe) or 'none'}", f"mines: {' '.join(mines) or 'none'}"]
        return "\n".join(lines)
