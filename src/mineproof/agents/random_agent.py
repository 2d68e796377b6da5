"""`random` (report 2, RPX): opens any hidden cell. It proves nothing and flags nothing."""

from __future__ import annotations

from mineproof.agents.decision import Decision
from mineproof.agents.policies import random_cell
from mineproof.rng import Stream
from mineproof.view.view import View

__all__ = ["RandomAgent"]


class RandomAgent:
    """Opens a hidden cell, each equally likely."""

    def begin(self, view: View, rng: Stream) -> None:
        self._rng = rng

    def act(self, view: View) -> Decision:
        cell, reason = random_cell(view, list(view.hidden), self._rng)
        return Decision.open(cell, reason)
