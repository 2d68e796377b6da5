"""The result of a benchmark, and how time is measured."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


class UnavailableError(Exception):
    """A benchmark cannot run here; the message says why."""


@dataclass(frozen=True)
class Result:
    """`amount` units of work in `seconds`, beside what is promised.

    `promised` is the least rate. `peer` is the time of another program for the same work in the
    same run, ms_toollib unless `work` names it; infinite if it did not finish. `least_ratio` is how
    many times faster than that is promised.
    """

    work: str
    unit: str
    amount: int
    seconds: float
    promised: float | None = None
    peer: float | None = None
    least_ratio: float | None = None
    megabytes: float | None = None
    most_megabytes: float | None = None
    holds: bool = True
    """Whether what was found beside the time is as promised."""

    @property
    def rate(self) -> float:
        """Units per second."""
        return self.amount / self.seconds

    @property
    def ratio(self) -> float | None:
        """How many times faster than the peer."""
        return None if self.peer is None else self.peer / self.seconds

    @property
    def kept(self) -> bool:
        """Whether all promises, if any, are kept."""
        fast = self.promised is None or self.rate >= self.promised
        faster = self.least_ratio is None or (self.ratio or 0.0) >= self.least_ratio
        small = self.most_megabytes is None or (self.megabytes or 0.0) <= self.most_megabytes
        return fast and faster and small and self.holds

    @property
    def promise(self) -> str:
        """What is promised, for people."""
        words = []
        if self.promised is not None:
            per_unit = 1 / self.promised
            words.append(f"{duration(per_unit)}")
        if self.least_ratio is not None:
            words.append(f"{self.least_ratio:g}x")
        if self.most_megabytes is not None:
            words.append(f"{self.most_megabytes:.0f} MB")
        if not self.holds:
            words.append("what it says")
        return ", ".join(words)


def duration(seconds: float) -> str:
    """A time for people: `12.3 us`, `4.5 ms`, `1.23 s`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size or unit == "us":
            return f"{seconds / size:.3g} {unit}"
    raise AssertionError("microseconds are the last unit")


def best_of(runs: int, work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)
