"""Agents: a logic and a guessing policy, the text that names them, and the catalog of all.

A name is loaded from its home when it is first used, so that `solve` does not load every logic.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mineproof.agents.agent import Agent as Agent
    from mineproof.agents.catalog import AGENTS as AGENTS
    from mineproof.agents.catalog import make_agent as make_agent
    from mineproof.agents.decision import Action as Action
    from mineproof.agents.decision import Decision as Decision
    from mineproof.agents.decision import Guessed as Guessed
    from mineproof.agents.decision import Proved as Proved
    from mineproof.agents.decision import Unstated as Unstated
    from mineproof.agents.spec import AgentSpec as AgentSpec
    from mineproof.agents.spec import parse_agent as parse_agent

__all__ = [
    "AGENTS",
    "Action",
    "Agent",
    "AgentSpec",
    "Decision",
    "Guessed",
    "Proved",
    "Unstated",
    "make_agent",
    "parse_agent",
]

_HOME = {
    "AGENTS": "catalog",
    "Action": "decision",
    "Agent": "agent",
    "AgentSpec": "spec",
    "Decision": "decision",
    "Guessed": "decision",
    "Proved": "decision",
    "Unstated": "decision",
    "make_agent": "catalog",
    "parse_agent": "spec",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
