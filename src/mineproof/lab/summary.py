"""What agents reached: counts and means over their games, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mineproof.interval import Interval, wilson
from mineproof.match.series import Row

__all__ = ["AtPlace", "Result"]


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

    @classmethod
    def of(cls, agent: str, rows: Sequence[Row]) -> Result:
        played = len(rows)

        def mean(values: Iterable[float]) -> float:
            return sum(values) / played if played else 0.0

        return cls(
            agent,
            played,
            sum(row.won for row in rows),
            sum(row.stuck for row in rows),
            mean(row.score for row in rows),
            mean(row.finer for row in rows),
            mean(row.seconds for row in rows),
            tuple(Counter(row.reason for row in rows if not row.won).most_common()),
        )

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

    @classmethod
    def of(cls, board: str, rows: Sequence[Row]) -> AtPlace:
        """What the rows of one agent at one place say."""

        def mean(values: Iterable[float]) -> float:
            return sum(values) / len(rows)

        return cls(
            rows[0].agent,
            board,
            rows[0].world,
            len(rows),
            sum(row.won for row in rows),
            mean(row.score for row in rows),
            mean(row.finer for row in rows),
            mean(row.marked_share for row in rows),
            mean(row.guesses for row in rows),
            mean(row.seconds for row in rows),
            mean(row.effort for row in rows),
        )

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
