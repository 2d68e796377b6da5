"""What may take long, as functions of what is asked: proofs, chances to win, agents' games."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

from mineproof.errors import MineproofError
from mineproof.inference.engine.budget import Budget
from mineproof.surfaces.web.advised import win_json
from mineproof.surfaces.web.analyses import explanation_json
from mineproof.surfaces.web.faults import Refused, fault_of
from mineproof.surfaces.web.hint_answers import hint_json
from mineproof.surfaces.web.no_guess_games import certificate_json, made_json
from mineproof.surfaces.web.watched import played_games
from mineproof.view import notation

__all__ = ["TASKS", "done"]


def _explain(asked: Mapping[str, Any]) -> Any:
    view = notation.parse(asked["text"])
    budget = Budget(asked["states"], asked["memory"])
    return explanation_json(view, asked["cell"], budget, asked["steps"])


def _hint(asked: Mapping[str, Any]) -> Any:
    view = notation.parse(asked["text"])
    budget = Budget(asked["states"], asked["memory"])
    return hint_json(view, asked["level"], budget, asked["steps"])


def _win(asked: Mapping[str, Any]) -> Any:
    return win_json(notation.parse(asked["text"]), asked["seconds"])


TASKS: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "hello": lambda asked: "hello",
    "explain": _explain,
    "hint": _hint,
    "no-guess": made_json,
    "certificate": certificate_json,
    "win": _win,
    "watch": played_games,
}


def done(message: Mapping[str, Any]) -> dict[str, Any]:
    """The answer of a task, or why there is none, as JSON can hold it."""
    try:
        return {"answer": TASKS[message["task"]](message["asked"])}
    except MineproofError as error:
        return fault_of(error).to_json()
    except Exception:
        traceback.print_exc()
        return Refused("failed", "the server failed; its terminal says more").to_json()
