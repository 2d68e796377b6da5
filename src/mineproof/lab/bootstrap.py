"""Means over games and differences of two agents on the same games, by the bootstrap.

Games are drawn again with replacement (Efron, 1979); the same numbers and seed give the same
interval. Equal values are drawn together, so a million games cost no more than a thousand. No
interval leaves the range of the values, so that of shares stays within 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof.errors import InputError
from mineproof.interval import Z95, Interval

__all__ = ["Mean", "PairedMean", "mean_of", "paired_mean", "sign_flip"]

_CHUNK = 2_000_000
_RESAMPLES = 4000
_FLIPS = 4000


@dataclass(frozen=True)
class Mean:
    """A mean with its 95 % interval."""

    value: float
    interval: Interval


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


def mean_of(values: ArrayLike, bounds: Interval, seed: int = 0) -> Mean:
    """The mean of values that lie within bounds; of no values, nothing is known.

    >>> found = mean_of([0.5, 1.0, 1.0, 1.0], Interval(0.0, 1.0))
    >>> found.value, found.interval.high
    (0.875, 1.0)
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not numbers.size:
        return Mean(0.0, bounds)
    return Mean(float(numbers.mean()), _interval(numbers, bounds, seed, _RESAMPLES))


def paired_mean(
    first: ArrayLike,
    second: ArrayLike,
    seed: int = 0,
    resamples: int = _RESAMPLES,
    bounds: Interval | None = None,
) -> PairedMean:
    """Compare two columns of values, game by game; `bounds` are those of a difference, if known.

    Raises InputError for unequal lengths.
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if a.shape != b.shape or a.ndim != 1:
        raise InputError(f"{a.size} and {b.size} values; accepted: one each for every game")
    if not a.size:
        raise InputError("no games to compare; accepted: at least one")
    differences = a - b
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1)) if len(differences) > 1 else 0.0
    interval = _interval(differences, bounds, seed, resamples)
    return PairedMean(len(differences), mean, interval, mean / spread if spread else 0.0)


def sign_flip(differences: NDArray[np.float64], seed: int = 0, flips: int = _FLIPS) -> float:
    """The p-value of the two-sided sign-flip test (Fisher, 1935).

    It says how odd the sum is if each difference were as likely to be the other way round.
    """
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    # Differences of one size are flipped together: how many of them stay as they are.
    sizes, counts = np.unique(np.abs(moved), return_counts=True)
    kept = np.random.default_rng(seed).binomial(counts, 0.5, size=(flips, len(sizes)))
    sums = (2 * kept - counts) @ sizes
    as_far = int((np.abs(sums) >= abs(moved.sum()) - 1e-9).sum())
    return (1 + as_far) / (1 + flips)


def _interval(
    values: NDArray[np.float64], bounds: Interval | None, seed: int, resamples: int
) -> Interval:
    """The interval of a mean; it lies within the bounds, or else within the values' own range."""
    least, most = float(values.min()), float(values.max())
    if least == most and bounds is not None:
        return _unvaried(least, len(values), bounds)
    mean, games = float(values.mean()), len(values)
    means = _resampled_means(values, np.random.default_rng(seed), resamples)
    low, high = np.quantile(means, [0.025, 0.975])
    # The percentile interval of few games is too short by this factor (Hesterberg, 2015).
    widen = sqrt(games / (games - 1)) if games > 1 else 1.0
    return Interval(
        max(least, mean + (float(low) - mean) * widen),
        min(most, mean + (float(high) - mean) * widen),
    )


def _unvaried(value: float, games: int, bounds: Interval) -> Interval:
    """The interval where every game says the same: drawing again would find nothing else.

    As Agresti and Min (2005) do for wins, two games stand for what was not seen: one halfway, and
    half a one at either end.
    """
    low, high = bounds
    seen = np.array([value, low, high, (low + high) / 2])
    weights = np.array([games, 0.5, 0.5, 1.0])
    total = games + 2
    middle = float(weights @ seen) / total
    half = Z95 * sqrt(float(weights @ (seen - middle) ** 2)) / total
    return Interval(max(low, middle - half), min(high, middle + half))


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
