"""Intervals, and Wilson's for a share: what a number of games says of a chance."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

__all__ = ["Z95", "Interval", "wilson", "wilson_share"]

Z95 = 1.959963984540054
"""The normal distribution holds 95 % within so many standard deviations."""


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float


def wilson(won: int, played: int) -> Interval:
    """Wilson's interval for a share (1927). Nothing played: anything is possible.

    >>> interval = wilson(0, 100)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0, 0.037)
    """
    return wilson_share(won / played, played) if played else Interval(0.0, 1.0)


def wilson_share(share: float, trials: float) -> Interval:
    """The same for a share that is known, of trials that need not be a whole number."""
    square = Z95**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = Z95 * sqrt(share * (1 - share) / trials + square / (4 * trials)) / (1 + square)
    return Interval(max(0.0, middle - half), min(1.0, middle + half))
