"""Child processes: how they are started or forked, spoken to in lines, and ended for certain.

A child is a fresh interpreter that runs a module of this package, so a script that starts one needs
no guard, or a fork that runs a function. It leads a session of its own: Ctrl-C stays with its
parent, and its own children die with it.
"""

from __future__ import annotations

import os
import re
import secrets
import select
import signal
import subprocess
import sys
import time
import warnings
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import IO

from mineproof.sandbox.confinement import (
    ENDINGS,
    GO_ON,
    PRIVATE_FOLDER,
    STAND_STILL,
    Confinement,
    confine_fork,
)
from mineproof.sandbox.linux import CpuTimes

_MARK = "MINEPROOF_CHILD"
_PATIENCE = 5.0
"""Seconds that a process has to end after it was told to."""
_LOOK_SECONDS = 0.005
_ENVIRONMENT_END = 51 - 3
"""Where `env_end` stands in /proc/PID/stat, behind the name of the program."""
_PIPES: set[int] = set()
"""This process's ends of the pipes to its children; a fork must not keep them open."""
_CONFINED = "mineproof.sandbox.confined_child"
_KNOWN = re.compile(
    r"PATH|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|DYLD_\w+|MINEPROOF_\w+|VIRTUAL_ENV"
)
"""The environment variables that a stranger's process inherits."""
_PACKAGES = Path(__file__).resolve().parents[2]


class ChildProcess:
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
        self._process: subprocess.Popen[bytes] | ForkedProcess
        mark = "" if stranger is None else secrets.token_hex(16)
        self._turns: int | None = None
        if stranger is not None:
            theirs, self._turns = os.pipe()
            os.set_blocking(self._turns, False)
            stranger, passed = replace(stranger, turns=theirs), (*passed, theirs)
        if isinstance(module, str):
            program = [module] if stranger is None else [_CONFINED, stranger.text, module]
            silent = None if stranger is None else subprocess.DEVNULL
            # -P keeps the current folder off the path: a file of a user's there, such as `json.py`,
            # would be imported instead of the library's.
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
            self._process = ForkedProcess(module, _PIPES)
        _PIPES.update(pipe.fileno() for pipe in _pipes(self._process))
        if self._turns is not None:
            os.close(theirs)
            _PIPES.add(self._turns)
        self._stranger = stranger is not None
        self._clock = clock
        self._talking = Lock()
        self._finalizer = weakref.finalize(
            self, _end, self._process, mark, self._talking, hang_up, self._turns
        )

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
    """The environment of a child; a stranger gets little of this process's own."""
    paths = [str(_PACKAGES), *filter(None, [os.environ.get("PYTHONPATH")])]
    ours = dict(os.environ)
    if mark:
        ours = {name: value for name, value in ours.items() if _KNOWN.fullmatch(name)}
        ours |= dict.fromkeys(("HOME", "TMPDIR"), PRIVATE_FOLDER)
        ours |= dict.fromkeys(("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"), "1")
    return {
        **ours,
        "PYTHONPATH": os.pathsep.join(paths),
        # The same order of sets in every process: an agent that iterates over one plays the same.
        "PYTHONHASHSEED": "0",
        # Children run beside each other: threads of their own would only compete for the cores.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **({_MARK: mark} if mark else {}),
    }


def _pipes(process: subprocess.Popen[bytes] | ForkedProcess) -> list[IO[bytes]]:
    return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]


