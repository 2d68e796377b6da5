"""`single-point`, alias `basic` (report 0 "basic", report 2 SPX): one clue at a time, else random.

It proves what a single clue forces, given the cells already known; it does not use the mine total.
"""

from __future__ import annotations

from mineproof.agents.logic_agent import LogicAgent
from mineproof.agents.policies import random_cell
from mineproof.inference.single_point import SinglePoint

__all__ = ["single_point_agent"]


def single_point_agent() -> LogicAgent:
    """Single-point logic, random guesses."""
    return LogicAgent(SinglePoint(), random_cell)
