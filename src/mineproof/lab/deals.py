"""Games that share a deal, and how many games they are worth.

Game number i takes its deal from the same stream on every board of a comparison: more mines are
those of the game with fewer, and some more. What is easy on one board is easy on the next, so five
boards of a hundred deals tell less than five hundred games would. A deal is a cluster: intervals
and tests use one number a deal (Kish 1965; Korn and Graubard 1998). That the boards themselves
differ is no chance: it widens nothing. Worlds share no deal.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof.text import Z95, Interval, wilson_share

_DIGITS = 12
"""Numbers that agree so far are equal: they differ by rounding."""
FLIPS = 4000
_MOST_DEGREES = 200
"""With more degrees of freedom, Student's t is the normal distribution."""


@dataclass(frozen=True)
class SharedDeals:
    """What is known of two agents' wins where several boards share each deal.

    `worth` and `worth_odd` are how many independent games would tell as much of the difference, and
    of the odds among the games that only one won. The p-values are those of the sign-flip test over
    the deals (Fisher 1935), the second with half the weight on the sum itself.
    """

    deals: int
    worth: float
    worth_odd: float
    p_value: float
    mid_p_value: float

    @classmethod
    def of(
        cls,
        won_a: NDArray[np.bool_],
        won_b: NDArray[np.bool_],
        games: NDArray[np.int64],
        places: int,
    ) -> SharedDeals:
        """Two agents' wins in the same games, by number; `places` take turns."""
        deal, place = np.divmod(games, places)
        ahead = won_a.astype(np.int64) - won_b
        odd = ahead != 0
        found, where = np.unique(deal, return_inverse=True)
        p_value, mid = flip_test(np.bincount(where, weights=ahead))
        return cls(
            len(found),
            games_worth(ahead, deal, place),
            games_worth(ahead[odd] > 0, deal[odd], place[odd]) if odd.any() else 0.0,
            p_value,
            mid,
        )


def by_deal(values: ArrayLike, deal: ArrayLike, place: ArrayLike) -> NDArray[np.float64]:
    """A number for each deal; their mean is that of all values.

    Where every deal was played at every place it is the mean over the places.

    >>> by_deal([1, 0, 1, 1], deal=[0, 0, 1, 1], place=[0, 1, 0, 1])
    array([0.5, 1. ])
    """
    numbers = np.asarray(values, dtype=np.float64)
    _, deals = np.unique(deal, return_inverse=True)
    # A deal that is missing at an easy place must not look like a hard one.
    apart = numbers - _means_at(numbers, place)
    sums = np.bincount(deals, weights=apart)
    found: NDArray[np.float64] = numbers.mean() + sums * (len(sums) / len(numbers))
    return np.round(found, _DIGITS)


def games_worth(values: ArrayLike, deal: ArrayLike, place: ArrayLike) -> float:
    """How many independent games would tell as much of the mean; not a whole number.

    At least as many as there are deals, but for few deals, whose spread is itself uncertain.
    """
    numbers = np.asarray(values, dtype=np.float64)
    deals = by_deal(numbers, deal, place)
    if len(deals) < 2:
        return float(len(deals))
    games, alone = len(numbers), float(numbers.var())
    # Deals add nothing but likeness: games within one place are independent.
    apart = float(((numbers - _means_at(numbers, place)) ** 2).mean())
    design = games / len(deals)
    if alone > 0 and apart > 0:
        found = float(deals.var(ddof=1)) / len(deals) * games
        design = min(max(found, apart) / alone, design)
    return games / design * (Z95 / student(len(deals) - 1)) ** 2


def share_interval(won: ArrayLike, deal: ArrayLike, place: ArrayLike) -> Interval:
    """Wilson's interval for a share, with as many games as they are worth."""
    numbers = np.asarray(won, dtype=np.float64)
    if not len(numbers):
        return Interval(0.0, 1.0)
    return wilson_share(float(numbers.mean()), games_worth(numbers, deal, place))


def mean_interval(deals: ArrayLike) -> Interval:
    """Student's interval for the mean of two deals or more, within the range of their values."""
    numbers = np.asarray(deals, dtype=np.float64)
    middle = float(numbers.mean())
    half = student(len(numbers) - 1) * float(numbers.std(ddof=1)) / sqrt(len(numbers))
    return Interval(
        max(float(numbers.min()), middle - half), min(float(numbers.max()), middle + half)
    )


def flip_test(sums: ArrayLike, seed: int = 0, flips: int = FLIPS) -> tuple[float, float]:
    """The p-values of the two-sided sign-flip test (Fisher 1935); the second is the mid-p value.

    They say how odd the total is if each sum were as likely to be the other way round.
    """
    numbers = np.asarray(sums, dtype=np.float64)
    moved = numbers[numbers != 0]
    if not len(moved):
        return 1.0, 1.0
    # Sums of one size are flipped together: how many of them stay as they are.
    sizes, counts = np.unique(np.abs(moved), return_counts=True)
    kept = np.random.default_rng(seed).binomial(counts, 0.5, size=(flips, len(sizes)))
    drawn, seen = np.abs((2 * kept - counts) @ sizes), abs(moved.sum())
    as_far = int((drawn >= seen - 1e-9).sum())
    equal = int((np.abs(drawn - seen) <= 1e-9).sum())
    return (1 + as_far) / (1 + flips), (1 + as_far - equal / 2) / (1 + flips)


def _means_at(values: NDArray[np.float64], place: ArrayLike) -> NDArray[np.float64]:
    """For every value the mean of those at its place."""
    _, places = np.unique(place, return_inverse=True)
    means: NDArray[np.float64] = np.bincount(places, weights=values) / np.bincount(places)
    return means[places]


def student(degrees: int) -> float:
    """How many standard deviations of Student's t hold 95 %: Hill's series (1970)."""
    if degrees > _MOST_DEGREES:
        return Z95
    if degrees <= 2:
        return (12.706, 4.303)[degrees - 1]
    z, n = Z95, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )
