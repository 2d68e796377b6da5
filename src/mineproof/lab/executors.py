"""Who plays shards: this process, worker processes, or a cluster.

An executor plays shards in any order and hands each over when it is finished; which one it was
leaves no trace in the rows. Closeable the iterator stops the work.
"""

from __future__ import annotations

import importlib
import re
from abc import abstractmethod
from collections import Counter, deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import mineproof
from mineproof.errors import (
    InputError,
    LabError,
    MineproofError,
    MissingLibrary,
    as_int,
    one_line,
    quoted,
    text_of,
)
from mineproof.files import Closeable
from mineproof.lab.experiment import Experiment
from mineproof.lab.shards import AgentPool, Shard, play_shard
from mineproof.lab.table import Table
from mineproof.sandbox.process import ChildProcess

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

FinishedShard: TypeAlias = tuple[Shard, Table]

DASK = "dask://"
MOST_JOBS = 256


class ShardCallback(Protocol):
    """Told now and then that so many more games of a shard were played and won.

    Negative numbers take back games whose worker died before they were handed over.
    """

    def __call__(self, shard: Shard, played: int, won: int, /) -> None: ...


class Executor(Closeable):
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
        tell: ShardCallback,
        transcripts: bool = False,
    ) -> Generator[FinishedShard, None, None]:
        """The tables of the shards, each as soon as it is finished; on demand with transcripts."""


class InProcessExecutor(Executor):
    """Plays in this process, one shard after the other."""

    @property
    def description(self) -> str:
        return "1 process"

    def play(
        self,
        experiment: Experiment,
        shards: Sequence[Shard],
        tell: ShardCallback,
        transcripts: bool = False,
    ) -> Generator[FinishedShard, None, None]:
        bench = AgentPool(experiment)
        try:
            for shard in shards:
                told = partial(tell, shard)
                yield shard, play_shard(experiment, shard, bench, told, transcripts=transcripts)
        finally:
            bench.close()

    def close(self) -> None:
        """Nothing is kept between experiments."""


def make_executor(jobs: int = 1, address: str | None = None) -> Executor:
    """The executor for `--jobs` and `--engine`: this process, processes, or `dask://host:port`.

    Raises InputError.
    """
    if not 1 <= (jobs := as_int(jobs, "jobs")) <= MOST_JOBS:
        raise InputError(f"{jobs} jobs; accepted: 1 to {MOST_JOBS}")
    if address is not None and text_of(address, "engine") != "local":
        if not address.startswith(DASK):
            raise InputError(f"engine {quoted(address)}; accepted: local or {DASK}host:port")
        if jobs != 1:
            raise InputError("a cluster has its own workers; accepted: an engine without jobs")
        return DaskExecutor(address.removeprefix(DASK))
    if jobs == 1:
        return InProcessExecutor()
    return ProcessExecutor(jobs)


# ----------------------------------------------------------------------------
# Worker processes on this machine.
#
# A worker that dies is replaced and its shard is played again, a few times. A shard that loses them
# all is left out: the others are played, and at the end the error names what is missing.

_TRIES = 3
_MOST_NAMED = 3
"""Lost shards that an error names one by one."""
_CHILD = "mineproof.lab.worker"


class ProcessExecutor(Executor):
    """So many processes, started when they are first needed and kept between experiments."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._idle: list[_WorkerProcess] = []
        self._busy: dict[Connection[Any, Any], tuple[_WorkerProcess, Shard]] = {}

    @property
    def description(self) -> str:
        return f"{self.jobs} processes"

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes."""
        workers = [*self._idle, *(worker for worker, _ in self._busy.values())]
        return tuple(worker.process.pid for worker in workers)

    def play(
        self,
        experiment: Experiment,
        shards: Sequence[Shard],
        tell: ShardCallback,
        transcripts: bool = False,
    ) -> Generator[FinishedShard, None, None]:
        # Imported here: a run in this process needs no connections, and they take long to load.
        from multiprocessing.connection import Connection, wait

        waiting = deque(shards)
        tries: Counter[Shard] = Counter()
        told: dict[Shard, tuple[int, int]] = {}
        lost: list[tuple[Shard, str]] = []
        try:
            while waiting or self._busy:
                while waiting and len(self._busy) < self.jobs:
                    self._send(experiment, waiting.popleft(), transcripts)
                for ready in wait(list(self._busy)):
                    assert isinstance(ready, Connection)
                    worker, shard = self._busy[ready]
                    try:
                        kind, *content = ready.recv()
                    except (EOFError, OSError):
                        del self._busy[ready]
                        tries[shard] += 1
                        how = worker.process.end()
                        played, won = told.pop(shard, (0, 0))
                        tell(shard, -played, -won)
                        if tries[shard] == _TRIES:
                            lost.append((shard, how))
                        else:
                            waiting.appendleft(shard)
                        continue
                    if kind == "played":
                        tell(shard, *content)
                        before = told.get(shard, (0, 0))
                        told[shard] = (before[0] + content[0], before[1] + content[1])
                        continue
                    del self._busy[ready]
                    self._idle.append(worker)
                    told.pop(shard, None)
                    if kind == "refused":
                        raise InputError(content[0])
                    if waiting:
                        # First the worker's next shard, then what is done with this one.
                        self._send(experiment, waiting.popleft(), transcripts)
                    yield shard, content[0]
        finally:
            self._stop_busy()
        if lost:
            raise LabError(_loss_text(experiment, lost))

    def _send(self, experiment: Experiment, shard: Shard, transcripts: bool) -> None:
        worker = self._idle.pop() if self._idle else _WorkerProcess()
        self._busy[worker.connection] = (worker, shard)
        # A worker that cannot be told has died: that shows when its answer is waited for.
        with suppress(OSError):
            if worker.experiment != experiment.digest:
                worker.connection.send(("experiment", experiment.text))
                worker.experiment = experiment.digest
            worker.connection.send(("shard", (shard, transcripts)))

    def _stop_busy(self) -> None:
        workers = [worker for worker, _ in self._busy.values()]
        self._busy.clear()
        _end_all(workers)

    def close(self) -> None:
        """End all processes."""
        self._stop_busy()
        idle, self._idle = self._idle, []
        _end_all(idle)


