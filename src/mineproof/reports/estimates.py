"""Numbers with their intervals, and what they say about a published one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import atanh, ceil, exp, fsum, lgamma, sqrt, tanh
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof.lab.deals import share_interval, student
from mineproof.lab.figures import Curve, Point
from mineproof.lab.report import Agreement, Estimate
from mineproof.lab.statistics import p_text, paired_mean, sign_flip
from mineproof.text import Z95, Interval, wilson

UNIT = Interval(0.0, 1.0)
"""Where shares and scores lie."""
GAMES = "paired games"


def share_of(won: ArrayLike, digits: int = 1) -> Estimate:
    """The share of true values, with Wilson's interval."""
    values = np.asarray(won, dtype=bool)
    count, games = int(values.sum()), len(values)
    interval = wilson(count, games)
    share = count / games if games else 0.0
    return Estimate(share, interval.low, interval.high, True, digits, games)


def pooled_share(won: ArrayLike) -> Estimate:
    """The share of true values, a row for each deal and a column for each board that shares it.

    The interval is for other deals: see `lab.deals`.
    """
    values = np.asarray(won, dtype=bool)
    deal, place = np.indices(values.shape)
    interval = share_interval(values.ravel(), deal.ravel(), place.ravel())
    return Estimate(float(values.mean()), *interval, True)


def mean_of(
    values: ArrayLike, digits: int = 3, percent: bool = False, bounds: Interval | None = None
) -> Estimate:
    """The mean, with a bootstrap interval; `bounds` are those of a value, 0 and 1 for a per cent.

    With bounds, games that all say the same have an interval too.
    """
    numbers = np.asarray(values, dtype=np.float64)
    known = UNIT if percent else bounds
    found = paired_mean(numbers, np.zeros_like(numbers), bounds=known)
    return Estimate(found.difference, *found.interval, percent, digits)


def ratio_of(
    parts: ArrayLike, wholes: ArrayLike, *, percent: bool = False, digits: int = 1
) -> Estimate:
    """The sum of some numbers over the sum of others, game by game; games are drawn again for the
    interval. 0 where there is nothing to divide by.
    """
    some, whole = np.asarray(parts, dtype=np.float64), np.asarray(wholes, dtype=np.float64)
    # The seed is fixed, so the same games always have the same interval.
    drawn = np.random.default_rng(0).integers(0, len(some), (2000, len(some)))
    sums, totals = some[drawn].sum(axis=1), whole[drawn].sum(axis=1)
    ratios = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0)
    value = some.sum() / whole.sum() if whole.sum() > 0 else 0.0
    low, high = np.quantile(ratios, [0.025, 0.975])
    return Estimate(float(value), float(low), float(high), percent, digits)


def curve_of(
    name: str, estimates: Iterable[tuple[float, Estimate]], published: bool = False
) -> Curve:
    """A line of a figure through numbers with their intervals, each at its place."""
    points = (Point(at, one.value, one.low, one.high) for at, one in estimates)
    return Curve(name, tuple(points), published=published)


def rank_correlation(first: ArrayLike, second: ArrayLike) -> Estimate | None:
    """Spearman's correlation of two columns, with Bonett and Wright's interval (2000).

    None if it says nothing: fewer than four games, or a constant column.
    """
    a, b = _ranks(first), _ranks(second)
    games = len(a)
    if games < 4 or not a.std() or not b.std():
        return None
    found = float(np.corrcoef(a, b)[0, 1])
    # Fisher's transform is infinite at 1 and -1, so those are moved inside by a hair.
    middle = atanh(max(-1 + 1e-12, min(1 - 1e-12, found)))
    half = Z95 * sqrt((1 + found**2 / 2) / (games - 3))
    return Estimate(found, tanh(middle - half), tanh(middle + half), False, 2)


def common_correlation(found: Sequence[tuple[Estimate, int]]) -> Estimate | None:
    """One rank correlation for several series, each given with the number of its games.

    The mean of Fisher's transforms, weighted by their precision. None of no series.
    """
    if not found:
        return None
    # The precision is one over the variance that `rank_correlation` uses.
    weights = np.array([(games - 3) / (1 + one.value**2 / 2) for one, games in found])
    turned = np.array([atanh(max(-1 + 1e-12, min(1 - 1e-12, one.value))) for one, _ in found])
    middle, half = float(weights @ turned / weights.sum()), Z95 / sqrt(float(weights.sum()))
    return Estimate(tanh(middle), tanh(middle - half), tanh(middle + half), False, 2)


