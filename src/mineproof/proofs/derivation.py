"""Derivations: facts drawn from premises set by set, or by cases where that is not enough.

A fact says how many mines some cells hold. Three steps draw new facts:

- a part of a set holds at most the mines of the set, and at least those that have no room in the
  rest of it;
- the rest of a set holds the mines that its parts do not;
- two facts of the same cells hold together.

These assume nothing. Where they do not reach the target, `split` supposes the contrary and tells
cases apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from mineproof.proofs.premises import Premise
from mineproof.proofs.smallest import OutOfSteps, StepMeter

_MOST_FACTS = 240
_MOST_ROUNDS = 5


class DerivationRule(Enum):
    """How a fact was drawn."""

    PREMISE = "premise"
    PART = "part"
    """`of[0]` is the set it is a part of."""
    REST = "rest"
    """`of[0]` is the whole; the others are parts, or decide cells of the whole."""
    BOTH = "both"
    """All of `of` speak of the same cells."""


@dataclass(frozen=True)
class DerivedFact:
    """The numbers of mines (a mask) that some cells may hold, drawn from earlier facts.

    `of` are the places of those facts in the list; a premise has its place among the premises
    there instead.
    """

    cells: frozenset[int]
    counts: int
    rule: DerivationRule
    of: tuple[int, ...]

    @property
    def decides(self) -> bool | None:
        """Whether all its cells are mines (True) or safe (False); None where neither is said."""
        if self.counts == 1:
            return False
        return True if self.counts == 1 << len(self.cells) else None


def draw(premises: Sequence[Premise], target: int | None) -> list[DerivedFact] | None:
    """The facts that lead to a target cell, its own last; None where this is not enough.

    Without a target they lead to a fact that no number of mines can meet.
    """
    table = _FactTable(premises)
    for _ in range(_MOST_ROUNDS):
        table.reduce()
        end = table.end(target)
        if end is not None:
            return facts_behind(table.facts, [end])[0]
        if not table.combine(target):
            break
    end = table.end(target)
    return None if end is None else facts_behind(table.facts, [end])[0]


def saturate(premises: Sequence[Premise], rounds: int = 2) -> list[DerivedFact]:
    """What a few rounds draw from premises, whatever it is about."""
    table = _FactTable(premises)
    for _ in range(rounds):
        table.reduce()
        table.combine(None)
    return table.facts


def facts_behind(
    facts: Sequence[DerivedFact], ends: Iterable[int]
) -> tuple[list[DerivedFact], list[int]]:
    """The facts that some facts rest on, those facts included, and the new places of those.

    Each stands as late as it can, right before the fact that needs it.
    """
    places: dict[int, int] = {}
    kept: list[DerivedFact] = []

    def visit(place: int) -> None:
        if place in places:
            return
        fact = facts[place]
        if fact.rule is not DerivationRule.PREMISE:
            for one in fact.of:
                visit(one)
            of = tuple(places[one] for one in fact.of)
            fact = DerivedFact(fact.cells, fact.counts, fact.rule, of)
        places[place] = len(kept)
        kept.append(fact)

    ends = list(ends)
    for end in ends:
        visit(end)
    return kept, [places[end] for end in ends]


class _FactTable:
    """Facts by their cells, the strongest of each kept in use."""

    def __init__(self, premises: Sequence[Premise]) -> None:
        self.facts: list[DerivedFact] = []
        self.best: dict[frozenset[int], int] = {}
        self.decided: dict[int, int] = {}
        """Cells that are known, with the place of the fact that says so."""
        self.tried: set[tuple[int, int]] = set()
        self.impossible: int | None = None
        for number, premise in enumerate(premises):
            self.add(
                DerivedFact(
                    frozenset(premise.cells), premise.allowed, DerivationRule.PREMISE, (number,)
                )
            )

    def add(self, fact: DerivedFact) -> int:
        """Keep a fact where it says anything new; the place of the fact that now holds."""
        held = self.best.get(fact.cells)
        full = (2 << len(fact.cells)) - 1
        if held is not None:
            if self.facts[held].counts & ~fact.counts == 0:
                return held
            if fact.counts & ~self.facts[held].counts:
                self._append(fact)
                both = self.facts[held].counts & fact.counts
                fact = DerivedFact(
                    fact.cells, both, DerivationRule.BOTH, (held, len(self.facts) - 1)
                )
        elif fact.counts & full == full:
            return -1
        return self._append(fact)

    def _append(self, fact: DerivedFact) -> int:
        self.facts.append(fact)
        place = len(self.facts) - 1
        self.best[fact.cells] = place
        if not fact.counts and self.impossible is None:
            self.impossible = place
        if fact.decides is not None and fact.cells:
            for cell in fact.cells:
                self.decided.setdefault(cell, place)
        return place

    def end(self, target: int | None) -> int | None:
        return self.impossible if target is None else self.decided.get(target)

    def reduce(self) -> None:
        """Take known cells out of every set, until nothing changes."""
        changed = True
        while changed and len(self.facts) < _MOST_FACTS:
            changed = False
            for cells, place in list(self.best.items()):
                fact = self.facts[place]
                known = [cell for cell in sorted(cells) if cell in self.decided]
                if fact.decides is not None:
                    known = [cell for cell in known if self._is_mine(cell) is not fact.decides]
                if not known:
                    continue
                reasons = tuple(dict.fromkeys(self.decided[cell] for cell in known))
                mines = sum(map(self._is_mine, known))
                left = cells.difference(known)
                counts = (fact.counts >> mines) & ((2 << len(left)) - 1)
                del self.best[cells]
                before = len(self.facts)
                self.add(DerivedFact(left, counts, DerivationRule.REST, (place, *reasons)))
                changed = changed or len(self.facts) > before

    def _is_mine(self, cell: int) -> bool:
        return bool(self.facts[self.decided[cell]].decides)

    def combine(self, target: int | None) -> bool:
        """Look at every two sets that overlap; whether anything new was drawn."""
        before = len(self.facts)
        # What decides its cells was taken out of all others already.
        undecided = [place for place in self.best.values() if self.facts[place].decides is None]
        places = sorted(undecided, key=lambda p: (len(self.facts[p].cells), p))
        for j, two in enumerate(places):
            for one in places[:j]:
                if (one, two) in self.tried or not self.facts[one].cells & self.facts[two].cells:
                    continue
                self.tried.add((one, two))
                self._overlap(one, two)
                if self.end(target) is not None or len(self.facts) >= _MOST_FACTS:
                    return True
        return len(self.facts) > before

    def _overlap(self, one: int, two: int) -> None:
        shared = self.facts[one].cells & self.facts[two].cells
        held = self.best.get(shared)
        parts = [self._told_of(shared, source) for source in (one, two)]
        best = self.best.get(shared)
        for whole, part in ((one, parts[1]), (two, parts[0])):
            rest = self.facts[whole].cells - shared
            if not rest:
                continue
            # What the whole itself tells of the part adds nothing to the rest.
            self._add_rest(whole, rest, [p for p in (part, held, best) if p is not None])

    def _add_rest(self, whole: int, rest: frozenset[int], parts: Sequence[int]) -> None:
        """The rest of a set, by the plainest fact about its part that tells the most."""
        plain: list[int] = []
        for place in parts:
            joint = self.facts[place].rule is DerivationRule.BOTH
            plain += (*self.facts[place].of, place) if joint else (place,)
        found = [
            (_less(self.facts[whole].counts, self.facts[place].counts, len(rest)), place)
            for place in plain
        ]
        if found:
            counts, place = min(found, key=lambda one: one[0].bit_count())
            self.add(DerivedFact(rest, counts, DerivationRule.REST, (whole, place)))

    def _told_of(self, cells: frozenset[int], source: int) -> int | None:
        """The fact that a set tells of some of its cells; None where it tells nothing."""
        if self.facts[source].cells == cells:
            return source
        fact = self.facts[source]
        counts = _less(fact.counts, (2 << len(fact.cells - cells)) - 1, len(cells))
        before = len(self.facts)
        place = self.add(DerivedFact(cells, counts, DerivationRule.PART, (source,)))
        if place < 0:
            return None
        return before if len(self.facts) > before else place


def _less(whole: int, part: int, most: int) -> int:
    """The differences between numbers of two masks, from 0 to `most`."""
    found, taken = 0, 0
    while part >> taken:
        if part >> taken & 1:
            found |= whole >> taken
        taken += 1
    return found & ((2 << most) - 1)


# ----------------------------------------------------------------------------
# A proof by cases: suppose the contrary, follow single clues, and split where they say no more.

_STEPS = 1500
_DEEPEST = 3


@dataclass(frozen=True)
class ForcedMove:
    """A premise that, with what is assumed so far, makes cells mines or safe."""

    premise: int
    cells: tuple[int, ...]
    mine: bool


@dataclass(frozen=True)
class CaseBranch:
    """What follows from an assumption: moves, then a premise that breaks, or two branches.

    `assumed` is a cell and whether it is taken for a mine; None at the root of a clash.
    """

    assumed: tuple[int, bool] | None
    moves: tuple[ForcedMove, ...]
    broken: int | None
    branches: tuple[CaseBranch, ...] = ()


def split(premises: Sequence[Premise], assumed: tuple[int, bool] | None) -> CaseBranch | None:
    """The shallowest tree that refutes an assumption; None where it would be too large."""
    tree = _CaseTree(premises, StepMeter(_STEPS))
    try:
        for depth in range(_DEEPEST + 1):
            found = tree.refute({}, assumed, depth)
            if found is not None:
                return found
    except OutOfSteps:
        return None
    return None


class _CaseTree:
    def __init__(self, premises: Sequence[Premise], meter: StepMeter) -> None:
        self.premises, self.meter = premises, meter
        speaking: dict[int, list[int]] = {}
        for number, premise in enumerate(premises):
            for cell in premise.cells:
                speaking.setdefault(cell, []).append(number)
        boxes: dict[tuple[int, ...], int] = {}
        for cell in sorted(speaking):
            boxes.setdefault(tuple(speaking[cell]), cell)
        # Cells of one box are alike; those that more premises speak of tell more.
        self.choices = sorted(boxes.values(), key=lambda cell: (-len(speaking[cell]), cell))
        self.boxes = {cell: tuple(numbers) for cell, numbers in speaking.items()}

    def refute(
        self, known: dict[int, bool], assumed: tuple[int, bool] | None, depth: int
    ) -> CaseBranch | None:
        known = dict(known)
        if assumed is not None:
            known[assumed[0]] = assumed[1]
        before = set(known)
        moves, broken = self._follow(known)
        if broken is not None:
            wanted = set(self.premises[broken].cells)
            return CaseBranch(assumed, self._needed_moves(moves, wanted, before), broken)
        if not depth:
            return None
        for cell in self._open_cells(known):
            sides = []
            for mine in (True, False):
                side = self.refute(known, (cell, mine), depth - 1)
                if side is None:
                    break
                sides.append(side)
            else:
                wanted = {one for side in sides for one in self._cells_used(side)}
                return CaseBranch(
                    assumed, self._needed_moves(moves, wanted, before), None, tuple(sides)
                )
        return None

    def _open_cells(self, known: dict[int, bool]) -> Iterator[int]:
        seen = set()
        for cell in [*self.choices, *self.boxes]:
            if cell not in known and self.boxes[cell] not in seen:
                seen.add(self.boxes[cell])
                yield cell

    def _follow(self, known: dict[int, bool]) -> tuple[list[ForcedMove], int | None]:
        """Settle what single premises settle; the moves, and the premise that broke."""
        self.meter.spend(1)
        moves: list[ForcedMove] = []
        changed = True
        while changed:
            changed = False
            for number, premise in enumerate(self.premises):
                left = tuple([cell for cell in premise.cells if cell not in known])
                mines = sum(known.get(cell, False) for cell in premise.cells)
                counts = (premise.allowed >> mines) & ((2 << len(left)) - 1)
                if not counts:
                    return moves, number
                if left and counts in (1, 1 << len(left)):
                    mine = counts > 1
                    known.update(dict.fromkeys(left, mine))
                    moves.append(ForcedMove(number, left, mine))
                    changed = True
        return moves, None

    def _cells_used(self, branch: CaseBranch) -> set[int]:
        """The cells of every premise that a branch uses."""
        used = {move.premise for move in branch.moves}
        if branch.broken is not None:
            used.add(branch.broken)
        cells = {cell for number in used for cell in self.premises[number].cells}
        return cells.union(*(self._cells_used(side) for side in branch.branches))

    def _needed_moves(
        self, moves: list[ForcedMove], wanted: set[int], before: set[int]
    ) -> tuple[ForcedMove, ...]:
        """The moves that lead to the wanted cells."""
        wanted = wanted - before
        kept: list[ForcedMove] = []
        for move in reversed(moves):
            if wanted & set(move.cells):
                kept.append(move)
                wanted |= set(self.premises[move.premise].cells) - before
        return tuple(reversed(kept))
