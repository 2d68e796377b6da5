"""A game looked at again, as the page gets it: every move with its judgement."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from mineproof.advice.game_review import review
from mineproof.advice.judging import Effort, Judgement
from mineproof.surfaces.web.games import Game
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.shapes import changed_cells, changed_json

__all__ = ["review_json"]


def review_json(
    game: Game, limits: CoachLimits, clock: Callable[[], float] = time.monotonic
) -> dict[str, Any]:
    """Every move of a game, judged by what its player could see, as long as there is time."""
    end = clock() + limits.review_seconds
    played = list(game.replay())
    found = review(
        played,
        effort=Effort(limits.budget),
        watch=lambda number: clock() <= end,
    )
    moves = [
        {
            "n": number,
            "action": move.action.value,
            "cell": move.cell,
            "changed": changed_json(after, changed_cells(before, after, move)),
            **_judgement_json(judged),
        }
        for number, ((before, move, after), judged) in enumerate(
            zip(played, found.moves, strict=True), 1
        )
    ]
    return {
        "moves": moves,
        "lost": found.lost,
        "blunders": list(found.blunders),
        "guesses": found.luck.guesses,
        "luck": found.luck.difference,
    }


def _judgement_json(judged: Judgement) -> dict[str, Any]:
    return {
        "risk": judged.risk,
        "best_risk": judged.best_risk,
        "best_cell": judged.best_cell,
        "lost": judged.lost,
        "measure": judged.measure and judged.measure.value,
        "kind": judged.kind and judged.kind.value,
        "certain": judged.certain,
        "text": judged.text,
    }
