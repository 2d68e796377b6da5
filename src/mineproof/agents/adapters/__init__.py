"""Agents that others wrote, in the shapes they come in: a file, an installed package, CS50's."""

from mineproof.agents.adapters.cs50 import Cs50Agent
from mineproof.agents.adapters.source import AgentSource, entry_point_names

__all__ = ["AgentSource", "Cs50Agent", "entry_point_names"]
