"""A fork of this process that runs a function, in the shape of `subprocess.Popen`.

It sees what this process held when it was forked, and nothing that comes later: it has a process
namespace of its own where the system allows it, and ends with this process.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock

from mineproof.processes.confinement import confine_fork

__all__ = ["Fork"]


class Fork:
    """One forked process. `run` gets the descriptors that it reads from and writes to.

    `left` are descriptors of this process that it must not hold.
    """

    def __init__(self, run: Callable[[int, int], object], left: Iterable[int] = ()) -> None:
        theirs, ours = os.pipe()
        answers, writes = os.pipe()
        left = [*left, ours, answers]
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            # Other threads of this process do not go on in the fork; it only waits and plays.
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if not self.pid:
            _go_on(run, theirs, writes, left)
        os.close(theirs)
        os.close(writes)
        self.stdin = os.fdopen(ours, "wb", buffering=0)
        self.stdout = os.fdopen(answers, "rb", buffering=0)
        self.stderr = None
        self.returncode: int | None = None
        self._reaping = Lock()

    def poll(self) -> int | None:
        """How it ended, a signal as a negative number; None while it runs."""
        with self._reaping:
            return self._reap(os.WNOHANG)

    def wait(self) -> int:
        """Kill it, and say how it ended."""
        with self._reaping:
            if self.returncode is None:
                with suppress(ProcessLookupError):
                    os.kill(self.pid, signal.SIGKILL)
            status = self._reap(0)
        assert status is not None
        return status

    def _reap(self, options: int) -> int | None:
        if self.returncode is None:
            pid, status = os.waitpid(self.pid, options)
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode


def _go_on(run: Callable[[int, int], object], reads: int, writes: int, left: Iterable[int]) -> None:
    """What the forked process does, to its end."""
    status = 1
    try:
        for descriptor in left:
            with suppress(OSError):
                os.close(descriptor)
        os.setsid()
        confine_fork(reads, writes)
        run(reads, writes)
        sys.stdout.flush()
        status = 0
    finally:
        os._exit(status)
