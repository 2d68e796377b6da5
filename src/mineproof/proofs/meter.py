"""How much work a search may do, counted in steps and never in seconds: same input, same answer."""

from __future__ import annotations

__all__ = ["UNLIMITED", "Spent", "StepMeter"]

UNLIMITED = 1 << 60
"""More steps than anyone waits for: for what must be answered, whatever the budget."""


class Spent(Exception):
    """The work allowed is used up; caught by whoever set the meter."""


class StepMeter:
    """Counts steps down. Raises `Spent` when none is left."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise Spent
