"""A process of `mineproof.surfaces.web.task_processes`: proofs and agents' games, one by one."""

from __future__ import annotations

import json
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import ceil
from typing import Any

from mineproof.errors import MineproofError
from mineproof.inference.engine.budget import Budget
from mineproof.processes.lines import Parent
from mineproof.surfaces.web.advised import win_json
from mineproof.surfaces.web.analyses import explanation_json
from mineproof.surfaces.web.faults import Refused, fault_of
from mineproof.surfaces.web.hint_answers import hint_json
from mineproof.surfaces.web.no_guess_games import certificate_json, made_json
from mineproof.surfaces.web.watched import played_games
from mineproof.view import notation

__all__ = ["main"]

_MOST_MEMORY = 4 << 30


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


def main() -> None:
    """Do what each line asks for, until the server is gone."""
    # Whatever else is printed goes to the terminal, not among the answers.
    server = Parent(prints=sys.stderr.fileno())
    _limit_memory()
    for line in server:
        message = json.loads(line)
        _limit_time(message["seconds"])
        answer = json.dumps(_answer(message), allow_nan=False).encode()
        # Before it is given: who has answered is asked again, and must be there.
        _limit_time(0)
        server.answer(answer)


def _answer(message: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return {"answer": TASKS[message["task"]](message["asked"])}
    except MineproofError as error:
        return fault_of(error).to_json()
    except Exception:
        traceback.print_exc()
        return Refused("failed", "the server failed; its terminal says more").to_json()


def _limit_time(seconds: float) -> None:
    """Let the system end this process a little later, in case the server is gone by then."""
    if hasattr(signal, "alarm"):
        signal.alarm(ceil(seconds + 2) if seconds else 0)


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY, _MOST_MEMORY))


if __name__ == "__main__":
    main()
