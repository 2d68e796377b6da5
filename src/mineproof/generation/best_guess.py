"""Puzzles that ask for the best guess: exact chances, and only where the best is clearly best."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from mineproof.errors import BudgetExceeded
from mineproof.generation.pattern_catalog import BEST_GUESS, PATTERNS
from mineproof.generation.teaching_puzzle import Choice, Question, SourceGame, TeachingPuzzle
from mineproof.generation.window import complete_clues, cut_view, surroundings, window_around
from mineproof.inference.engine.exact import analyze
from mineproof.search.endgame import endgame
from mineproof.view.view import View

__all__ = ["CLEARLY", "cut_guess", "guess_level", "guess_of"]

CLEARLY = Fraction(1, 20)
"""The best cells win so much more often than any other that they are clearly best."""
_MOST_HIDDEN = 24
_MOST_WINDOW = 100
_MOST_BEST = 3
_SOLUTIONS, _WORK = 2_000, 2_000_000


def cut_guess(view: View, source: SourceGame | None = None) -> TeachingPuzzle | None:
    """The guess of a position in which nothing is certain, in the smallest window that keeps it.

    The window has every hidden cell, and every clue beside one with all its mines, so that all
    chances are those of the game. None where it is large, or where no cell is clearly best.
    """
    if not 2 <= view.hidden_count <= _MOST_HIDDEN:
        return None
    near = view.topology.neighbours
    speaking = {clue for cell in view.hidden for clue in near(cell) if view.clue(clue) is not None}
    window = window_around(view.topology, set(view.hidden) | surroundings(view, speaking))
    if len(window.topology) > _MOST_WINDOW:
        return None
    return guess_of(cut_view(view, window, complete_clues(view, window), True), source)


def guess_of(view: View, source: SourceGame | None = None) -> TeachingPuzzle | None:
    """The guess that a position asks for; None where a cell is certain or none is clearly best.

    Raises InconsistentPosition, and InputError for other rules than the ordinary game's.
    """
    risks = analyze(view).fractions()
    if any(risks[cell] in (0, 1) for cell in view.hidden):
        return None
    try:
        wins = endgame(view, solutions=_SOLUTIONS, work=_WORK)
    except BudgetExceeded:
        return None
    best = wins.best
    others = [chance for chance in wins.cells.values() if chance < wins.chance]
    if not 0 < len(best) <= _MOST_BEST or not others or wins.chance - max(others) < CLEARLY:
        return None
    choices = sorted(
        (Choice(cell, risks[cell], chance) for cell, chance in wins.cells.items()),
        key=lambda choice: (-choice.win, choice.risk, choice.cell),
    )
    return TeachingPuzzle(
        view,
        Question.GUESS,
        PATTERNS[BEST_GUESS],
        "guess",
        guess_level(choices, best),
        best=tuple(sorted(best)),
        choices=tuple(choices),
        source=source,
    )


def guess_level(choices: Sequence[Choice], best: Collection[int]) -> int:
    """3 where the best is the safest alone, 4 where others are as safe, 5 where one is safer."""
    safest = min(choice.risk for choice in choices)
    if all(choice.risk > safest for choice in choices if choice.cell in best):
        return 5
    as_safe = any(choice.risk == safest for choice in choices if choice.cell not in best)
    return 4 if as_safe else 3
