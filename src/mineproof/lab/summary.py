"""What agents reached: counts and means over their games, with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, TypeAlias

from mineproof.interval import Interval, wilson
from mineproof.lab.bootstrap import Mean
from mineproof.lab.rows import Table
from mineproof.lab.scores import mean_score
from mineproof.lab.statistics import Played
from mineproof.match.luck import LuckTest, luck_of, parse_risks

__all__ = [
    "KEYS",
    "SUMS",
    "AtPlace",
    "Group",
    "PlaceName",
    "Result",
    "groups_of",
    "places_of",
    "results_of",
    "tested",
]

KEYS = ("agent", "board", "world", "won", "reason")
"""The columns that games of a group share."""
SUMS = ("stuck", "score", "finer", "marked_share", "guesses", "seconds", "effort")
"""The columns that are summed over the games of a group."""

PlaceName: TypeAlias = tuple[str, str | None]
"""The text of a board and the name of a world, as rows carry them."""


@dataclass(frozen=True)
class Group:
    """Games of an agent at one place that ended the same way: the first, how many, their sums."""

    agent: str
    board: str
    world: str | None
    won: bool
    reason: str
    first: int
    games: int
    sums: Mapping[str, float]

    @classmethod
    def of(cls, values: Sequence[Any]) -> Group:
        """A group of its values in this order: `KEYS`, first game, games, `SUMS`."""
        agent, board, world, won, reason, first, games, *sums = values
        by_name = dict(zip(SUMS, sums, strict=True))
        return cls(agent, board, world, won, reason, first, games, by_name)


def groups_of(table: Table) -> list[Group]:
    """The games of a table in groups; a folder's are made by DuckDB."""
    members: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for row, key in enumerate(zip(*(table[name].tolist() for name in KEYS), strict=True)):
        members[key].append(row)
    return [
        Group.of(
            (
                *key,
                int(table["game"][rows].min()),
                len(rows),
                *(float(table[name][rows].sum()) for name in SUMS),
            )
        )
        for key, rows in members.items()
    ]


class _Reached:
    """Games won of those played, or their scores: what agents are compared by."""

    played: int
    won: int
    scores: Mean | None

    @property
    def rate(self) -> float:
        return self.won / self.played if self.played else 0.0

    @property
    def interval(self) -> Interval:
        """Wilson's interval for the share of games won."""
        return wilson(self.won, self.played)

    @property
    def reached(self) -> Mean:
        """What agents are compared by: the mean score where that counts, else the share won."""
        return Mean(self.rate, self.interval) if self.scores is None else self.scores

    def _shares(self) -> dict[str, float]:
        """The share of games won and its interval, and that of the scores, by their keys."""
        found = {"rate": self.rate, "low": self.interval.low, "high": self.interval.high}
        if self.scores is not None:
            found["score_low"], found["score_high"] = self.scores.interval
        return found


@dataclass(frozen=True)
class Result(_Reached):
    """What one agent reached; shares and means over the games it played.

    `scores` is the mean score with its interval, under rules where agents are compared by it.
    """

    agent: str
    played: int
    won: int
    stuck: int
    score: float
    finer: float
    seconds: float
    losses: tuple[tuple[str, int], ...]
    """Why games were lost, the most frequent reason first."""
    marked_share: float = 0.0
    scores: Mean | None = None
    luck: LuckTest | None = None
    """The luck test, of an agent from outside."""

    @property
    def failures(self) -> tuple[tuple[str, int], ...]:
        """The losses that were faults of the agent itself."""
        return tuple(loss for loss in self.losses if loss[0].startswith("failed"))

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "played": self.played,
            "won": self.won,
            **self._shares(),
            "score": self.score,
            "finer": self.finer,
            "marked_share": self.marked_share,
            "seconds": self.seconds,
            "stuck": self.stuck,
            "failed": sum(count for _, count in self.failures),
            "losses": dict(self.losses),
            **({} if self.luck is None else {"luck": self.luck.to_json()}),
        }


@dataclass(frozen=True)
class AtPlace(_Reached):
    """What an agent reached on one board or world; means over its games there."""

    agent: str
    board: str
    world: str | None
    played: int
    won: int
    score: float
    finer: float
    marked_share: float
    guesses: float
    seconds: float
    effort: float
    scores: Mean | None = None

    @property
    def name(self) -> str:
        """The world's name, or the board's text."""
        return self.board if self.world is None else self.world

    def to_json(self) -> dict[str, Any]:
        found = asdict(self)
        del found["scores"]
        return {**found, **self._shares()}


def tested(risks: Iterable[str | None]) -> LuckTest:
    """The luck test of an agent's games, by their risks in order."""
    return luck_of(chain.from_iterable(map(parse_risks, risks)))


def results_of(
    agents: Sequence[str],
    groups: Iterable[Group],
    played: Mapping[str, Played],
    lucks: Mapping[str, LuckTest] | None = None,
) -> tuple[Result, ...]:
    """Each agent's result, in this order; one without games has reached nothing."""
    parts: dict[str, list[Group]] = {agent: [] for agent in agents}
    for group in groups:
        parts[group.agent].append(group)
    return tuple(
        Result(
            agent,
            _games(part),
            _won(part),
            int(_total(part, "stuck")),
            _mean(part, "score"),
            _mean(part, "finer"),
            _mean(part, "seconds"),
            _losses(part),
            _mean(part, "marked_share"),
            _scores(played[agent]),
            None if lucks is None else lucks.get(agent),
        )
        for agent, part in parts.items()
    )


def places_of(
    agents: Sequence[str],
    places: Sequence[PlaceName],
    groups: Iterable[Group],
    played: Mapping[str, Played],
) -> tuple[AtPlace, ...]:
    """Each agent at each place, in this order, where it has played."""
    parts: dict[tuple[str, str, str | None], list[Group]] = {
        (agent, *place): [] for agent in agents for place in places
    }
    for group in groups:
        parts[group.agent, group.board, group.world].append(group)
    numbers = {place: number for number, place in enumerate(places)}
    return tuple(
        AtPlace(
            agent,
            board,
            world,
            _games(part),
            _won(part),
            **{name: _mean(part, name) for name in _MEANS},
            scores=_scores(played[agent].at(numbers[board, world], len(places))),
        )
        for (agent, board, world), part in parts.items()
        if part
    )


def _scores(played: Played) -> Mean | None:
    return None if played.scores is None else mean_score(played.scores)


_MEANS = ("score", "finer", "marked_share", "guesses", "seconds", "effort")


def _games(part: Sequence[Group]) -> int:
    return sum(group.games for group in part)


def _won(part: Sequence[Group]) -> int:
    return sum(group.games for group in part if group.won)


def _total(part: Sequence[Group], name: str) -> float:
    return sum(group.sums[name] for group in part)


def _mean(part: Sequence[Group], name: str) -> float:
    return _total(part, name) / _games(part) if part else 0.0


def _losses(part: Sequence[Group]) -> tuple[tuple[str, int], ...]:
    """Why games were lost, and how many; of equally frequent reasons, the one seen first."""
    reasons: dict[str, list[Group]] = defaultdict(list)
    for group in part:
        if not group.won:
            reasons[group.reason].append(group)
    ranks = {
        reason: (-_games(lost), min(group.first for group in lost))
        for reason, lost in reasons.items()
    }
    return tuple((reason, -ranks[reason][0]) for reason in sorted(ranks, key=ranks.__getitem__))
