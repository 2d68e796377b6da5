"""The JSON of a game, as `play --json` prints it."""

from __future__ import annotations

from typing import Any

from mineproof.agents.decision import Guessed, Proved, Reason
from mineproof.board.topology import Topology
from mineproof.match.transcript import Step, Transcript
from mineproof.match.transcript_text import SIGNS
from mineproof.view.marks import Mark

__all__ = ["to_json"]


def to_json(game: Transcript) -> dict[str, Any]:
    """The game as one JSON object."""
    return {
        "board": game.board,
        "world": game.world,
        "rules": game.rules.text,
        "agent": game.agent,
        "seed": game.seed,
        "index": game.index,
        "agent_seed": game.agent_seed,
        "won": game.outcome.won,
        "outcome": game.outcome.termination.value,
        "score": game.outcome.score,
        "finer": game.outcome.finer,
        "marked_share": game.outcome.marked_share,
        "note": game.outcome.note,
        "steps": _steps(game),
    }


def _steps(game: Transcript) -> list[dict[str, Any]]:
    """The steps; where the game carries proofs, each with the position it is a proof of."""
    said = [_step(game.topology, step) for step in game.steps]
    if game.proofs:
        from mineproof.proofs import documents

        for number, (view, one) in enumerate(zip(game.views(), said, strict=False), 1):
            if number in game.proofs:
                (proof,) = documents.read_documents(game.proofs[number], view)
                one["reason"] |= {"proof": documents.to_json(proof), "view": view.text}
    return said


def _step(topology: Topology, step: Step) -> dict[str, Any]:
    cell = step.decision.cell
    unsound = {} if step.unsound is None else {"unsound": step.unsound}
    return {
        "cell": None if cell is None else list(topology.coordinates(cell)),
        "action": step.decision.action.value,
        "shown": SIGNS.get(step.shown) if isinstance(step.shown, Mark) else step.shown,
        "opened": step.opened,
        "reason": _reason(topology, step.decision.reason),
        **unsound,
    }


def _reason(topology: Topology, reason: Reason) -> dict[str, Any]:
    def names(cells: tuple[int, ...]) -> list[list[int]]:
        return [list(topology.coordinates(cell)) for cell in cells]

    if isinstance(reason, Proved):
        return {
            "kind": "proved",
            "engine": reason.logic,
            "premises": names(reason.premises.clues),
            "uses_total": reason.premises.total,
            "by_contradiction": reason.premises.by_contradiction,
        }
    if isinstance(reason, Guessed):
        return {
            "kind": "guessed",
            "policy": reason.policy,
            "among": reason.among,
            "risk": reason.risk,
            "cells": names(reason.cells),
        }
    return {"kind": "unstated", "note": reason.note}
