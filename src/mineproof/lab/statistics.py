"""Paired tests: for shares of games won, and for scores where those are what counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, fsum, inf, lgamma, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mineproof.interval import Z95, Interval, wilson
from mineproof.lab.scores import PairedScores, paired_scores

__all__ = ["Paired", "PairedAt", "Played", "pairs_at", "pairs_of"]

_NOT_PLAYED = -1
_MOST_SCORED = 300
"""Pairs whose scores are all tested; of more, each agent is tested against the best alone."""
_MOST_SCORED_AT_PLACES = 15
"""With more pairs than this, scores are not tested at each place."""
_CHUNK = 2**16
"""Games that are counted at once: sums of that many stay exact in single precision."""


class Played(NamedTuple):
    """An agent's games by number, which of them were won, and their scores if those count."""

    games: NDArray[np.int64]
    won: NDArray[np.bool_]
    scores: NDArray[np.float64] | None = None

    def at(self, place: int, places: int) -> Played:
        """The games at one of the places, which take turns; numbered by their index there."""
        here = self.games % places == place
        scores = None if self.scores is None else self.scores[here]
        return Played(self.games[here] // places, self.won[here], scores)


@dataclass(frozen=True)
class Paired:
    """Two agents on the same games: how often both, one or neither won.

    `scores` compares their scores, under rules where agents are compared by those.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    scores: PairedScores | None = None

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
        scores = {} if self.scores is None else {"score": self.scores.to_json()}
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
            **scores,
        }


def _finite(number: float) -> float | None:
    return None if number == inf else number


def pairs_of(played: Mapping[str, Played]) -> tuple[tuple[str, str, Paired], ...]:
    """Every two agents on the games that both have played, where there are such games."""
    names = list(played)
    games = max((int(one.games.max(initial=-1)) + 1 for one in played.values()), default=0)
    wins = np.full((len(names), games), _NOT_PLAYED, dtype=np.int8)
    for agent, one in enumerate(played.values()):
        wins[agent, one.games] = one.won
    both = np.zeros((len(names), len(names)), dtype=np.int64)
    one_only, neither = np.zeros_like(both), np.zeros_like(both)
    for start in range(0, games, _CHUNK):
        part = wins[:, start : start + _CHUNK]
        won, lost = (part == 1).astype(np.float32), (part == 0).astype(np.float32)
        both += (won @ won.T).astype(np.int64)
        one_only += (won @ lost.T).astype(np.int64)
        neither += (lost @ lost.T).astype(np.int64)
    scores = _scored(played)
    found = (
        (
            names[a],
            names[b],
            Paired(
                int(both[a, b]),
                int(one_only[a, b]),
                int(one_only[b, a]),
                int(neither[a, b]),
                scores.get((names[a], names[b])),
            ),
        )
        for a, b in combinations(range(len(names)), 2)
    )
    return tuple(pair for pair in found if pair[2].games)


class PairedAt(NamedTuple):
    """Two agents on the games of one board or world."""

    board: str
    world: str | None
    a: str
    b: str
    pair: Paired

    def to_json(self) -> dict[str, Any]:
        return {"board": self.board, "world": self.world, **self.pair.to_json(self.a, self.b)}


def pairs_at(
    places: Sequence[tuple[str, str | None]], played: Mapping[str, Played]
) -> tuple[PairedAt, ...]:
    """Every two agents at each place, in this order."""
    if len(played) * (len(played) - 1) // 2 > _MOST_SCORED_AT_PLACES:
        played = {agent: one._replace(scores=None) for agent, one in played.items()}
    return tuple(
        PairedAt(board, world, a, b, pair)
        for number, (board, world) in enumerate(places)
        for a, b, pair in pairs_of(
            {agent: one.at(number, len(places)) for agent, one in played.items()}
        )
    )


def _scored(played: Mapping[str, Played]) -> dict[tuple[str, str], PairedScores]:
    """The pairs whose scores are compared, on the games that both have played."""
    scores = {
        agent: one.scores
        for agent, one in played.items()
        if one.scores is not None and len(one.scores)
    }
    pairs = list(combinations(scores, 2))
    if len(pairs) > _MOST_SCORED:
        best = max(scores, key=lambda agent: float(scores[agent].mean()))
        pairs = [pair for pair in pairs if best in pair]
    found = {}
    for a, b in pairs:
        _, mine, theirs = np.intersect1d(
            played[a].games, played[b].games, assume_unique=True, return_indices=True
        )
        if len(mine):
            found[a, b] = paired_scores(scores[a][mine], scores[b][theirs])
    return found
