"""What both forms of a document share: its kinds, the position it names, and steps of old ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from mineproof.errors import InputError, quoted
from mineproof.proofs.proof import Claim, NoProof, Proof, digest
from mineproof.proofs.steps import Conclusion, ProofStep, decided
from mineproof.view.view import View

__all__ = ["CLAIMS", "MOST_PARTS", "Document", "OldFact", "same_position", "steps_of_facts"]

Document: TypeAlias = Proof | NoProof
OldFact: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Cells, the numbers of mines they may hold, and the clues that say so, in version 1."""

CLAIMS = {kind.value: kind for kind in Claim}
MOST_PARTS = 100_000
"""The most cells, or steps, of one list."""


def same_position(position: object, view: View) -> str:
    """The digest of a position. Raises InputError where a document names another."""
    expected = digest(view)
    if position != expected:
        raise InputError(
            f"the proof is for another position ({quoted(position)}); accepted: one for {expected}"
        )
    return expected


def steps_of_facts(
    facts: Sequence[OldFact],
    text: str,
    claim: Claim,
    cell: int | None,
    clues: tuple[int, ...],
    uses_total: bool,
) -> tuple[ProofStep, ...]:
    """The steps of a document of version 1: its facts, then its claim with all of its text."""
    steps = [
        ProofStep("", clues=named, cells=cells, conclusions=(Conclusion(cells, counts),))
        for cells, counts, named in facts
    ]
    ends = Conclusion((), ()) if cell is None else decided([cell], claim is Claim.MINE)
    last = ProofStep(text, clues, uses_total, cells=ends.cells, conclusions=(ends,))
    return (*steps, last)
