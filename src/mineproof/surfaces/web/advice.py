"""The best move of a position, and in words why it is better than a less risky one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mineproof import kernel
from mineproof.agents.core_logic import CoreLogic
from mineproof.agents.first_click import first_cells
from mineproof.errors import BudgetExceeded, InputError
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.exact import analyze
from mineproof.proofs.drawing import percent
from mineproof.rng import Stream
from mineproof.rules import FirstClick
from mineproof.search.endgame import endgame
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["best_json", "is_sealed", "quick_guess"]

_PLAYER = "swift"
_MOST_SOLUTIONS, _MOST_WORK = 1_000, 2_000_000


def best_json(
    analysis: Analysis, limits: CoachLimits, win: Mapping[str, Any] | None = None
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
    if best.p == 0.0:
        # What is certain costs nothing and tells more, whatever an estimate says.
        return {"cell": best.cell, "p": 0.0, "reason": _say_safe(analysis, best.cell)}
    cell = quick_guess(view)
    if cell is None:
        cell = best.cell
    if win is not None:
        return _by_win(analysis, win["cells"], cell)
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


def quick_guess(view: View) -> int | None:
    """The guess of the quick agent; None where it does not know the rules, or is not there."""
    if not kernel.available():
        return None
    logic = CoreLogic(_PLAYER)
    logic.begin(view)
    found = logic.guess(view, Stream(0))
    return None if found is None else found[0]


def _say_guess(analysis: Analysis, cell: int, limits: CoachLimits) -> str:
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
        return f"{said} {_say_rest(analysis, cell, best.cell)}"
    hidden = [chances[other] for other in analysis.view.hidden]
    alike = sum(abs(chance - best.p) <= 1e-12 for chance in hidden)
    said += f" {names(cell)} has the least risk, {percent(chances[cell])}"
    if alike > 1:
        said += f", as {'has one other' if alike == 2 else f'have {alike - 1} others'}"
    above = [chance for chance in hidden if best.p + 1e-12 < chance < 1.0]
    if above:
        said += f"; the next has {percent(min(above))}"
    return f"{said}."


def _say_rest(analysis: Analysis, cell: int, safest: int) -> str:
    """Why a riskier cell is better than the safest one, where the next move does not tell."""
    view = analysis.view
    names = view.topology.cell_name
    try:
        end = endgame(view, solutions=_MOST_SOLUTIONS, work=_MOST_WORK)
    except (BudgetExceeded, InputError):
        end = None
    if end is not None and end.cells[cell] > end.cells[safest]:
        here, there = percent(float(end.cells[cell])), percent(float(end.cells[safest]))
        return f"best play wins with {here} after {names(cell)} and {there} after {names(safest)}."
    if is_sealed(analysis, cell):
        return "no clue from elsewhere will ever tell more: that guess must be made anyway."
    return "the game looks better after it."


def is_sealed(analysis: Analysis, cell: int) -> bool:
    """Whether a cell belongs to a few that hold a fixed number of mines and touch no others."""
    near, mines = analysis.view.topology.neighbours, set(analysis.mines)
    for part in analysis.components:
        if cell in part.cells:
            around = {other for one in part.cells for other in near(one)}
            left = around.difference(part.cells, mines)
            return len(part.mines) == 1 and all(map(analysis.view.is_open, left))
    return False


def _survival(analysis: Analysis, cell: int, limits: CoachLimits) -> float:
    """The chance to be alive after opening a cell and then the safest one."""
    alive = 0.0
    for shown, chance in analysis.clue_distribution(cell).items():
        if shown is Mark.MINE:
            continue
        following = analyze(analysis.view.reveal({cell: shown}), budget=limits.budget).best
        alive += chance * (1.0 if following is None else 1.0 - following.p)
    return alive


# -- the chance to win ---------------------------------------------------------------------------


def _by_win(analysis: Analysis, cells: Sequence[Mapping[str, Any]], guess: int) -> dict[str, Any]:
    """The cell that wins most often; the quick agent's, unless another is clearly better."""
    chosen = cells[0]
    for one in cells:
        if one["cell"] == guess and one["chance"] >= chosen["low"]:
            chosen = one
            break
    cell, risk = chosen["cell"], analysis.p[chosen["cell"]]
    best = analysis.best
    assert best is not None
    names = analysis.view.topology.cell_name
    wins = f"{names(cell)} wins the game with {_told(chosen)}"
    least = [one for one in cells if analysis.p[one["cell"]] - best.p <= 1e-12]
    if risk - best.p <= 1e-12:
        reason = f"Opening {wins}, and no cell has less risk: {percent(risk)}."
    elif least:
        other = max(least, key=lambda one: float(one["chance"]))
        name = names(other["cell"])
        reason = (
            f"{name} has less risk, {percent(best.p)} against {percent(risk)}, but opening {wins},"
            f" and {name} with {_told(other)}."
        )
    else:
        reason = f"Opening {wins}, at a risk of {percent(risk)}."
    return {"cell": cell, "p": risk, "reason": reason}


def _told(one: Mapping[str, Any]) -> str:
    if one["exact"]:
        return percent(one["chance"])
    return f"about {percent(one['chance'])} ({percent(one['low'])} to {percent(one['high'])})"
