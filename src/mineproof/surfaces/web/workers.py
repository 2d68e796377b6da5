"""Processes that do one thing at a time and can be ended, whatever they are doing.

A search in a SAT solver holds the interpreter for as long as it takes, and so may an agent: in a
process of their own neither keeps the players waiting.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from mineproof.surfaces.web.faults import TOO_WIDE, Refused

__all__ = ["Workers"]

_CHILD = "mineproof.surfaces.web.worker"
_START = 60.0
"""Seconds in which a process must have started."""


class _Worker:
    """One process: a line of JSON in, a line of JSON out."""

    def __init__(self) -> None:
        package = str(Path(__file__).resolve().parents[3])
        paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,
        )
        self._late = False

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it can be asked again: one that was told to end as it answered cannot."""
        return not self._late and self._process.poll() is None

    def ask(self, message: dict[str, Any], seconds: float) -> Any:
        """The answer; None where the process did not give one within its time, and is over."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        timer = threading.Timer(seconds, self._end_late)
        timer.daemon = True
        timer.start()
        try:
            stdin.write(json.dumps(message).encode() + b"\n")
            stdin.flush()
            line = stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
            # From here on nothing of this question ends the process.
            timer.join()
        return json.loads(line) if line.endswith(b"\n") else None

    def _end_late(self) -> None:
        self._late = True
        self._process.kill()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


class Workers:
    """Processes that wait for work; one that was too slow is ended, and another takes its place."""

    def __init__(self, most_idle: int) -> None:
        self._most_idle = most_idle
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
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
            answer = worker.ask({"task": task, "seconds": seconds, "asked": asked}, seconds)
        finally:
            self._busy.discard(worker)
        if answer is None:
            worker.end()
            raise Refused("too-wide", f"{TOO_WIDE}: {otherwise} within {seconds:g} seconds")
        self._put_back(worker)
        if "error" in answer:
            error = answer["error"]
            raise Refused(error["code"], error["message"], clash=error.get("clash", ()))
        return answer["answer"]

    def _take(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise Refused("busy", "the server is ending")
            worker = self._rested()
            fresh = worker is None
            worker = worker or _Worker()
            self._busy.add(worker)
        # Its start is no part of the time that a task is given.
        if fresh and worker.ask({"task": "hello", "seconds": _START, "asked": {}}, _START) is None:
            self._busy.discard(worker)
            worker.end()
            raise Refused("failed", "no process for it could be started")
        return worker

    def _rested(self) -> _Worker | None:
        """One that is idle; those that have died meanwhile are let go."""
        while self._idle:
            worker = self._idle.pop()
            if worker.alive:
                return worker
            worker.end()
        return None

    def _put_back(self, worker: _Worker) -> None:
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
