"""The sentences of an advice."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.advice.risks import EQUAL, as_risky, riskier
from mineproof.inference.engine.analysis import Analysis
from mineproof.percentages import percent
from mineproof.rules import FirstClick
from mineproof.search.win import WinChance
from mineproof.view.view import View

__all__ = [
    "ahead",
    "by_wins",
    "certain",
    "first",
    "first_by_win",
    "least_risk",
    "safest_ahead",
    "won_with",
]

_UNSAFE = "No cell is certainly safe."


def certain(view: View, cell: int, others: int) -> str:
    """A cell that is safe, and how many more are."""
    also = ""
    if others:
        also = ", and so is one other cell" if others == 1 else f", and so are {others} other cells"
    name = view.topology.cell_name(cell)
    return f"{name} is safe in every layout that explains the position{also}."


def first(rule: FirstClick, others: int) -> str:
    """The first cell, which the rules keep free of mines."""
    if rule is FirstClick.OPENING:
        return "The first cell opens an area by the rules; here it has room on all sides."
    alike = f" {_more(others)} as good." if others else ""
    return (
        "The first cell is safe by the rules. One with few neighbours is the likeliest to have no"
        f" mine around it, and then it opens an area.{alike}"
    )


def first_by_win(view: View, win: WinChance) -> str:
    """The first cell, by its chance to win."""
    name = view.topology.cell_name(win.cell)
    return f"The first cell is safe by the rules. Opening {name} wins with {won_with(win)}."


def least_risk(analysis: Analysis, cell: int, why_not: str | None) -> str:
    """A guess of the least risk, and why no more was weighed."""
    alike, after = _others(analysis, cell)
    if alike:
        after = f", as {'has one other' if alike == 1 else f'have {alike} others'}{after}"
    said = f"{_least(analysis, cell)}{after}."
    return said if why_not is None else f"{said} {why_not}, so only risks are weighed."


def safest_ahead(analysis: Analysis, cell: int) -> str:
    """A guess that was looked for ahead and has the least risk."""
    alike, after = _others(analysis, cell)
    if alike:
        after = f"; of the {alike + 1} cells that have it, what this one shows helps most{after}"
    return f"{_least(analysis, cell)}{after}."


def _least(analysis: Analysis, cell: int) -> str:
    name = analysis.view.topology.cell_name(cell)
    return f"{_UNSAFE} {name} has the least risk, {percent(analysis.p[cell])}"


def _others(analysis: Analysis, cell: int) -> tuple[int, str]:
    """How many other cells have the same risk, and the next risk in words."""
    after = riskier(analysis, analysis.p[cell], 1)
    return len(as_risky(analysis, cell)), f"; the next has {percent(after[0][1])}" if after else ""


def ahead(analysis: Analysis, cell: int, alive: tuple[float, float], sealed: bool) -> str:
    """A guess with more than the least risk. `alive` is the chance to live through the next move
    too, after it and after the cell of the least risk.
    """
    least = analysis.least_risk
    assert least is not None
    names = analysis.view.topology.cell_name
    said = (
        f"{_UNSAFE} {names(least.cell)} has the least risk, {percent(least.p)};"
        f" {names(cell)} has {percent(analysis.p[cell])}, but"
    )
    here, there = alive
    if here > there + EQUAL:
        return (
            f"{said} what it shows is worth more: the chance to live through this move and the next"
            f" is {percent(here)} against {percent(there)}."
        )
    if sealed:
        return f"{said} nothing elsewhere will ever tell more about it: it must be guessed anyway."
    return f"{said} the moves after it look safer."


def by_wins(analysis: Analysis, wins: Sequence[WinChance], chosen: WinChance, ties: int) -> str:
    """A guess by its chance to win, against the least risk and the next best."""
    names = analysis.view.topology.cell_name
    least = analysis.least_risk
    assert least is not None
    how = "Best play wins with" if chosen.exact else "Games played out from here win with"
    name, told = names(chosen.cell), won_with(chosen)
    rival = next((win for win in wins if win.risk - least.p <= EQUAL), None)
    if chosen.risk - least.p <= EQUAL:
        said = f"{how} {told} after {name}, and no cell has less risk: {percent(chosen.risk)}."
        rival = chosen
    elif rival is None:
        said = f"{how} {told} after {name}, at a risk of {percent(chosen.risk)}."
    else:
        other = names(rival.cell)
        risks = f"{percent(rival.risk)} against {percent(chosen.risk)}"
        wins_there = f"{how[0].lower()}{how[1:]} {told} after {name} and {won_with(rival)}"
        joined = "and" if rival.high >= chosen.low else "but"
        said = f"{other} has less risk, {risks}, {joined} {wins_there} after {other}."
    after = next((win for win in wins if win.high < chosen.low), None)
    if ties:
        said += f" {_more(ties)} as good{'' if chosen.exact else ' as far as can be told'}."
    if after is not None and after is not rival:
        said += f" The next best, {names(after.cell)}, wins with {won_with(after)}."
    return f"{_UNSAFE} {said}"


def won_with(win: WinChance) -> str:
    """A chance to win, with its interval where it is an estimate."""
    if win.exact:
        return percent(win.chance)
    return f"about {percent(win.chance)} ({percent(win.low)} to {percent(win.high)})"


def _more(others: int) -> str:
    return "One other cell is" if others == 1 else f"{others} other cells are"
