"""Paired tests: for shares of games won, and for scores where those are what counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from itertools import combinations
from math import exp, fsum, inf, lgamma, log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mineproof.errors import InputError
from mineproof.lab.deals import (
    FLIPS,
    SharedDeals,
    by_deal,
    flip_test,
    mean_interval,
    share_interval,
)
from mineproof.rules import Rules
from mineproof.text import Z95, Interval, wilson, wilson_share

_NOT_PLAYED = -1
_MOST_SCORED = 300
"""Pairs whose scores are all tested; of more, each agent is tested against the best alone."""
_MOST_SCORED_AT_PLACES = 15
"""With more pairs than this, scores are not tested at each place."""
_GAMES_AT_ONCE = 2**16
"""Games that are counted at once: sums of that many stay exact in single precision."""


class AgentGames(NamedTuple):
    """An agent's games by number, which of them were won, and their scores if those count.

    So many games in turn are `sharing` a deal: one on each board.
    """

    games: NDArray[np.int64]
    won: NDArray[np.bool_]
    scores: NDArray[np.float64] | None = None
    sharing: int = 1

    def at(self, place: int, places: int) -> AgentGames:
        """The games at one of the places, which take turns; numbered by their index there."""
        here = self.games % places == place
        scores = None if self.scores is None else self.scores[here]
        return AgentGames(self.games[here] // places, self.won[here], scores)

    @property
    def mean_score(self) -> Mean | None:
        """The mean score with its interval, which lies within 0 and 1; None without scores."""
        if self.scores is None:
            return None
        if self.sharing > 1 and len(self.scores):
            deals = by_deal(self.scores, *np.divmod(self.games, self.sharing))
            return mean_of(deals, _SCORES, shared=True)
        return mean_of(self.scores, _SCORES)

    @property
    def share_interval(self) -> Interval | None:
        """The interval of the share won, where games share deals; None where Wilson's holds."""
        if self.sharing == 1:
            return None
        return share_interval(self.won, *np.divmod(self.games, self.sharing))


@dataclass(frozen=True)
class PairedWins:
    """Two agents on the same games: how often both, one or neither won.

    `scores` compares their scores, under rules where agents are compared by those. `shared` says
    what the games are worth where several of them share a deal.
    """

    both: int
    only_a: int
    only_b: int
    neither: int
    scores: PairedScores | None = None
    shared: SharedDeals | None = None

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
        worth = self.games if self.shared is None else self.shared.worth
        part = worth / self.games
        games, a, b = worth + 2, part * self.only_a + 0.5, part * self.only_b + 0.5
        middle = (a - b) / games
        half = Z95 * sqrt(a + b - (a - b) ** 2 / games) / games
        return Interval(max(-1.0, middle - half), min(1.0, middle + half))

    @property
    def p_value(self) -> float:
        """McNemar's exact test, two-sided: how odd the split is if both were equally good.

        Where games share deals, the sign-flip test over these.
        """
        if self.shared is not None:
            return self.shared.p_value
        return min(1.0, 2 * fsum(map(self._chance, range(min(self.only_a, self.only_b) + 1))))

    @property
    def mid_p_value(self) -> float:
        """The same with half the weight on the split itself: less cautious (Fagerland, 2013)."""
        if self.shared is not None:
            return self.shared.mid_p_value
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
        if self.shared is not None and self.only_a + self.only_b:
            share = wilson_share(self.only_a / (self.only_a + self.only_b), self.shared.worth_odd)

        def as_odds(part: float) -> float:
            return part / (1 - part) if part < 1 else inf

        return Interval(as_odds(share.low), as_odds(share.high))

    def to_json(self, a: str, b: str) -> dict[str, Any]:
        """The object that `compare --json` prints for a pair; null stands for infinite odds."""
        odds = self.odds_interval
        scores = {} if self.scores is None else {"score": self.scores.to_json()}
        deals = {} if self.shared is None else {"deals": self.shared.deals}
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
            **deals,
            **scores,
        }


def p_text(p_value: float) -> str:
    """A p-value for people."""
    return f"p = {p_value:.3f}" if p_value >= 0.001 else "p < 0.001"


def _finite(number: float) -> float | None:
    return None if number == inf else number


