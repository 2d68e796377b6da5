"""The sentences of a review: what was risked, and what was better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.advice.advice import Advice, Basis, Measure
from mineproof.advice.looking_ahead import is_sealed
from mineproof.advice.risks import EQUAL
from mineproof.agents.decision import Action, Decision
from mineproof.inference.engine.analysis import Analysis
from mineproof.match.narration import unsound_text
from mineproof.percentages import percent
from mineproof.search.win import WinChance

if TYPE_CHECKING:
    from mineproof.advice.judging import Judgement

__all__ = ["STOPPED", "TOO_WIDE", "flag", "opening", "unsound"]

TOO_WIDE = "Too wide to count in the budget."
STOPPED = "The player stopped."


def unsound(decision: Decision, risk: float, text: str) -> str:
    """A move called proved that was not certain; `text` is what else is said of it."""
    return f"{unsound_text(decision, risk)}. {text}"


def flag(analysis: Analysis, cell: int, action: Action) -> str:
    """A flag that was set or taken off."""
    name, chance = analysis.view.topology.cell_name(cell), analysis.p[cell]
    if action is Action.UNFLAG:
        return f"The flag at {name} was taken off."
    if chance == 1.0:
        return f"{name} is certainly a mine."
    if chance == 0.0:
        return f"{name} is certainly safe: the flag is wrong."
    return f"Nothing proves the flag at {name}: its mine chance is {percent(chance)}."


def opening(analysis: Analysis, move: Judgement, advice: Advice, own: WinChance | None) -> str:
    """A cell that was opened, or a chord."""
    if advice.basis is Basis.FIRST_CLICK:
        return "The first cell is safe by the rules."
    said, risk = _risked(analysis, move), move.risk or 0.0
    if risk == 0.0:
        return f"{said}."
    names = analysis.view.topology.cell_name
    best = names(advice.cell)
    if advice.risk == 0.0:
        return f"{said}; {best} was certainly safe."
    if move.lost:
        if move.measure is Measure.WIN and own is not None and advice.win is not None and risk < 1:
            return (
                f"{said} and wins with {own.text}; {best} risks {percent(advice.risk)} and"
                f" wins with {advice.win.text}."
            )
        return f"{said}; {best} risked only {percent(advice.risk)}."
    return f"{said}; nothing was safe, and {_why_not_worse(analysis, move, advice)}."


def _risked(analysis: Analysis, move: Judgement) -> str:
    """What a move risked, as the beginning of a sentence."""
    risk, cell = move.risk or 0.0, move.decision.cell
    assert cell is not None
    name = analysis.view.topology.cell_name(cell)
    chord = move.decision.action is Action.CHORD
    what, verb = (f"The chord at {name}", "opened") if chord else (name, "was")
    if risk == 0.0:
        return f"{what} {verb} {'what was ' if chord else ''}certainly safe"
    return f"{what} {verb} certainly a mine" if risk == 1.0 else f"{what} risked {percent(risk)}"


def _why_not_worse(analysis: Analysis, move: Judgement, advice: Advice) -> str:
    """Why a guess gave nothing away."""
    risk, cell = move.risk or 0.0, move.decision.cell
    least = analysis.least_risk
    if move.measure is Measure.WIN:
        exact = advice.win is not None and advice.win.exact
        return "no cell won more" if exact else "no cell won clearly more"
    if least is None or risk - least.p <= EQUAL:
        return "no cell had less risk"
    if cell is not None and is_sealed(analysis, cell):
        return "that guess had to be made anyway"
    return "what it shows was worth more"
