"""Watches over a stranger's process until it ends, and over all that it started.

The supervisor is the stranger's parent, and in a process namespace of their own its init: nothing
in there can end, stop or interrupt it, and all of them end with it.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "ENDINGS",
    "MOST_PROCESSES",
    "TOO_MANY",
    "TOO_MUCH",
    "WAITED_FOR",
    "Ended",
    "end_as",
    "end_descendants",
    "supervise",
]

MOST_PROCESSES = 64
"""Processes that a stranger may have at a time, with itself."""
TOO_MUCH, TOO_MANY = 117, 118
ENDINGS = {
    TOO_MUCH: "used too much memory in all its processes",
    TOO_MANY: f"started more than {MOST_PROCESSES - 1} processes",
}
"""What the statuses mean by which a supervisor says why it ended a stranger."""
WAITED_FOR = (signal.SIGCHLD, signal.SIGTERM)
"""The signals that a supervisor looks out for."""
_LOOK_EVERY = 0.25
_PATIENCE = 5.0


@dataclass(frozen=True)
class Ended:
    """How a stranger ended: as `os.waitpid` says it, or why it was ended."""

    status: int
    why: int = 0

    @property
    def data(self) -> bytes:
        return self.status.to_bytes(4, "little") + self.why.to_bytes(1, "little")

    @classmethod
    def of(cls, data: bytes) -> Ended:
        """The end that `data` tells of; without any, it was killed."""
        if len(data) != 5:
            return cls(signal.SIGKILL)
        return cls(int.from_bytes(data[:4], "little"), data[4])


def supervise(
    child: int,
    *,
    lifeline: int | None = None,
    memory: int | None = None,
    everyone: bool = False,
) -> Ended:
    """Wait until a child ends, reaping whatever else does; `WAITED_FOR` must be blocked.

    It ends early if SIGTERM comes, if whoever holds the other end of `lifeline`, a pipe, is gone,
    and if the descendants together use more than `memory` bytes or are too many. With `everyone`,
    all processes that can be seen are descendants.
    """
    hung_up = select.poll()
    if lifeline is not None:
        hung_up.register(lifeline, 0)
    while True:
        with suppress(ChildProcessError):
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == child:
                    return Ended(found[1])
        if lifeline is not None and hung_up.poll(0):
            return Ended(signal.SIGKILL)
        if memory is not None and (why := _excess(memory, everyone)):
            return Ended(signal.SIGKILL, why)
        if hasattr(signal, "sigtimedwait"):
            came = signal.sigtimedwait(WAITED_FOR, _LOOK_EVERY)
            if came is not None and came.si_signo == signal.SIGTERM:
                return Ended(signal.SIGKILL)
        else:
            time.sleep(_LOOK_EVERY / 10)


def end_descendants() -> None:
    """Kill all descendants of this process, and those that they start meanwhile."""
    deadline = time.monotonic() + _PATIENCE
    while (found := list(_descendants(everyone=False))) and time.monotonic() < deadline:
        for process, _ in found:
            with suppress(OSError):
                os.kill(process, signal.SIGKILL)
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def end_as(ended: Ended) -> None:
    """End this process as a stranger did, so that its own parent sees how."""
    if ended.why:
        os._exit(ended.why)
    number = os.waitstatus_to_exitcode(ended.status)
    if number >= 0:
        os._exit(number if number not in ENDINGS else 1)
    with suppress(OSError, ValueError):
        signal.signal(-number, signal.SIG_DFL)
    os.kill(os.getpid(), -number)
    os._exit(1)


def _excess(memory: int, everyone: bool) -> int:
    """What the descendants have too much of: the reserved status, or 0."""
    sizes = [size for _, size in _descendants(everyone)]
    if len(sizes) > MOST_PROCESSES:
        return TOO_MANY
    return TOO_MUCH if sum(sizes) > memory else 0


def _descendants(everyone: bool) -> Iterator[tuple[int, int]]:
    """The descendants of this process, with the bytes of memory that each uses for itself."""
    me, page = os.getpid(), os.sysconf("SC_PAGE_SIZE")
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            stat = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            if stat[0] != "Z":
                parents[int(folder.name)] = int(stat[1])
    for process in parents:
        above = process
        while not everyone and above in parents and above != me:
            above = parents[above]
        if process != me and (everyone or above == me):
            size = 0
            with suppress(OSError, ValueError, IndexError):
                _, resident, shared = Path(f"/proc/{process}/statm").read_text().split()[:3]
                size = (int(resident) - int(shared)) * page
            yield process, size
