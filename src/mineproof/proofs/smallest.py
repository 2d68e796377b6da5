"""The smallest set of premises that forces a cell: fewest premises, then nearest to the cell.

One and two premises are tried directly. Beyond that the cheapest core is searched for (see
`mineproof.proofs.cores`). Proofs without the total lie within one component, in one piece around
the cell, which bounds where to look. The total is tried apart, and only where it can matter.

Every cell has a budget of its own, and a search knows nothing of those before it. So the proof of a
cell is the same whatever else was asked. Kept are only clauses and the like, which are the same for
everyone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.inference.engine.exact import analyze
from mineproof.proofs.cores import cheapest_core
from mineproof.proofs.few_premises import FewPremises
from mineproof.proofs.meter import UNLIMITED, StepMeter
from mineproof.proofs.premises import Evidence
from mineproof.proofs.refuter import Encoding, Refuter, Unanswered, encode
from mineproof.view.channels import unread

__all__ = ["DEFAULT_STEPS", "Finder", "Forcing"]

DEFAULT_STEPS = 60_000
_FARTHEST = 40
"""Bits for the distances of all premises together."""
_MOST_COUNTED = 2_000_000
_DEARER = 4
"""With the total a step takes so much longer."""


@dataclass(frozen=True)
class Forcing:
    """Premises by number, every one of them necessary; `smallest` where no fewer would do."""

    numbers: tuple[int, ...]
    smallest: bool


class Finder:
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
        self._encodings: dict[tuple[int, ...], Encoding] = {}
        self._with_total: Encoding | None = None
        self._components: dict[int, list[int]] = {}
        self._few = FewPremises(evidence, self.far)

    # -- what is asked -------------------------------------------------------------------------

    def force(self, cell: int, mine: bool) -> Forcing | None:
        """Premises that force a hidden cell to be a mine, or to be safe; None where none do.

        The position must have a layout. Raises BudgetExceeded where the total must be counted over
        too many cells.
        """
        found = self._few.one(cell, not mine) or self._few.two(cell, not mine)
        if found is not None:
            return Forcing(found, True)
        return self.force_by_three(cell, mine)

    def far(self, cell: int, numbers: Iterable[int]) -> dict[int, int]:
        """How dear each premise is among proofs of one size: its distance from the cell."""
        return self.evidence.distances(cell, numbers)

    def force_by_three(self, cell: int, mine: bool) -> Forcing | None:
        """`force` for a cell that no two premises force."""
        try:
            return self._search_by_three(cell, mine)
        except Unanswered:
            return self._by_engine(cell, mine)

    def _search_by_three(self, cell: int, mine: bool) -> Forcing | None:
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
            return Forcing(by_clues.numbers, by_clues.smallest and not cut_short)
        if not by_clues.smallest and self._do_without_total(by_total, cell, not mine):
            return Forcing(by_total.numbers[:-1], by_total.smallest)
        return by_total

    def one_clue(self, cell: int, mine: bool) -> bool:
        """Whether one clue on its own forces a cell."""
        premises = self.evidence.premises
        return any(not premises[n].permits(not mine) for n in self.evidence.at.get(cell, ()))

    def two_clues(self, cell: int, mine: bool) -> bool:
        """Whether two clues, or one and the total, force a cell."""
        return self._few.two(cell, not mine) is not None

    def clash(self) -> Forcing | None:
        """Premises that no layout meets; None where the position has a layout."""
        try:
            return self._search_clash()
        except Unanswered:
            return self._by_engine(None, True)

    def _search_clash(self) -> Forcing | None:
        evidence = self.evidence
        for number, premise in enumerate(evidence.premises):
            if not premise.allowed:
                return Forcing((number,), True)
        meter = StepMeter(self.steps)
        best: Forcing | None = None
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

    def _by_engine(self, cell: int | None, mine: bool) -> Forcing | None:
        """Premises that are all needed, but not the fewest, where a solver is lost in counting.

        The exact engine is shown the position with the cell the other way, and tells what clashes.
        """
        view = self.evidence.view
        for flagged in view.flags:  # no premises
            view = view.toggle_flag(flagged)
        if cell is not None:
            safe = (cell, unread(view.channel))
            view = view.reveal_codes([safe]) if mine else view.with_flags([cell])
        try:
            analyze(view, trust_flags=True)
        except InconsistentPosition as error:
            number = {premise.clue: n for n, premise in enumerate(self.evidence.premises)}
            numbers = sorted(number[clue] for clue in error.clues)
            if error.uses_total:
                assert self.evidence.total is not None
                numbers.append(self.evidence.total)
            return Forcing(tuple(numbers), len(numbers) <= 1)
        return None

    # -- more premises -------------------------------------------------------------------------

    def _by_clues(self, cell: int, other: bool, meter: StepMeter) -> Forcing | None:
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
    ) -> Forcing | None:
        """With the total, and at most `most` premises in all where that is given."""
        evidence = self.evidence
        clues = None if most is None else most - 1
        if evidence.total is None or (clues is not None and clues < 2):
            return None
        if not self._few.total_may_matter(clues):
            return None
        encoding = self._counting()
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
        return Forcing((*found.numbers, evidence.total), found.smallest)

    def _do_without_total(self, found: Forcing, cell: int, other: bool) -> bool:
        """Whether the clues of a proof by the total are enough; where its search was cut short."""
        clues = found.numbers[:-1]
        if not any(cell in self.evidence.premises[n].cells for n in clues):
            return False
        encoding = encode([self.evidence.premises[n] for n in clues])
        assumed = (encoding.literal(cell, other),)
        return Refuter(encoding).met(encoding.everything, assumed, StepMeter(UNLIMITED)) is None

    def _core(
        self,
        encoding: Encoding,
        pool: Sequence[int],
        cell: int | None,
        assumed: Sequence[int],
        meter: StepMeter,
        most: int | None = None,
    ) -> Forcing | None:
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
        return Forcing(numbers, core.smallest)

    def _encoding(self, pool: Sequence[int]) -> Encoding:
        key = tuple(pool)
        if key not in self._encodings:
            self._encodings[key] = encode([self.evidence.premises[n] for n in key])
        return self._encodings[key]

    def _counting(self) -> Encoding:
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
