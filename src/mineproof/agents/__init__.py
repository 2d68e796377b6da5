"""Agents: a logic and a guessing policy, the text that names them, and the catalog of all.

A name is loaded from its home when it is first used, so that `solve` does not load every logic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.registry import lazy_exports

if TYPE_CHECKING:
    from mineproof.agents.agent import Action as Action
    from mineproof.agents.agent import Agent as Agent
    from mineproof.agents.agent import Decision as Decision
    from mineproof.agents.agent import Guessed as Guessed
    from mineproof.agents.agent import Proved as Proved
    from mineproof.agents.agent import Unstated as Unstated
    from mineproof.agents.catalog import AGENTS as AGENTS
    from mineproof.agents.catalog import AgentSpec as AgentSpec
    from mineproof.agents.catalog import make_agent as make_agent
    from mineproof.agents.catalog import parse_agent as parse_agent
    from mineproof.engine.analysis import Premises as Premises

_HOMES = {
    "mineproof.agents.agent": ("Action", "Agent", "Decision", "Guessed", "Proved", "Unstated"),
    "mineproof.agents.catalog": ("AGENTS", "AgentSpec", "make_agent", "parse_agent"),
    "mineproof.engine.analysis": ("Premises",),
}

__getattr__, __dir__, __all__ = lazy_exports(__name__, _HOMES)
