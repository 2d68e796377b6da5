"""A child process: a fresh interpreter that runs a module of this package, and its certain end.

It is a fresh interpreter, so a script that starts one needs no guard. It leads a session of its
own, so that Ctrl-C stays with its parent and the children of its own die with it.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

__all__ = ["Child"]

_MARK = "MINEPROOF_CHILD"
_PATIENCE = 5.0
"""Seconds in which a process that was told to leave should have ended."""
_LOOK_EVERY = 0.005
_ENVIRONMENT_END = 51 - 3
"""Where `env_end` stands in /proc/PID/stat, behind the name of the program."""
_PACKAGES = Path(__file__).resolve().parents[2]


class Child:
    """One process of `python -m module`.

    With `pipes` its standard input and output are pipes to this process; `passed` are descriptors
    that it inherits. A `stranger`'s code prints nowhere, and what it starts in other sessions is
    found by a mark in the environment and ended too. One with children in sessions of their own
    must end them itself: `hang_up` tells it to, and it is given a few seconds for that. Letting go
    of this object ends the process.
    """

    def __init__(
        self,
        module: str,
        *arguments: str,
        pipes: bool = False,
        stranger: bool = False,
        passed: Sequence[int] = (),
        hang_up: Callable[[], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        mark = secrets.token_hex(16) if stranger else ""
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", module, *arguments],
            stdin=subprocess.PIPE if pipes else subprocess.DEVNULL,
            stdout=subprocess.PIPE if pipes else None,
            stderr=subprocess.DEVNULL if stranger else None,
            env=_environment(mark),
            pass_fds=passed,
            start_new_session=True,
        )
        self._clock = clock
        self._talking = Lock()
        self._finalizer = weakref.finalize(self, _end, self._process, mark, self._talking, hang_up)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return _status(self._process) is None

    def end(self) -> str:
        """End it, its children and whatever of a stranger's left its group; from any thread.

        Returns how it ended; a second time does nothing else.
        """
        self._finalizer()
        return self.ending

    @property
    def ending(self) -> str:
        """How it ended: `ended with status 1`, `was killed by SIGKILL`, or that it runs."""
        status = _status(self._process)
        if status is None:
            return "runs"
        if status >= 0:
            return f"ended with status {status}"
        known = {one.value: one.name for one in signal.Signals}
        return f"was killed by {known.get(-status, f'signal {-status}')}"


def _environment(mark: str) -> dict[str, str]:
    """This package on the path, one thread, fixed hashes."""
    paths = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **({_MARK: mark} if mark else {}),
    }


def _end(
    process: subprocess.Popen[bytes],
    mark: str,
    talking: Lock,
    hang_up: Callable[[], object] | None,
) -> None:
    if hang_up is not None:
        with suppress(OSError):
            hang_up()
        deadline = time.monotonic() + _PATIENCE
        while _status(process) is None and time.monotonic() < deadline:
            time.sleep(_LOOK_EVERY)
    # The leader is reaped after its group was killed: until then its number is nobody else's.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    # Whoever talks to it in another thread notices now; only then may its pipes be closed.
    with talking:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
    if mark:
        _end_strays(f"{_MARK}={mark}".encode())


def _end_strays(needle: bytes) -> None:
    """Kill every process with a mark in its environment, and those that they start meanwhile."""
    deadline = time.monotonic() + _PATIENCE
    again = True
    while again and time.monotonic() < deadline:
        again = False
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                environment = (folder / "environ").read_bytes()
                if not environment:
                    again |= _is_starting(folder)
                    environment = (folder / "environ").read_bytes()
                if needle in environment:
                    os.kill(int(folder.name), signal.SIGKILL)
                    again = True


def _is_starting(folder: Path) -> bool:
    """Whether a process has just begun another program, and its environment is not yet there.

    Raises OSError for what runs no program: a zombie, a thread of the kernel.
    """
    (folder / "exe").readlink()
    after_name = (folder / "stat").read_text().rpartition(")")[2].split()
    return int(after_name[_ENVIRONMENT_END]) == 0


def _status(process: subprocess.Popen[bytes]) -> int | None:
    """How a process ended, a signal as a negative number; None while it runs.

    It is not reaped where the system can do without: its group can then be killed by number.
    """
    if process.returncode is None and hasattr(os, "waitid"):
        with suppress(ChildProcessError):  # it was reaped meanwhile
            end = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if end is None:
                return None
            return end.si_status if end.si_code == os.CLD_EXITED else -end.si_status
    return process.poll()
