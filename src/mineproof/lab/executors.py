"""Who plays shards: this process, worker processes, or a cluster.

An executor plays shards in any order and hands each over when it is finished; which one it was
leaves no trace in the rows. Closing the iterator stops the work.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Sequence
from typing import Protocol, TypeAlias

from mineproof.closing import Closing
from mineproof.errors import InputError, quoted, text_of
from mineproof.lab.experiment import Experiment
from mineproof.lab.rows import Table
from mineproof.lab.shards import Bench, Shard, Tell, play_shard
from mineproof.whole import whole

__all__ = ["Executor", "Finished", "Here", "ShardTell", "make_executor"]

Finished: TypeAlias = tuple[Shard, Table]

DASK = "dask://"
MOST_JOBS = 256


class ShardTell(Protocol):
    """Told now and then that so many more games of a shard were played and won.

    Negative numbers take back games whose worker died before they were handed over.
    """

    def __call__(self, shard: Shard, played: int, won: int, /) -> None: ...


class Executor(Closing):
    """Plays shards of experiments, one experiment after the other, until it is closed."""

    @property
    @abstractmethod
    def description(self) -> str:
        """Where it plays, for people: `2 processes`."""

    @abstractmethod
    def play(
        self,
        experiment: Experiment,
        shards: Sequence[Shard],
        tell: ShardTell,
        transcripts: bool = False,
    ) -> Generator[Finished, None, None]:
        """The tables of the shards, each as soon as it is finished; on demand with transcripts."""


class Here(Executor):
    """Plays in this process, one shard after the other."""

    @property
    def description(self) -> str:
        return "1 process"

    def play(
        self,
        experiment: Experiment,
        shards: Sequence[Shard],
        tell: ShardTell,
        transcripts: bool = False,
    ) -> Generator[Finished, None, None]:
        bench = Bench(experiment)
        try:
            for shard in shards:
                told = _bound(tell, shard)
                yield shard, play_shard(experiment, shard, bench, told, transcripts=transcripts)
        finally:
            bench.close()

    def close(self) -> None:
        """Nothing is kept between experiments."""


def _bound(tell: ShardTell, shard: Shard) -> Tell:
    return lambda played, won: tell(shard, played, won)


def make_executor(jobs: int = 1, address: str | None = None) -> Executor:
    """The executor for `--jobs` and `--engine`: this process, processes, or `dask://host:port`.

    Raises InputError.
    """
    if not 1 <= (jobs := whole(jobs, "jobs")) <= MOST_JOBS:
        raise InputError(f"{jobs} jobs; accepted: 1 to {MOST_JOBS}")
    if address is not None and text_of(address, "engine") != "local":
        if not address.startswith(DASK):
            raise InputError(f"engine {quoted(address)}; accepted: local or {DASK}host:port")
        if jobs != 1:
            raise InputError("a cluster has its own workers; accepted: an engine without jobs")
        from mineproof.lab.cluster import Cluster

        return Cluster(address.removeprefix(DASK))
    if jobs == 1:
        return Here()
    from mineproof.lab.workers import Workers

    return Workers(jobs)
