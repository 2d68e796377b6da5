"""The difference of two agents on the same games, in any column, by the bootstrap.

Pairs are drawn again with replacement (Efron, 1979); the same numbers and seed give the same
interval. Equal differences are drawn together, so a million games cost no more than a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof.errors import InputError
from mineproof.interval import Interval

__all__ = ["PairedMean", "paired_mean"]

_CHUNK = 2_000_000


@dataclass(frozen=True)
class PairedMean:
    """The mean difference over games, its 95 % interval, and its size in standard deviations."""

    games: int
    difference: float
    interval: Interval
    effect: float

    @property
    def significant(self) -> bool:
        """Whether the interval leaves out no difference."""
        return not self.interval.low <= 0 <= self.interval.high


def paired_mean(
    first: ArrayLike, second: ArrayLike, seed: int = 0, resamples: int = 4000
) -> PairedMean:
    """Compare two columns of values, game by game. Raises InputError for unequal lengths."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise InputError(f"{a.size} and {b.size} values; accepted: one each for every game")
    if not a.size:
        raise InputError("no games to compare; accepted: at least one")
    differences = a - b
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    means = _resampled_means(differences, np.random.default_rng(seed), resamples)
    low, high = np.quantile(means, [0.025, 0.975])
    # The percentile interval of few games is too short by this factor (Hesterberg, 2015).
    games = len(differences)
    widen = sqrt(games / (games - 1)) if games > 1 else 1.0
    interval = Interval(mean + (float(low) - mean) * widen, mean + (float(high) - mean) * widen)
    return PairedMean(games, mean, interval, mean / spread if spread else 0.0)


def _resampled_means(
    differences: NDArray[np.float64], rng: np.random.Generator, resamples: int
) -> NDArray[np.float64]:
    values, counts = np.unique(differences, return_counts=True)
    games = len(differences)
    shares = counts / games
    chunk = max(1, _CHUNK // len(values))
    parts = [
        rng.multinomial(games, shares, size=min(chunk, resamples - start)) @ values
        for start in range(0, resamples, chunk)
    ]
    return np.concatenate(parts) / games
