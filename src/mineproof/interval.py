"""Confidence intervals, and Wilson's for a share of games."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

__all__ = ["Z95", "Interval", "wilson", "wilson_share"]

Z95 = 1.959963984540054
"""The normal distribution has 95 % of its mass within this many standard deviations."""


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float


def wilson(won: int, played: int) -> Interval:
    """Wilson's interval for a share (1927); 0 to 1 if nothing was played.

    >>> interval = wilson(0, 100)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0, 0.037)
    """
    return wilson_share(won / played, played) if played else Interval(0.0, 1.0)


def wilson_share(share: float, trials: float) -> Interval:
    """The same for a given share; the number of trials need not be whole.

    It stays within 0 and 1 and holds the share itself, whatever rounding does.
    """
    square = Z95**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = Z95 * sqrt(share * (1 - share) / trials + square / (4 * trials)) / (1 + square)
    return Interval(max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)))
