"""A conversation in lines: the parent asks one, the child answers with one.

`LineChild` is the parent's side and `Parent` the child's. What a line says is theirs to agree on.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterator

from mineproof.processes.child import Child
from mineproof.processes.confinement import Confinement

__all__ = ["ChildLost", "LineChild", "Parent"]

_LOOK_EVERY = 0.2
_ENDING = 5.0
"""Seconds in which a process that closed its pipe should have ended."""
_CHUNK = 65536
"""Bytes read at once: as many as a pipe holds."""


class ChildLost(ConnectionError):
    """A child that answers no more, or not with one line; says what it did: `ended with status 1`.

    Whoever talks to it says it in words of their own.
    """


class LineChild(Child):
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

        Raises TimeoutError where none comes in time, ChildLost where none will come.
        """
        deadline = self._clock() + seconds
        with self._talking:
            if not (self._finalizer.alive and self.alive):
                self._hear()
                raise ChildLost(self._how_it_ended())
            try:
                self._send(line + b"\n", deadline)
                return self._receive(deadline)
            except BaseException:
                self._hear()  # its last words
                raise

    def _send(self, data: bytes, deadline: float) -> None:
        while data:
            try:
                data = data[os.write(self._to, data) :]
            except BlockingIOError:
                self._wait(self._writable, deadline)
            except OSError:
                raise ChildLost(self._how_it_ended()) from None

    def _receive(self, deadline: float) -> bytes:
        seen = 0
        while (end := self._rest.find(b"\n", seen)) < 0:
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

    def _wait(self, ready: select.poll, deadline: float) -> None:
        """Wait until a pipe is ready. A grandchild may hold the pipe open, so look at both.

        An answer that is there counts, however late this process comes to look for it. What was
        printed before it is found with it.
        """
        while True:
            left = max(deadline - self._clock(), 0.0)
            found = [pipe for pipe, _ in ready.poll(min(left, _LOOK_EVERY) * 1000)]
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


class Parent:
    """The other end, as a child sees it: the lines it asks, until it is gone, and the way back.

    The pipes are moved out of the way of what else is printed, which goes to `prints`, a
    descriptor, or nowhere. A fork is given its two ends of the `pipes`, and prints as before.
    """

    def __init__(self, prints: int | None = None, pipes: tuple[int, int] | None = None) -> None:
        if pipes is not None:
            self._lines, self._answers = os.fdopen(pipes[0], "rb"), pipes[1]
            return
        self._lines = os.fdopen(os.dup(0), "rb")
        self._answers = os.dup(1)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 0)
        os.dup2(nowhere if prints is None else prints, 1)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._lines)

    def answer(self, line: bytes) -> None:
        data = line + b"\n"
        while data:
            data = data[os.write(self._answers, data) :]
