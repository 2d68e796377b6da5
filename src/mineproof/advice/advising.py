"""One meaning of best: what is certain, then best play near the end, then look-ahead.

Before anything is open, the rule of the first click decides. Chances to win, if the caller has
them, decide instead of look-ahead. If there are none and look-ahead is not possible, the least risk
decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mineproof.advice import phrases
from mineproof.advice.advice import Advice, Alternative, Basis, Measure
from mineproof.advice.looking_ahead import (
    alive_after,
    guess_ahead,
    is_sealed,
    known_end,
    obstacle,
    obstacle_ahead,
)
from mineproof.advice.risks import EQUAL, as_risky, riskier
from mineproof.agents.first_click import first_cells
from mineproof.board.deal import check_room
from mineproof.errors import InputError, check_kind, each_of
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget
from mineproof.inference.engine.exact import analyze
from mineproof.rules import FirstClick
from mineproof.search.win import SAMPLES, WinChance, candidates, win_chance
from mineproof.view.view import View

__all__ = ["advise", "chances_to_win", "is_promised"]

_MOST = 8
"""Alternatives that are listed."""
_MOST_AHEAD = 3
"""Alternatives that are looked ahead for."""


def advise(
    position: View | str | Analysis,
    *,
    wins: Iterable[WinChance] = (),
    budget: Budget = DEFAULT_BUDGET,
) -> Advice | None:
    """The best move of a position and why; None where no hidden cell can be safe.

    A certainly safe cell is always best. Otherwise it is the cell that wins most by best play,
    where so few solutions are left that this is quickly known; before that the guess of `swift`.
    The position is a view, its text or an analysis.
    `wins`, from `chances_to_win` or `win_chance`, are believed instead: then the best cell is one
    whose chance no other's is clearly above. The same position gets the same advice.
    Raises InconsistentPosition and BudgetExceeded.

    >>> advice = mp.advise("square 2x3 mines=2\\n1..\\n.2.")
    >>> advice.cell, advice.basis.value, advice.risk
    (2, 'best-play', 0.5)
    >>> print(advice)
    No cell is certainly safe. Best play wins with 50.0 % after 0,2, ... is as good. ...
    """
    budget = Budget.taken(budget)
    listed = list(each_of(wins, "wins", "what win_chance returns"))
    for win in listed:
        check_kind(win, WinChance, "wins", "what win_chance returns")
    analysis = position if isinstance(position, Analysis) else analyze(position, budget=budget)
    least = analysis.least_risk
    if least is None:
        return None
    known = sorted(listed, key=lambda win: (-win.chance, win.risk, win.cell))
    if is_promised(analysis.view):
        return _first(analysis, known)
    if least.p == 0.0:
        return _certain(analysis, known)
    if known:
        return _by_wins(analysis, known)
    why_not = obstacle(analysis.view)
    if why_not is None:
        end = known_end(analysis)
        if end is not None:
            return _by_wins(analysis, sorted(end, key=lambda win: (-win.chance, win.risk)))
        why_not = obstacle_ahead(analysis)
    ahead = None if why_not is not None else guess_ahead(analysis.view)
    return _least_risk(analysis, why_not) if ahead is None else _ahead(analysis, ahead)


def chances_to_win(
    view: View, *, samples: int = SAMPLES, seconds: float | None = None, seed: int = 0
) -> list[WinChance]:
    """What `win_chance` lists, with the cell that is best without it among them.

    Raises what `win_chance` raises.
    """
    known = advise(view)
    also = () if known is None or known.basis is Basis.CERTAIN else (known.cell,)
    return win_chance(view, also=also, samples=samples, seconds=seconds, seed=seed)


def is_promised(view: View) -> bool:
    """Whether the next cell is the first one and the rules keep it free of mines."""
    if view.opened_count or view.rules.first_click is FirstClick.ANY:
        return False
    try:
        check_room(view.topology, view.rules)
    except InputError:
        return False
    return True


# -- what is certain -----------------------------------------------------------------------------


def _first(analysis: Analysis, wins: Sequence[WinChance]) -> Advice:
    view = analysis.view
    rule = view.rules.first_click
    cells = first_cells(view.topology, rule, 0 if view.total is None else view.total)
    chosen = _chosen(wins, cells[0])
    if chosen is not None:
        text = phrases.first_by_win(view, _tied(wins), chosen)
        return _weighed(Basis.FIRST_CLICK, wins, chosen, text)
    text = phrases.first(rule, len(cells) - 1)
    return Advice(cells[0], Basis.FIRST_CLICK, 0.0, None, Measure.RISK, cells[1:], (), text)


def _certain(analysis: Analysis, wins: Sequence[WinChance]) -> Advice:
    cell, *others = analysis.safe
    # All that is certain will be opened: the chance to win is the same whichever comes first.
    win = next((replace(one, cell=cell) for one in wins if one.risk == 0.0), None)
    rest = _by_risk(analysis, 0.0) if win is None else _losses(wins, win)
    return Advice(
        cell,
        Basis.CERTAIN,
        0.0,
        win,
        Measure.RISK if win is None else Measure.WIN,
        tuple(others),
        tuple(one for one in rest if one.risk > 0.0)[:_MOST],
        phrases.certain(analysis.view, cell, len(others)),
    )


# -- guesses -------------------------------------------------------------------------------------


def _by_wins(analysis: Analysis, wins: Sequence[WinChance]) -> Advice:
    """By chances to win, the greatest first: exact ones decide, and estimates unless they tie."""
    exact = all(win.exact for win in wins)
    unseen = exact or obstacle(analysis.view) or obstacle_ahead(analysis)
    preferred = None if unseen else guess_ahead(analysis.view)
    chosen = _chosen(wins, preferred)
    assert chosen is not None
    tied = _tied(wins)
    if exact:
        return _weighed(Basis.BEST_PLAY, wins, chosen, phrases.by_best_play(analysis, wins, tied))
    # Where chances tie, what was looked for ahead tells why one cell is preferred.
    rival = tied[0]
    alive = None
    if rival is not chosen and chosen.risk - min(win.risk for win in tied) > EQUAL:
        alive = alive_after(analysis, chosen.cell), alive_after(analysis, rival.cell)
    text = phrases.by_rollouts(analysis, wins, tied, chosen, alive)
    return _weighed(Basis.ROLLOUTS, wins, chosen, text)


def _chosen(wins: Sequence[WinChance], preferred: int | None) -> WinChance | None:
    """The greatest chance, or the preferred cell unless another is clearly better."""
    surely = max((win.low for win in wins), default=0.0)
    for win in wins:
        if win.cell == preferred and win.chance >= surely:
            return win
    return next(iter(wins), None)


def _tied(wins: Sequence[WinChance]) -> list[WinChance]:
    """The best: exact chances that no other exceeds, estimates that none is clearly above."""
    surely = max((win.low for win in wins), default=0.0)
    return [win for win in wins if win.high >= surely - EQUAL]


def _weighed(basis: Basis, wins: Sequence[WinChance], chosen: WinChance, text: str) -> Advice:
    return Advice(
        chosen.cell,
        basis,
        chosen.risk,
        chosen,
        Measure.WIN,
        tuple(win.cell for win in _tied(wins) if win is not chosen),
        _losses(wins, chosen)[:_MOST],
        text,
    )


def _losses(wins: Sequence[WinChance], chosen: WinChance) -> tuple[Alternative, ...]:
    return tuple(
        Alternative(win.cell, win.risk, win, max(chosen.chance - win.chance, 0.0))
        for win in wins
        if win is not chosen
    )


def _ahead(analysis: Analysis, cell: int) -> Advice:
    """The guess that was looked for ahead, beside a few of the least risk."""
    risk, alive = analysis.p[cell], alive_after(analysis, cell)
    least = analysis.least_risk
    assert least is not None
    others = [one for one in candidates(analysis) if one != cell][:_MOST_AHEAD]
    lives = {one: alive_after(analysis, one) for one in others}
    ties = tuple(
        one
        for one in others
        if abs(lives[one] - alive) <= EQUAL and abs(analysis.p[one] - risk) <= EQUAL
    )
    alternatives = [
        Alternative(
            one,
            analysis.p[one],
            None,
            max(alive - lives[one], 0.0) if lives[one] <= alive + EQUAL else None,
        )
        for one in others
    ]
    if risk - least.p <= EQUAL:
        text = phrases.safest_ahead(analysis, cell)
    else:
        there = alive_after(analysis, least.cell)
        text = phrases.ahead(analysis, cell, (alive, there), is_sealed(analysis, cell))
    alternatives.sort(key=lambda one: (one.lost is None, one.lost or 0.0))
    return Advice(
        cell, Basis.LOOK_AHEAD, risk, None, Measure.ALIVE, ties, tuple(alternatives), text
    )


def _least_risk(analysis: Analysis, why_not: str | None) -> Advice:
    least = analysis.least_risk
    assert least is not None
    return Advice(
        least.cell,
        Basis.LEAST_RISK,
        least.p,
        None,
        Measure.RISK,
        as_risky(analysis, least.cell),
        _by_risk(analysis, least.p),
        phrases.least_risk(analysis, least.cell, why_not),
    )


def _by_risk(analysis: Analysis, risk: float) -> tuple[Alternative, ...]:
    """A few other cells, one of each greater risk."""
    found = riskier(analysis, risk, _MOST)
    return tuple(Alternative(cell, chance, None, chance - risk) for cell, chance in found)
