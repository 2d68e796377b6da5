"""Puzzles cut from positions: the smallest window that keeps a proof, and what to show in it."""

from __future__ import annotations

from collections.abc import Collection

from mineproof.errors import BudgetExceeded
from mineproof.generation.recognition import hardest, level_of, pattern_of_proofs
from mineproof.generation.teaching_puzzle import Question, SourceGame, TeachingPuzzle
from mineproof.generation.window import (
    Window,
    complete_clues,
    cut_view,
    surroundings,
    window_around,
)
from mineproof.inference.engine.exact import analyze
from mineproof.proofs.explainer import Explainer
from mineproof.view.view import View

__all__ = ["MOST_CELLS", "cut_puzzle", "puzzle_of"]

MOST_CELLS = 150
"""The most cells of a puzzle's window."""
_MOST_PROVED = 24
"""A puzzle with more certain cells is a game, not a puzzle."""


def cut_puzzle(
    view: View, clues: Collection[int], uses_total: bool, source: SourceGame | None = None
) -> TeachingPuzzle | None:
    """The puzzle that some clues of a position make, with the total or without it.

    The window is the smallest that has the clues with all that they touch; with the total it has
    every hidden cell and two rings around it too. Clues that are not needed are shown as in the
    game where they are true in the window and make no further cell certain. None where nothing is
    certain there, or where the window is too large.
    """
    needed = surroundings(view, clues)
    if uses_total:
        needed |= surroundings(view, surroundings(view, tuple(view.hidden)))
    if len(needed) > MOST_CELLS:
        return None
    window = window_around(view.topology, needed)
    if len(window.topology) > MOST_CELLS:
        return None
    shown = _shown(view, window, clues, uses_total)
    return puzzle_of(cut_view(view, window, shown, uses_total), source)


def _shown(view: View, window: Window, clues: Collection[int], uses_total: bool) -> set[int]:
    """The clues to show: the needed ones, and those that give nothing away."""
    complete = complete_clues(view, window)
    shown = set(clues) | {clue for clue, hidden in complete.items() if not hidden}
    others = [clue for clue in complete if clue not in shown]
    wanted = _certain(cut_view(view, window, shown, uses_total))
    if _certain(cut_view(view, window, shown.union(others), uses_total)) == wanted:
        return shown.union(others)
    for clue in others:
        if _certain(cut_view(view, window, shown | {clue}, uses_total)) == wanted:
            shown.add(clue)
    return shown


def _certain(view: View) -> tuple[int, int]:
    found = analyze(view)
    return found.safe.mask, found.mines.mask


def puzzle_of(view: View, source: SourceGame | None = None) -> TeachingPuzzle | None:
    """The puzzle of a position: all its certain cells, each with its proof; None if there is none.

    Raises InconsistentPosition and BudgetExceeded.
    """
    explainer = Explainer(view)
    safe, mines = tuple(explainer.analysis.safe), tuple(explainer.analysis.mines)
    if not 0 < len(safe) + len(mines) <= _MOST_PROVED:
        return None
    try:
        proofs = tuple(explainer.prove(cell, cell in mines) for cell in sorted((*safe, *mines)))
    except BudgetExceeded:
        return None
    if not all(proof.smallest for proof in proofs):
        return None
    return TeachingPuzzle(
        view,
        Question.CERTAIN,
        pattern_of_proofs(view, proofs),
        hardest(proofs).technique.name,
        level_of(proofs),
        safe,
        mines,
        proofs=proofs,
        source=source,
    )