def pairs_of(played: Mapping[str, AgentGames]) -> tuple[tuple[str, str, PairedWins], ...]:
    """Every two agents on the games that both have played, where there are such games."""
    names = list(played)
    games = max((int(one.games.max(initial=-1)) + 1 for one in played.values()), default=0)
    wins = np.full((len(names), games), _NOT_PLAYED, dtype=np.int8)
    for agent, one in enumerate(played.values()):
        wins[agent, one.games] = one.won
    both = np.zeros((len(names), len(names)), dtype=np.int64)
    one_only, neither = np.zeros_like(both), np.zeros_like(both)
    for start in range(0, games, _GAMES_AT_ONCE):
        part = wins[:, start : start + _GAMES_AT_ONCE]
        won, lost = (part == 1).astype(np.float32), (part == 0).astype(np.float32)
        both += (won @ won.T).astype(np.int64)
        one_only += (won @ lost.T).astype(np.int64)
        neither += (lost @ lost.T).astype(np.int64)
    scores, shared = _score_pairs(played), _deal_pairs(played)
    found = (
        (
            names[a],
            names[b],
            PairedWins(
                int(both[a, b]),
                int(one_only[a, b]),
                int(one_only[b, a]),
                int(neither[a, b]),
                scores.get((names[a], names[b])),
                shared.get((names[a], names[b])),
            ),
        )
        for a, b in combinations(range(len(names)), 2)
    )
    return tuple(pair for pair in found if pair[2].games)


class PlacePair(NamedTuple):
    """Two agents on the games of one board or world."""

    board: str
    world: str | None
    a: str
    b: str
    pair: PairedWins

    def to_json(self) -> dict[str, Any]:
        return {"board": self.board, "world": self.world, **self.pair.to_json(self.a, self.b)}


def pairs_at(
    places: Sequence[tuple[str, str | None]], played: Mapping[str, AgentGames]
) -> tuple[PlacePair, ...]:
    """Every two agents at each place, in this order."""
    if len(played) * (len(played) - 1) // 2 > _MOST_SCORED_AT_PLACES:
        played = {agent: one._replace(scores=None) for agent, one in played.items()}
    return tuple(
        PlacePair(board, world, a, b, pair)
        for number, (board, world) in enumerate(places)
        for a, b, pair in pairs_of(
            {agent: one.at(number, len(places)) for agent, one in played.items()}
        )
    )


def _score_pairs(played: Mapping[str, AgentGames]) -> dict[tuple[str, str], PairedScores]:
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
        games, mine, theirs = _common(played[a], played[b])
        if len(mine):
            first, second, sharing = scores[a][mine], scores[b][theirs], played[a].sharing
            found[a, b] = paired_scores(first, second, games if sharing > 1 else None, sharing)
    return found


def _deal_pairs(played: Mapping[str, AgentGames]) -> dict[tuple[str, str], SharedDeals]:
    """What the games of each pair are worth, where several of them share a deal."""
    found = {}
    for a, b in combinations([name for name, one in played.items() if one.sharing > 1], 2):
        games, mine, theirs = _common(played[a], played[b])
        if len(games):
            won = played[a].won[mine], played[b].won[theirs]
            found[a, b] = SharedDeals.of(*won, games, played[a].sharing)
    return found


def _common(a: AgentGames, b: AgentGames) -> tuple[NDArray[np.int64], ...]:
    """The games that both have played, and their places in the columns of each."""
    return np.intersect1d(a.games, b.games, assume_unique=True, return_indices=True)


# ----------------------------------------------------------------------------
# Means over games and differences of two agents on the same games, by the bootstrap.
#
# Games are drawn again with replacement (Efron, 1979); the same numbers and seed give the same
# interval. Equal values are drawn together, so a million games cost no more than a thousand. No
# interval leaves the range of the values, so that of shares stays within 0 and 1.

_DRAWS_AT_ONCE = 2_000_000  # multinomial counts in memory at once: 16 MB of 64-bit numbers
_RESAMPLES = 4000


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


def mean_of(values: ArrayLike, bounds: Interval, seed: int = 0, *, shared: bool = False) -> Mean:
    """The mean of values that lie within bounds; of no values, nothing is known.

    The values may be those of deals that several boards `shared`.

    >>> found = mean_of([0.5, 1.0, 1.0, 1.0], Interval(0.0, 1.0))
    >>> found.value, found.interval.high
    (0.875, 1.0)
    """
    numbers = np.asarray(values, dtype=np.float64)
    if not numbers.size:
        return Mean(0.0, bounds)
    resamples = 0 if shared else _RESAMPLES
    return Mean(float(numbers.mean()), _interval(numbers, bounds, seed, resamples))


