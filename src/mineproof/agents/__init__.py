"""Agents: a logic and a guessing policy, the text that names them, and the catalog of all."""

from mineproof.agents.agent import Agent
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.agents.decision import Action, Decision, Guessed, Proved, Unstated
from mineproof.agents.spec import AgentSpec, parse_agent

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
