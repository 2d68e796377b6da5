"""What a folder of results says: DuckDB over its shards, whole or still growing.

    results = Results("results")
    results.summary()                    a Result for each agent
    results.paired()                     every two agents on the same games
    results.by_place()                   each agent on each board or world
    results.paired_by_place()            every two agents on each board or world
    results.query("SELECT agent, avg(score) FROM games GROUP BY agent")

The rows are the table `games`, with the columns of `mineproof.lab.table.SCHEMA`.
"""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from numpy.typing import NDArray

from mineproof.errors import BudgetExceeded, InputError, one_line
from mineproof.files import Closeable
from mineproof.game.luck import LuckTest, luck_of, parse_risks
from mineproof.game.rows import COLUMNS, Column, Total
from mineproof.lab.experiment import Experiment
from mineproof.lab.statistics import (
    AgentGames,
    Mean,
    PairedWins,
    PlacePair,
    by_score,
    pairs_at,
    pairs_of,
)
from mineproof.lab.store import check_shards, read_experiment, shard_files
from mineproof.lab.table import RISKS, Table, connect, file_list
from mineproof.text import Interval, wilson

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


# -- What agents reached: counts and means over their games, with intervals ----

KEYS = ("agent", "board", "world", "won", "reason")
"""The columns that games of a group share."""
SUMS = tuple(column.name for column in COLUMNS if column.total is not None)
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
    """The games of a table in groups; those of a folder come from `Results`."""
    # DuckDB does the same for a folder: it reads rows that may not fit into memory, and it is an
    # extra that a comparison in memory does without.
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


class _WinsAndScores:
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
class Result(_WinsAndScores):
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
    pooled: Interval | None = None
    """The interval of the share won, where several boards share each deal."""

    @property
    def interval(self) -> Interval:
        """The interval of the share won: Wilson's, for as many games as they are worth."""
        return super().interval if self.pooled is None else self.pooled

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
            **{name: getattr(self, name) for name in (*_means(Result), *_counts(Result))},
            "failed": sum(count for _, count in self.failures),
            "losses": dict(self.losses),
            **({} if self.luck is None else {"luck": self.luck.to_json()}),
        }


@dataclass(frozen=True)
class PlaceResult(_WinsAndScores):
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


def totals_of(kind: type[Result | PlaceResult], *totals: Total) -> tuple[Column, ...]:
    """The columns that results of a kind have summed up in one of these ways, in order."""
    names = {one.name for one in fields(kind)}
    return tuple(one for one in COLUMNS if one.total in totals and one.name in names)


def _means(kind: type[Result | PlaceResult]) -> list[str]:
    return [column.name for column in totals_of(kind, Total.MEASURE, Total.COST)]


def _counts(kind: type[Result | PlaceResult]) -> list[str]:
    return [column.name for column in totals_of(kind, Total.COUNT)]


def luck_test(risks: Iterable[str | None]) -> LuckTest:
    """The luck test of an agent's games, by their risks in order."""
    return luck_of(chain.from_iterable(map(parse_risks, risks)))


def results_of(
    agents: Sequence[str],
    groups: Iterable[Group],
    played: Mapping[str, AgentGames],
    lucks: Mapping[str, LuckTest] | None = None,
) -> tuple[Result, ...]:
    """Each agent's result, in this order; one without games has reached nothing."""
    parts: dict[str, list[Group]] = {agent: [] for agent in agents}
    for group in groups:
        parts[group.agent].append(group)
    return tuple(
        Result(
            agent=agent,
            played=_games(part),
            won=_won(part),
            losses=_losses(part),
            scores=played[agent].mean_score,
            luck=None if lucks is None else lucks.get(agent),
            pooled=played[agent].share_interval if part else None,
            **_totals(Result, part),
        )
        for agent, part in parts.items()
    )


def places_of(
    agents: Sequence[str],
    places: Sequence[PlaceName],
    groups: Iterable[Group],
    played: Mapping[str, AgentGames],
) -> tuple[PlaceResult, ...]:
    """Each agent at each place, in this order, where it has played."""
    parts: dict[tuple[str, str, str | None], list[Group]] = {
        (agent, *place): [] for agent in agents for place in places
    }
    for group in groups:
        parts[group.agent, group.board, group.world].append(group)
    numbers = {place: number for number, place in enumerate(places)}
    return tuple(
        PlaceResult(
            agent=agent,
            board=board,
            world=world,
            played=_games(part),
            won=_won(part),
            scores=played[agent].at(numbers[board, world], len(places)).mean_score,
            **_totals(PlaceResult, part),
        )
        for (agent, board, world), part in parts.items()
        if part
    )


def _games(part: Sequence[Group]) -> int:
    return sum(group.games for group in part)


def _won(part: Sequence[Group]) -> int:
    return sum(group.games for group in part if group.won)


