"""The games of watched agents, played to their end, with the reasons of every step."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from mineproof.agents.agent import Agent
from mineproof.agents.catalog import make_agent
from mineproof.agents.decision import Decision, Guessed, Proved
from mineproof.match.game import play
from mineproof.match.narration import reason_text
from mineproof.match.outcome import Termination
from mineproof.match.referee import Referee
from mineproof.match.transcript import Transcript
from mineproof.rules import Rules
from mineproof.surfaces.web.shapes import changed_cells, changed_json, view_json
from mineproof.view.view import View

__all__ = ["played_games"]


class _Clock:
    """Ends a game when its time is up; the moves made so far stay."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.seconds = seconds

    def watch(self, referee: Referee, decision: Decision | None) -> None:
        if time.monotonic() > self._end and not referee.over:
            referee.stop(Termination.UNFINISHED, f"out of time after {self.seconds:g} s")


def played_games(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The games of all agents that are asked for, one after the other, within their time."""
    each = asked["seconds"] / len(asked["agents"])
    return [_game(asked, agent, each) for agent in asked["agents"]]


def _game(asked: Mapping[str, Any], name: str, seconds: float) -> dict[str, Any]:
    clock = _Clock(seconds)
    agent: Agent = make_agent(name)
    game = play(
        asked["board"],
        agent,
        asked["seed"],
        watch=clock.watch,
        rules=Rules.parse(asked["rules"]),
    )
    steps, last = _steps(game)
    return {
        "agent": name,
        "view": view_json(next(game.views())),
        "steps": steps,
        "won": game.outcome.won,
        "outcome": game.outcome.termination.value,
        "note": game.outcome.note,
        "layout": _layout(last),
    }


def _layout(referee: Referee) -> list[int] | None:
    """The mines of a game that has been played; None where nothing was opened."""
    referee.stop(Termination.UNFINISHED)
    return None if referee.layout is None else list(referee.layout.cells)


def _steps(game: Transcript) -> tuple[list[dict[str, Any]], Referee]:
    """The steps with what each changed, and the referee of the replay at its end."""
    referee = game.referee()
    steps = []
    for number, step in enumerate(game.steps, 1):
        before = referee.view
        referee.apply(step.decision)
        after = referee.view
        steps.append(
            {
                "n": number,
                "cell": step.decision.cell,
                "action": step.decision.action.value,
                "changed": changed_json(after, changed_cells(before, after, step.decision)),
                "reason": _reason(step.decision, before),
                "risk": _risk(step.decision),
            }
        )
    return steps, referee


def _reason(decision: Decision, before: View) -> dict[str, Any]:
    reason = decision.reason
    kind = "unstated"
    if isinstance(reason, Proved):
        kind = "proved"
    elif isinstance(reason, Guessed):
        kind = "guessed"
    premises = list(reason.premises.clues) if isinstance(reason, Proved) else []
    return {"kind": kind, "text": reason_text(decision, before), "premises": premises}


def _risk(decision: Decision) -> float | None:
    if isinstance(decision.reason, Proved):
        return 0.0
    return decision.reason.risk if isinstance(decision.reason, Guessed) else None
