"""Fair and cruel guesses: which guess is a best one, and the layout that the rule puts in place.

A module of its own: a rule of the game that needs the exact engine and best play, which the referee
otherwise does without.

Chances stay true under both rules. Where the rule decides, another layout is drawn from all that
explain what the player sees and agree with the outcome, each as likely as before. So the mines that
remain are as uncertain as the view says, and nobody can tell a forgiven guess from a lucky one.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.agents.agent import first_click_is_safe
from mineproof.agents.players import Swift
from mineproof.board.layout import Layout
from mineproof.engine.analysis import Analysis, Budget
from mineproof.engine.exact import analyze
from mineproof.errors import BudgetExceeded, InputError
from mineproof.rng import Stream
from mineproof.rules import GuessRule
from mineproof.search.win import best_play
from mineproof.text import percent
from mineproof.view.channels import Mark
from mineproof.view.view import View

_BUDGET = Budget(states=1_000_000, memory=128 << 20)
"""The work on one guess; beyond it the deal decides."""
_SOLUTIONS, _WORK = 1_000, 2_000_000
"""How far from its end a game is for best play to be known: as `advise` has it."""
_EQUAL = 1e-12


def best_guesses(analysis: Analysis) -> frozenset[int]:
    """The cells that are a best guess; none where a cell is certainly safe.

    Those that win most by best play where that is known. Before that, those of least risk, and the
    one that looking ahead prefers.
    """
    least = analysis.least_risk
    if least is None or least.p == 0.0:
        return frozenset()
    try:
        wins = best_play(analysis, solutions=_SOLUTIONS, work=_WORK)
        most = max(win.chance for win in wins)
        return frozenset(win.cell for win in wins if win.chance >= most - _EQUAL)
    except (BudgetExceeded, InputError):  # too far from the end, or rules it does not know
        pass
    risks = analysis.p
    best = {cell for cell in analysis.view.hidden if risks[cell] <= least.p + _EQUAL}
    return frozenset(best | _ahead(analysis.view))


def _ahead(view: View) -> set[int]:
    """The guess of the player that looks ahead, where it can play."""
    try:
        logic = Swift()
        logic.begin(view)
        found = logic.guess(view, Stream(0))
    except InputError:
        return set()
    return set() if found is None else {found[0]}


@dataclass(frozen=True)
class SettledGuess:
    """The layout with which a cell is opened; the risk of the guess, and whether it was best."""

    layout: Layout
    risk: float
    best: bool


def settle_guess(
    view: View, cell: int, rule: GuessRule, layout: Layout, seed: int
) -> SettledGuess | None:
    """How the rule settles the opening of a cell; None if that is no guess, or too wide to count.

    The same arguments give the same layout.
    """
    if rule is GuessRule.DEALT or first_click_is_safe(view):
        return None
    try:
        analysis = analyze(view, budget=_BUDGET)
        risk = analysis.p[cell]
        if not 0.0 < risk < 1.0:
            return None
        best = cell in best_guesses(analysis)
        if rule is GuessRule.FAIR and best and layout.is_mine(cell):
            [layout] = analyze(view.reveal({cell: Mark.BLANK}), budget=_BUDGET).sample(1, seed)
        elif rule is GuessRule.CRUEL and not best and not layout.is_mine(cell):
            layout = _with_mine(view, cell, seed)
    except BudgetExceeded:
        return None
    return SettledGuess(layout, risk, best)


def _with_mine(view: View, cell: int, seed: int) -> Layout:
    """A layout that explains the view and has a mine in the cell."""
    alone = View.of_codes(view.topology, view.rules, view.codes(), [cell])
    [drawn] = analyze(alone.with_free(view.free), budget=_BUDGET, trust_flags=True).sample(1, seed)
    return drawn


def guess_text(guess: SettledGuess, rule: GuessRule) -> str:
    """What a guess was and what the rule made of it, in a sentence or two."""
    chance = f"The true chance of a mine was {percent(guess.risk)}."
    if guess.best:
        why = "Nothing was certainly safe, and no cell was a better guess"
        return f"{why}: forgiven. {chance}" if rule is GuessRule.FAIR else f"{why}. {chance}"
    why = "There was a better move"
    return f"{why}: it had to fail. {chance}" if rule is GuessRule.CRUEL else f"{why}. {chance}"
