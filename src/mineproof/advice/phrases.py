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
    "by_best_play",
    "by_rollouts",
    "certain",
    "first",
    "first_by_win",
    "least_risk",
    "safest_ahead",
]

_UNSAFE = "No cell is certainly safe."
_MOST_TIES = 4
"""Tied cells whose chances are told one by one."""


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


def first_by_win(view: View, tied: Sequence[WinChance], chosen: WinChance) -> str:
    """The first cell, by its chance to win."""
    name = view.topology.cell_name(chosen.cell)
    said = f"The first cell is safe by the rules. Opening {name} wins with {chosen.text}."
    if len(tied) > 1:
        said += f" {_ties_with(view, tied, chosen)}, so nothing tells them apart."
    return said


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


def by_best_play(analysis: Analysis, wins: Sequence[WinChance], tied: Sequence[WinChance]) -> str:
    """A guess that wins most by best play, against the least risk and the next best."""
    names = analysis.view.topology.cell_name
    least = analysis.least_risk
    assert least is not None
    chosen, ties = tied[0], len(tied) - 1
    name, told = names(chosen.cell), chosen.text
    rival = next((win for win in wins if win.risk - least.p <= EQUAL), None)
    if chosen.risk - least.p <= EQUAL:
        said = (
            f"Best play wins with {told} after {name}, and no cell has less risk:"
            f" {percent(chosen.risk)}."
        )
        rival = chosen
    elif rival is None:
        said = f"Best play wins with {told} after {name}, at a risk of {percent(chosen.risk)}."
    else:
        other = names(rival.cell)
        risks = f"{percent(rival.risk)} against {percent(chosen.risk)}"
        said = (
            f"{other} has less risk, {risks}, but best play wins with {told} after {name} and"
            f" {rival.text} after {other}."
        )
    if ties:
        safer = all(win.risk - chosen.risk > EQUAL for win in tied[1:])
        said += f" {_more(ties)} as good" + (
            f"; {name} has the least risk of them." if safer else "."
        )
    after = next((win for win in wins if win not in tied), None)
    if after is not None and after is not rival:
        said += f" The next best, {names(after.cell)}, wins with {after.text}."
    return f"{_UNSAFE} {said}"


def by_rollouts(
    analysis: Analysis,
    wins: Sequence[WinChance],
    tied: Sequence[WinChance],
    chosen: WinChance,
    alive: tuple[float, float] | None,
) -> str:
    """A guess by estimated chances to win; where some tie, why it is preferred.

    `alive` is the chance to live through the next move too, after the guess and after the tied cell
    of the highest estimate, where that matters.
    """
    view = analysis.view
    names = view.topology.cell_name
    name = names(chosen.cell)
    said = f"{_UNSAFE} Games played out from here win with {chosen.text} after {name}."
    if len(tied) > 1:
        said += f" {_ties_with(view, tied, chosen)}. {_preferred(view, tied, chosen, alive)}"
    after = next((win for win in wins if win not in tied), None)
    if after is not None:
        said += f" The next best, {names(after.cell)}, wins with {after.text}."
    return said


def _ties_with(view: View, tied: Sequence[WinChance], chosen: WinChance) -> str:
    """The cells that tie with one, each with its chance where they are few."""
    others = [win for win in tied if win is not chosen]
    names = view.topology.cell_name
    who = "One other cell ties" if len(others) == 1 else f"{len(others)} other cells tie"
    listed = [f"{names(win.cell)} {win.text}" for win in others[:_MOST_TIES]]
    if len(others) > _MOST_TIES:
        listed.append("…")
    return f"{who} with it within the error: {', '.join(listed)}"


def _preferred(
    view: View,
    tied: Sequence[WinChance],
    chosen: WinChance,
    alive: tuple[float, float] | None,
) -> str:
    """Why one of the tied cells is preferred."""
    names = view.topology.cell_name
    said = f"{names(chosen.cell)} is preferred:"
    if chosen is tied[0]:
        return f"{said} its estimate is the highest."
    if chosen.risk - min(win.risk for win in tied) <= EQUAL:
        return f"{said} of them no cell has less risk than its {percent(chosen.risk)}."
    if alive is not None and alive[0] > alive[1] + EQUAL:
        here, there = map(percent, alive)
        return (
            f"{said} the chance to live through this move and the next is {here}, after"
            f" {names(tied[0].cell)} {there}."
        )
    return f"{said} looking ahead, the moves after it are safer."


def _more(others: int) -> str:
    return "One other cell is" if others == 1 else f"{others} other cells are"
