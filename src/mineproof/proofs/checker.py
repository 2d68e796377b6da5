"""The proof checker. It imports no engine: it counts over the cells of the premises alone.

A proof is accepted if all of these hold:

- the position shows its premises, and they can be met;
- they cannot be met with the cell the other way;
- every premise is necessary: without any one of them the cell can be the other way;
- every step follows from what it rests on, and the last one states the claim (`StepCheck`). A
  proof without steps is judged by its premises alone.

A no-proof is accepted if each of its layouts explains the position and each of its cells is a mine
in one of them and safe in another. The sentences of a proof are not judged. That no proof with
fewer premises exists (`smallest`) is not checked either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mineproof.errors import BudgetExceeded, InputError, as_given, as_int
from mineproof.proofs.enumeration import MOST_STATES, possible_counts
from mineproof.proofs.proof import (
    Claim,
    Clue,
    Conclusion,
    NoProof,
    Proof,
    ProofStep,
    digest,
    mines_text,
)
from mineproof.proofs.techniques import Ladder
from mineproof.view.channels import Mark
from mineproof.view.setting import position_of
from mineproof.view.view import View

_MOST_PREMISES = 2_000
_MOST_STEPS = 5_000


@dataclass(frozen=True)
class CheckResult:
    """Whether a claim was accepted, and what was found, in a line."""

    accepted: bool
    reason: str

    def __bool__(self) -> bool:
        return self.accepted


def check_proof(
    document: Proof | NoProof, view: View | str, most_states: int = MOST_STATES
) -> CheckResult:
    """Check a proof or no-proof of a position.

    Raises InputError where it speaks of another position, and BudgetExceeded where checking takes
    more than `most_states` states a count.

    >>> view = mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")
    >>> mp.check_proof(mp.explain(view, (0, 1)), view).accepted
    True
    """
    view, most_states = position_of(view), as_int(most_states, "most_states")
    if not isinstance(document, Proof | NoProof):
        raise InputError(
            f"{as_given(document)} is no proof; accepted: a Proof or a NoProof of explain"
        )
    if document.topology != view.topology or document.position != digest(view):
        raise InputError(
            f"the proof is for another position ({document.position}); accepted: one for"
            f" {digest(view)}"
        )
    try:
        if isinstance(document, NoProof):
            return CheckResult(True, _check_no_proof(document, view))
        return CheckResult(True, _ProofCheck(document, view, most_states).run())
    except Rejection as rejected:
        return CheckResult(False, str(rejected))


def premises_force(
    view: View,
    clues: Iterable[int],
    uses_total: bool,
    cell: int,
    mine: bool,
    known_mines: Iterable[int] = (),
    most_states: int = MOST_STATES,
) -> bool:
    """Whether clues, and the total, alone force a hidden cell to be a mine, or to be safe.

    What is open is known, and so are `known_mines`. A cell that shows no clue says nothing. Raises
    BudgetExceeded where counting takes too many states.
    """
    sums = [clue_sum(view, clue) for clue in clues if _says_something(view, clue)]
    if uses_total:
        sums.append(total_sum(view))
    fixed = dict.fromkeys(known_mines, True) | {cell: not mine}
    return not possible_counts(sums, fixed, (), most_states)


def _says_something(view: View, cell: int) -> bool:
    if view.is_hidden(cell):
        return cell in view.free
    shown = view[cell]
    return shown is not Mark.MINE and (shown is not Mark.BLANK or view.channel.tells_missing)


def clue_sum(view: View, cell: int) -> SumOf:
    """The hidden neighbours of an opened cell, and how many mines they may hold; a hidden cell that
    the rules keep free has none.
    """
    near = view.topology.neighbours(cell)
    if view.is_hidden(cell):
        return (cell,), 1
    shown = view.clue(cell)
    opened_mines = sum(view[other] is Mark.MINE for other in near)
    hidden = tuple(other for other in near if view.is_hidden(other))
    allowed = 0
    for mines in range(len(hidden) + 1):
        if view.channel.likelihood(shown, mines + opened_mines, len(near)):
            allowed |= 1 << mines
    return hidden, allowed


def total_sum(view: View) -> SumOf:
    """The hidden cells, and how many mines they may hold by what is told of the total."""
    cells, opened = tuple(view.hidden), len(view.opened_mines)
    return cells, sum(1 << n for n in range(len(cells) + 1) if n + opened in view.totals)


class _ProofCheck:
    def __init__(self, proof: Proof, view: View, most_states: int) -> None:
        self.proof, self.view, self.most_states = proof, view, most_states
        self.name = view.topology.cell_name

    def run(self) -> str:
        proof = self.proof
        if len(proof.premises) > _MOST_PREMISES or len(proof.steps) > _MOST_STEPS:
            raise BudgetExceeded(
                f"a proof of {len(proof.premises)} premises and {len(proof.steps)} steps; checked:"
                f" up to {_MOST_PREMISES} and {_MOST_STEPS}"
            )
        if len(set(proof.clues)) < len(proof.clues):
            raise Rejection("a premise is named twice")
        for clue in proof.premises:
            self._check_shown(clue)
        read: dict[int | None, SumOf] = {cell: clue_sum(self.view, cell) for cell in proof.clues}
        if proof.told is not None:
            if proof.told != mines_text(self.view):
                raise Rejection(
                    f"the premise {proof.told} is not what the position tells:"
                    f" {mines_text(self.view)}"
                )
            read[None] = total_sum(self.view)
        self._check_technique()
        self._check_forced(list(read.values()))
        for dropped in read:
            others = [one for premise, one in read.items() if premise != dropped]
            if not self._contrary(others):
                which = "the mine total" if dropped is None else f"the clue at {self.name(dropped)}"
                raise Rejection(f"{which} is not needed: the other premises do without it")
        if proof.steps:
            StepCheck(proof, self.view, read, self.most_states).run()
        what = f"{len(read)} premise{'' if len(read) == 1 else 's'}, every one of them necessary"
        return f"{claim_text(proof)}: {what}"

    def _check_shown(self, clue: Clue) -> None:
        view, cell, shown = self.view, clue.cell, clue.shown
        if clue.free:
            if cell not in view.free:
                raise Rejection(f"the premise {self.name(cell)} is not kept free by the rules")
            return
        if view.is_hidden(cell) or view[cell] is Mark.MINE:
            raise Rejection(f"the premise {self.name(cell)} is no opened safe cell")
        if view.clue(cell) != shown:
            found = "nothing" if view.clue(cell) is None else view.clue(cell)
            raise Rejection(f"the premise {self.name(cell)} shows {found}, not {shown}")
        if shown is None and not view.channel.tells_missing:
            raise Rejection(f"the premise {self.name(cell)} shows no clue")

    def _check_technique(self) -> None:
        proof, rung = self.proof, self.proof.technique.rung
        sizes = {Ladder.SINGLE_CLUE: (1, 1), Ladder.TWO_CLUES: (2, 2)}
        low, high = sizes.get(rung, (0, _MOST_PREMISES))
        fits = low <= len(proof.premises) <= high and proof.uses_total == (
            rung is Ladder.MINE_COUNT
        )
        if rung is Ladder.SEVERAL_CLUES:
            fits = fits and proof.technique.name == f"{len(proof.premises)} clues"
        if not fits:
            raise Rejection(f"the technique {proof.technique} does not fit the premises")

    def _check_forced(self, sums: list[SumOf]) -> None:
        proof = self.proof
        if proof.cell is not None:
            if self.view.is_open(proof.cell):
                raise Rejection(f"{self.name(proof.cell)} is open")
            fixed = {proof.cell: proof.claim is Claim.MINE}
            if not possible_counts(sums, fixed, (), self.most_states):
                if not self._contrary(sums):
                    raise Rejection("the premises cannot be met at all")
                raise Rejection(f"the premises say that {self.name(proof.cell)} is {self._other()}")
        if self._contrary(sums):
            if proof.cell is None:
                raise Rejection("the premises can be met")
            raise Rejection(
                f"the premises leave {self.name(proof.cell)} free to be {self._other()}"
            )

    def _contrary(self, sums: list[SumOf]) -> bool:
        """Whether the sums can be met against the claim."""
        cell, claim = self.proof.cell, self.proof.claim
        fixed = {} if cell is None else {cell: claim is not Claim.MINE}
        return bool(possible_counts(sums, fixed, (), self.most_states))

    def _other(self) -> str:
        return "safe" if self.proof.claim is Claim.MINE else "a mine"


def claim_text(document: Proof | NoProof) -> str:
    """The claim of a document in a few words."""
    name = document.topology.cell_name
    if isinstance(document, NoProof):
        number = len(document.cells)
        which = f"{name(document.cells[0])} is" if number == 1 else f"{number} cells are"
        return f"{which} uncertain"
    if document.cell is None:
        return "no layout explains the position"
    return f"{name(document.cell)} is {'a mine' if document.claim is Claim.MINE else 'safe'}"


def _check_no_proof(document: NoProof, view: View) -> str:
    name = view.topology.cell_name
    hidden = set(view.hidden)
    if document.whole and set(document.cells) != hidden:
        raise Rejection("the claim leaves out hidden cells")
    layouts = [frozenset(mines) for mines in document.solutions]
    for number, mines in enumerate(layouts, 1):
        _check_layout(view, mines, number)
    speaking = {near for cell in view.opened for near in view.topology.neighbours(cell)}
    sea = hidden - speaking - set(view.free)
    sea_mine = any(mines & sea for mines in layouts)
    sea_safe = any(sea - mines for mines in layouts)
    for cell in document.cells:
        if cell not in hidden:
            raise Rejection(f"{name(cell)} is open")
        if cell in sea:
            seen_mine, seen_safe = sea_mine, sea_safe
        else:
            seen_mine = any(cell in mines for mines in layouts)
            seen_safe = any(cell not in mines for mines in layouts)
        if not (seen_mine and seen_safe):
            missing = "a mine" if not seen_mine else "safe"
            raise Rejection(f"{name(cell)} is {missing} in none of the solutions")
    return f"{claim_text(document)}: {len(layouts)} solutions show it"


def _check_layout(view: View, mines: frozenset[int], number: int) -> None:
    """Whether a full set of mines explains a position."""
    name = view.topology.cell_name
    for cell in view.opened:
        if (cell in mines) != (view[cell] is Mark.MINE):
            raise Rejection(f"solution {number} is wrong about the open cell {name(cell)}")
        if cell in mines:
            continue
        shown = view.clue(cell)
        if shown is None and not view.channel.tells_missing:
            continue
        near = view.topology.neighbours(cell)
        true = sum(other in mines for other in near)
        if not view.channel.likelihood(shown, true, len(near)):
            raise Rejection(f"solution {number} breaks the clue at {name(cell)}")
    wrong = next((cell for cell in view.free if cell in mines), None)
    if wrong is not None:
        raise Rejection(f"solution {number} has a mine in {name(wrong)}, which the rules keep free")
    total = len(mines)
    if total not in view.totals:
        raise Rejection(f"solution {number} has {total} mines; told: {mines_text(view)}")


# ----------------------------------------------------------------------------
# The check of a proof's steps, one by one, by counting. It imports no engine.
#
# A step is accepted if its conclusion follows from the premises it names and the steps it rests on.
# Each of these steps stands only under suppositions that the step itself stands under. A
# contradiction is the exception: it says that its suppositions do not all hold, so it may be used
# outside of them.

SumOf: TypeAlias = tuple[tuple[int, ...], int]
"""Cells, and the numbers of mines they may hold as a mask."""
_Clause: TypeAlias = tuple[tuple[int, bool], ...]
"""Cells taken for mines or safe that cannot all be so."""
_MOST_BRANCHES = 10_000


class Rejection(Exception):
    """The reason a claim is not accepted."""


class StepCheck:
    """Checks the steps of a proof; `read` has what its premises say, the total under None."""

    def __init__(
        self, proof: Proof, view: View, read: Mapping[int | None, SumOf], most_states: int
    ) -> None:
        self.proof, self.view, self.read, self.most_states = proof, view, read, most_states
        self._branches = 0

    def run(self) -> None:
        """Raise Rejection with the number of the first step that does not hold."""
        for number in range(1, len(self.proof.steps) + 1):
            try:
                self.check_step(number)
            except Rejection as rejected:
                raise Rejection(f"step {number} {rejected}") from None
        last = self.proof.steps[-1]
        if last.under or last.kind.assumes or not self._claims(last):
            raise Rejection(f"step {len(self.proof.steps)} is the last and does not say the claim")

    def _claims(self, step: ProofStep) -> bool:
        """Whether a step says what the proof claims."""
        if self.proof.cell is None:
            return step.contradicts
        return step.decides.get(self.proof.cell) is (self.proof.claim is Claim.MINE)

    def check_step(self, number: int) -> None:
        """Raise Rejection if this step, whatever the others are, does not hold."""
        step = self.proof.steps[number - 1]
        self._check_named(number, step)
        if step.kind.assumes:
            supposed = len(step.conclusions) == 1 and len(step.decides) == 1
            if not supposed or step.clues or step.uses_total or step.rests_on:
                raise Rejection("supposes something else than that one cell is a mine, or safe")
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
                clauses.append(tuple(map(self._supposition, beyond)))
            else:
                raise Rejection(f"rests on step {other}, which holds only in a case of its own")
        for conclusion in step.conclusions:
            if not self._follows(conclusion, sums, clauses):
                raise Rejection("does not follow from what it rests on")

    def _check_named(self, number: int, step: ProofStep) -> None:
        """Whether premises, steps and cells that a step names are there."""
        steps = self.proof.steps
        premises: list[int | None] = [*step.clues, *([None] if step.uses_total else [])]
        if any(premise not in self.read for premise in premises):
            raise Rejection("rests on what is no premise of the proof")
        if any(not 0 < other < number for other in (*step.rests_on, *step.under)):
            raise Rejection("names a step that does not come before it")
        for place, other in enumerate(step.under):
            if not steps[other - 1].kind.assumes or steps[other - 1].under != step.under[:place]:
                raise Rejection(f"does not stand under step {other}")
        if not step.conclusions:
            raise Rejection("concludes nothing")
        if any(self.view.is_open(cell) for cell in step.cells):
            raise Rejection("speaks of an open cell")
        for conclusion in step.conclusions:
            cells = set(conclusion.cells)
            if not cells <= set(step.cells):
                raise Rejection("concludes something of a cell it does not speak of")
            if len(cells) < len(conclusion.cells):
                raise Rejection("names a cell twice")
            if any(count > len(cells) for count in conclusion.counts):
                raise Rejection("counts more mines than cells")

    def _above(self, number: int) -> tuple[int, ...]:
        """The suppositions that a step holds under, itself included where it is one."""
        step = self.proof.steps[number - 1]
        return (*step.under, number) if step.kind.assumes else step.under

    def _supposition(self, number: int) -> tuple[int, bool]:
        ((cell, mine),) = self.proof.steps[number - 1].decides.items()
        return cell, mine

    def _follows(
        self, conclusion: Conclusion, sums: Sequence[SumOf], clauses: Sequence[_Clause]
    ) -> bool:
        """Whether nothing meets sums and clauses and goes against a conclusion."""
        others = (2 << len(conclusion.cells)) - 1 & ~_sum(conclusion)[1]
        return not others or not self._can_be_met([*sums, (conclusion.cells, others)], clauses, {})

    def _can_be_met(
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
            return self._can_be_met(sums, others, fixed)
        so_far = dict(fixed)
        for cell, mine in clause:
            if cell not in fixed:
                if self._can_be_met(sums, others, {**so_far, cell: not mine}):
                    return True
                so_far[cell] = mine
        return False


def _sum(conclusion: Conclusion) -> SumOf:
    allowed = 0
    for count in conclusion.counts:
        allowed |= 1 << count
    return conclusion.cells, allowed
