"""LOGIC FORM: constraints, boxes and components of the frontier, built from a view."""

from mineproof.knowledge.constraints import Constraint, constraints, total_constraint
from mineproof.knowledge.frontier import Box, Component, Frontier, components_of, frontier

__all__ = [
    "Box",
    "Component",
    "Constraint",
    "Frontier",
    "components_of",
    "constraints",
    "frontier",
    "total_constraint",
]
