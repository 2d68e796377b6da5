"""A game looked at again: what every move risked, what the best one would have, and what it cost.

What a move cost is the chance to win that it gave away, where best play of the rest could be worked
out, and the risk it took beyond the least elsewhere; nothing, where it is what the coach itself
would have done, or a guess that had to be made sooner or later. A move is `good` where nothing was
risked, `forced` where nothing was certainly safe and it cost nothing, and otherwise an `inaccuracy`
or, from five percent on, a `blunder`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from mineproof import kernel
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.exact import analyze
from mineproof.proofs.drawing import percent
from mineproof.rules import FirstClick
from mineproof.search.endgame import Endgame, endgame
from mineproof.surfaces.web.advice import is_sealed, quick_guess
from mineproof.surfaces.web.games import Game, Move, Play, changed_cells
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.shapes import changed_json, own_copy
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["review_json"]

BLUNDER = 0.05
_MOST_SOLUTIONS, _MOST_WORK = 500, 1_000_000
_CERTAIN = {0.0: "safe", 1.0: "mine"}


def review_json(
    game: Game, limits: CoachLimits, clock: Callable[[], float] = time.monotonic
) -> dict[str, Any]:
    """Every move of a game, judged by what its player could see."""
    end = clock() + limits.review_seconds
    moves = []
    for number, (move, before, after) in enumerate(game.replay(), 1):
        judged = _UNKNOWN if clock() > end else _judge(move, own_copy(before), limits)
        moves.append(
            {
                "n": number,
                "action": move.play.value,
                "cell": move.cell,
                "changed": changed_json(after, changed_cells(before, after, move)),
                **judged,
            }
        )
    return {
        "moves": moves,
        "lost": sum(move["lost"] or 0.0 for move in moves),
        "blunders": [move["n"] for move in moves if move["kind"] == "blunder"],
    }


_UNKNOWN: dict[str, Any] = {
    "risk": None,
    "best_risk": None,
    "best_cell": None,
    "lost": None,
    "measure": None,
    "kind": None,
    "certain": None,
    "text": "Too wide to count in the budget.",
}


def _judge(move: Move, view: View, limits: CoachLimits) -> dict[str, Any]:
    try:
        analysis = analyze(view, budget=limits.budget)
        if move.play in (Play.FLAG, Play.UNFLAG):
            return _judge_flag(move, analysis)
        risk = _risk(move, analysis, limits)
    except (BudgetExceeded, InconsistentPosition):
        return _UNKNOWN
    return _judge_opening(move, analysis, risk)


def _judge_flag(move: Move, analysis: Analysis) -> dict[str, Any]:
    name = analysis.view.topology.cell_name(move.cell)
    certain = _CERTAIN.get(analysis.p[move.cell])
    kind = "good"
    if move.play is Play.UNFLAG:
        text = f"The flag at {name} was taken off."
    elif certain == "mine":
        text = f"{name} is certainly a mine."
    elif certain == "safe":
        kind, text = "inaccuracy", f"{name} is certainly safe: the flag is wrong."
    else:
        chance = percent(analysis.p[move.cell])
        text = f"Nothing proves the flag: {name} is a mine with {chance}."
    return {**_UNKNOWN, "lost": 0.0, "kind": kind, "certain": certain, "text": text}


def _risk(move: Move, analysis: Analysis, limits: CoachLimits) -> float:
    """The chance that a move opens a mine, given what its player saw."""
    view = analysis.view
    if not view.opened_count and view.rules.first_click is not FirstClick.ANY:
        return 0.0
    if move.play is Play.OPEN:
        return analysis.p[move.cell]
    near = view.topology.neighbours(move.cell)
    cells = [cell for cell in near if view.is_hidden(cell) and not view.is_flagged(cell)]
    return _any_mine(analysis, cells, limits)


def _any_mine(analysis: Analysis, cells: Sequence[int], limits: CoachLimits) -> float:
    """The chance of a mine among cells that are opened together."""
    risks = [analysis.p[cell] for cell in cells]
    if max(risks, default=0.0) in (0.0, 1.0) or len(cells) == 1:
        return max(risks, default=0.0)
    view = analysis.view
    if view.rules.clues != "exact":
        # What a lying clue will show is no plain fact to condition on: the largest is a bound.
        return max(risks)
    safe = 1.0
    for cell in cells:
        chance = analysis.p[cell]
        if chance == 1.0:
            return 1.0
        safe *= 1.0 - chance
        # A cell that is open without a clue says nothing but that it is safe.
        analysis = analyze(analysis.view.reveal({cell: Mark.BLANK}), budget=limits.budget)
    return 1.0 - safe


def _judge_opening(move: Move, analysis: Analysis, risk: float) -> dict[str, Any]:
    view = analysis.view
    best = analysis.best
    first = not view.opened_count and view.rules.first_click is not FirstClick.ANY
    best_cell, best_risk = (move.cell, risk) if best is None or first else (best.cell, best.p)
    said = _say(move, analysis, risk, best_cell, best_risk, first)
    lost, measure = max(risk - best_risk, 0.0), "risk"
    end = _end(move, view) if risk > 0.0 else None
    if end is None and 0.0 < best_risk < risk < 1.0 and move.play is Play.OPEN:
        sealed = is_sealed(analysis, move.cell)
        if sealed or quick_guess(view) == move.cell:
            said = _say_agreed(move, analysis, sealed)
            best_cell, best_risk, lost = move.cell, risk, 0.0
    if end is not None:
        given_away = end.chance - end.cells[move.cell]
        lost, measure = float(given_away), "win"
        if best_risk > 0.0 and risk < 1.0:
            best_cell = end.best[0] if given_away else move.cell
            best_risk = analysis.p[best_cell]
            said = _say_win(move, analysis, end, best_cell)
    return {
        "risk": risk,
        "best_risk": best_risk,
        "best_cell": best_cell,
        "lost": lost,
        "measure": measure,
        "kind": _kind(risk, best_risk, lost),
        "certain": _CERTAIN.get(risk),
        "text": said,
    }


def _end(move: Move, view: View) -> Endgame | None:
    """Best play from a position; None where there is too much to search, or for other rules."""
    # The core's twin tries every layout of the board, which is no work for a server.
    if move.play is not Play.OPEN or not view.opened_count or not kernel.available():
        return None
    try:
        return endgame(view, solutions=_MOST_SOLUTIONS, work=_MOST_WORK)
    except (BudgetExceeded, InputError):
        return None


def _kind(risk: float, best_risk: float, lost: float) -> str:
    if risk == 0.0:
        return "good"
    if best_risk > 0.0 and lost <= 1e-12:
        return "forced"
    return "blunder" if lost >= BLUNDER else "inaccuracy"


def _say_agreed(move: Move, analysis: Analysis, sealed: bool) -> str:
    """A guess that had more risk than another, and was right."""
    name, risk = analysis.view.topology.cell_name(move.cell), percent(analysis.p[move.cell])
    why = "that guess had to be made anyway" if sealed else "what it shows was worth more"
    return f"{name} was a mine with {risk}; nothing was safe, and {why}."


def _say_win(move: Move, analysis: Analysis, end: Endgame, best_cell: int) -> str:
    """A guess near the end: what it won, and what best play would have."""
    names = analysis.view.topology.cell_name
    here, most = percent(float(end.cells[move.cell])), percent(float(end.chance))
    risk = percent(analysis.p[move.cell])
    if best_cell == move.cell:
        return f"{names(move.cell)} was a mine with {risk}; nothing was safe, and no cell won more."
    least = percent(analysis.p[best_cell])
    return (
        f"{names(move.cell)} was a mine with {risk} and won with {here}; {names(best_cell)}, a mine"
        f" with {least}, won with {most}."
    )


def _say(
    move: Move, analysis: Analysis, risk: float, best_cell: int, best_risk: float, first: bool
) -> str:
    names = analysis.view.topology.cell_name
    what = names(move.cell) if move.play is Play.OPEN else f"The chord at {names(move.cell)}"
    if first:
        return "The first cell is safe by the rules."
    if risk == 0.0:
        return f"{what} {'was' if move.play is Play.OPEN else 'opened what was'} certainly safe."
    if risk == 1.0:
        said = f"{what} {'was' if move.play is Play.OPEN else 'opened'} certainly a mine"
    else:
        said = f"{what} was a mine with {percent(risk)}"
        if move.play is Play.CHORD:
            said = f"{what} opened a mine with {percent(risk)}"
    if best_risk == 0.0:
        return f"{said}; {names(best_cell)} was certainly safe."
    if risk - best_risk <= 1e-12:
        return f"{said}; nothing was safe, and no cell had less risk."
    return f"{said}; {names(best_cell)} had the least risk, {percent(best_risk)}."
