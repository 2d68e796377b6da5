"""What is known of a position: chances, the best move with its reason, proofs and witnesses."""

from __future__ import annotations

import time
from typing import Any

from mineproof import kernel
from mineproof.advice.advising import is_promised
from mineproof.errors import BudgetExceeded, InconsistentPosition, InputError, MineproofError
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.budget import Budget
from mineproof.inference.engine.exact import analyze
from mineproof.percentages import percent
from mineproof.proofs.explainer import Explainer
from mineproof.proofs.numbers import number_word
from mineproof.proofs.proof import Claim, NoProof, Proof
from mineproof.proofs.smallest import Forcing
from mineproof.proofs.steps import ProofStep
from mineproof.search.endgame import check_rules
from mineproof.surfaces.web.advised import best_json
from mineproof.surfaces.web.faults import Refused, fault_of
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.task_doers import TaskDoers
from mineproof.view.view import View

__all__ = ["analysis_json", "ask_why", "certain_json", "clash_json", "explanation_json"]

_CERTAIN = {0.0: "safe", 1.0: "mine"}
_MOST_DIGITS = 4_000


def analysis_json(
    view: View, budget: Budget, winning: tuple[CoachLimits, TaskDoers] | None = None
) -> dict[str, Any]:
    """Every chance, exactly, and the best move. Raises InconsistentPosition, BudgetExceeded.

    With `winning`, its limits and its workers, also the chance to win of the moves that come into
    question; `note` says why it is not there.
    """
    start = time.perf_counter_ns()
    analysis = analyze(view, budget=budget)
    chances = analysis.p.array.tolist()
    p: list[float | None] = [None] * len(view)
    certain: list[str | None] = [None] * len(view)
    for cell in view.hidden:
        p[cell] = chances[cell]
        certain[cell] = _CERTAIN.get(chances[cell])
    win, note = (None, None) if winning is None else _ask_win(view, *winning)
    return {
        "p": p,
        "certain": certain,
        "promised": is_promised(view),
        "solutions": _digits(analysis),
        "best": best_json(analysis, win),
        "win": win,
        "note": note,
        "elapsed_us": (time.perf_counter_ns() - start) // 1000,
    }


def _ask_win(
    view: View, limits: CoachLimits, workers: TaskDoers
) -> tuple[dict[str, Any] | None, str | None]:
    """The chances to win, or why there are none."""
    if not kernel.available():
        return None, "the chance to win is worked out by the compiled core, which is not there"
    try:
        check_rules(view)
        asked = {"text": view.text, "seconds": limits.win_seconds}
        most = 3 * limits.win_seconds + limits.win_grace
        return workers.ask("win", asked, most, "the chance to win was not found"), None
    except MineproofError as error:
        return None, str(error)


def _digits(analysis: Analysis) -> str | None:
    """The number of solutions; None if it has too many digits to read."""
    solutions = analysis.solutions
    return None if solutions.bit_length() > 3 * _MOST_DIGITS else str(solutions)


# -- why -----------------------------------------------------------------------------------------


def ask_why(view: View, cell: int, limits: CoachLimits, workers: TaskDoers) -> Any:
    """The explanation of a hidden cell, from a worker. Raises MineproofError."""
    topology = view.topology
    if cell >= len(topology):
        accepted = f"0..{len(topology) - 1}"
        raise Refused("malformed", f"cell {cell} is not on the board; accepted: {accepted}")
    if view.is_open(cell):
        name = topology.cell_name(cell)
        raise InputError(f"cell {name} is open already; accepted: a hidden cell")
    asked = {
        "text": view.text,
        "cell": cell,
        "states": limits.budget.states,
        "memory": limits.budget.memory,
        "steps": limits.steps,
    }
    return workers.ask("explain", asked, limits.proof_seconds, "the proof was not found")


def explanation_json(view: View, cell: int, budget: Budget, steps: int) -> dict[str, Any]:
    """Why a hidden cell is certain, or two solutions that differ there.

    A search that nothing limits but the time, so it runs in a worker. Raises InconsistentPosition
    and BudgetExceeded.
    """
    analysis = analyze(view, budget=budget)
    found = Explainer(view, steps=steps, analysis=analysis).explain(cell)
    chance = analysis.p[cell]
    if isinstance(found, NoProof):
        return {
            **_EMPTY,
            "cell": cell,
            "certain": None,
            "p": chance,
            "text": _doubt(found, chance),
            "smallest": found.nearest,
            "witnesses": [list(solution) for solution in found.solutions],
        }
    return certain_json(found)


