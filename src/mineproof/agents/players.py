"""The players of the compiled core that have no Python twin, by name."""

from __future__ import annotations

from collections.abc import Mapping

from mineproof.agents.champion import Champion
from mineproof.agents.core_logic import CoreLogic
from mineproof.agents.swift import Swift

__all__ = ["PLAYERS"]

PLAYERS: Mapping[str, type[CoreLogic]] = {player.player: player for player in (Swift, Champion)}
"""Each is a logic and a guessing policy."""
