"""Certificates are made here: every move of a board without guesses, with its smallest proof."""

from __future__ import annotations

from collections.abc import Iterator

from mineproof.errors import InputError, as_given
from mineproof.generation.certificate import Certificate, CertifiedMove, Truth
from mineproof.generation.generated import NoGuessBoard
from mineproof.proofs.explainer import Explainer
from mineproof.proofs.proof import Proof

__all__ = ["certify"]

_CANDIDATES = 4
"""Cells whose proofs are compared where none has one or two premises: each takes a search."""


def certify(board: NoGuessBoard) -> Certificate:
    """The certificate of a board: its moves in order, each with the fewest premises.

    The player opens what single clues prove; where there is none, a cell with an easy proof.
    Raises InputError where a guess is needed, and BudgetExceeded.

    >>> board = mp.generate("9x9/10", seed=1)[0]
    >>> mp.certify(board).layout == board.layout
    True
    """
    if not isinstance(board, NoGuessBoard):
        raise InputError(f"{as_given(board)} is no board; accepted: one that generate made")
    moves = tuple(_moves(Truth(board.beginning, board.layout), board.first))
    return Certificate(board.beginning, board.layout, moves)


def _moves(truth: Truth, first: int) -> Iterator[CertifiedMove]:
    view = truth.open(truth.start, first)
    while view.opened_count < truth.safe_cells:
        proofs = _next_proofs(Explainer(view))
        if not proofs:
            raise InputError(
                f"the board needs a guess after {view.opened_count} cells; accepted: a layout that"
                " can be cleared without one"
            )
        for proof in proofs:
            assert proof.cell is not None
            if view.is_hidden(proof.cell):
                yield CertifiedMove(
                    proof.cell, proof.clues, proof.uses_total, proof.technique, proof.smallest
                )
                view = truth.open(view, proof.cell)


def _next_proofs(explainer: Explainer) -> list[Proof]:
    """All cells that single clues prove safe; without one, one cell by two clues, or by few.

    A proof by one clue stays the smallest while other cells are opened; a larger one may not.
    Where no cell needs two premises, the first that needs three is taken, or the easiest of some.
    """
    finder, safe = explainer.finder, list(explainer.analysis.safe)
    single = [cell for cell in safe if finder.one_clue(cell, mine=False)]
    if single:
        return [explainer.prove(cell, mine=False) for cell in single]
    for cell in safe:
        if finder.two_clues(cell, mine=False):
            return [explainer.prove(cell, mine=False)]
    proofs: list[Proof] = []
    for cell in safe[:_CANDIDATES]:
        proofs.append(explainer.prove(cell, mine=False))
        if proofs[-1].size == 3:
            return proofs[-1:]
    return [min(proofs, key=_rank)] if proofs else []


def _rank(proof: Proof) -> tuple[int, int, int]:
    return proof.technique.rung, proof.size, proof.cell or 0
