"""Scores, where a game goes on after a mine: what agents are compared by instead of wins.

Means come with bootstrap intervals; two agents are compared on the same games, by the mean
difference with its interval and the sign-flip test.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.interval import Interval
from mineproof.lab.bootstrap import Mean, mean_of, paired_mean, sign_flip
from mineproof.rules import Rules

__all__ = ["PairedScores", "by_score", "mean_score", "paired_scores"]

Scores = NDArray[np.float64]

_SCORES, _DIFFERENCES = Interval(0.0, 1.0), Interval(-1.0, 1.0)
_WORK = 4_000_000
_FEWEST, _MOST = 1000, 4000
_DIGITS = 12
"""Differences that agree so far are equal: they differ by rounding."""


def by_score(rules: Rules) -> bool:
    """Whether agents are compared by score under these rules, and not by wins."""
    return "score" in rules.measures


def mean_score(scores: Scores) -> Mean:
    """The mean score with its interval, which lies within 0 and 1."""
    return mean_of(scores, _SCORES)


@dataclass(frozen=True)
class PairedScores:
    """Two agents' scores on the same games: the mean difference, its interval and its test.

    `higher_a` and `higher_b` count the games in which one has the higher score.
    """

    games: int
    difference: float
    interval: Interval
    p_value: float
    higher_a: int
    higher_b: int

    def to_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "difference": self.difference,
            "low": self.interval.low,
            "high": self.interval.high,
            "p_value": self.p_value,
            "higher_a": self.higher_a,
            "higher_b": self.higher_b,
        }


def paired_scores(first: Scores, second: Scores) -> PairedScores:
    """What `first` has more than `second`, game by game. Raises InputError without games."""
    differences = np.round(first - second, _DIGITS)
    # Many different values take long to draw, and need fewer draws.
    draws = min(max(_WORK // max(len(np.unique(differences)), 1), _FEWEST), _MOST)
    found = paired_mean(
        differences, np.zeros_like(differences), resamples=draws, bounds=_DIFFERENCES
    )
    return PairedScores(
        found.games,
        found.difference,
        found.interval,
        sign_flip(differences, flips=draws),
        int((differences > 0).sum()),
        int((differences < 0).sum()),
    )
