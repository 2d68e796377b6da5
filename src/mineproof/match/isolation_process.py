"""The referee's side of an agent's process: start it, talk to it with a deadline, really kill it.

The process leads a session of its own, so that its children die with it and Ctrl-C stays with the
referee. A mark in its environment finds those that left its group. Needs a POSIX system.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from mineproof.errors import AgentFailure, quoted

__all__ = ["AgentProcess"]

_MARK = "MINEPROOF_AGENT_PROCESS"
_MOST_ANSWER = 2**20
_LOOK_EVERY = 0.2
_ENDING = 5.0
"""Seconds in which a process that closed its pipe should have ended."""
_CHILD = "mineproof.match.isolation_child"


class AgentProcess:
    """One process; `ask` sends a message and reads the answer. `kill` ends it and its children."""

    def __init__(self, order: dict[str, Any], clock: Callable[[], float]) -> None:
        if not hasattr(select, "poll"):
            raise AgentFailure("agents of others need a POSIX system, to be run on their own")
        mark = secrets.token_hex(16)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(mark),
            start_new_session=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._clock = clock
        self._to = self._process.stdin.fileno()
        self._from = self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(self._from, select.POLLIN)
        self._writable.register(self._to, select.POLLOUT)
        self._rest = b""
        self.kill = weakref.finalize(self, _kill, self._process, mark)
        self._order = order

    @property
    def pid(self) -> int:
        return self._process.pid

    def start(self, seconds: float) -> list[Any]:
        """The first answer: whether the agent could be loaded."""
        return self.ask(self._order, seconds)

    def ask(self, message: object, seconds: float) -> list[Any]:
        """The answer to a message. Raises AgentFailure where none comes within `seconds`."""
        deadline = self._clock() + seconds
        self._send(json.dumps(message).encode() + b"\n", deadline)
        line = self._receive(deadline)
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, list) or not answer:
            raise AgentFailure(f"the agent's process sent nonsense: {quoted(repr(line[:60]))}")
        return answer

    def _send(self, data: bytes, deadline: float) -> None:
        while data:
            try:
                data = data[os.write(self._to, data) :]
            except BlockingIOError:
                self._wait(self._writable, deadline)
            except OSError:
                raise AgentFailure(self._how_it_ended()) from None

    def _receive(self, deadline: float) -> bytes:
        while b"\n" not in self._rest:
            self._wait(self._readable, deadline)
            data = os.read(self._from, 65536)
            if not data:
                raise AgentFailure(self._how_it_ended())
            self._rest += data
            if len(self._rest) > _MOST_ANSWER:
                raise AgentFailure(f"the agent's answer is longer than {_MOST_ANSWER} bytes")
        line, _, self._rest = self._rest.partition(b"\n")
        if self._rest:
            raise AgentFailure("the agent's process sent more than one answer")
        return line

    def _wait(self, ready: select.poll, deadline: float) -> None:
        """Wait until a pipe is ready. A grandchild may hold the pipe open, so look at both.

        An answer that is there counts, however late this process comes to look for it.
        """
        while True:
            left = max(deadline - self._clock(), 0.0)
            if ready.poll(min(left, _LOOK_EVERY) * 1000):
                return
            if not left:
                raise TimeoutError
            if self._status() is not None:
                raise AgentFailure(self._how_it_ended())

    def _status(self) -> int | None:
        """How the process ended, a signal as a negative number; None while it runs.

        It is not reaped where the system can do without: its group can then be killed by number.
        """
        if not hasattr(os, "waitid"):
            return self._process.poll()
        end = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if end is None:
            return None
        return end.si_status if end.si_code == os.CLD_EXITED else -end.si_status

    def _how_it_ended(self) -> str:
        deadline = self._clock() + _ENDING
        while (status := self._status()) is None:
            if self._clock() > deadline:
                return "the agent's process closed its pipe"
            select.select([], [], [], 0.01)
        if status >= 0:
            return f"the agent's process ended with status {status}"
        return f"the agent's process was killed by {signal.Signals(-status).name}"


def _environment(mark: str) -> dict[str, str]:
    """The environment of the process: this package on its path, one thread, fixed hashes."""
    package = str(Path(__file__).resolve().parents[2])
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "PYTHONHASHSEED": "0",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        _MARK: mark,
    }


def _kill(process: subprocess.Popen[bytes], mark: str) -> None:
    """End the process, its group, and whatever of it left the group."""
    # The leader is reaped after that: until then its number belongs to nobody else.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    needle = f"{_MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if needle in (folder / "environ").read_bytes():
                os.kill(int(folder.name), signal.SIGKILL)
