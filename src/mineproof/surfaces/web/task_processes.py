"""Processes that do one thing at a time and can be ended, whatever they are doing.

A search in a SAT solver holds the interpreter lock as long as it takes, and so may an agent. In a
process of their own, neither blocks the players.
"""

from __future__ import annotations

import json
import threading
from typing import Any

from mineproof.closing import Closing
from mineproof.processes.lines import ChildLost, LineChild
from mineproof.surfaces.web.faults import Refused
from mineproof.surfaces.web.task_doers import answer_of

__all__ = ["TaskProcesses"]

_CHILD = "mineproof.surfaces.web.task_child"
_START = 60.0
"""Seconds in which a process must have started."""
_NOT_STARTED = "no process for it could be started"


class TaskProcesses(Closing):
    """Processes that wait for work; one that was too slow is ended, and another takes its place."""

    def __init__(self, most_idle: int) -> None:
        self._most_idle = most_idle
        self._idle: list[LineChild] = []
        self._busy: set[LineChild] = set()
        self._lock = threading.Lock()
        self._closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes."""
        with self._lock:
            return tuple(worker.pid for worker in (*self._idle, *self._busy))

    def warm_up(self) -> None:
        """Have one ready."""
        worker = self._take()
        self._busy.discard(worker)
        self._put_back(worker)

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        """What a worker answers. Raises Refused: its own, or `otherwise` and the time it had."""
        worker = self._take()
        try:
            answer = _answer(worker, task, asked, seconds)
        finally:
            self._busy.discard(worker)
        if answer is None:
            worker.end()
        else:
            self._put_back(worker)
        return answer_of(answer, seconds, otherwise)

    def _take(self) -> LineChild:
        with self._lock:
            if self._closed:
                raise Refused("busy", "the server is ending")
            worker = self._rested()
            fresh = worker is None
            worker = worker or _start()
            self._busy.add(worker)
        # Starting the process does not count towards the time of a task.
        if fresh and _answer(worker, "hello", {}, _START) is None:
            self._busy.discard(worker)
            worker.end()
            raise Refused("failed", _NOT_STARTED)
        return worker

    def _rested(self) -> LineChild | None:
        """One that is idle; those that have died meanwhile are let go."""
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            worker.end()
        return None

    def _put_back(self, worker: LineChild) -> None:
        with self._lock:
            if worker.alive and not self._closed and len(self._idle) < self._most_idle:
                self._idle.append(worker)
                return
        worker.end()

    def close(self) -> None:
        """End every process."""
        with self._lock:
            self._closed = True
            workers = [*self._idle, *self._busy]
            self._idle.clear()
        for worker in workers:
            worker.end()


def _start() -> LineChild:
    try:
        return LineChild(_CHILD)
    except ChildLost:
        raise Refused("failed", _NOT_STARTED) from None


def _answer(worker: LineChild, task: str, asked: dict[str, Any], seconds: float) -> Any:
    """The answer; None where the process did not give one within its time."""
    message = {"task": task, "seconds": seconds, "asked": asked}
    try:
        return json.loads(worker.ask(json.dumps(message).encode(), seconds))
    except (TimeoutError, ChildLost):
        return None