def _ranks(values: ArrayLike) -> NDArray[np.float64]:
    """The rank of every value; equal ones share the mean of theirs."""
    _, places, counts = np.unique(
        np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True
    )
    last = np.cumsum(counts)
    shared: NDArray[np.float64] = (last - (counts - 1) / 2)[places]
    return shared


@dataclass(frozen=True)
class PairedDifference:
    """The mean difference over the same games or deals, its interval and its p-value."""

    value: float
    low: float
    high: float
    p_value: float
    games: int
    unit: str = GAMES

    @property
    def sure(self) -> bool:
        """Whether the test, too, tells it from zero."""
        return self.p_value < 0.05

    @property
    def above(self) -> bool:
        """Whether it is above zero, by the interval and the test."""
        return self.low > 0 and self.sure

    @property
    def below(self) -> bool:
        """Whether it is below zero, by the interval and the test."""
        return self.high < 0 and self.sure

    def gain(self, margin: float) -> Agreement:
        """What it says about the claim that the first is more."""
        return gain_outcome(self, margin, surely=self.sure)

    def none(self, least: float) -> bool:
        """Whether no difference as large as `least` is left possible, either way."""
        return self.low > -least and self.high < least

    def estimate(self, percent: bool = False, digits: int = 3) -> Estimate:
        """The same as a number of a table."""
        return Estimate(self.value, self.low, self.high, percent, digits)

    @property
    def points(self) -> str:
        """A difference of shares, `+14.8 points (+11.0 to +18.7)`."""
        value, low, high = (100 * number for number in (self.value, self.low, self.high))
        return f"{value:+.1f} points ({low:+.1f} to {high:+.1f})"

    @property
    def text(self) -> str:
        return (
            f"{self.value:+.3f} ({self.low:+.3f} to {self.high:+.3f}) over {self.games:,}"
            f" {self.unit}, {p_text(self.p_value)}"
        )


