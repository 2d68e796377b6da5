"""The best move of a position, and in words why it is better than a less risky one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mineproof import kernel
from mineproof.agents.core_logic import CoreLogic
from mineproof.agents.first_click import first_cells
from mineproof.explain.drawing import percent
from mineproof.inference.analysis import Analysis
from mineproof.inference.exact import analyze
from mineproof.rng import Stream
from mineproof.rules import FirstClick
from mineproof.surfaces.web.limits import Limits
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["best_json"]

_PLAYER = "swift"


def best_json(
    analysis: Analysis, limits: Limits, win: Mapping[str, Any] | None = None
) -> dict[str, Any] | None:
    """The best move and why it; None where no hidden cell can be safe.

    By the chance to win where that was worked out, else as the strongest quick agent chooses.
    """
    best = analysis.best
    if best is None:
        return None
    view = analysis.view
    if not view.opened_count and view.rules.first_click is not FirstClick.ANY:
        return _begin(view)
    if best.p == 0.0 and not (win and win["cells"][0]["chance"] > _chance(win, best.cell)):
        return {"cell": best.cell, "p": 0.0, "reason": _say_safe(analysis, best.cell)}
    if win and win["cells"]:
        return _by_win(analysis, win)
    cell = _guess(view)
    if cell is None:
        cell = best.cell
    reason = _say_guess(analysis, cell, limits)
    return {"cell": cell, "p": analysis.p[cell], "reason": reason}


def _begin(view: View) -> dict[str, Any]:
    """Where to begin, if the rules keep the first cell free."""
    rule = view.rules.first_click
    total = 0 if view.total is None else view.total
    cell = first_cells(view.topology, rule, total)[0]
    if rule is FirstClick.OPENING:
        reason = "The first cell opens an area by the rules; here it has room on all sides."
    else:
        reason = (
            "The first cell is safe by the rules. One with few neighbours is the likeliest to have"
            " no mine around it, and then it opens an area."
        )
    return {"cell": cell, "p": 0.0, "reason": reason}


def _say_safe(analysis: Analysis, cell: int) -> str:
    name = analysis.view.topology.cell_name(cell)
    others = len(analysis.safe) - 1
    also = ""
    if others == 1:
        also = ", and so is one other cell"
    elif others:
        also = f", and so are {others} other cells"
    return f"{name} is safe in every layout that explains the position{also}."


# -- guesses -------------------------------------------------------------------------------------


def _guess(view: View) -> int | None:
    """The guess of the quick agent; None where it does not know the rules, or is not there."""
    if not kernel.available():
        return None
    logic = CoreLogic(_PLAYER)
    logic.begin(view)
    found = logic.guess(view, Stream(0))
    return None if found is None else found[0]


def _say_guess(analysis: Analysis, cell: int, limits: Limits) -> str:
    best = analysis.best
    assert best is not None
    names, chances = analysis.view.topology.cell_name, analysis.p
    said = "No cell is certainly safe."
    if chances[cell] - best.p > 1e-12:
        here, there = (_survival(analysis, one, limits) for one in (cell, best.cell))
        said += f" {names(best.cell)} has the least risk, {percent(best.p)};"
        said += f" {names(cell)} has {percent(chances[cell])}, but"
        if here > there:
            return (
                f"{said} what it shows is worth more: the chance to live through this move and the"
                f" next is {percent(here)} against {percent(there)}."
            )
        return f"{said} the game looks better after it."
    hidden = [chances[other] for other in analysis.view.hidden]
    alike = sum(abs(chance - best.p) <= 1e-12 for chance in hidden)
    said += f" {names(cell)} has the least risk, {percent(chances[cell])}"
    if alike > 1:
        said += f", as {'has one other' if alike == 2 else f'have {alike - 1} others'}"
    above = [chance for chance in hidden if best.p + 1e-12 < chance < 1.0]
    if above:
        said += f"; the next has {percent(min(above))}"
    return f"{said}."


def _survival(analysis: Analysis, cell: int, limits: Limits) -> float:
    """The chance to be alive after opening a cell and then the safest one."""
    alive = 0.0
    for shown, chance in analysis.clue_distribution(cell).items():
        if shown is Mark.MINE:
            continue
        following = analyze(analysis.view.reveal({cell: shown}), budget=limits.budget).best
        alive += chance * (1.0 if following is None else 1.0 - following.p)
    return alive


# -- the chance to win ---------------------------------------------------------------------------


def _chance(win: Mapping[str, Any], cell: int) -> float:
    """The chance to win of a cell; of a safe cell that is not listed, as of the best one."""
    listed = {one["cell"]: float(one["chance"]) for one in win["cells"]}
    return listed.get(cell, max(listed.values(), default=0.0))


def _by_win(analysis: Analysis, win: Mapping[str, Any]) -> dict[str, Any]:
    chosen = win["cells"][0]
    cell, risk = chosen["cell"], analysis.p[chosen["cell"]]
    best = analysis.best
    assert best is not None
    names = analysis.view.topology.cell_name
    wins = f"{names(cell)} wins the game with {_told(chosen)}"
    if risk - best.p <= 1e-12:
        reason = f"Opening {wins}, and no cell has less risk: {percent(risk)}."
    else:
        least = [one for one in win["cells"] if analysis.p[one["cell"]] - best.p <= 1e-12]
        reason = f"Opening {wins} at a risk of {percent(risk)}."
        if least:
            other = max(least, key=lambda one: float(one["chance"]))
            reason = (
                f"{names(other['cell'])} has less risk, {percent(best.p)} against {percent(risk)},"
                f" but opening {wins}, and {names(other['cell'])} with {_told(other)}."
            )
    return {"cell": cell, "p": risk, "reason": reason}


def _told(one: Mapping[str, Any]) -> str:
    if one["exact"]:
        return percent(one["chance"])
    return f"about {percent(one['chance'])} ({percent(one['low'])} to {percent(one['high'])})"
