"""How many games a table needs: planned for what it claims, not by habit.

A quick run plays as many as these numbers say, and no more; a full run at least as many as the
report played. A claim is planned to be decided nine times in ten: where the effect has the size
named, it is found; where there is none, the interval lies within the size that counts as none.
"""

from __future__ import annotations

from math import atanh, ceil

from mineproof.interval import Z95

__all__ = ["for_correlation", "for_difference", "for_share"]

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