def _end(
    process: subprocess.Popen[bytes] | ForkedProcess,
    mark: str,
    talking: Lock,
    hang_up: Callable[[], object] | None,
    turns: int | None,
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
            time.sleep(_LOOK_SECONDS)
    # The leader is reaped after its group was killed: until then its number is nobody else's.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    # Whoever talks to it in another thread notices now; only then may its pipes be closed.
    with talking:
        if turns is not None:
            _PIPES.discard(turns)
            os.close(turns)
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


def _status(process: subprocess.Popen[bytes] | ForkedProcess) -> int | None:
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


# ----------------------------------------------------------------------------
# A fork of this process that runs a function, in the shape of `subprocess.Popen`.
#
# It sees what this process held when it was forked, and nothing that comes later: it has a process
# namespace of its own where the system allows it, and ends with this process.


class ForkedProcess:
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
            _run_fork(run, theirs, writes, left)
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


def _run_fork(
    run: Callable[[int, int], object], reads: int, writes: int, left: Iterable[int]
) -> None:
    """Run the function in the forked process, which then ends."""
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


# ----------------------------------------------------------------------------
# A conversation in lines: the parent asks one, the child answers with one.
#
# `LineProcess` is the parent's side and `ParentLink` the child's. They agree on what a line says.

_POLL_SECONDS = 0.2
_ENDING = 5.0
"""Seconds that a process has to end after it closed its pipe."""
_MOST_DELAY = 10.0
"""A child that others keep from the CPUs is given at most so many times its time more."""
_CHUNK = 65536
"""Bytes read at once: as many as a pipe holds."""


class ChildLost(ConnectionError):
    """A child that answers no more, or not with one line; the text says what it did.

    The text is the end of a sentence, such as `ended with status 1`: the caller names the child.
    """


class Deadline:
    """When a child's time is over by the clock, without what it waited for a CPU of others.

    Others may use all CPUs while it is its turn, such as the agents of another game. A child that
    has had its time on a CPU, with all that it started, is given no more.
    """

    def __init__(self, child: int, seconds: float, clock: Callable[[], float]) -> None:
        self._child, self._seconds, self._clock = child, seconds, clock
        self._end = clock() + seconds
        self._before: CpuTimes | None = None
        self.delayed = 0.0

    def watch(self) -> None:
        """Begin to count: an answer that comes at once is not worth a look at `/proc`."""
        if self._before is None and self._clock is time.monotonic:
            self._before = CpuTimes.below(self._child)

    def left(self) -> float:
        """The seconds that are left; 0 where none are."""
        left = self._end + self.delayed - self._clock()
        if left <= 0 and self._before is not None:
            now = CpuTimes.below(self._child)
            if now.used - self._before.used < self._seconds:
                delay = min(now.delay_since(self._before), _MOST_DELAY * self._seconds)
                self.delayed = max(self.delayed, delay)
                left = self._end + self.delayed - self._clock()
        return max(left, 0.0)


class LineProcess(ChildProcess):
    """A child that answers lines; `most` limits the bytes of an answer. Needs a POSIX system.

    What a stranger prints before it answers is given to `listen`, piece by piece, before its answer
    is returned. The pipe is emptied while an answer is waited for, so printing blocks nobody.
    """

    def __init__(
        self,
        module: str | Callable[[int, int], object],
        *,
        stranger: Confinement | None = None,
        most: int | None = None,
        listen: Callable[[bytes], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if not hasattr(select, "poll"):
            raise ChildLost("cannot be talked to: that needs a POSIX system")
        heard = listen is not None
        super().__init__(module, pipes=True, stranger=stranger, heard=heard, clock=clock)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to = self._process.stdin.fileno()
        self._from = self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(self._from, select.POLLIN)
        self._writable.register(self._to, select.POLLOUT)
        self._most = most
        self._rest = bytearray()
        self.delayed = 0.0
        self._listen = listen
        self._prints: int | None = None
        if self._process.stderr is not None:
            self._prints = self._process.stderr.fileno()
            os.set_blocking(self._prints, False)
            # Looked at after the answers, so that what was printed before one is not missed.
            for ready in (self._readable, self._writable):
                ready.register(self._prints, select.POLLIN)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """The answer to a line, both without their ends.

        What the child waits for a CPU that others use is not counted: `delayed` says how long that
        was. Raises TimeoutError where none comes in time, ChildLost where none will come.
        """
        deadline = Deadline(self.pid, seconds, self._clock)
        with self._talking:
            if not (self._finalizer.alive and self.alive):
                self._hear()
                raise ChildLost(self._how_it_ended())
            try:
                self._order(GO_ON)
                self._send(line + b"\n", deadline)
                answer = self._receive(deadline)
                self._order(STAND_STILL)
                self.delayed = deadline.delayed
                return answer
            except BaseException:
                self._hear()  # its last words
                raise

    def _order(self, order: bytes) -> None:
        """Tell a stranger's supervisor whose turn it is; one that is gone hears nothing."""
        if self._turns is not None:
            with suppress(OSError):
                os.write(self._turns, order)

    def _send(self, data: bytes, deadline: Deadline) -> None:
        while data:
            try:
                data = data[os.write(self._to, data) :]
            except BlockingIOError:
                self._wait(self._writable, deadline)
            except OSError:
                raise ChildLost(self._how_it_ended()) from None

    def _receive(self, deadline: Deadline) -> bytes:
        seen = 0
        while (end := self._rest.find(b"\n", seen)) < 0:
            # Only what is new is searched: an answer of a megabyte comes in many pieces.
            seen = len(self._rest)
            self._wait(self._readable, deadline)
            data = os.read(self._from, _CHUNK)
            if not data:
                raise ChildLost(self._how_it_ended())
            self._rest += data
            if self._most is not None and len(self._rest) > self._most:
                raise ChildLost(f"sent an answer longer than {self._most} bytes")
        line = bytes(self._rest[:end])
        del self._rest[: end + 1]
        if self._rest:
            raise ChildLost("sent more than one answer")
        return line

    def _wait(self, ready: select.poll, deadline: Deadline) -> None:
        """Wait until a pipe is ready. A grandchild may hold the pipe open, so look at both.

        An answer that is there counts, however late this process comes to look for it. What was
        printed before it is found with it.
        """
        while True:
            left = deadline.left()
            found = [pipe for pipe, _ in ready.poll(min(left, _POLL_SECONDS) * 1000)]
            if self._prints in found:
                found.remove(self._prints)
                self._hear()
                if left and not found:
                    continue
            if found:
                return
            if not left:
                raise TimeoutError
            if not self.alive:
                raise ChildLost(self.ending)
            deadline.watch()

    def _hear(self) -> None:
        """Pass on what is in the pipe that a stranger prints into, at most as much as it holds."""
        if self._prints is None or self._listen is None:
            return
        try:
            data = os.read(self._prints, _CHUNK)
        except BlockingIOError:
            return
        if data:
            self._listen(data)
            return
        for ready in (self._readable, self._writable):
            ready.unregister(self._prints)
        self._prints = None

    def _how_it_ended(self) -> str:
        deadline = self._clock() + _ENDING
        while self.alive:
            if self._clock() > deadline:
                return "closed its pipe"
            time.sleep(0.01)
        return self.ending


class ParentLink:
    """The child's end: iterates over the lines that the parent asks, and sends the answers.

    The pipes are moved out of the way of what else is printed, which goes to standard error. A fork
    is given its two ends of the `pipes`, and prints as before.
    """

    def __init__(self, pipes: tuple[int, int] | None = None) -> None:
        if pipes is not None:
            self._lines, self._answers = os.fdopen(pipes[0], "rb"), pipes[1]
            return
        self._lines = os.fdopen(os.dup(0), "rb")
        self._answers = os.dup(1)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._lines)

    def answer(self, line: bytes) -> None:
        data = line + b"\n"
        while data:
            data = data[os.write(self._answers, data) :]
