"""The protocol between the referee's process and an agent's: JSON lines, nothing else.

    to the agent                                         from the agent
    ["begin", topology, rules, cells, codes, flags, n]   ["ready"]
    ["act", cells, codes, toggled, rules | null]         ["move", action, cell, reason]
    ["knowledge", the same four]                         ["text", text]
                                                         ["missing" | "failed", message]

`cells` and `codes` are the cells opened since the last message and what they show; `toggled` the
cells whose flag changed. What comes from the agent is untrusted until `decision_of` has checked it.
"""

from __future__ import annotations

import math
from typing import Any

from mineproof.agents.decision import Action, Decision, Guessed, Proved, Reason, Unstated
from mineproof.errors import AgentFailure, one_line, quoted
from mineproof.inference.verdict import Premises

__all__ = ["decision_of", "move_of", "one_line"]

_MOST_WORD = 40


def move_of(decision: Decision) -> list[Any]:
    """The message for a decision."""
    return ["move", decision.action.value, decision.cell, _reason_message(decision.reason)]


def _reason_message(reason: Reason) -> list[Any] | None:
    if isinstance(reason, Proved):
        return ["proved", reason.logic, list(reason.premises.clues), reason.premises.total]
    if isinstance(reason, Guessed):
        return ["guessed", reason.policy, reason.among, reason.risk, list(reason.cells)]
    return ["note", reason.note] if reason.note else None


def decision_of(message: list[Any], cells: int) -> Decision:
    """The decision a message stands for on a board of `cells` cells. Raises AgentFailure."""
    try:
        _, word, cell, reason = message
        action = Action(word)
        if action is Action.STOP:
            cell = None
        elif not _is_cell(cell, cells):
            raise AgentFailure(f"the agent chose cell {quoted(cell)}, which is not on the board")
        return Decision(action, cell, _reason_of(reason, cells))
    except (ValueError, TypeError, KeyError, IndexError):
        raise AgentFailure(f"the agent's process sent nonsense: {quoted(str(message))}") from None


def _reason_of(message: Any, cells: int) -> Reason:
    if message is None:
        return Unstated()
    kind, *rest = message
    if kind == "proved":
        logic, clues, total = rest
        return Proved(_word(logic), Premises(_cells(clues, cells), total is True))
    if kind == "guessed":
        policy, among, risk, chosen = rest
        if type(among) is not int or among < 0:
            raise ValueError
        known = isinstance(risk, float | int) and math.isfinite(risk) and 0 <= risk <= 1
        return Guessed(_word(policy), among, float(risk) if known else None, _cells(chosen, cells))
    if kind == "note":
        return Unstated(one_line(str(rest[0])))
    raise ValueError


def _word(text: Any) -> str:
    """One word of a transcript."""
    return "-".join(one_line(str(text)).split())[:_MOST_WORD] or "unnamed"


def _is_cell(cell: Any, cells: int) -> bool:
    return type(cell) is int and 0 <= cell < cells


def _cells(chosen: Any, cells: int) -> tuple[int, ...]:
    if not isinstance(chosen, list) or not all(_is_cell(cell, cells) for cell in chosen):
        raise ValueError
    return tuple(chosen)