def difference_of(
    first: ArrayLike, second: ArrayLike, seed: int = 0, unit: str = GAMES
) -> PairedDifference:
    """What `first` has more than `second`, game by game; `unit` says what a pair of values is of.

    The p-value is that of the two-sided sign-flip test (Fisher, 1935).
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    found = paired_mean(a, b, seed) if unit == GAMES else paired_mean(a, b, resamples=0)
    p_value = sign_flip(a - b, seed)
    return PairedDifference(
        found.difference, found.interval.low, found.interval.high, p_value, found.games, unit
    )


@dataclass(frozen=True)
class PublishedShare:
    """A share that a report gives, and over how many games."""

    share: float
    games: int

    @property
    def text(self) -> str:
        return f"{100 * self.share:.0f} % of {self.games} games"

    @property
    def estimate(self) -> Estimate:
        interval = wilson(round(self.share * self.games), self.games)
        return Estimate(self.share, interval.low, interval.high, True)


def agreement(published: PublishedShare, ours: Estimate) -> Agreement:
    """Whether two shares differ by no more than chance explains.

    Fisher's exact test (1922) where ours is of single games; else Newcombe's interval.
    """
    if ours.games is not None:
        theirs = round(published.share * published.games), published.games
        p_value = fisher(*theirs, round(ours.value * ours.games), ours.games)
        return Agreement.AGREES if p_value >= 0.05 else Agreement.DIFFERS
    gap = gap_of(ours, published.estimate)
    return Agreement.AGREES if gap.low <= 0 <= gap.high else Agreement.DIFFERS


def fisher(won_a: int, games_a: int, won_b: int, games_b: int) -> float:
    """The two-sided p-value of Fisher's exact test: as odd a split of the wins, or an odder one.

    >>> round(fisher(18, 20, 196, 200), 3)
    0.094
    """
    won, games = won_a + won_b, games_a + games_b
    splits = range(max(0, won - games_b), min(won, games_a) + 1)
    chances = {
        a: exp(_log_ways(games_a, a) + _log_ways(games_b, won - a) - _log_ways(games, won))
        for a in splits
    }
    # Equal chances differ by rounding.
    most = chances[won_a] * (1 + 1e-7)
    return min(1.0, fsum(chance for chance in chances.values() if chance <= most))


def _log_ways(many: int, chosen: int) -> float:
    return lgamma(many + 1) - lgamma(chosen + 1) - lgamma(many - chosen + 1)


def gap_of(first: Estimate, second: Estimate) -> Estimate:
    """What one number exceeds another by, where other games gave each.

    Newcombe's interval for a difference (1998), from the interval of each.
    """
    gap = first.value - second.value
    low = gap - sqrt((first.value - first.low) ** 2 + (second.high - second.value) ** 2)
    high = gap + sqrt((first.high - first.value) ** 2 + (second.value - second.low) ** 2)
    return Estimate(gap, low, high, first.percent, first.digits)


def claim_outcome(holds: bool, fails: bool | None = None) -> Agreement:
    """Whether a claim holds, fails, or is open; without `fails` it is never open."""
    if holds:
        return Agreement.HOLDS
    return Agreement.FAILS if fails or fails is None else Agreement.OPEN


def gain_outcome(
    gain: Estimate | PairedDifference | Interval, margin: float, *, surely: bool = True
) -> Agreement:
    """What the interval of a difference says about the claim that it is a gain.

    A difference below `margin` either way counts as none. `surely` is false where a test of the
    difference finds it by chance.
    """
    if surely and gain.low > 0:
        return Agreement.HOLDS
    if surely and gain.high < 0:
        return Agreement.FAILS
    # Too few games to see a gain must not count against the claim.
    within = -margin < gain.low and gain.high < margin
    return Agreement.NOTHING if within else Agreement.OPEN


def half_point(x: ArrayLike, won: ArrayLike) -> Estimate | None:
    """Where a falling share of wins crosses one half: a logistic line through the shares.

    `won` has a row for each deal and a column for each place of `x`. The interval is for other
    deals: those of one row rise and fall together. None if the shares do not show a crossing.
    """
    at, wins = np.asarray(x, dtype=np.float64), np.asarray(won, dtype=np.float64)
    deals, rates = len(wins), wins.mean(axis=0)
    if rates.max() < 0.5 or rates.min() > 0.5 or deals < 2:
        return None
    # Mines are centred and scaled, so the penalty means the same on every board.
    middle, spread = at.mean(), at.std() or 1.0
    design = np.stack([np.ones_like(at), (at - middle) / spread], axis=1)
    # A small ridge penalty keeps the slope finite if shares fall from all to none at once.
    pull = np.diag([1e-6, 1e-2])
    weights, inverse = _fit(design, rates * deals, np.full(len(at), float(deals)), pull)
    # What each deal pulls at the line, and how much that varies from deal to deal (Liang and Zeger
    # 1986).
    pulls = (wins - rates) @ design
    covariance = inverse @ (pulls.T @ pulls) @ inverse * (deals / (deals - 1))
    place = -weights[0] / weights[1]
    # The delta method: how the crossing moves with each of the two weights.
    slopes = np.array([-1 / weights[1], weights[0] / weights[1] ** 2])
    error = student(deals - 1) * sqrt(float(slopes @ covariance @ slopes))
    found, half = middle + spread * float(place), spread * error
    return Estimate(float(found), max(0.0, float(found - half)), float(found + half), False, 1)


def _fit(
    design: NDArray[np.float64],
    wins: NDArray[np.float64],
    games: NDArray[np.float64],
    pull: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.floating[Any]]]:
    """The maximum-likelihood logistic line by Newton's method, and its inverse information."""
    weights = np.zeros(2)
    inverse: NDArray[np.floating[Any]] = np.eye(2)
    for _ in range(40):
        # Past 30 a chance is 0 or 1 to 13 digits, and exp may overflow.
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (wins - games * chance) - pull @ weights
        curve = (design.T * (games * chance * (1 - chance))) @ design + pull
        inverse = np.linalg.inv(curve)
        step = inverse @ slope
        weights = weights + step
        if np.abs(step).max() < 1e-9:
            break
    return weights, inverse


# ----------------------------------------------------------------------------
# How many games a table needs: planned for what it claims, not by habit.
#
# A quick run plays as many as these numbers say, and no more; a full run at least as many as the
# report played. A claim is planned to be decided nine times in ten: where the effect has the size
# named, it is found; where there is none, the interval lies within the size that counts as none.

Z90 = 1.2815515655446004
"""The normal distribution has 90 % of its mass below this many standard deviations."""


def for_share(half_width: float, share: float = 0.5) -> int:
    """Games after which the interval of a share, or of a mean of shares, is this wide to a side.

    >>> for_share(0.1), for_share(0.05), for_share(0.05, 0.9)
    (97, 385, 139)
    """
    return ceil(share * (1 - share) * (Z95 / half_width) ** 2)


def for_difference(size: float, spread: float) -> int:
    """Paired games to find a difference of this size.

    `spread` is the standard deviation of the differences of single games: for wins, the square root
    of the share of games that only one of the two wins.

    >>> for_difference(0.02, 0.1)
    263
    """
    return ceil(((Z95 + Z90) * spread / size) ** 2)


def for_correlation(size: float) -> int:
    """Games to find a rank correlation of this size, by Fisher's transformation.

    >>> for_correlation(0.1)
    1047
    """
    return ceil(((Z95 + Z90) / atanh(size)) ** 2) + 3
