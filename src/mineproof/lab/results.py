"""What a folder of results says: DuckDB over its shards, whole or still growing.

    results = Results("results")
    results.summary()                    a Result for each agent
    results.paired()                     every two agents on the same games
    results.by_place()                   each agent on each board or world
    results.query("SELECT agent, avg(score) FROM games GROUP BY agent")

The rows are the table `games`, with the columns of `mineproof.lab.rows.SCHEMA`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from mineproof.closing import Closing
from mineproof.errors import InputError
from mineproof.lab.duck import connect, file_list
from mineproof.lab.experiment import Experiment
from mineproof.lab.statistics import Paired, Played, pairs_of
from mineproof.lab.store import read_experiment, shard_files
from mineproof.lab.summary import KEYS, SUMS, AtPlace, Group, Result, places_of, results_of

__all__ = ["Results"]


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
        self._run(
            f"CREATE VIEW games AS SELECT * FROM read_parquet({file_list(self._files)}){some}"
        )

    def _run(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        import duckdb

        try:
            return self._connection.execute(sql, list(parameters))
        except (duckdb.IOException, duckdb.InvalidInputException) as error:
            raise InputError(
                f"the shards of {str(self.folder)!a} cannot be read:"
                f" {' '.join(str(error).split())[:300]}"
            ) from None

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query of our own; a stranger's goes through `mineproof.lab.query`."""
        rows: list[tuple[Any, ...]] = self._run(sql, parameters).fetchall()
        return rows

    def columns(self, sql: str, parameters: Sequence[Any] = ()) -> dict[str, NDArray[Any]]:
        """The columns of a query as numpy arrays."""
        columns: dict[str, NDArray[Any]] = self._run(sql, parameters).fetchnumpy()
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
        return results_of(self.experiment.agents, self._groups)

    def by_place(self) -> tuple[AtPlace, ...]:
        """Each agent on each board or world, in the order of the experiment."""
        return places_of(self.experiment.agents, self.experiment.place_names, self._groups)

    @cached_property
    def _groups(self) -> list[Group]:
        columns = ", ".join(
            (*KEYS, "min(game)", "count(*)", *(f"sum({name}::DOUBLE)" for name in SUMS))
        )
        return list(map(Group.of, self.query(f"SELECT {columns} FROM games GROUP BY ALL")))

    def paired(self) -> tuple[tuple[str, str, Paired], ...]:
        """Every two agents on the games that both have played."""
        return pairs_of({agent: self._played(agent) for agent in self.experiment.agents})

    def _played(self, agent: str) -> Played:
        found = self.columns("SELECT game, won FROM games WHERE agent = ?", [agent])
        return found["game"], found["won"]

    def close(self) -> None:
        self._connection.close()
