"""The core searches deals on several threads: how `keep` and `repair` ask it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from mineproof.errors import BudgetExceeded
from mineproof.generation.beginning import Beginning
from mineproof.inference.engine.ground import ground_of
from mineproof.kernel import core

__all__ = ["search"]

Found = TypeVar("Found")


def search(
    asked: Callable[..., tuple[list[Found], int]],
    beginning: Beginning,
    seed: int,
    start: int,
    deals: int,
    count: int,
    threads: int,
) -> tuple[list[Found], int]:
    """What `asked`, a function of the core, finds among the deals, and how many it tried.

    Raises BudgetExceeded where a position is too hard for the exact engine.
    """
    try:
        return asked(
            ground_of(beginning.topology).board,
            beginning.mines,
            beginning.first,
            beginning.free,
            "total",
            seed,
            start,
            deals,
            count,
            threads,
        )
    except core.OverBudget as error:
        raise BudgetExceeded(
            f"a deal of {beginning.board.text} is too hard for the exact engine: {error.args[0]}"
        ) from None
