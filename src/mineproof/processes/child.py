"""A child process: a fresh interpreter that runs a module of this package, and its certain end.

It is a fresh interpreter, so a script that starts one needs no guard. It leads a session of its
own, so that Ctrl-C stays with its parent and the children of its own die with it.
"""

from __future__ import annotations

import os
import re
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
from typing import IO

from mineproof.processes.confinement import PRIVATE_FOLDER, Confinement
from mineproof.processes.fork import Fork
from mineproof.processes.supervisor import ENDINGS

__all__ = ["Child"]

_MARK = "MINEPROOF_CHILD"
_PATIENCE = 5.0
"""Seconds in which a process that was told to leave should have ended."""
_LOOK_EVERY = 0.005
_ENVIRONMENT_END = 51 - 3
"""Where `env_end` stands in /proc/PID/stat, behind the name of the program."""
_PIPES: set[int] = set()
"""This process's ends of the pipes to its children; a fork must not keep them open."""
_CONFINED = "mineproof.processes.confined"
_KNOWN = re.compile(
    r"PATH|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|DYLD_\w+|MINEPROOF_\w+|VIRTUAL_ENV"
)
"""The variables that a stranger's process inherits."""
_PACKAGES = Path(__file__).resolve().parents[2]


class Child:
    """One process of `python -m module`, or of a function that a fork of this process runs.

    With `pipes` its standard input and output are pipes to this process; `passed` are descriptors
    that it inherits. A `stranger`'s code runs confined, in an environment without this process's
    secrets. It prints nowhere, or into a pipe to this process if it is `heard`, and what it starts
    in other sessions is found by a mark in the environment and ended too. One with children in
    sessions of their own must end them itself: `hang_up` tells it to, and it is given a few seconds
    for that. Letting go of this object ends the process.
    """

    def __init__(
        self,
        module: str | Callable[[int, int], object],
        *arguments: str,
        pipes: bool = False,
        stranger: Confinement | None = None,
        heard: bool = False,
        passed: Sequence[int] = (),
        hang_up: Callable[[], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._process: subprocess.Popen[bytes] | Fork
        mark = "" if stranger is None else secrets.token_hex(16)
        if isinstance(module, str):
            program = [module] if stranger is None else [_CONFINED, stranger.text, module]
            silent = None if stranger is None else subprocess.DEVNULL
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", *program, *arguments],
                stdin=subprocess.PIPE if pipes else subprocess.DEVNULL,
                stdout=subprocess.PIPE if pipes else None,
                stderr=subprocess.PIPE if heard else silent,
                env=_environment(mark),
                pass_fds=passed,
                start_new_session=True,
            )
        else:
            self._process = Fork(module, _PIPES)
        _PIPES.update(pipe.fileno() for pipe in _pipes(self._process))
        self._stranger = stranger is not None
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
        if status in ENDINGS and self._stranger:
            return ENDINGS[status]
        if status >= 0:
            return f"ended with status {status}"
        known = {one.value: one.name for one in signal.Signals}
        return f"was killed by {known.get(-status, f'signal {-status}')}"


def _environment(mark: str) -> dict[str, str]:
    """This package on the path, one thread, fixed hashes; a stranger gets little else of ours."""
    paths = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    ours = dict(os.environ)
    if mark:
        ours = {name: value for name, value in ours.items() if _KNOWN.fullmatch(name)}
        ours |= dict.fromkeys(("HOME", "TMPDIR"), PRIVATE_FOLDER)
        ours |= dict.fromkeys(("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"), "1")
    return {
        **ours,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **({_MARK: mark} if mark else {}),
    }


def _pipes(process: subprocess.Popen[bytes] | Fork) -> list[IO[bytes]]:
    return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]


def _end(
    process: subprocess.Popen[bytes] | Fork,
    mark: str,
    talking: Lock,
    hang_up: Callable[[], object] | None,
) -> None:
    if hang_up is not None:
        with suppress(OSError):
            hang_up()
    if mark:
        # A supervisor that is asked to end leaves nothing behind.
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process.pid, signal.SIGTERM)
    if mark or hang_up is not None:
        deadline = time.monotonic() + _PATIENCE
        while _status(process) is None and time.monotonic() < deadline:
            time.sleep(_LOOK_EVERY)
    # The leader is reaped after its group was killed: until then its number is nobody else's.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    # Whoever talks to it in another thread notices now; only then may its pipes be closed.
    with talking:
        for pipe in _pipes(process):
            with suppress(OSError, ValueError):
                _PIPES.discard(pipe.fileno())
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


def _status(process: subprocess.Popen[bytes] | Fork) -> int | None:
    """How a process ended, a signal as a negative number; None while it runs.

    It is not reaped where the system can do without: its group can then be killed by number.
    """
    if process.returncode is None and hasattr(os, "waitid"):
        try:
            end = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            # Another thread has just reaped it, and is about to say how it ended.
            return process.wait()
        if end is None:
            return None
        return end.si_status if end.si_code == os.CLD_EXITED else -end.si_status
    return process.poll()
