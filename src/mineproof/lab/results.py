"""What a folder of results says: DuckDB over its shards, whole or still growing.

    results = Results("results")
    results.summary()                    a Result for each agent
    results.paired()                     every two agents on the same games
    results.by_place()                   each agent on each board or world
    results.paired_by_place()            every two agents on each board or world
    results.query("SELECT agent, avg(score) FROM games GROUP BY agent")

The rows are the table `games`, with the columns of `mineproof.lab.rows.SCHEMA`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from mineproof.closing import Closing
from mineproof.errors import InputError, one_line
from mineproof.lab.duck import connect, file_list
from mineproof.lab.experiment import Experiment
from mineproof.lab.rows import RISKS
from mineproof.lab.scores import by_score
from mineproof.lab.statistics import Paired, PairedAt, Played, pairs_at, pairs_of
from mineproof.lab.store import read_experiment, shard_files
from mineproof.lab.summary import KEYS, SUMS, AtPlace, Group, Result, places_of, results_of, tested
from mineproof.match.luck import LuckTest

__all__ = ["Results"]


def _nothing(_: Any) -> None:
    """For a statement that has no answer."""


class Results(Closing):
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
        self._run(f"CREATE VIEW games AS SELECT *{missing} FROM {source}{some}")
        if self.query("SELECT 1 FROM games WHERE agent IS NULL LIMIT 1"):
            raise InputError(
                f"the shards of {str(self.folder)!a} cannot be read: one has other columns"
            )

    def _run(
        self, sql: str, parameters: Sequence[Any] = (), fetch: Callable[[Any], Any] = _nothing
    ) -> Any:
        """What `fetch` makes of the answer. Raises InputError: damaged shards fail in many ways."""
        import duckdb

        try:
            return fetch(self._connection.execute(sql, list(parameters)))
        except (duckdb.Error, UnicodeDecodeError) as error:
            raise InputError(
                f"the shards of {str(self.folder)!a} cannot be read: {one_line(error, 300)}"
            ) from None

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query of our own; a stranger's goes through `mineproof.lab.query`."""
        rows: list[tuple[Any, ...]] = self._run(sql, parameters, lambda answer: answer.fetchall())
        return rows

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """The columns of a query as numpy arrays."""
        columns: dict[str, NDArray[Any]] = self._run(
            sql, parameters, lambda answer: answer.fetchnumpy()
        )
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

    def by_place(self) -> tuple[AtPlace, ...]:
        """Each agent on each board or world, in the order of the experiment."""
        experiment = self.experiment
        return places_of(experiment.agents, experiment.place_names, self._groups, self._played)

    @cached_property
    def _groups(self) -> list[Group]:
        columns = ", ".join(
            (*KEYS, "min(game)", "count(*)", *(f"sum({name}::DOUBLE)" for name in SUMS))
        )
        return list(map(Group.of, self.query(f"SELECT {columns} FROM games GROUP BY ALL")))

    def paired(self) -> tuple[tuple[str, str, Paired], ...]:
        """Every two agents on the games that both have played."""
        return pairs_of(self._played)

    def paired_by_place(self) -> tuple[PairedAt, ...]:
        """Every two agents on the games of each board or world, in the order of the experiment."""
        return pairs_at(self.experiment.place_names, self._played)

    @cached_property
    def _luck(self) -> dict[str, LuckTest]:
        """The luck test of every agent whose risks are known."""
        query = f"SELECT {RISKS} FROM games WHERE agent = ? AND {RISKS} <> '' ORDER BY game"
        return {
            agent: tested(text for (text,) in self.query(query, [agent]))
            for agent in self.experiment.outsiders
        }

    @cached_property
    def _played(self) -> dict[str, Played]:
        """The games of each agent by number; with scores where those count."""
        names = ("game", "won", "score") if by_score(self.experiment.rules) else ("game", "won")
        query = f"SELECT {', '.join(names)} FROM games WHERE agent = ?"
        found = {agent: self.columns(query, [agent]) for agent in self.experiment.agents}
        return {agent: Played(*(own[name] for name in names)) for agent, own in found.items()}

    def close(self) -> None:
        self._connection.close()
