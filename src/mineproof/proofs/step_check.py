"""The check of a proof's steps, one by one, by counting. It imports no engine.

A step is accepted if its conclusion follows from the premises it names and the steps it rests on.
Each of these steps stands only under suppositions that the step itself stands under. A
contradiction is the exception: it says that its suppositions do not all hold, so it may be used
outside of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from mineproof.errors import BudgetExceeded
from mineproof.proofs.enumeration import possible_counts
from mineproof.proofs.proof import Claim, Proof
from mineproof.proofs.steps import Conclusion, ProofStep
from mineproof.view.view import View

__all__ = ["Rejected", "StepCheck", "SumOf"]

SumOf: TypeAlias = tuple[tuple[int, ...], int]
"""Cells, and the numbers of mines they may hold as a mask."""
_Clause: TypeAlias = tuple[tuple[int, bool], ...]
"""Cells taken for mines or safe that cannot all be so."""
_MOST_BRANCHES = 10_000


class Rejected(Exception):
    """The reason a claim is not accepted."""


class StepCheck:
    """Checks the steps of a proof; `read` has what its premises say, the total under None."""

    def __init__(
        self, proof: Proof, view: View, read: Mapping[int | None, SumOf], most_states: int
    ) -> None:
        self.proof, self.view, self.read, self.most_states = proof, view, read, most_states
        self._branches = 0

    def run(self) -> None:
        """Raise Rejected with the number of the first step that does not hold."""
        for number, step in enumerate(self.proof.steps, 1):
            try:
                self._check(number, step)
            except Rejected as rejected:
                raise Rejected(f"step {number} {rejected}") from None
        last = self.proof.steps[-1]
        if last.under or last.kind.assumes or not self._claims(last):
            raise Rejected(f"step {len(self.proof.steps)} is the last and does not say the claim")

    def _claims(self, step: ProofStep) -> bool:
        """Whether a step says what the proof claims."""
        if self.proof.cell is None:
            return step.contradicts
        return step.decides.get(self.proof.cell) is (self.proof.claim is Claim.MINE)

    def _check(self, number: int, step: ProofStep) -> None:
        self._check_named(number, step)
        if step.kind.assumes:
            supposed = len(step.conclusions) == 1 and len(step.decides) == 1
            if not supposed or step.clues or step.uses_total or step.rests_on:
                raise Rejected("supposes something else than that one cell is a mine, or safe")
            return
        sums = [self.read[clue] for clue in step.clues]
        if step.uses_total:
            sums.append(self.read[None])
        clauses: list[_Clause] = []
        for other in step.rests_on:
            earlier = self.proof.steps[other - 1]
            beyond = [one for one in self._above(other) if one not in step.under]
            if not beyond:
                sums += [_sum(conclusion) for conclusion in earlier.conclusions]
            elif earlier.contradicts:
                clauses.append(tuple(map(self._supposed, beyond)))
            else:
                raise Rejected(f"rests on step {other}, which holds only in a case of its own")
        for conclusion in step.conclusions:
            if not self._follows(conclusion, sums, clauses):
                raise Rejected("does not follow from what it rests on")

    def _check_named(self, number: int, step: ProofStep) -> None:
        """Whether premises, steps and cells that a step names are there."""
        steps = self.proof.steps
        premises: list[int | None] = [*step.clues, *([None] if step.uses_total else [])]
        if any(premise not in self.read for premise in premises):
            raise Rejected("rests on what is no premise of the proof")
        if any(not 0 < other < number for other in (*step.rests_on, *step.under)):
            raise Rejected("names a step that does not come before it")
        for place, other in enumerate(step.under):
            if not steps[other - 1].kind.assumes or steps[other - 1].under != step.under[:place]:
                raise Rejected(f"does not stand under step {other}")
        if not step.conclusions:
            raise Rejected("concludes nothing")
        if any(self.view.is_open(cell) for cell in step.cells):
            raise Rejected("speaks of an open cell")
        for conclusion in step.conclusions:
            cells = set(conclusion.cells)
            if not cells <= set(step.cells):
                raise Rejected("concludes something of a cell it does not speak of")
            if len(cells) < len(conclusion.cells):
                raise Rejected("names a cell twice")
            if any(count > len(cells) for count in conclusion.counts):
                raise Rejected("counts more mines than cells")

    def _above(self, number: int) -> tuple[int, ...]:
        """The suppositions that a step holds under, itself included where it is one."""
        step = self.proof.steps[number - 1]
        return (*step.under, number) if step.kind.assumes else step.under

    def _supposed(self, number: int) -> tuple[int, bool]:
        ((cell, mine),) = self.proof.steps[number - 1].decides.items()
        return cell, mine

    def _follows(
        self, conclusion: Conclusion, sums: Sequence[SumOf], clauses: Sequence[_Clause]
    ) -> bool:
        """Whether nothing meets sums and clauses and goes against a conclusion."""
        others = (2 << len(conclusion.cells)) - 1
        for count in conclusion.counts:
            others &= ~(1 << count)
        return not others or not self._met([*sums, (conclusion.cells, others)], clauses, {})

    def _met(
        self, sums: Sequence[SumOf], clauses: Sequence[_Clause], fixed: Mapping[int, bool]
    ) -> bool:
        """Whether sums can be met with cells as they are fixed, and a cell of each clause not so.

        The cells of a clause are tried one after another: the first that is not as it says.
        """
        self._branches += 1
        if self._branches > _MOST_BRANCHES:
            raise BudgetExceeded(f"more than {_MOST_BRANCHES} cases in the steps of a proof")
        if not possible_counts(sums, fixed, (), self.most_states):
            return False
        if not clauses:
            return True
        clause, *others = clauses
        if any(fixed.get(cell, mine) is not mine for cell, mine in clause):
            return self._met(sums, others, fixed)
        so_far = dict(fixed)
        for cell, mine in clause:
            if cell not in fixed:
                if self._met(sums, others, {**so_far, cell: not mine}):
                    return True
                so_far[cell] = mine
        return False


def _sum(conclusion: Conclusion) -> SumOf:
    allowed = 0
    for count in conclusion.counts:
        allowed |= 1 << count
    return conclusion.cells, allowed
