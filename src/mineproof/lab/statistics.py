"""Paired tests for shares of games won."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, fsum, inf, lgamma, log, sqrt
from typing import Any

from mineproof.interval import Z95, Interval, wilson

__all__ = ["Paired"]


@dataclass(frozen=True)
class Paired:
    """Two agents on the same games: how often both, one or neither won."""

    both: int
    only_a: int
    only_b: int
    neither: int

    @property
    def games(self) -> int:
        return self.both + self.only_a + self.only_b + self.neither

    @property
    def difference(self) -> float:
        """The share won by `a` less that won by `b`."""
        return (self.only_a - self.only_b) / self.games if self.games else 0.0

    @property
    def interval(self) -> Interval:
        """The interval of Agresti and Min (2005) for the difference of paired shares."""
        if not self.games:
            return Interval(-1.0, 1.0)
        games, a, b = self.games + 2, self.only_a + 0.5, self.only_b + 0.5
        middle = (a - b) / games
        half = Z95 * sqrt(a + b - (a - b) ** 2 / games) / games
        return Interval(max(-1.0, middle - half), min(1.0, middle + half))

    @property
    def p_value(self) -> float:
        """McNemar's exact test, two-sided: how odd the split is if both were equally good."""
        return min(1.0, 2 * fsum(map(self._chance, range(min(self.only_a, self.only_b) + 1))))

    @property
    def mid_p_value(self) -> float:
        """The same with half the weight on the split itself: less cautious (Fagerland, 2013)."""
        fewer = min(self.only_a, self.only_b)
        below = fsum(map(self._chance, range(fewer)))
        return min(1.0, 2 * below + self._chance(fewer))

    def _chance(self, k: int) -> float:
        """The chance of `k` wins of one agent in the games that only one won."""
        odd = self.only_a + self.only_b
        return exp(lgamma(odd + 1) - lgamma(k + 1) - lgamma(odd - k + 1) - odd * log(2))

    @property
    def odds(self) -> float:
        """The size of the effect: wins of `a` for each win of `b` in games that only one won."""
        if self.only_b:
            return self.only_a / self.only_b
        return inf if self.only_a else 1.0

    @property
    def odds_interval(self) -> Interval:
        """Wilson's interval for the share that `a` won of those games, as odds."""
        share = wilson(self.only_a, self.only_a + self.only_b)

        def as_odds(part: float) -> float:
            return part / (1 - part) if part < 1 else inf

        return Interval(as_odds(share.low), as_odds(share.high))

    def to_json(self, a: str, b: str) -> dict[str, Any]:
        """The object that `compare --json` prints for a pair; null stands for infinite odds."""
        odds = self.odds_interval
        return {
            "a": a,
            "b": b,
            "both": self.both,
            "only_a": self.only_a,
            "only_b": self.only_b,
            "neither": self.neither,
            "difference": self.difference,
            "low": self.interval.low,
            "high": self.interval.high,
            "p_value": self.p_value,
            "mid_p_value": self.mid_p_value,
            "odds": _finite(self.odds),
            "odds_low": _finite(odds.low),
            "odds_high": _finite(odds.high),
        }


def _finite(number: float) -> float | None:
    return None if number == inf else number
