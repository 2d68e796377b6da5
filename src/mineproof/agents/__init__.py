"""Agents: a logic and a guessing policy, the text that names them, and the catalog of all.

A name is loaded from its home when it is first used, so that `solve` does not load every logic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.exports import exports

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

_HOMES = {
    "mineproof.agents.agent": ("Agent",),
    "mineproof.agents.catalog": ("AGENTS", "make_agent"),
    "mineproof.agents.decision": ("Action", "Decision", "Guessed", "Proved", "Unstated"),
    "mineproof.agents.spec": ("AgentSpec", "parse_agent"),
}
__getattr__, __dir__ = exports(__name__, _HOMES)