def paired_mean(
    first: ArrayLike,
    second: ArrayLike,
    seed: int = 0,
    resamples: int = _RESAMPLES,
    bounds: Interval | None = None,
) -> PairedMean:
    """Compare two columns of values, game by game; `bounds` are those of a difference, if known.

    Without resamples the interval is Student's, which suits means over the boards of a deal.

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


def sign_flip(differences: NDArray[np.float64], seed: int = 0, flips: int = FLIPS) -> float:
    """The p-value of the two-sided sign-flip test; see `deals.flip_test`."""
    return flip_test(differences, seed, flips)[0]


def _interval(
    values: NDArray[np.float64], bounds: Interval | None, seed: int, resamples: int
) -> Interval:
    """The interval of a mean; it lies within the bounds, or else within the values' own range."""
    least, most = float(values.min()), float(values.max())
    if least == most and bounds is not None:
        return _constant_interval(least, len(values), bounds)
    if not resamples and len(values) > 1:
        return mean_interval(values)
    mean, games = float(values.mean()), len(values)
    means = _resampled_means(values, np.random.default_rng(seed), resamples)
    low, high = np.quantile(means, [0.025, 0.975])
    # The percentile interval of few games is too short by this factor (Hesterberg, 2015).
    widen = sqrt(games / (games - 1)) if games > 1 else 1.0
    return Interval(
        max(least, mean + (float(low) - mean) * widen),
        min(most, mean + (float(high) - mean) * widen),
    )


