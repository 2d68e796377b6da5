"""Agents: one a file, guessing policies as functions, and the catalog of both."""

from mineproof.agents.agent import Agent
from mineproof.agents.catalog import AGENTS, make_agent
from mineproof.agents.decision import Action, Decision, Guessed, Proved, Unstated

__all__ = ["AGENTS", "Action", "Agent", "Decision", "Guessed", "Proved", "Unstated", "make_agent"]