def _totals(kind: type[Result | PlaceResult], part: Sequence[Group]) -> dict[str, Any]:
    """The means and counts that results of a kind have, by name; 0 without games."""
    sums = {name: sum(group.sums[name] for group in part) for name in SUMS}
    means = {name: sums[name] / _games(part) if part else 0.0 for name in _means(kind)}
    return means | {name: int(sums[name]) for name in _counts(kind)}


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


# -- The rows of a folder as a table of DuckDB, and the results that they sum up to --


class Results(Closeable):
    """The rows of a folder; of its first `games` games only, where that is given.

    Raises InputError for a folder without games, or with a damaged shard.
    """

    def __init__(self, folder: str | Path, games: int | None = None) -> None:
        self.folder = Path(folder)
        self.experiment: Experiment = read_experiment(folder)
        self._files = shard_files(folder)
        self._connection = connect()
        some = "" if games is None else f" WHERE game < {int(games)}"
        source = f"read_parquet({file_list(self._files)}, union_by_name=true)"
        there = {name for name, *_ in self.query(f"DESCRIBE FROM {source}")}
        missing = "" if RISKS in there else f", NULL::VARCHAR AS {RISKS}"
        self.query(f"CREATE VIEW games AS SELECT *{missing} FROM {source}{some}")
        if self.query("SELECT 1 FROM games WHERE agent IS NULL LIMIT 1"):
            raise InputError(
                f"the shards of {str(self.folder)!a} cannot be read: one has other columns"
            )

    def _run(self, sql: str, parameters: Sequence[Any], fetch: str) -> Any:
        """The answer, by a method of DuckDB's. Raises InputError: damage shows in many ways."""
        import duckdb

        try:
            return getattr(self._connection.execute(sql, list(parameters)), fetch)()
        except (duckdb.Error, UnicodeDecodeError) as error:
            raise InputError(
                f"the shards of {str(self.folder)!a} cannot be read: {one_line(error, 300)}"
            ) from None

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query of our own; one from outside goes through `QuerySession`."""
        rows: list[tuple[Any, ...]] = self._run(sql, parameters, "fetchall")
        return rows

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """The columns of a query as numpy arrays."""
        columns: dict[str, NDArray[Any]] = self._run(sql, parameters, "fetchnumpy")
        return columns

    def __len__(self) -> int:
        """How many rows there are."""
        return int(self.query("SELECT count(*) FROM games")[0][0])

    @property
    def complete(self) -> bool:
        """Whether every game of the experiment is there."""
        return len(self) == self.experiment.rows

    def summary(self) -> tuple[Result, ...]:
        """Each agent's result, in the order of the experiment."""
        return results_of(self.experiment.agents, self._groups, self._played, self._luck)

    def by_place(self) -> tuple[PlaceResult, ...]:
        """Each agent on each board or world, in the order of the experiment."""
        experiment = self.experiment
        return places_of(experiment.agents, experiment.place_names, self._groups, self._played)

    @cached_property
    def _groups(self) -> list[Group]:
        columns = ", ".join(
            (*KEYS, "min(game)", "count(*)", *(f"sum({name}::DOUBLE)" for name in SUMS))
        )
        return list(map(Group.of, self.query(f"SELECT {columns} FROM games GROUP BY ALL")))

    def paired(self) -> tuple[tuple[str, str, PairedWins], ...]:
        """Every two agents on the games that both have played."""
        return pairs_of(self._played)

    def paired_by_place(self) -> tuple[PlacePair, ...]:
        """Every two agents on the games of each board or world, in the order of the experiment."""
        return pairs_at(self.experiment.place_names, self._played)

    @cached_property
    def _luck(self) -> dict[str, LuckTest]:
        """The luck test of every agent whose risks are known."""
        query = f"SELECT {RISKS} FROM games WHERE agent = ? AND {RISKS} <> '' ORDER BY game"
        return {
            agent: luck_test(text for (text,) in self.query(query, [agent]))
            for agent in self.experiment.outsiders
        }

    @cached_property
    def _played(self) -> dict[str, AgentGames]:
        """The games of each agent by number; with scores where those count."""
        names = ("game", "won", "score") if by_score(self.experiment.rules) else ("game", "won")
        query = f"SELECT {', '.join(names)} FROM games WHERE agent = ?"
        found = {agent: self.columns(query, [agent]) for agent in self.experiment.agents}
        sharing = self.experiment.sharing
        return {
            agent: AgentGames(own["game"], own["won"], own.get("score"), sharing)
            for agent, own in found.items()
        }

    def close(self) -> None:
        self._connection.close()


# ----------------------------------------------------------------------------
# SQL from outside over the rows of a folder, in a database that can reach nothing else.
#
# The rows are copied into memory; then access to files, the network and this program is turned off
# and the configuration is locked. A query has a limit of time and of memory.

_ROWS_AT_ONCE = 1000
_BYTES_AT_ONCE = 2**20
_INTERRUPT_EVERY = 0.05


