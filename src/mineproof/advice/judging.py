"""One move, judged by what its player saw: its risk, the best there was, and what it gave away.

What a move gave away is its regret. If best play of the rest is known, or games were played out for
it, regret is the chance to win that was lost. Otherwise it is the risk beyond that of the best
move.

A move that risked nothing is `good`. One that gave away nothing, where no cell was certainly safe,
is `forced`. Any other is an `inaccuracy` or, from five per cent on, a `blunder`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from mineproof.advice import verdicts
from mineproof.advice.advice import Advice, Basis, Measure
from mineproof.advice.advising import advise, is_promised
from mineproof.advice.looking_ahead import is_sealed, known_end, obstacle
from mineproof.advice.risks import EQUAL
from mineproof.agents.decision import Action, Decision, Proved
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.budget import DEFAULT_BUDGET, Budget
from mineproof.inference.engine.exact import analyze
from mineproof.inference.engine.together import any_mine
from mineproof.search.win import WinChance, win_chance
from mineproof.view.view import View

__all__ = ["BLUNDER", "Effort", "Judgement", "Kind", "judge"]

BLUNDER = 0.05


class Kind(Enum):
    """How a move is called."""

    GOOD = "good"
    FORCED = "forced"
    INACCURACY = "inaccuracy"
    BLUNDER = "blunder"


@dataclass(frozen=True)
class Effort:
    """How much is looked into for each move.

    With `ends` the chance to win is looked for at every move, and not only where one risked a mine.
    With `samples` games are played out for it, as many for each cell, where the end is too far.
    """

    budget: Budget = DEFAULT_BUDGET
    ends: bool = False
    samples: int = 0
    seed: int = 0


@dataclass(frozen=True)
class Judgement:
    """What is said of one move.

    `risk` is the chance that it opened a mine and `lost` what it gave away, a share of `measure`.
    `best_cell` is the move itself where nothing was better. `unsound` says that the move was called
    proved and was not certain. `win` is the chance to win before the
    move, by the best one. All are None where the position was too wide to count.
    """

    decision: Decision
    risk: float | None = None
    best_cell: int | None = None
    best_risk: float | None = None
    lost: float | None = None
    measure: Measure | None = None
    kind: Kind | None = None
    certain: str | None = None
    unsound: bool = False
    win: WinChance | None = None
    text: str = verdicts.TOO_WIDE


def judge(view: View, decision: Decision, effort: Effort | None = None) -> Judgement:
    """Judge a move by the view before it."""
    effort = effort or Effort()
    if decision.cell is None:
        return Judgement(decision, lost=0.0, kind=Kind.GOOD, text=verdicts.STOPPED)
    try:
        analysis = analyze(view, budget=effort.budget)
        if decision.action in (Action.FLAG, Action.UNFLAG):
            return _flag(decision, decision.cell, analysis)
        risk = _risk(decision.action, decision.cell, analysis, effort.budget)
        judged = _opening(decision, decision.cell, analysis, risk, effort)
        return _marked(judged, risk) if risk else judged
    except (BudgetExceeded, InconsistentPosition):
        return Judgement(decision)


def _flag(decision: Decision, cell: int, analysis: Analysis) -> Judgement:
    chance = analysis.p[cell]
    certain = _certain(chance)
    wrong = certain == "safe" and decision.action is Action.FLAG
    judged = Judgement(
        decision,
        lost=0.0,
        kind=Kind.INACCURACY if wrong else Kind.GOOD,
        certain=certain,
        text=verdicts.flag(analysis, cell, decision.action),
    )
    return _marked(judged, 1.0 - chance) if decision.action is Action.FLAG else judged


def _marked(judged: Judgement, risk: float) -> Judgement:
    """The judgement with the mark of an unsound step, if `risk`, of being false, calls for it."""
    if not risk or not isinstance(judged.decision.reason, Proved):
        return judged
    return replace(judged, unsound=True, text=verdicts.unsound(judged.decision, risk, judged.text))


# -- risk ----------------------------------------------------------------------------------------


def _risk(action: Action, cell: int, analysis: Analysis, budget: Budget) -> float:
    """The chance that a move opens a mine, given what its player saw."""
    view = analysis.view
    if is_promised(view):
        return 0.0
    if action is Action.OPEN:
        return analysis.p[cell]
    near = view.topology.neighbours(cell)
    cells = [other for other in near if view.is_hidden(other) and not view.is_flagged(other)]
    return any_mine(analysis, cells, budget)


# -- regret --------------------------------------------------------------------------------------


def _opening(
    decision: Decision, cell: int, analysis: Analysis, risk: float, effort: Effort
) -> Judgement:
    wins = _wins(analysis, cell, risk, effort)
    advice = advise(analysis, wins=wins)
    if advice is None:  # nothing could be safe
        advice = Advice(cell, Basis.LEAST_RISK, risk, None, Measure.RISK, (), (), "")
    own = next((win for win in wins if win.cell == cell), None)
    lost, measure = _regret(analysis, advice, decision, risk, own)
    better = lost > EQUAL or advice.risk == 0.0 < risk
    best_cell, best_risk = (advice.cell, advice.risk) if better else (cell, risk)
    if risk == 0.0:
        kind = Kind.GOOD
    elif not better:
        kind = Kind.FORCED
    else:
        kind = Kind.BLUNDER if lost >= BLUNDER else Kind.INACCURACY
    judged = Judgement(
        decision,
        risk,
        best_cell,
        best_risk,
        lost,
        measure,
        kind,
        _certain(risk),
        win=advice.win,
    )
    return replace(judged, text=verdicts.opening(analysis, judged, advice, own))


def _wins(analysis: Analysis, cell: int, risk: float, effort: Effort) -> list[WinChance]:
    """The chances to win that are known or asked for; none where risks have to do."""
    view = analysis.view
    if obstacle(view) is not None or not (risk > 0.0 or effort.ends or effort.samples):
        return []
    # Before the first cell the deal is not done: what it promises decides, not the layouts.
    end = None if is_promised(view) else known_end(analysis)
    if end is not None:
        mine = [WinChance(cell, 0.0, 0.0, 0.0, True, 1.0)] if risk == 1.0 else []
        return end + mine
    if not effort.samples:
        return []
    best = advise(analysis)
    if best is None:
        return []
    cells = {best.cell, cell} if risk > 0.0 and view.is_hidden(cell) else {best.cell}
    return win_chance(view, cells=sorted(cells), samples=effort.samples, seed=effort.seed)


def _regret(
    analysis: Analysis, advice: Advice, decision: Decision, risk: float, own: WinChance | None
) -> tuple[float, Measure]:
    """What a move gave away against the best one, and what that is a share of."""
    if risk == 0.0:
        return 0.0, Measure.RISK
    single = decision.action is Action.OPEN
    if single and own is not None and advice.win is not None:
        # Estimates whose intervals meet tell no difference, but to what is certain.
        told = own.exact or own.high < advice.win.low or advice.basis is Basis.CERTAIN
        lost = max(advice.win.chance - own.chance, 0.0)
        return (lost if told and own.cell != advice.cell else 0.0), Measure.WIN
    agreed = decision.cell == advice.cell or decision.cell in advice.ties
    if single and risk < 1.0 and advice.risk > 0.0:
        agreed = agreed or is_sealed(analysis, decision.cell or 0)
    return (0.0 if single and agreed else max(risk - advice.risk, 0.0)), Measure.RISK


def _certain(chance: float) -> str | None:
    return {0.0: "safe", 1.0: "mine"}.get(chance)
