"""Hints as the page gets them."""

from __future__ import annotations

from typing import Any

from mineproof.advice.hinting import HintKind, hint
from mineproof.inference.engine.budget import Budget
from mineproof.surfaces.web.analyses import certain_json
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.task_doers import TaskDoers
from mineproof.view.view import View

__all__ = ["ask_hint", "hint_json"]


def ask_hint(view: View, level: int, limits: CoachLimits, workers: TaskDoers) -> Any:
    """The hint of a level, from a worker. Raises MineproofError."""
    asked = {
        "text": view.text,
        "level": level,
        "states": limits.budget.states,
        "memory": limits.budget.memory,
        "steps": limits.steps,
    }
    return workers.ask("hint", asked, limits.proof_seconds, "no hint was found")


def hint_json(view: View, level: int, budget: Budget, steps: int) -> dict[str, Any]:
    """The hint of a level; a search that only time limits, so it runs in a worker."""
    found = hint(view, level, steps=steps, budget=budget)
    return {
        "kind": found.kind.value,
        "level": found.level,
        "more": found.more,
        "text": found.text,
        "region": list(found.region),
        "premises": list(found.clues),
        "uses_total": found.uses_total,
        "cell": found.cell,
        "certain": "safe" if found.kind in (HintKind.CELL, HintKind.PROOF) else None,
        "why": None if found.proof is None else certain_json(found.proof),
    }
