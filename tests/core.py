"""What the tests say about the compiled core: `needs_core` marks those that apply only with it.

Where the core is switched off or was not compiled, `tests/conftest.py` leaves these out and prints
how many they are. Nothing else may depend on the core: every other test passes with the twins.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from mineproof.agents.players import PLAYERS

__all__ = ["needs_core", "players_need_core"]

needs_core = pytest.mark.needs_core


def players_need_core(agents: Iterable[str]) -> list[Any]:
    """Agents or policies as parameters: the players that only the core has need it."""
    return [
        pytest.param(name, marks=needs_core) if name.partition("[")[0] in PLAYERS else name
        for name in agents
    ]
