"""What agents reached: counts and means over their games, with intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

from mineproof.interval import Interval, wilson
from mineproof.lab.rows import Table

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


@dataclass(frozen=True)
class Result:
    """What one agent reached; shares and means over the games it played."""

    agent: str
    played: int
    won: int
    stuck: int
    score: float
    finer: float
    seconds: float
    losses: tuple[tuple[str, int], ...]
    """Why games were lost, the most frequent reason first."""

    @property
    def rate(self) -> float:
        return self.won / self.played if self.played else 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.won, self.played)

    @property
    def failures(self) -> tuple[tuple[str, int], ...]:
        """The losses that were faults of the agent itself."""
        return tuple(loss for loss in self.losses if loss[0].startswith("failed"))

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "played": self.played,
            "won": self.won,
            "rate": self.rate,
            "low": self.interval.low,
            "high": self.interval.high,
            "score": self.score,
            "finer": self.finer,
            "seconds": self.seconds,
            "stuck": self.stuck,
            "failed": sum(count for _, count in self.failures),
            "losses": dict(self.losses),
        }


@dataclass(frozen=True)
class AtPlace:
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

    @property
    def name(self) -> str:
        """The world's name, or the board's text."""
        return self.board if self.world is None else self.world

    @property
    def rate(self) -> float:
        return self.won / self.played

    @property
    def interval(self) -> Interval:
        return wilson(self.won, self.played)

    def to_json(self) -> dict[str, Any]:
        low, high = self.interval.low, self.interval.high
        return {**asdict(self), "rate": self.rate, "low": low, "high": high}


def results_of(agents: Sequence[str], groups: Iterable[Group]) -> tuple[Result, ...]:
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
        )
        for agent, part in parts.items()
    )


def places_of(
    agents: Sequence[str], places: Sequence[PlaceName], groups: Iterable[Group]
) -> tuple[AtPlace, ...]:
    """Each agent at each place, in this order, where it has played."""
    parts: dict[tuple[str, str, str | None], list[Group]] = {
        (agent, *place): [] for agent in agents for place in places
    }
    for group in groups:
        parts[group.agent, group.board, group.world].append(group)
    return tuple(
        AtPlace(*key, _games(part), _won(part), *(_mean(part, name) for name in _MEANS))
        for key, part in parts.items()
        if part
    )


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
