"""What a folder of results says: DuckDB over its shards, whole or still growing.

    results = Results("results")
    results.summary()                    a Result for each agent
    results.paired()                     every two agents on the same games
    results.by_place()                   each agent on each board or world
    results.query("SELECT agent, avg(score) FROM games GROUP BY agent")

The rows are the table `games`, with the columns of `mineproof.lab.rows.SCHEMA`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from mineproof.closing import Closing
from mineproof.errors import InputError
from mineproof.lab.duck import connect, file_list
from mineproof.lab.experiment import Experiment
from mineproof.lab.statistics import Paired
from mineproof.lab.store import read_experiment, shard_files
from mineproof.lab.summary import AtPlace, Result

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
        """Each agent's result, in the order of the experiment; those without games are left out."""
        losses: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for agent, reason, count in self.query(
            "SELECT agent, reason, count(*) FROM games WHERE NOT won"
            " GROUP BY agent, reason ORDER BY agent, count(*) DESC, min(game)"
        ):
            losses[agent].append((reason, count))
        found = {
            agent: Result(agent, played, won, stuck, score, finer, seconds, tuple(losses[agent]))
            for agent, played, won, stuck, score, finer, seconds in self.query(
                "SELECT agent, count(*), count(*) FILTER (won), count(*) FILTER (stuck),"
                " avg(score), avg(finer), avg(seconds) FROM games GROUP BY agent"
            )
        }
        return tuple(found[agent] for agent in self.experiment.agents if agent in found)

    def paired(self, first: str | None = None) -> tuple[tuple[str, str, Paired], ...]:
        """Every two agents, or `first` and each other, on the games that both have played."""
        counts: dict[tuple[str, str], dict[tuple[bool, bool], int]] = defaultdict(dict)
        for a, b, won_a, won_b, count in self.query(
            "SELECT a.agent, b.agent, a.won, b.won, count(*) FROM games a JOIN games b"
            " ON a.game = b.game AND a.agent <> b.agent"
            " WHERE $1 IS NULL OR a.agent = $1 GROUP BY ALL",
            [first],
        ):
            counts[a, b][won_a, won_b] = count
        names = self.experiment.agents
        pairs = combinations(names, 2) if first is None else [(first, n) for n in names]
        return tuple(
            (
                a,
                b,
                Paired(
                    of.get((True, True), 0),
                    of.get((True, False), 0),
                    of.get((False, True), 0),
                    of.get((False, False), 0),
                ),
            )
            for a, b in pairs
            if (of := counts.get((a, b)))
        )

    def by_place(self) -> tuple[AtPlace, ...]:
        """Each agent on each board or world, in the order of the experiment."""
        found = {
            (row[0], row[1], row[2]): AtPlace(*row)
            for row in self.query(
                "SELECT agent, board, world, count(*), count(*) FILTER (won), avg(score),"
                " avg(finer), avg(marked_share), avg(guesses), avg(seconds), avg(effort)"
                " FROM games GROUP BY agent, board, world"
            )
        }
        keys = [
            (agent, place.board, place.world)
            for agent in self.experiment.agents
            for place in self.experiment.places
        ]
        return tuple(found[key] for key in keys if key in found)

    def close(self) -> None:
        self._connection.close()
