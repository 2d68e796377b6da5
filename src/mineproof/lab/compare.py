"""A paired comparison: the same games for every agent, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from mineproof.board.worlds import read_worlds
from mineproof.errors import InputError
from mineproof.lab.statistics import Interval, Paired, wilson
from mineproof.match.isolation import Limits
from mineproof.match.series import Named, Row, Series, board_setting, entrants, world_settings

__all__ = ["Comparison", "Result", "compare", "series_of"]

DEFAULT_BOARD = "expert"


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
class Comparison:
    """The results of a series; `finished` is False where it was cut short."""

    board: str
    rules: str
    games: int
    seed: int
    agent_seed: int
    results: tuple[Result, ...]
    paired: tuple[tuple[str, str, Paired], ...]
    rows: tuple[Row, ...]
    finished: bool = True

    @classmethod
    def of(cls, series: Series, rows: Sequence[Row], board: str | None = None) -> Comparison:
        """What these rows of a series say. `board` names a file of worlds."""
        names = [entrant.name for entrant in series.entrants]
        by_agent: dict[str, list[Row]] = {name: [] for name in names}
        for row in rows:
            by_agent[row.agent].append(row)
        first = series.settings[0]
        rules = first.rules.text
        if first.world is not None:
            # Every world has mines of its own.
            rules = " ".join(word for word in rules.split() if not word.startswith("mines="))
        return cls(
            board if board is not None else first.board.text,
            rules,
            series.games,
            series.seed,
            series.agent_seed,
            tuple(Result.of(name, by_agent[name]) for name in names),
            tuple((a, b, _paired(by_agent[a], by_agent[b])) for a, b in combinations(names, 2)),
            tuple(rows),
            len(rows) == len(series),
        )

    def to_json(self) -> dict[str, Any]:
        """The object that `compare --json` prints."""
        return {
            "board": self.board,
            "rules": self.rules,
            "games": self.games,
            "seed": self.seed,
            "agent_seed": self.agent_seed,
            "finished": self.finished,
            "results": [result.to_json() for result in self.results],
            "paired": [
                {
                    "a": a,
                    "b": b,
                    "both": pair.both,
                    "only_a": pair.only_a,
                    "only_b": pair.only_b,
                    "neither": pair.neither,
                    "difference": pair.difference,
                    "low": pair.interval.low,
                    "high": pair.interval.high,
                    "p_value": pair.p_value,
                }
                for a, b, pair in self.paired
            ],
        }


def _paired(first: Sequence[Row], second: Sequence[Row]) -> Paired:
    won = {(row.world, row.index): row.won for row in second}
    counts = Counter(
        (row.won, won[row.world, row.index]) for row in first if (row.world, row.index) in won
    )
    return Paired(
        counts[True, True], counts[True, False], counts[False, True], counts[False, False]
    )


def series_of(
    agents: Sequence[Named],
    board: str | None = None,
    *,
    worlds: str | Path | None = None,
    world: str | None = None,
    games: int = 100,
    seed: int = 0,
    agent_seed: int | None = None,
    limits: Limits | None = None,
    **rules: str | None,
) -> Series:
    """The series that `compare` plays. Raises InputError for what cannot be played."""
    if worlds is not None:
        if board is not None:
            raise InputError("a board and worlds are given; accepted: one of them")
        settings = world_settings(read_worlds(worlds), world, **rules)
    elif world is not None:
        raise InputError("a world needs its file; accepted: worlds=FILE world=NAME")
    else:
        settings = (board_setting(board if board is not None else DEFAULT_BOARD, **rules),)
    return Series(entrants(agents, limits), settings, games, seed, agent_seed)


def compare(
    agents: Sequence[Named],
    board: str | None = None,
    *,
    worlds: str | Path | None = None,
    world: str | None = None,
    games: int = 100,
    seed: int = 0,
    agent_seed: int | None = None,
    limits: Limits | None = None,
    watch: Callable[[Row], None] | None = None,
    **rules: str | None,
) -> Comparison:
    """Let agents play the same games, and compare how many they win.

    Agents are texts as on the command line, objects with `act`, which play in this process, or
    classes of such. `games` counts games per world where `worlds` is a file of worlds. Rules are
    given by name, as on the command line: `first_click="opening"`. `watch` is called after every
    game. Raises InputError.
    """
    rows: list[Row] = []
    with series_of(
        agents,
        board,
        worlds=worlds,
        world=world,
        games=games,
        seed=seed,
        agent_seed=agent_seed,
        limits=limits,
        **rules,
    ) as series:
        for row in series.rows():
            rows.append(row)
            if watch is not None:
                watch(row)
    return Comparison.of(series, rows, None if worlds is None else str(worlds))