class _WorkerProcess:
    """One process and the connection to it."""

    def __init__(self) -> None:
        from multiprocessing.connection import Pipe

        self.connection, theirs = Pipe()
        self.experiment = ""
        with theirs:
            self.process = ChildProcess(
                _CHILD,
                str(theirs.fileno()),
                passed=[theirs.fileno()],
                hang_up=self.connection.close,
            )


def _end_all(workers: Sequence[_WorkerProcess]) -> None:
    # All are told first: they leave at the same time.
    for worker in workers:
        with suppress(OSError):
            worker.connection.close()
    for worker in workers:
        worker.process.end()


def _loss_text(experiment: Experiment, lost: Sequence[tuple[Shard, str]]) -> str:
    """Which games are missing, and how their workers ended."""
    named = [
        f"games {shard.start} to {shard.stop - 1} of {experiment.agents[shard.agent]}: the worker"
        f" {how}, {_TRIES} times"
        for shard, how in lost
    ]
    more = f"; and {len(lost) - _MOST_NAMED} other shards" if len(lost) > _MOST_NAMED else ""
    return f"missing: {'; '.join(named[:_MOST_NAMED])}{more}; all others are finished"


# ----------------------------------------------------------------------------
# The same shards on a Dask cluster: `--engine dask://host:port`, with the extra `cluster`.
#
# The workers need this version of mineproof, and the files of agents that come from files. Dask
# plays a shard again where the worker that had it dies.

_PATIENCE = 15
_ADDRESS = re.compile(r"(?P<host>[\w.-]+|\[[0-9a-fA-F:.]+\]):(?P<port>\d{1,5})")


def play_remotely(text: str, shard: Shard, version: str, transcripts: bool) -> Table | str:
    """What a worker of the cluster runs: the rows of a shard, or why it refuses."""
    if version != mineproof.__version__:
        return f"the worker has mineproof {mineproof.__version__}, the laboratory {version}"
    try:
        experiment = Experiment.parse(text)
        bench = AgentPool(experiment)
        try:
            return play_shard(experiment, shard, bench, transcripts=transcripts)
        finally:
            bench.close()
    except MineproofError as error:
        return str(error)


class DaskExecutor(Executor):
    """The workers behind a Dask scheduler. Raises InputError or LabError."""

    def __init__(self, address: str) -> None:
        self._dask = _import_dask()
        self._address = f"{DASK}{address}"
        _check_reachable(address)
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
        tell: ShardCallback,
        transcripts: bool = False,
    ) -> Generator[FinishedShard, None, None]:
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
                f"workers of {self._address} die at a shard, one after the other: {one_line(error)}"
            ) from None
        except ModuleNotFoundError as error:
            raise LabError(
                f"a worker of {self._address} lacks a module: {one_line(error)}; accepted: workers"
                f" with mineproof {mineproof.__version__}"
            ) from None
        except Exception as error:  # a scheduler that went away shows in many ways
            raise LabError(
                f"{self._address} failed: {type(error).__name__}: {one_line(error)}; what was"
                " finished before is kept"
            ) from None
        if isinstance(answer, str):
            raise InputError(answer)
        table: Table = answer
        return table

    def close(self) -> None:
        """Leave the cluster; it runs on."""
        self._client.close()


def _import_dask() -> Any:
    try:
        return importlib.import_module("distributed")
    except ModuleNotFoundError:
        raise MissingLibrary(
            "a cluster needs", "dask.distributed", "'mineproof[cluster]'"
        ) from None


def _check_reachable(address: str) -> None:
    """Find out whether anybody answers, before Dask does: it takes long to give up."""
    import socket

    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise InputError(f"engine {quoted(DASK + address)}; accepted: {DASK}host:port")
    try:
        socket.create_connection((match["host"].strip("[]"), int(match["port"])), _PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise _no_answer(address, error) from None


def _no_answer(address: str, error: Exception) -> LabError:
    return LabError(
        f"no scheduler answers at {quoted(DASK + address)}: {one_line(error)}; accepted: the"
        " address of a running `dask scheduler`"
    )
