"""What lies behind a guess: best play where the end is near, and the guess of `swift` before it.

The work is bounded by counts, never by a clock: the same position gets the same answer anywhere.
"""

from __future__ import annotations

from mineproof import kernel
from mineproof.advice.risks import EQUAL
from mineproof.agents.swift import Swift
from mineproof.errors import BudgetExceeded
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.budget import Budget
from mineproof.inference.engine.exact import analyze
from mineproof.rng import Stream
from mineproof.rules import Goal, OnMine
from mineproof.search.win import WinChance, best_play
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["alive_after", "guess_ahead", "is_sealed", "known_end", "obstacle", "obstacle_ahead"]

_SOLUTIONS, _WORK = 1_000, 2_000_000
"""Solutions of one region, and rows looked at, within which best play is searched."""
_LARGEST = 20_000
"""Cells of the largest board on which a guess is looked for ahead."""
_WIDEST = Budget(states=20_000)
"""Positions that take more to count are not looked ahead in; those of Expert games take 256."""


def obstacle(view: View) -> str | None:
    """Why nothing but risks can be weighed in a game; None where more can."""
    rules = view.rules
    if view.total is None:
        return "The number of mines is not known"
    if rules.clues != "exact":
        return "Clues may be missing or wrong"
    if rules.on_mine is not OnMine.LOSE:
        return "A mine does not end the game"
    if rules.goal is not Goal.CLEAR:
        return "The game is won by marking mines"
    if view.opened_mines:
        return "A mine has been opened"
    if not kernel.available():
        return "The compiled core, which looks ahead, is not there"
    return None


def obstacle_ahead(analysis: Analysis) -> str | None:
    """Why a guess cannot be looked for ahead, where `obstacle` is None."""
    view = analysis.view
    if analysis.trust_flags and view.flag_count:
        return "Flags are taken for mines"
    if len(view) > _LARGEST:
        return "The board is too large to look ahead"
    try:
        analyze(view, budget=_WIDEST)
    except BudgetExceeded:
        return "The position is too wide to look ahead"
    return None


def known_end(analysis: Analysis) -> list[WinChance] | None:
    """The chance to win of every cell by best play; None where the end is too far away."""
    try:
        return best_play(analysis, solutions=_SOLUTIONS, work=_WORK)
    except BudgetExceeded:
        return None


def guess_ahead(view: View) -> int | None:
    """The guess of the player that looks ahead; None where something is certain."""
    logic = Swift()
    logic.begin(view)
    found = logic.guess(view, Stream(0))
    return None if found is None else found[0]


def alive_after(analysis: Analysis, cell: int) -> float:
    """The chance to be alive after opening a cell and then one of the least risk."""
    alive = 0.0
    for shown, chance in analysis.clue_distribution(cell).items():
        if shown is Mark.MINE:
            continue
        following = analyze(analysis.view.reveal({cell: shown})).least_risk
        alive += chance * (1.0 if following is None else 1.0 - following.p)
    return alive


def is_sealed(analysis: Analysis, cell: int) -> bool:
    """Whether nothing elsewhere will ever tell more about a cell, and no cell tied to it is safer.

    It then belongs to a few cells that hold a fixed number of mines and touch no others: one of
    them must be guessed sooner or later.
    """
    near, mines = analysis.view.topology.neighbours, set(analysis.mines)
    for part in analysis.components:
        if cell in part.cells:
            around = {other for one in part.cells for other in near(one)}
            left = around.difference(part.cells, mines)
            safest = min(analysis.p[other] for other in part.cells)
            return (
                len(part.mines) == 1
                and all(map(analysis.view.is_open, left))
                and analysis.p[cell] - safest <= EQUAL
            )
    return False