@dataclass(frozen=True)
class QueryLimits:
    """How long a query may take, and the memory for it and the rows."""

    seconds: float = 30.0
    memory_mb: int = 1024

    def __post_init__(self) -> None:
        if not 0 < self.seconds <= 86400:
            raise InputError(f"{self.seconds:g} seconds; accepted: more than 0, at most 86400")
        if not 16 <= self.memory_mb <= 2**20:
            raise InputError(f"{self.memory_mb} MB; accepted: 16 to {2**20}")


class QuerySession(Closeable):
    """The rows of a folder as the table `games`, open to one query at a time.

    Raises InputError for a folder without games or with a damaged shard, and a query that is wrong;
    BudgetExceeded for one that is too large.
    """

    def __init__(self, folder: str | Path, limits: QueryLimits | None = None) -> None:
        self._limits = QueryLimits() if limits is None else limits
        self._connection = connect()
        import duckdb

        try:
            self._connection.execute(f"SET memory_limit = '{self._limits.memory_mb}MB'")
            self._connection.execute("SET temp_directory = ''")
            files = check_shards(folder, self._connection)
            self._connection.execute(
                f"CREATE TABLE games AS SELECT * FROM read_parquet({file_list(files)})"
            )
        except duckdb.OutOfMemoryException:
            self.close()
            raise BudgetExceeded(
                f"the rows need more than {self._limits.memory_mb} MB; accepted: more memory"
            ) from None
        except InputError:
            self.close()
            raise
        except duckdb.Error as error:
            self.close()
            raise InputError(
                f"the shards of {str(folder)!a} cannot be read: {_error_text(error)}"
            ) from None
        lock(self._connection)

    def ask(self, query: str) -> QueryAnswer:
        """The answer to one SELECT. Its rows are read while the clock runs."""
        import duckdb

        try:
            statements = self._connection.extract_statements(query)
        except duckdb.Error as error:
            raise InputError(f"the query cannot be read: {_error_text(error)}") from None
        kinds = duckdb.StatementType
        if len(statements) != 1 or statements[0].type not in (kinds.SELECT, kinds.EXPLAIN):
            raise InputError("the query is not one SELECT; accepted: SELECT ... FROM games")
        return QueryAnswer(self._connection, query, self._limits)

    def close(self) -> None:
        self._connection.close()


def lock(connection: DuckDBPyConnection) -> None:
    """Turn off access to anything outside, and the way back."""
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


class QueryAnswer:
    """The columns of an answer, and its rows one by one."""

    def __init__(self, connection: DuckDBPyConnection, query: str, limits: QueryLimits) -> None:
        self._limits = limits
        self._late, self._over = threading.Event(), threading.Event()
        self._working, self._lock = False, threading.Lock()
        self._connection = connection
        threading.Thread(target=self._watch, daemon=True).start()
        try:
            self._result = self._run_query(lambda: connection.execute(query))
        except BaseException:
            self._over.set()
            raise
        self.columns: tuple[str, ...] = tuple(
            str(column[0]) for column in self._result.description or ()
        )

    def rows(self) -> Generator[tuple[Any, ...], None, None]:
        """The rows. Raises BudgetExceeded when the time is over."""
        number = 1
        try:
            while some := self._run_query(partial(self._result.fetchmany, number)):
                size = max(map(_row_size, some))
                yield from some
                number = max(1, min(_ROWS_AT_ONCE, _BYTES_AT_ONCE // size))
        finally:
            self._over.set()

    def _watch(self) -> None:
        """When the time is over, interrupt until it is heeded: work that just begins misses it."""
        if self._over.wait(self._limits.seconds):
            return
        self._late.set()
        while self._interrupt() and not self._over.wait(_INTERRUPT_EVERY):
            pass

    def _interrupt(self) -> bool:
        """Interrupt what is being done; whether there was anything."""
        with self._lock:
            if self._working:
                self._connection.interrupt()
            return self._working

    def _run_query(self, work: Any) -> Any:
        import duckdb

        try:
            with self._lock:
                self._working = True
            if self._late.is_set():
                raise duckdb.InterruptException("")
            return work()
        except duckdb.InterruptException:
            if not self._late.is_set():
                raise KeyboardInterrupt from None
            raise BudgetExceeded(
                f"the query took more than {self._limits.seconds:g} seconds; accepted: a smaller"
                " one, or a larger limit"
            ) from None
        except duckdb.OutOfMemoryException:
            raise BudgetExceeded(
                f"the query needs more than {self._limits.memory_mb} MB; accepted: a smaller one,"
                " or a larger limit"
            ) from None
        except duckdb.Error as error:
            raise InputError(f"the query failed: {_error_text(error)}") from None
        finally:
            with self._lock:
                self._working = False


def _row_size(row: tuple[Any, ...]) -> int:
    """About how many bytes a row has."""
    return 1 + sum(map(sys.getsizeof, row))


def _error_text(error: Exception) -> str:
    return one_line(error, 300)
