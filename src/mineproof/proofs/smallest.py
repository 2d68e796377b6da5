"""The smallest set of premises that forces a cell: fewest premises, then nearest to the cell.

One and two premises are tried directly. Beyond that the cheapest core is searched for. Proofs
without the total lie within one component, in one piece around the cell, which bounds where to
look. The total is tried apart, and only where it can matter.

Every cell has a budget of its own, and a search knows nothing of those before it. So the proof of a
cell is the same whatever else was asked. Kept are only clauses and the like, which are the same for
everyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

from mineproof.engine.exact import analyze
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.logics.sat import make_solver, sum_clauses
from mineproof.proofs.premises import Evidence, PairFinder, Premise, counts_of
from mineproof.view.channels import unread_code
from mineproof.view.view import View, reveal_codes

DEFAULT_STEPS = 60_000
_FARTHEST = 40
"""Bits for the distances of all premises together."""
_MOST_COUNTED = 2_000_000
_DEARER = 4
"""With the total a step takes so much longer."""


@dataclass(frozen=True)
class ForcingSet:
    """Premises by number, every one of them necessary; `smallest` where no fewer would do."""

    numbers: tuple[int, ...]
    smallest: bool


class PremiseFinder:
    """Finds premises for the cells of one view; `steps` limits the work spent on each.

    The answer for a cell does not depend on what was asked before. `spent` are the steps that all
    searches took so far.
    """

    radii: tuple[int | None, ...] = (4, 8, 16, 32, None)
    """How far around a cell clues are looked for, one after another; the last is the component."""
    whole_component = 80
    """Components of so many clues are searched as one."""

    def __init__(self, evidence: Evidence, steps: int = DEFAULT_STEPS) -> None:
        self.evidence = evidence
        self.steps = steps
        self.spent = 0
        self._encodings: dict[tuple[int, ...], ClauseSet] = {}
        self._with_total: ClauseSet | None = None
        self._components: dict[int, list[int]] = {}
        self._few = PairFinder(evidence, self.far)

    # -- what is asked -------------------------------------------------------------------------

    def force(self, cell: int, mine: bool) -> ForcingSet | None:
        """Premises that force a hidden cell to be a mine, or to be safe; None where none do.

        The position must have a layout. Raises BudgetExceeded where the total must be counted over
        too many cells.
        """
        found = self._few.one(cell, not mine) or self._few.two(cell, not mine)
        if found is not None:
            return ForcingSet(found, True)
        return self.force_by_three(cell, mine)

    def far(self, cell: int, numbers: Iterable[int]) -> dict[int, int]:
        """The cost of each premise among proofs of one size: its distance from the cell."""
        return self.evidence.distances(cell, numbers)

    def force_by_three(self, cell: int, mine: bool) -> ForcingSet | None:
        """`force` for a cell that no two premises force."""
        try:
            return self._search_by_three(cell, mine)
        except SolverGaveUp:
            return self._by_engine(cell, mine)

    def _search_by_three(self, cell: int, mine: bool) -> ForcingSet | None:
        meter = StepMeter(self.steps)
        by_clues = self._by_clues(cell, not mine, meter)
        fewer = None if by_clues is None else len(by_clues.numbers) - 1
        allowed = min(meter.left, self.steps // _DEARER)
        counting = StepMeter(allowed)
        by_total = self._by_total(cell, not mine, counting, fewer)
        self.spent += self.steps - meter.left + _DEARER * (allowed - counting.left)
        if by_clues is None:
            return by_total
        if by_total is None:
            cut_short = counting.left < 0
            return ForcingSet(by_clues.numbers, by_clues.smallest and not cut_short)
        if not by_clues.smallest and self._do_without_total(by_total, cell, not mine):
            return ForcingSet(by_total.numbers[:-1], by_total.smallest)
        return by_total

    def one_clue(self, cell: int, mine: bool) -> bool:
        """Whether one clue on its own forces a cell."""
        premises = self.evidence.premises
        return any(not premises[n].permits(not mine) for n in self.evidence.at.get(cell, ()))

    def two_clues(self, cell: int, mine: bool) -> bool:
        """Whether two clues, or one and the total, force a cell."""
        return self._few.two(cell, not mine) is not None

    def clash(self) -> ForcingSet | None:
        """Premises that no layout meets; None where the position has a layout."""
        try:
            return self._search_clash()
        except SolverGaveUp:
            return self._by_engine(None, True)

    def _search_clash(self) -> ForcingSet | None:
        evidence = self.evidence
        for number, premise in enumerate(evidence.premises):
            if not premise.allowed:
                return ForcingSet((number,), True)
        meter = StepMeter(self.steps)
        best: ForcingSet | None = None
        seen: set[int] = set()
        for number in range(evidence.clue_count):
            if number not in seen:
                pool = self._component(number)
                seen.update(pool)
                found = self._core(self._encoding(pool), pool, None, (), meter)
                if found is not None and (best is None or len(found.numbers) < len(best.numbers)):
                    best = found
        if best is not None or evidence.total is None:
            return best
        return self._by_total(None, True, StepMeter(min(meter.left, self.steps // _DEARER)), None)

    def _by_engine(self, cell: int | None, mine: bool) -> ForcingSet | None:
        """Premises that are all needed, but not the fewest, where a solver is lost in counting.

        The exact engine is shown the position with the cell the other way, and tells what clashes.
        """
        view = self.evidence.view
        for flagged in view.flags:  # no premises
            view = view.toggle_flag(flagged)
        if cell is not None:
            safe = (cell, unread_code(view.channel))
            view = reveal_codes(view, [safe]) if mine else view.with_flags([cell])
        try:
            analyze(view, trust_flags=True)
        except InconsistentPosition:
            error = self._least_free_clash(view)
            number = {premise.clue: n for n, premise in enumerate(self.evidence.premises)}
            numbers = sorted(number[clue] for clue in error.clues)
            if error.uses_total:
                assert self.evidence.total is not None
                numbers.append(self.evidence.total)
            return ForcingSet(tuple(numbers), len(numbers) <= 1)
        return None

    def _least_free_clash(self, view: View) -> InconsistentPosition:
        """The clash of a contradictory view; its clues hold the free cells that it needs."""
        needed = list(view.free)
        clash: InconsistentPosition | None = None
        for cell in (*needed, None):
            fewer = [other for other in needed if other != cell]
            try:
                analyze(_with_free(view, fewer), trust_flags=True)
            except InconsistentPosition as error:
                needed, clash = fewer, error
        assert clash is not None
        clues = [*clash.clues, *needed]
        return InconsistentPosition(str(clash), clues, uses_total=clash.uses_total)

    # -- more premises -------------------------------------------------------------------------

    def _by_clues(self, cell: int, other: bool, meter: StepMeter) -> ForcingSet | None:
        near = self.evidence.at.get(cell)
        if near is None:
            return None
        whole = self._component(near[0])
        one_piece = len(whole) <= self.whole_component
        for radius in self.radii:
            pool = whole if one_piece else sorted(self.evidence.component(near, radius))
            encoding = self._encoding(pool)
            assumed = (encoding.literal(cell, other),)
            found = self._core(encoding, pool, cell, assumed, meter)
            # A smallest proof is in one piece around the cell: it reaches no further than its size.
            reaches = found is not None and (radius is None or len(found.numbers) - 1 <= radius)
            if reaches or len(pool) == len(whole):
                return found
        raise AssertionError("the last radius is the whole component")

    def _component(self, number: int) -> list[int]:
        """All clues tied to a clue, by rising number."""
        if number not in self._components:
            found = sorted(self.evidence.component([number]))
            self._components.update(dict.fromkeys(found, found))
        return self._components[number]

    def _by_total(
        self, cell: int | None, other: bool, meter: StepMeter, most: int | None
    ) -> ForcingSet | None:
        """With the total, and at most `most` premises in all where that is given."""
        evidence = self.evidence
        clues = None if most is None else most - 1
        if evidence.total is None or (clues is not None and clues < 2):
            return None
        if not self._few.total_may_matter(clues):
            return None
        encoding = self._clauses_with_total()
        assumed: tuple[int, ...] = ()
        if cell is not None:
            shown = cell if cell in evidence.at else encoding.shore
            if shown is None:
                return None
            assumed = (encoding.literal(shown, other),)
        pool = range(evidence.clue_count)
        found = self._core(encoding, pool, cell, assumed, meter, clues)
        if found is None:
            return None
        return ForcingSet((*found.numbers, evidence.total), found.smallest)

    def _do_without_total(self, found: ForcingSet, cell: int, other: bool) -> bool:
        """Whether the clues of a proof by the total are enough; where its search was cut short."""
        clues = found.numbers[:-1]
        if not any(cell in self.evidence.premises[n].cells for n in clues):
            return False
        encoding = encode([self.evidence.premises[n] for n in clues])
        assumed = (encoding.literal(cell, other),)
        return (
            Refuter(encoding).premises_met(encoding.everything, assumed, StepMeter(UNLIMITED))
            is None
        )

    def _core(
        self,
        encoding: ClauseSet,
        pool: Sequence[int],
        cell: int | None,
        assumed: Sequence[int],
        meter: StepMeter,
        most: int | None = None,
    ) -> ForcingSet | None:
        """The cheapest core of a pool of rising numbers; None where it has more than `most`.

        The number of premises weighs most, then their distances, then their ranks, so that no two
        choices cost the same.
        """
        far = dict.fromkeys(pool, 0) if cell is None else self.far(cell, pool)
        ranks = len(pool)
        one = 1 << (ranks + _FARTHEST)
        costs = [one + (far[n] << ranks) + (1 << rank) for rank, n in enumerate(pool)]
        below = None if most is None else (most + 1) * one
        core = cheapest_core(encoding, assumed, costs, meter, below)
        if core is None or (most is not None and core.chosen.bit_count() > most):
            return None
        numbers = tuple(number for place, number in enumerate(pool) if core.chosen >> place & 1)
        return ForcingSet(numbers, core.smallest)

    def _encoding(self, pool: Sequence[int]) -> ClauseSet:
        key = tuple(pool)
        if key not in self._encodings:
            self._encodings[key] = encode([self.evidence.premises[n] for n in key])
        return self._encodings[key]

    def _clauses_with_total(self) -> ClauseSet:
        evidence = self.evidence
        if self._with_total is None:
            assert evidence.total is not None
            total = evidence.premises[evidence.total]
            if len(evidence.at) * min(total.high + 1, len(evidence.at)) > _MOST_COUNTED:
                raise BudgetExceeded(
                    f"{total.high} mines counted over {len(evidence.at)} cells next to clues;"
                    f" explained: up to {_MOST_COUNTED} of mines times cells"
                )
            self._with_total = encode(evidence.premises[: evidence.clue_count], total)
        return self._with_total


def _with_free(view: View, free: Sequence[int]) -> View:
    """The view in which the rules keep just these cells free."""
    return View.of_codes(view.topology, view.rules, view.codes(), view.flags, free)


# ----------------------------------------------------------------------------
# The cheapest core: the minimum-cost choice of premises that no layout meets.
#
# Found by implicit hitting sets. A layout that goes against the claim is a counterexample: it
# breaks some premises, and a core must hold at least one of them. So a core is a hitting set of all
# counterexamples. The cheapest hitting set of those found so far is either a core, and then the
# cheapest there is, or some layout meets it and is a new counterexample.


@dataclass(frozen=True)
class PremiseCore:
    """A choice of premises, as a mask, that no layout meets, every one of them needed.

    `smallest` where no fewer would do; else the meter ran out.
    """

    chosen: int
    smallest: bool


def cheapest_core(
    encoding: ClauseSet,
    assumed: Sequence[int],
    costs: Sequence[int],
    meter: StepMeter,
    below: int | None = None,
) -> PremiseCore | None:
    """The cheapest core under assumptions; None where there is none, or none costs `below`.

    No two choices may cost the same: the cheapest is then one, whatever way leads to it. Costs must
    be dominated by the number of premises. Where the meter runs out, a core is made minimal by
    deletion, whatever it costs.
    """
    search = _Counterexamples(encoding, assumed, costs)
    if search.meets(encoding.everything, StepMeter(UNLIMITED)) is not None:
        return None
    least = 0
    broken: list[int] = []
    try:
        while True:
            chosen = cheapest_hitting_set(broken, costs, meter, below)
            if chosen is None:
                return None
            least = chosen.bit_count()
            met = search.meets(chosen, meter)
            if met is None:
                return PremiseCore(chosen, True)
            # Counterexamples that share no broken premise raise the bound at once.
            while met is not None:
                broken.append(search.counterexample(met, meter))
                chosen |= broken[-1]
                met = search.meets(chosen, meter)
    except OutOfSteps:
        chosen = search.minimal_core()
        return PremiseCore(chosen, least == chosen.bit_count())


class _Counterexamples:
    """Layouts that go against the claim, asked of a solver of their own."""

    def __init__(self, encoding: ClauseSet, assumed: Sequence[int], costs: Sequence[int]) -> None:
        self.refuter, self.assumed = Refuter(encoding), assumed
        self.dearest_first = sorted(range(len(costs)), key=lambda place: -costs[place])

    def meets(self, chosen: int, meter: StepMeter) -> int | None:
        return self.refuter.premises_met(chosen, self.assumed, meter)

    def counterexample(self, met: int, meter: StepMeter) -> int:
        """The premises that some layout breaks, as few as can be, beyond those met already."""
        broken = 0
        for place in self.dearest_first:
            bit = 1 << place
            if met & bit:
                continue
            more = self.meets(met | bit, meter)
            if more is None:
                broken |= bit
            else:
                met = more
        return broken

    def minimal_core(self) -> int:
        """A core of which every premise is needed, by deletion, the dearest first."""
        chosen = self.refuter.core(self.assumed)
        free = StepMeter(UNLIMITED)
        for place in self.dearest_first:
            bit = 1 << place
            if chosen & bit and self.meets(chosen ^ bit, free) is None:
                chosen ^= bit
        return chosen


# ----------------------------------------------------------------------------
# Minimum-cost hitting set: reduced by dominance, then solved by dynamic programming.
#
# Sets and answers are masks of element numbers. A set that holds another is dropped, and so is an
# element if a cheaper one is in all of its sets; that is repeated until nothing changes. What is
# left falls into parts that share no element. In each part the elements are decided one after
# another. The state is which of the sets begun so far are not met yet, and of the choices that lead
# to one state only the cheapest is kept. Premises have a place on the board and a set is about some
# cells of it, so few sets are begun and not ended at any time.

_STATES_A_STEP = 16


def cheapest_hitting_set(
    sets: Sequence[int], costs: Sequence[int], meter: StepMeter, below: int | None = None
) -> int | None:
    """The cheapest mask that shares an element with every set; None where none costs `below`.

    Raises `OutOfSteps` where the meter runs out.
    """
    meter.spend(1)
    left = _without_dominated(sets, costs)
    if not all(left):
        return None
    parts = _parts(left)
    bounds = [_bound(part, costs) for part in parts]
    limit = sum(costs) + 1 if below is None else below
    least, spent, chosen = sum(bounds), 0, 0
    # Each part may cost what the others leave.
    for part, bound in zip(parts, bounds, strict=True):
        least -= bound
        found = _cheapest(part, costs, meter, limit - spent - least)
        if found is None:
            return None
        spent, chosen = spent + found[0], chosen | found[1]
    return chosen if spent < limit else None


def _without_dominated(sets: Iterable[int], costs: Sequence[int]) -> list[int]:
    """Sets with the same cheapest hitting set, as few and as small as dominance leaves them."""
    kept = _without_larger(sets)
    while dropped := _dominated_elements(kept, costs):
        kept = _without_larger(one & ~dropped for one in kept)
    return kept


def _without_larger(sets: Iterable[int]) -> list[int]:
    """The sets that hold no other one, the smallest first: a larger one is met wherever it is."""
    kept: list[int] = []
    for candidate in sorted(set(sets), key=lambda one: (one.bit_count(), one)):
        if not any(smaller & candidate == smaller for smaller in kept):
            kept.append(candidate)
    return kept


def _dominated_elements(sets: Sequence[int], costs: Sequence[int]) -> int:
    """The elements for which a cheaper one will do in every set."""
    within = _sets_of(sets)
    kept: list[int] = []
    dropped = 0
    for element in sorted(within, key=lambda element: (costs[element], element)):
        mine = within[element]
        if any(mine & ~other == 0 for other in kept):
            dropped |= 1 << element
        else:
            kept.append(mine)
    return dropped


def _sets_of(sets: Sequence[int]) -> dict[int, int]:
    """In which of the sets each element is, as a mask of their places."""
    within: dict[int, int] = {}
    for place, one in enumerate(sets):
        for element in _elements(one):
            within[element] = within.get(element, 0) | 1 << place
    return within


def _bound(sets: Iterable[int], costs: Sequence[int]) -> int:
    """A lower bound for the cost: sets that share no element are paid for one by one."""
    bound, covered = 0, 0
    for one in sets:
        if not one & covered:
            covered |= one
            bound += min([costs[element] for element in _elements(one)])
    return bound


def _cheapest(
    sets: Sequence[int], costs: Sequence[int], meter: StepMeter, limit: int
) -> tuple[int, int] | None:
    """The cost and the mask of the cheapest choice that costs less than `limit`."""
    if len(sets) == 1:
        best = min(_elements(sets[0]), key=costs.__getitem__)
        return (costs[best], 1 << best) if costs[best] < limit else None
    within = _sets_of(sets)
    order = _order(sets, within)
    ending, later = _endings(sets, order), _later(sets, costs, order)
    limit = min(limit, _greedy(sets, costs) + 1)
    states = {0: (0, 0)}
    begun = 0
    for element, after in zip(order, later, strict=True):
        mine, cost, bit = within[element], costs[element], 1 << element
        new, ended = mine & ~begun, ending.get(element, 0)
        begun |= mine
        following: dict[int, tuple[int, int]] = {}
        meter.spend(1 + len(states) // _STATES_A_STEP)
        for unmet, (spent, chosen) in states.items():
            state, dearer = unmet & ~mine, spent + cost
            if dearer + after < limit:
                found = following.get(state)
                if found is None or dearer < found[0]:
                    following[state] = (dearer, chosen | bit)
            state = unmet | new
            if not state & ended:
                found = following.get(state)
                if found is None or spent < found[0]:
                    following[state] = (spent, chosen)
        states = following
    return states.get(0)


def _order(sets: Sequence[int], within: dict[int, int]) -> list[int]:
    """The elements, set by set; next is the set that leaves the fewest begun and not ended."""
    order: list[int] = []
    done = begun = 0
    left = list(range(len(sets)))
    while left:
        candidates = [place for place in left if begun >> place & 1] or left
        fewest = (len(sets), 0, 0)
        for place in candidates:
            more = _elements(sets[place] & ~done)
            after, touched = done | sets[place], begun
            for element in more:
                touched |= within[element]
            unended = sum([1 for other in left if touched >> other & 1 and sets[other] & ~after])
            fewest = min(fewest, (unended, len(more), place))
        following = sets[fewest[2]]
        begins = {
            element: (within[element] & ~begun).bit_count()
            for element in _elements(following & ~done)
        }
        for element in sorted(begins, key=begins.__getitem__):
            order.append(element)
            begun |= within[element]
        done |= following
        left = [place for place in left if sets[place] & ~done]
    return order


def _endings(sets: Sequence[int], order: Sequence[int]) -> dict[int, int]:
    """The sets of which an element is the last to be decided, by element."""
    rank = {element: place for place, element in enumerate(order)}
    ending: dict[int, int] = {}
    for place, one in enumerate(sets):
        last = max(_elements(one), key=rank.__getitem__)
        ending[last] = ending.get(last, 0) | 1 << place
    return ending


def _later(sets: Sequence[int], costs: Sequence[int], order: Sequence[int]) -> list[int]:
    """After every element, a lower bound for the cost of the sets not started yet."""
    found: list[int] = []
    covered = bound = 0
    by_first: dict[int, list[int]] = {}
    rank = {element: place for place, element in enumerate(order)}
    for one in sets:
        by_first.setdefault(min(_elements(one), key=rank.__getitem__), []).append(one)
    for element in reversed(order):
        found.append(bound)
        for one in sorted(by_first.get(element, ()), key=int.bit_count):
            if not one & covered:
                covered |= one
                bound += min([costs[member] for member in _elements(one)])
    return found[::-1]


def _greedy(sets: Sequence[int], costs: Sequence[int]) -> int:
    """An upper bound for the cost: take the element that is in most sets, and repeat."""
    left, cost = list(sets), 0
    while left:
        within = _sets_of(left)
        best = min(within, key=lambda one: (-within[one].bit_count(), costs[one]))
        cost += costs[best]
        left = [one for one in left if not one >> best & 1]
    return cost


def _parts(sets: list[int]) -> list[list[int]]:
    """The sets in groups that share no element, the smallest sets first in each."""
    groups: list[tuple[int, list[int]]] = []
    for one in sets:
        union, members = one, [one]
        apart = []
        for group in groups:
            if group[0] & union:
                union |= group[0]
                members += group[1]
            else:
                apart.append(group)
        groups = [*apart, (union, members)]
    return [sorted(members, key=int.bit_count) for _, members in groups]


def _elements(mask: int) -> list[int]:
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


# ----------------------------------------------------------------------------
# Whether some of the premises can be met together: an incremental SAT solver decides.
#
# Every premise has a switch: its clauses hold only where the switch is assumed. Clauses are written
# once (`encode`); a `Refuter` is a solver of its own on them. What a solver has been asked before
# leaves traces in what it answers next, so each search takes a fresh one.

_SMALL = 7
_COST_OF_SOLVING = 5
_MOST_CONFLICTS = 10_000
"""Conflicts that a solver may have in all its answers: about a second of them."""


class SolverGaveUp(Exception):
    """The solver reached its limit of conflicts; the caller falls back on the exact engine."""


@dataclass(frozen=True)
class ClauseSet:
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


def encode(premises: Sequence[Premise], total: Premise | None = None) -> ClauseSet:
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
        self.encoding = ClauseSet(
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

    def __init__(self, encoding: ClauseSet) -> None:
        self.encoding = encoding
        self._cells = len(encoding.variables)
        self._solver: Any = make_solver(encoding.clauses)
        if self._solve([*encoding.fixed, *encoding.switches]):
            # Models near a layout that meets all premises break few of them.
            self._solver.set_phases(self._solver.get_model()[: self._cells])

    def _solve(self, assumptions: list[int]) -> bool:
        """Whether there is a model. Raises SolverGaveUp."""
        left = _MOST_CONFLICTS - self._solver.accum_stats()["conflicts"]
        if left > 0:
            self._solver.conf_budget(left)
            answer: bool | None = self._solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return answer
        raise SolverGaveUp

    def premises_met(self, chosen: int, assumed: Sequence[int], meter: StepMeter) -> int | None:
        """The premises met by some layout that meets the chosen ones; None where there is none.

        Raises OutOfSteps and SolverGaveUp.
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


# ----------------------------------------------------------------------------
# How much work a search may do, counted in steps and never in seconds: same input, same answer.

UNLIMITED = 1 << 60
"""For questions that must be answered, whatever the budget: more steps than any search takes."""


class OutOfSteps(Exception):
    """The steps of a meter are used up; whoever set the meter catches it."""


class StepMeter:
    """Counts steps down. Raises `OutOfSteps` when none is left."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise OutOfSteps
