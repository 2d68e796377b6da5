"""Worker processes on this machine.

A worker that dies is replaced and its shard is played again, a few times.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any

from mineproof.errors import InputError, LabError
from mineproof.lab.executors import Executor, Finished, ShardTell
from mineproof.lab.experiment import Experiment
from mineproof.lab.shards import Shard
from mineproof.processes.child import Child

__all__ = ["Workers"]

_TRIES = 3
_CHILD = "mineproof.lab.worker"


class Workers(Executor):
    """So many processes, started when they are first needed and kept between experiments."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._idle: list[_Worker] = []
        self._busy: dict[Connection[Any, Any], tuple[_Worker, Shard]] = {}

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
        tell: ShardTell,
        transcripts: bool = False,
    ) -> Generator[Finished, None, None]:
        waiting = deque(shards)
        tries: Counter[Shard] = Counter()
        told: dict[Shard, tuple[int, int]] = {}
        try:
            while waiting or self._busy:
                while waiting and len(self._busy) < self.jobs:
                    self._give(experiment, waiting.popleft(), transcripts)
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
                            raise LabError(_lost(experiment, shard, how)) from None
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
                        self._give(experiment, waiting.popleft(), transcripts)
                    yield shard, content[0]
        finally:
            self._stop_busy()

    def _give(self, experiment: Experiment, shard: Shard, transcripts: bool) -> None:
        worker = self._idle.pop() if self._idle else _Worker()
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


class _Worker:
    """One process and the connection to it."""

    def __init__(self) -> None:
        self.connection, theirs = Pipe()
        self.experiment = ""
        with theirs:
            self.process = Child(
                _CHILD,
                str(theirs.fileno()),
                passed=[theirs.fileno()],
                hang_up=self.connection.close,
            )


def _end_all(workers: Sequence[_Worker]) -> None:
    # All are told first: they leave at the same time.
    for worker in workers:
        with suppress(OSError):
            worker.connection.close()
    for worker in workers:
        worker.process.end()


def _lost(experiment: Experiment, shard: Shard, how: str) -> str:
    agent = experiment.agents[shard.agent]
    return (
        f"a worker that played games {shard.start} to {shard.stop - 1} of {agent} {how}, {_TRIES}"
        " times; what was finished before is kept"
    )
