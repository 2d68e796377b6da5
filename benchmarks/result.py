"""What a benchmark says, and how it takes the time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


class UnavailableError(Exception):
    """A benchmark cannot run here; the message says why."""


@dataclass(frozen=True)
class Result:
    """`amount` units of work in `seconds`; `promised` is the least rate that is promised."""

    work: str
    unit: str
    amount: int
    seconds: float
    promised: float | None = None

    @property
    def rate(self) -> float:
        """Units a second."""
        return self.amount / self.seconds

    @property
    def kept(self) -> bool:
        """Whether the promise, where there is one, is kept."""
        return self.promised is None or self.rate >= self.promised


def best_of(runs: int, work: Callable[[], object]) -> float:
    """Seconds of processor time of the fastest of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
