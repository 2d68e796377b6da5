"""Whether a layout can be cleared without a guess, and the certificate that it can.

`play_certain` is the readable twin of `cpp/generation/no_guess.cpp`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from mineproof import kernel
from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.engine.exact import core_board_of
from mineproof.engine.session import Session
from mineproof.errors import BudgetExceeded, InputError, as_given
from mineproof.game.referee import Referee
from mineproof.generation.certificate import Certificate, CertifiedMove, NoGuessBoard, PlainReferee
from mineproof.kernel import core
from mineproof.proofs.difficulty import difficulty_rank
from mineproof.proofs.explanation import Explainer
from mineproof.proofs.proof import Proof
from mineproof.rules import FirstClick, Mines, Rules
from mineproof.view.setting import Setting
from mineproof.view.view import View

# A player who must not use the number of mines still needs some rule for them. Under this one any
# number is possible, so no cell becomes certain by it.
_ANY_NUMBER = Mines.independent(Fraction(1, 2))


def play_certain(layout: Layout, first: int, *, total: bool = True) -> View:
    """The view when nothing more is certain; without `total` by the clues alone.

    Raises BudgetExceeded.
    """
    rules = Rules(
        Mines.number(layout.total) if total else _ANY_NUMBER, FirstClick.ANY, total_known=total
    )
    board = Board(layout.topology, rules.mines)
    referee = Referee(Setting(board, rules, layout=layout))
    referee.open(first)
    session = Session(referee.view)
    # The order of the moves does not matter: what is certain stays certain.
    while not referee.over:
        safe, mines = session.newly_certain()
        if not safe and not mines:
            break
        for cell in safe:
            # A cascade may have opened it since the analysis.
            if referee.view.is_hidden(cell):
                referee.open(cell)
        session.follow(referee.view)
    return referee.view


def clears_all(
    layouts: Sequence[Layout], first: int, *, total: bool = True, threads: int = 1
) -> list[bool]:
    """For every layout of one board, whether all its safe cells can be opened without a guess.

    Raises BudgetExceeded.
    """
    if not layouts:
        return []
    topology, mines = layouts[0].topology, layouts[0].total
    if not kernel.available():
        return [
            play_certain(layout, first, total=total).hidden_count == mines for layout in layouts
        ]
    table = np.stack([layout.mines for layout in layouts])
    try:
        return core.clear_many(
            core_board_of(topology).board,
            mines,
            first,
            "total" if total else "clues",
            table,
            threads,
        )
    except core.OverBudget as error:
        raise BudgetExceeded(f"a position is too hard for the exact engine; {error}") from None


# -- Certificates are made here: every move of a board without guesses, with its smallest proof --

_CANDIDATES = 4
"""The number of cells whose proofs are compared where none has one or two premises."""


def certify(board: NoGuessBoard) -> Certificate:
    """The certificate of a board: its moves in order, each with the fewest premises.

    The player opens what single clues prove; where there is none, a cell with an easy proof.
    Raises InputError where a guess is needed, and BudgetExceeded.

    >>> board = mp.generate("9x9/10", seed=1)[0]
    >>> certify(board).layout == board.layout
    True
    """
    if not isinstance(board, NoGuessBoard):
        raise InputError(f"{as_given(board)} is no board; accepted: one that generate made")
    moves = tuple(_moves(PlainReferee(board.beginning, board.layout), board.first))
    return Certificate(board.beginning, board.layout, moves)


def _moves(referee: PlainReferee, first: int) -> Iterator[CertifiedMove]:
    view = referee.open(referee.start, first)
    while view.opened_count < referee.safe_cells:
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
                view = referee.open(view, proof.cell)


def _next_proofs(explainer: Explainer) -> list[Proof]:
    """All cells that single clues prove safe; without one, one cell by two clues, or by few."""
    finder, safe = explainer.finder, list(explainer.analysis.safe)
    single = [cell for cell in safe if finder.one_clue(cell, mine=False)]
    # A proof by one clue stays the smallest while other cells are opened, so all are taken at once.
    # A larger proof may get a smaller rival: only one such move is made before looking again.
    if single:
        return [explainer.prove(cell, mine=False) for cell in single]
    for cell in safe:
        if finder.two_clues(cell, mine=False):
            return [explainer.prove(cell, mine=False)]
    # Each proof takes a search from here on: the first that needs three premises, the fewest left,
    # ends the comparison.
    proofs: list[Proof] = []
    for cell in safe[:_CANDIDATES]:
        proofs.append(explainer.prove(cell, mine=False))
        if proofs[-1].size == 3:
            return proofs[-1:]
    return [min(proofs, key=difficulty_rank)] if proofs else []
