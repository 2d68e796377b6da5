"""The games of watched agents, played to their end, with the reasons of every step."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from mineproof.advice.advising import is_promised
from mineproof.agents.agent import Agent
from mineproof.agents.catalog import make_agent
from mineproof.agents.decision import Action, Decision, Guessed, Proved
from mineproof.errors import BudgetExceeded
from mineproof.inference.verdict import Premises
from mineproof.match.game import play
from mineproof.match.narration import spoken_text
from mineproof.match.outcome import Termination
from mineproof.match.referee import Referee
from mineproof.match.transcript import Transcript
from mineproof.proofs.support import Supporter
from mineproof.rules import Rules
from mineproof.surfaces.web.shapes import changed_cells, changed_json, view_json
from mineproof.view.view import View

__all__ = ["played_games"]


class _Clock:
    """Ends a game when its time is up; the moves made so far stay."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self.seconds = seconds

    @property
    def over(self) -> bool:
        return time.monotonic() > self._end

    def watch(self, referee: Referee, decision: Decision | None) -> None:
        if self.over and not referee.over:
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
    steps, last = _steps(game, clock)
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


def _steps(game: Transcript, clock: _Clock) -> tuple[list[dict[str, Any]], Referee]:
    """The steps with what each changed, and the referee of the replay at its end.

    Where an agent only says that a cell is proved, the clues that prove it are looked for.
    """
    referee = game.referee()
    supporter = Supporter(game.topology, defaultdict(int))
    steps = []
    for number, step in enumerate(game.steps, 1):
        before = referee.view
        premises = None if clock.over else _support(step.decision, before, supporter)
        referee.apply(step.decision)
        after = referee.view
        supporter.take((cell for cell in after.opened if not before.is_open(cell)), after)
        steps.append(
            {
                "n": number,
                "cell": step.decision.cell,
                "action": step.decision.action.value,
                "changed": changed_json(after, changed_cells(before, after, step.decision)),
                "reason": _reason(step.decision, before, premises),
                "risk": _risk(step.decision),
            }
        )
    return steps, referee


def _support(decision: Decision, before: View, supporter: Supporter) -> Premises | None:
    """The clues that prove an opened cell, where its agent names none; None where none do."""
    reason, cell = decision.reason, decision.cell
    if not isinstance(reason, Proved) or decision.action is not Action.OPEN or cell is None:
        return None
    if reason.premises.clues:
        return None
    try:
        found = supporter.safe(cell, before)
    except BudgetExceeded:
        return None
    return None if found is None else Premises(found.clues, found.uses_total)


def _reason(decision: Decision, before: View, premises: Premises | None) -> dict[str, Any]:
    reason = decision.reason
    kind = "unstated"
    if is_promised(before):
        kind = "proved"  # by the rules, whatever its agent makes of it
    elif isinstance(reason, Proved):
        kind = "proved"
        premises = reason.premises if premises is None else premises
    elif isinstance(reason, Guessed):
        kind = "guessed"
    return {
        "kind": kind,
        "text": spoken_text(decision, before, premises),
        "premises": [] if premises is None else list(premises.clues),
    }


def _risk(decision: Decision) -> float | None:
    if isinstance(decision.reason, Proved):
        return 0.0
    return decision.reason.risk if isinstance(decision.reason, Guessed) else None