def _constant_interval(value: float, games: int, bounds: Interval) -> Interval:
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
    chunk = max(1, _DRAWS_AT_ONCE // len(values))
    parts = [
        rng.multinomial(games, shares, size=min(chunk, resamples - start)) @ values
        for start in range(0, resamples, chunk)
    ]
    return np.concatenate(parts) / games


# ----------------------------------------------------------------------------
# Is one agent stronger than another? A test that stops as soon as it can tell.
#
# Only games that exactly one of the two wins tell them apart. If both are equally strong, each wins
# half of those; `edge` is the share of them that the stronger one must win for the difference to
# matter. Two of Wald's sequential probability ratio tests (1945) run side by side, for either agent
# being the stronger one, with bounds that hold at any time (Ville's inequality):
#
# - where both are equally strong, one is called stronger with chance at most `error`;
# - where one wins `edge` of those games or more, anything else is said with chance at most `error`.


class SequentialVerdict(Enum):
    """What a sequential test says."""

    FIRST = "the first is stronger"
    SECOND = "the second is stronger"
    NEITHER = "no difference of that size"
    OPEN = "undecided"


@dataclass(frozen=True)
class SequentialDecision:
    """What was said, after how many games, and of those how many only one agent won."""

    verdict: SequentialVerdict
    games: int
    only_a: int
    only_b: int

    def to_json(self) -> dict[str, Any]:
        return {**asdict(self), "verdict": self.verdict.value}


@dataclass(frozen=True)
class SequentialTest:
    """The test of this module with its two numbers. Raises InputError for impossible ones."""

    edge: float = 0.6
    error: float = 0.05

    def __post_init__(self) -> None:
        if not 0.5 < self.edge < 1:
            raise InputError(f"edge {self.edge:g}; accepted: more than 0.5 and less than 1")
        if not 0 < self.error < 0.5:
            raise InputError(f"error rate {self.error:g}; accepted: more than 0, less than 0.5")

    @property
    def promise(self) -> str:
        """The error rates, in words."""
        return (
            f"equal agents are called different in at most {self.error:.3g} of such tests; one"
            f" that wins {self.edge:.3g} of the games that only one wins is missed in at most"
            f" {self.error:.3g}"
        )

    def decide(
        self, won_a: NDArray[np.bool_], won_b: NDArray[np.bool_], sharing: int = 1
    ) -> SequentialDecision:
        """What the games say, read in their order up to the decision.

        Where so many games in turn are `sharing` a deal, they count together: for the agent that
        won more of them.
        """
        whole = len(won_a) // sharing * sharing
        ahead = won_a[:whole].astype(np.int64) - won_b[:whole]
        ahead = ahead.reshape(-1, sharing).sum(axis=1)
        differing = np.flatnonzero(ahead)
        for_a = ahead[differing] > 0
        gain, loss = log(2 * self.edge), log(2 * (1 - self.edge))
        first = np.cumsum(np.where(for_a, gain, loss))
        second = np.cumsum(np.where(for_a, loss, gain))
        upper, lower = log(2 / self.error), log(self.error)
        accepted, refused = _first(first >= upper), _first(first <= lower)
        accepted_b, refused_b = _first(second >= upper), _first(second <= lower)
        # One of the tests ends for good where it first leaves its bounds.
        ends = []
        if accepted < refused:
            ends.append((accepted, SequentialVerdict.FIRST))
        if accepted_b < refused_b:
            ends.append((accepted_b, SequentialVerdict.SECOND))
        if refused < accepted and refused_b < accepted_b:
            ends.append((max(refused, refused_b), SequentialVerdict.NEITHER))
        ends = [end for end in ends if end[0] < len(differing)]
        verdict, games, read = SequentialVerdict.OPEN, len(won_a), len(differing)
        if ends:
            last, verdict = min(ends, key=lambda end: end[0])
            games, read = (int(differing[last]) + 1) * sharing, last + 1
        wins = int(for_a[:read].sum())
        return SequentialDecision(verdict, games, wins, read - wins)


class SequentialJudge:
    """Stops a run once the first agent was told from every other; see `runner.Judge`."""

    def __init__(self, test: SequentialTest, sharing: int = 1) -> None:
        self.test = test
        self.sharing = sharing
        self.decisions: tuple[SequentialDecision, ...] = ()

    def __call__(self, won: NDArray[np.bool_], /) -> bool:
        self.decisions = tuple(self.test.decide(won[0], other, self.sharing) for other in won[1:])
        return self.decided

    @property
    def decided(self) -> bool:
        """Whether every question has its answer."""
        open_ones = (answer.verdict is SequentialVerdict.OPEN for answer in self.decisions)
        return bool(self.decisions) and not any(open_ones)

    @property
    def games(self) -> int:
        """How many games the decisions rest on."""
        return max((decided.games for decided in self.decisions), default=0)


def _first(true: NDArray[np.bool_]) -> int:
    """The place of the first true; the length where there is none."""
    return int(true.argmax()) if true.any() else len(true)


# ----------------------------------------------------------------------------
# Scores, where a game goes on after a mine: what agents are compared by instead of wins.
#
# Means come with bootstrap intervals; two agents are compared on the same games, by the mean
# difference with its interval and the sign-flip test.

Scores = NDArray[np.float64]

_SCORES, _DIFFERENCES = Interval(0.0, 1.0), Interval(-1.0, 1.0)
_MOST_DRAWS = 4_000_000
_FEWEST_RESAMPLES, _MOST_RESAMPLES = 1000, 4000
_DIGITS = 12
"""Differences that agree so far are equal: they differ by rounding."""


def by_score(rules: Rules) -> bool:
    """Whether agents are compared by score under these rules, and not by wins."""
    return "score" in rules.measures


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
            **self.interval._asdict(),
            "p_value": self.p_value,
            "higher_a": self.higher_a,
            "higher_b": self.higher_b,
        }


def paired_scores(
    first: Scores, second: Scores, games: NDArray[np.int64] | None = None, sharing: int = 1
) -> PairedScores:
    """What `first` has more than `second`, game by game. Raises InputError without games.

    Where so many `games` in turn are `sharing` a deal, deals are drawn again and not games.
    """
    each = np.round(first - second, _DIGITS)
    differences = each if games is None else by_deal(each, *np.divmod(games, sharing))
    # Many different values take long to draw, and need fewer draws.
    draws = min(
        max(_MOST_DRAWS // max(len(np.unique(differences)), 1), _FEWEST_RESAMPLES), _MOST_RESAMPLES
    )
    resamples = draws if games is None else 0
    found = paired_mean(
        differences, np.zeros_like(differences), resamples=resamples, bounds=_DIFFERENCES
    )
    return PairedScores(
        len(each),
        found.difference,
        found.interval,
        sign_flip(differences, flips=draws),
        int((each > 0).sum()),
        int((each < 0).sum()),
    )