def certain_json(proof: Proof) -> dict[str, Any]:
    """The explanation of a cell that a proof decides."""
    mine = proof.claim is Claim.MINE
    return {
        "cell": proof.cell,
        "certain": "mine" if mine else "safe",
        "p": float(mine),
        **_proof_json(proof),
    }


def _doubt(found: NoProof, chance: float) -> str:
    """Why a cell is not certain: its chance, and how little two layouts differ."""
    one, other = map(frozenset, found.solutions)
    name = found.topology.cell_name(found.cells[0])
    few = number_word(len(one ^ other))
    cells = "this cell alone" if few == "one" else f"{few} cells"
    return (
        f"{name} is not certain: its mine chance is {percent(chance)}. Two layouts that explain the"
        f" position differ in {cells}{', no two in fewer' if found.nearest else ''}."
    )


_EMPTY: dict[str, Any] = {
    "summary": None,
    "technique": None,
    "premises": [],
    "uses_total": False,
    "smallest": False,
    "steps": [],
    "witnesses": None,
}


def _proof_json(proof: Proof) -> dict[str, Any]:
    return {
        "text": str(proof),
        "summary": proof.summary,
        "technique": proof.technique.name,
        "premises": list(proof.clues),
        "uses_total": proof.uses_total,
        "smallest": proof.smallest,
        "steps": list(map(_step_json, proof.steps)),
        "witnesses": None,
    }


def _step_json(step: ProofStep) -> dict[str, Any]:
    """A step as the page draws it; `counts` are conclusions that decide no cell."""
    return {
        "kind": step.kind.value,
        "text": step.sentence,
        "parts": _parts_json(step),
        "premises": list(step.clues),
        "uses_total": step.uses_total,
        "rests_on": list(step.rests_on),
        "under": list(step.under),
        "cells": list(step.cells),
        "concludes": [[cell, _CERTAIN[float(mine)]] for cell, mine in step.decides.items()],
        "counts": [
            {"cells": list(one.cells), "mines": list(one.counts)}
            for one in step.conclusions
            if one.decides is None
        ],
    }


def _parts_json(step: ProofStep) -> list[dict[str, Any]]:
    """The sentence in parts, those that speak of cells with the cells; together they are it."""
    parts: list[dict[str, Any]] = []
    at = 0
    for mention in step.mentions:
        parts.append({"text": step.sentence[at : mention.start], "cells": []})
        phrase = step.sentence[mention.start : mention.end]
        parts.append({"text": phrase, "cells": list(mention.cells)})
        at = mention.end
    parts.append({"text": step.sentence[at:], "cells": []})
    return [part for part in parts if part["text"]]


def clash_json(view: View, limits: CoachLimits) -> dict[str, Any]:
    """Whether any layout explains a position; if not, which cells clash and why."""
    answer: dict[str, Any] = {"status": "consistent", "clash": [], "message": None, "why": None}
    try:
        analyze(view, budget=limits.budget)
    except BudgetExceeded as error:
        answer |= {"status": "too-wide", "message": str(fault_of(error))}
    except InconsistentPosition as error:
        answer |= {"status": "contradictory", "clash": list(error.clues), "message": str(error)}
        answer["why"] = _why_json(view, error, limits)
    return answer


def _why_json(view: View, error: InconsistentPosition, limits: CoachLimits) -> dict[str, Any]:
    """Why clues clash: no smaller set is looked for, so that this is quick while one edits."""
    explainer = Explainer(view, steps=limits.steps)
    evidence = explainer.evidence
    clashing = [
        number
        for number, premise in enumerate(evidence.premises)
        if (error.uses_total if premise.clue is None else premise.clue in error.clues)
    ]
    proof = explainer.proof(Forcing(tuple(clashing), False), None, Claim.CLASH)
    said = _proof_json(proof)
    return {"cell": None, "certain": None, "p": None, **said, "text": proof.text}
