"""Checking a certificate move by move, by the independent proof checker alone.

No engine and no core takes part: clues are counted from the layout, and every move's premises are
judged by `mineproof.proofs.checker`, which counts over the cells they speak of.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.board.deal import kept_free
from mineproof.errors import InputError, as_given
from mineproof.generation.certificate import Certificate, CertifiedMove, Truth
from mineproof.proofs.checker import check_proof
from mineproof.proofs.enumeration import MOST_STATES
from mineproof.proofs.proof import Claim, Clue, Proof, digest, told_of_mines
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["CertificateCheck", "check_certificate"]


@dataclass(frozen=True)
class CertificateCheck:
    """Whether a certificate was accepted, and what was found, in a line.

    `move` is the number, from 1, of the first move that failed; None where none did.
    """

    accepted: bool
    reason: str
    move: int | None = None

    def __bool__(self) -> bool:
        return self.accepted


def check_certificate(certificate: Certificate, most_states: int = MOST_STATES) -> CertificateCheck:
    """Check a certificate; the first move that fails is named.

    Raises BudgetExceeded where checking a move takes more than `most_states` states a count.

    >>> certificate = mp.certify(mp.generate("9x9/10", seed=1)[0])
    >>> mp.check_certificate(certificate).move is None
    True
    """
    if not isinstance(certificate, Certificate):
        raise InputError(f"{as_given(certificate)} is no certificate; accepted: what certify makes")
    most_states = whole(most_states, "most_states")
    beginning = certificate.beginning
    truth = Truth(beginning, certificate.layout)
    name = beginning.topology.cell_name
    if certificate.layout.topology != beginning.topology:
        return CertificateCheck(False, "the layout is of another board")
    if (laid := len(certificate.layout.cells)) != beginning.mines:
        return CertificateCheck(False, f"the layout has {laid} mines, not {beginning.mines}")
    for cell in kept_free(beginning.topology, beginning.rules.first_click, (beginning.first,)):
        if truth.is_mine(cell):
            rule = beginning.rules.first_click.value
            return CertificateCheck(
                False,
                f"the first click at {name(beginning.first)} is not {rule}: {name(cell)} is a mine",
            )
    view = truth.open(truth.start, beginning.first)
    for number, move in enumerate(certificate.moves, 1):
        fault = _fault(move, view, truth, most_states)
        if fault is not None:
            return CertificateCheck(False, f"move {number}, {name(move.cell)}: {fault}", number)
        view = truth.open(view, move.cell)
    if left := truth.safe_cells - view.opened_count:
        return CertificateCheck(False, f"the moves leave {left} safe cells hidden")
    moves = len(certificate.moves)
    return CertificateCheck(
        True, f"{beginning.text}: {moves} moves, each proved, clear the board without a guess"
    )


def _fault(move: CertifiedMove, view: View, truth: Truth, most_states: int) -> str | None:
    """What is wrong with a move in a position; None where its premises prove it."""
    if view.is_open(move.cell):
        return "the cell is open already"
    hidden = next((clue for clue in move.clues if view.is_hidden(clue)), None)
    if hidden is not None:
        return f"the premise {view.topology.cell_name(hidden)} is not open yet"
    proof = Proof(
        view.topology,
        digest(view),
        Claim.SAFE,
        move.cell,
        tuple(Clue(clue, view.clue(clue)) for clue in move.clues),
        told_of_mines(view) if move.uses_total else None,
        move.smallest,
        move.technique,
    )
    checked = check_proof(proof, view, most_states)
    if not checked:
        return checked.reason
    return "the cell is a mine" if truth.is_mine(move.cell) else None
