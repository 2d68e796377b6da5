"""The proof checker. It imports no engine: it counts over the cells of the premises alone.

A proof is accepted if all of these hold:

- the position shows its premises, and they can be met;
- they cannot be met with the cell the other way;
- every premise is necessary: without any one of them the cell can be the other way;
- every step follows from what it rests on, and the last one says what is claimed (see
  `mineproof.proofs.step_check`). A proof without steps is judged by its premises alone.

A no-proof is accepted if each of its layouts explains the position and each of its cells is a mine
in one of them and safe in another. The sentences of a proof are not judged. That no proof with
fewer premises exists (`smallest`) is not checked either.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.errors import BudgetExceeded, InputError, as_given
from mineproof.proofs.enumeration import MOST_STATES, possible_counts
from mineproof.proofs.proof import Claim, NoProof, Proof, digest, told_of_mines
from mineproof.proofs.step_check import Rejected, StepCheck, SumOf
from mineproof.proofs.techniques import Ladder
from mineproof.view.marks import Mark
from mineproof.view.setting import position_of
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["Checked", "check_proof", "claimed"]

_MOST_PREMISES = 2_000
_MOST_STEPS = 5_000


@dataclass(frozen=True)
class Checked:
    """Whether a claim was accepted, and what was found, in a line."""

    accepted: bool
    reason: str

    def __bool__(self) -> bool:
        return self.accepted


def check_proof(
    document: Proof | NoProof, view: View | str, most_states: int = MOST_STATES
) -> Checked:
    """Check a proof or no-proof of a position.

    Raises InputError where it speaks of another position, and BudgetExceeded where checking takes
    more than `most_states` states a count.

    >>> view = mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")
    >>> mp.check_proof(mp.explain(view, (0, 1)), view).accepted
    True
    """
    view, most_states = position_of(view), whole(most_states, "most_states")
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
            return Checked(True, _check_no_proof(document, view))
        return Checked(True, _Check(document, view, most_states).run())
    except Rejected as rejected:
        return Checked(False, str(rejected))


class _Check:
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
            raise Rejected("a premise is named twice")
        for clue in proof.premises:
            self._check_shown(clue.cell, clue.shown)
        read: dict[int | None, SumOf] = {cell: self._clue(cell) for cell in proof.clues}
        if proof.told is not None:
            if proof.told != told_of_mines(self.view):
                raise Rejected(
                    f"the premise {proof.told} is not what the position tells:"
                    f" {told_of_mines(self.view)}"
                )
            read[None] = self._total()
        self._check_technique()
        self._check_forced(list(read.values()))
        for dropped in read:
            others = [one for premise, one in read.items() if premise != dropped]
            if not self._contrary(others):
                which = "the mine total" if dropped is None else f"the clue at {self.name(dropped)}"
                raise Rejected(f"{which} is not needed: the other premises do without it")
        if proof.steps:
            StepCheck(proof, self.view, read, self.most_states).run()
        what = f"{len(read)} premise{'' if len(read) == 1 else 's'}, every one of them necessary"
        return f"{claimed(proof)}: {what}"

    def _clue(self, cell: int) -> SumOf:
        """The hidden neighbours of an opened cell, and how many mines they may hold."""
        view, near = self.view, self.view.topology.neighbours(cell)
        shown = view.clue(cell)
        opened_mines = sum(view[other] is Mark.MINE for other in near)
        hidden = tuple(other for other in near if view.is_hidden(other))
        allowed = 0
        for mines in range(len(hidden) + 1):
            if view.channel.likelihood(shown, mines + opened_mines, len(near)):
                allowed |= 1 << mines
        return hidden, allowed

    def _check_shown(self, cell: int, shown: int | None) -> None:
        view = self.view
        if view.is_hidden(cell) or view[cell] is Mark.MINE:
            raise Rejected(f"the premise {self.name(cell)} is no opened safe cell")
        if view.clue(cell) != shown:
            found = "nothing" if view.clue(cell) is None else view.clue(cell)
            raise Rejected(f"the premise {self.name(cell)} shows {found}, not {shown}")
        if shown is None and not view.channel.tells_missing:
            raise Rejected(f"the premise {self.name(cell)} shows no clue")

    def _total(self) -> SumOf:
        view, cells = self.view, tuple(self.view.hidden)
        opened = len(view.opened_mines)
        if view.total is not None:
            left = view.total - opened
            return cells, 1 << left if 0 <= left <= len(cells) else 0
        full = (2 << len(cells)) - 1
        if view.density is None:
            return cells, full if opened else full - 1
        if view.density in (0, 1):
            none = opened == 0 if view.density == 0 else len(cells) + opened == len(view)
            return cells, (1 if view.density == 0 else 1 << len(cells)) if none else 0
        return cells, full

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
            raise Rejected(f"the technique {proof.technique} does not fit the premises")

    def _check_forced(self, sums: list[SumOf]) -> None:
        proof = self.proof
        if proof.cell is not None:
            if self.view.is_open(proof.cell):
                raise Rejected(f"{self.name(proof.cell)} is open")
            fixed = {proof.cell: proof.claim is Claim.MINE}
            if not possible_counts(sums, fixed, (), self.most_states):
                if not self._contrary(sums):
                    raise Rejected("the premises cannot be met at all")
                raise Rejected(f"the premises say that {self.name(proof.cell)} is {self._other()}")
        if self._contrary(sums):
            if proof.cell is None:
                raise Rejected("the premises can be met")
            raise Rejected(f"the premises leave {self.name(proof.cell)} free to be {self._other()}")

    def _contrary(self, sums: list[SumOf]) -> bool:
        """Whether the sums can be met against the claim."""
        cell, claim = self.proof.cell, self.proof.claim
        fixed = {} if cell is None else {cell: claim is not Claim.MINE}
        return bool(possible_counts(sums, fixed, (), self.most_states))

    def _other(self) -> str:
        return "safe" if self.proof.claim is Claim.MINE else "a mine"


def claimed(document: Proof | NoProof) -> str:
    """What a document claims, in a few words."""
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
        raise Rejected("the claim leaves out hidden cells")
    layouts = [frozenset(mines) for mines in document.solutions]
    for number, mines in enumerate(layouts, 1):
        _check_layout(view, mines, number)
    speaking = {near for cell in view.opened for near in view.topology.neighbours(cell)}
    sea = hidden - speaking
    sea_mine = any(mines & sea for mines in layouts)
    sea_safe = any(sea - mines for mines in layouts)
    for cell in document.cells:
        if cell not in hidden:
            raise Rejected(f"{name(cell)} is open")
        if cell in sea:
            seen_mine, seen_safe = sea_mine, sea_safe
        else:
            seen_mine = any(cell in mines for mines in layouts)
            seen_safe = any(cell not in mines for mines in layouts)
        if not (seen_mine and seen_safe):
            missing = "a mine" if not seen_mine else "safe"
            raise Rejected(f"{name(cell)} is {missing} in none of the solutions")
    return f"{claimed(document)}: {len(layouts)} solutions show it"


def _check_layout(view: View, mines: frozenset[int], number: int) -> None:
    """Whether a full set of mines explains a position."""
    name = view.topology.cell_name
    for cell in view.opened:
        if (cell in mines) != (view[cell] is Mark.MINE):
            raise Rejected(f"solution {number} is wrong about the open cell {name(cell)}")
        if cell in mines:
            continue
        shown = view.clue(cell)
        if shown is None and not view.channel.tells_missing:
            continue
        near = view.topology.neighbours(cell)
        true = sum(other in mines for other in near)
        if not view.channel.likelihood(shown, true, len(near)):
            raise Rejected(f"solution {number} breaks the clue at {name(cell)}")
    total = len(mines)
    if view.total is not None:
        fits = total == view.total
    elif view.density is None:
        fits = total >= 1
    else:
        fits = (view.density > 0 or total == 0) and (view.density < 1 or total == len(view))
    if not fits:
        raise Rejected(f"solution {number} has {total} mines; told: {told_of_mines(view)}")
