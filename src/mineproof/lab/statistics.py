"""Paired tests for shares of games won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import exp, fsum, inf, lgamma, log, sqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.interval import Z95, Interval, wilson

__all__ = ["Paired", "Played", "pairs_of"]

Played: TypeAlias = tuple[NDArray[np.int64], NDArray[np.bool_]]
"""The numbers of games, and which of them were won."""

_NOT_PLAYED = -1
_CHUNK = 2**16
"""Games that are counted at once: sums of that many stay exact in single precision."""


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


def pairs_of(played: Mapping[str, Played]) -> tuple[tuple[str, str, Paired], ...]:
    """Every two agents on the games that both have played, where there are such games."""
    names = list(played)
    games = max((int(numbers.max(initial=-1)) + 1 for numbers, _ in played.values()), default=0)
    wins = np.full((len(names), games), _NOT_PLAYED, dtype=np.int8)
    for agent, (numbers, won) in enumerate(played.values()):
        wins[agent, numbers] = won
    both = np.zeros((len(names), len(names)), dtype=np.int64)
    one, neither = np.zeros_like(both), np.zeros_like(both)
    for start in range(0, games, _CHUNK):
        part = wins[:, start : start + _CHUNK]
        won, lost = (part == 1).astype(np.float32), (part == 0).astype(np.float32)
        both += (won @ won.T).astype(np.int64)
        one += (won @ lost.T).astype(np.int64)
        neither += (lost @ lost.T).astype(np.int64)
    found = (
        (
            names[a],
            names[b],
            Paired(int(both[a, b]), int(one[a, b]), int(one[b, a]), int(neither[a, b])),
        )
        for a, b in combinations(range(len(names)), 2)
    )
    return tuple(pair for pair in found if pair[2].games)
