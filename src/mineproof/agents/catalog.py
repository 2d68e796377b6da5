"""The catalog of agents: the only list of their names."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.agents.agent import Agent, AgentFactory
from mineproof.agents.random_agent import RandomAgent
from mineproof.agents.single_point import single_point_agent
from mineproof.registry import Catalog

__all__ = ["AGENTS", "Listed", "make_agent"]


@dataclass(frozen=True)
class Listed:
    """An agent as the catalog lists it."""

    make: AgentFactory
    report: str
    logic: str
    otherwise: str


AGENTS: Catalog[Listed] = Catalog("agent")
AGENTS.add("random", Listed(RandomAgent, "2 (RPX)", "none", "opens any hidden cell"))
AGENTS.add(
    "single-point",
    Listed(single_point_agent, "0 (basic), 2 (SPX)", "one clue at a time", "a random cell"),
    aliases=("basic",),
)


def make_agent(name: str) -> Agent:
    """A fresh agent by its name. Raises UnknownName."""
    return AGENTS[name].make()
