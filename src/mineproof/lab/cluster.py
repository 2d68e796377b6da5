"""The same shards on a Dask cluster: `--engine dask://host:port`, with the extra `cluster`.

The workers need this version of mineproof, and the files of agents that come from files. Dask
plays a shard again where the worker that had it dies.
"""

from __future__ import annotations

import importlib
import re
import socket
from collections.abc import Generator, Sequence
from typing import Any

import mineproof
from mineproof.errors import (
    InputError,
    LabError,
    MineproofError,
    MissingLibrary,
    one_line,
    quoted,
)
from mineproof.lab.executors import DASK, Executor, Finished, ShardTell
from mineproof.lab.experiment import Experiment
from mineproof.lab.rows import Table
from mineproof.lab.shards import Bench, Shard, play_shard

__all__ = ["Cluster", "play_remotely"]

_PATIENCE = 15
_ADDRESS = re.compile(r"(?P<host>[\w.-]+|\[[0-9a-fA-F:.]+\]):(?P<port>\d{1,5})")


def play_remotely(text: str, shard: Shard, version: str, transcripts: bool) -> Table | str:
    """What a worker of the cluster runs: the rows of a shard, or why it refuses."""
    if version != mineproof.__version__:
        return f"the worker has mineproof {mineproof.__version__}, the laboratory {version}"
    try:
        experiment = Experiment.parse(text)
        bench = Bench(experiment)
        try:
            return play_shard(experiment, shard, bench, transcripts=transcripts)
        finally:
            bench.close()
    except MineproofError as error:
        return str(error)


class Cluster(Executor):
    """The workers behind a Dask scheduler. Raises InputError or LabError."""

    def __init__(self, address: str) -> None:
        self._dask = _distributed()
        self._address = f"{DASK}{address}"
        _knock(address)
        try:
            self._client: Any = self._dask.Client(
                f"tcp://{address}", timeout=_PATIENCE, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise _no_answer(address, error) from None
        try:
            self._client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            self.close()
            raise LabError(
                f"the scheduler at {self._address} has no workers; accepted: with at least one"
                " `dask worker`"
            ) from None

    @property
    def description(self) -> str:
        return f"{self._threads()} threads of {self._address}"

    def _threads(self) -> int:
        return sum(self._client.nthreads().values())

    def play(
        self,
        experiment: Experiment,
        shards: Sequence[Shard],
        tell: ShardTell,
        transcripts: bool = False,
    ) -> Generator[Finished, None, None]:
        waiting = iter(shards)
        pending: dict[Any, Shard] = {}
        done = self._dask.as_completed(loop=self._client.loop)

        def submit() -> None:
            # A few more than there are threads: a worker shall not wait for this process.
            while len(pending) < 2 * max(1, self._threads()):
                shard = next(waiting, None)
                if shard is None:
                    return
                version = mineproof.__version__
                future = self._client.submit(
                    play_remotely, experiment.text, shard, version, transcripts, pure=False
                )
                pending[future] = shard
                done.add(future)

        try:
            submit()
            while pending:
                future = next(done)
                shard = pending.pop(future)
                table = self._result(future)
                submit()
                tell(shard, len(shard), int(table["won"].sum()))
                yield shard, table
        finally:
            self._client.cancel(list(pending))

    def _result(self, future: Any) -> Table:
        try:
            answer = future.result()
        except self._dask.KilledWorker as error:
            raise LabError(
                f"workers of {self._address} die at a shard, one after the other: {_line(error)}"
            ) from None
        except ModuleNotFoundError as error:
            raise LabError(
                f"a worker of {self._address} lacks a module: {_line(error)}; accepted: workers"
                f" with mineproof {mineproof.__version__}"
            ) from None
        except Exception as error:  # a scheduler that went away shows in many ways
            raise LabError(
                f"{self._address} failed: {type(error).__name__}: {_line(error)}; what was"
                " finished before is kept"
            ) from None
        if isinstance(answer, str):
            raise InputError(answer)
        table: Table = answer
        return table

    def close(self) -> None:
        """Leave the cluster; it runs on."""
        self._client.close()


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError:
        raise MissingLibrary(
            "a cluster needs", "dask.distributed", "'mineproof[cluster]'"
        ) from None


def _knock(address: str) -> None:
    """Find out whether anybody answers, before Dask does: it takes long to give up."""
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise InputError(f"engine {quoted(DASK + address)}; accepted: {DASK}host:port")
    try:
        socket.create_connection((match["host"].strip("[]"), int(match["port"])), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise _no_answer(address, error) from None


def _no_answer(address: str, error: Exception) -> LabError:
    return LabError(
        f"no scheduler answers at {quoted(DASK + address)}: {_line(error)}; accepted: the address"
        " of a running `dask scheduler`"
    )


def _line(error: BaseException) -> str:
    return one_line(error)
