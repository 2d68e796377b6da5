"""Agents that play while others look on: whole games, each with the reasons of every step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.errors import InputError
from mineproof.inference.verdict import check_rules
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.shapes import board_json, read_setting
from mineproof.surfaces.web.task_doers import TaskDoers

__all__ = ["agents_json", "watch_json"]

_GRACE = 5.0
"""Seconds for the last moves, which are not cut short, and for writing all down."""
_LONGEST_NAME = 200


def agents_json() -> list[dict[str, Any]]:
    """The catalog."""
    return [
        {
            "name": name,
            "aliases": list(AGENTS.aliases(name)),
            "text": AGENTS[name].about
            or f"{AGENTS[name].logic}; otherwise {AGENTS[name].otherwise}",
            "uses": AGENTS[name].information,
            "report": AGENTS[name].report,
            "options": [],
        }
        for name in AGENTS
    ]


def watch_json(
    board: str,
    agents: Sequence[str],
    seed: int,
    first_click: str | None,
    clues: str | None,
    limits: CoachLimits,
    workers: TaskDoers,
) -> dict[str, Any]:
    """One or two agents on the same deal. Raises InputError; agents of files are unknown here."""
    setting = read_setting(board, first_click, clues, limits)
    found, rules = setting.board, setting.rules
    cells = len(found.topology)
    if cells > limits.watch_cells:
        raise InputError(
            f"the board has {cells} cells; agents are watched on at most {limits.watch_cells}"
        )
    if not 1 <= len(agents) <= 2:
        raise InputError(f"{len(agents)} agents are named; accepted: one or two")
    for name in agents:
        if len(name) > _LONGEST_NAME:
            raise InputError(f"an agent's name is longer than {_LONGEST_NAME} characters")
        check_rules(make_agent(name), rules, cells)
    asked = {
        "board": found.text,
        "agents": list(agents),
        "seed": seed,
        "rules": rules.text,
        "seconds": limits.watch_seconds,
    }
    return {
        "board": board_json(found.topology, found.mines.fixed(cells), board),
        "seed": seed,
        "games": workers.ask(
            "watch", asked, limits.watch_seconds + _GRACE, "the agents did not end their games"
        ),
    }
