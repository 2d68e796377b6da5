"""Confinement: what a stranger's process is kept from, in layers, each where the system has it.

`confine` is called by a fresh interpreter before any foreign code runs. It returns in the process
that runs that code; the calling one stays behind as its supervisor and ends as it does.

    with namespaces:     supervisor - init of a process namespace - the stranger
    without:             supervisor - the stranger
"""

from __future__ import annotations

import json
import os
import select
import signal
import sys
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mineproof.processes import linux
from mineproof.processes.landlock import restrict_files, without_results
from mineproof.processes.seccomp import filter_calls
from mineproof.processes.supervisor import (
    MOST_PROCESSES,
    WAITED_FOR,
    Ended,
    end_as,
    end_descendants,
    supervise,
)

__all__ = [
    "LAYERS",
    "PRIVATE_FOLDER",
    "Confinement",
    "Held",
    "confine",
    "confine_fork",
    "without_layers",
]

PRIVATE_FOLDER = "/dev/shm"
"""Where a stranger may write files, in memory, seen by nobody else and gone with it."""
LAYERS = ("namespaces", "landlock", "filter", "supervisor")
"""What can be left out; limits, a clean environment and the end of a group always hold."""
_PRIVATE_MB = 64
_SPARE_MB = 256
_MOST_FILE_MB = 64
_MOST_OPEN_FILES = 256
_PRIVATE_MOUNTS = 0x44000
_MOUNT_FLAGS = 0x6
"""Without set-user-id programs and devices."""
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/proc/self"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/ssl/openssl.cnf"),
    *("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/sys/devices/system/cpu"),
)
"""What programs read of a system; nobody's own files."""


@dataclass(frozen=True)
class Confinement:
    """What a stranger needs: a folder to read, and how much memory all its processes may use.

    `without` names layers to leave out, of LAYERS: so one sees what is left on a system that lacks
    them.
    """

    folder: str | None = None
    memory_mb: int = 2048
    without: tuple[str, ...] = ()

    @property
    def most_bytes(self) -> int:
        """The bytes that all its processes may use, with what Python itself needs."""
        return (self.memory_mb + _SPARE_MB) * 2**20

    @property
    def text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def parse(cls, text: str) -> Confinement:
        found = json.loads(text)
        return cls(**{**found, "without": tuple(found["without"])})

    def wants(self, layer: str) -> None:
        """Raise OSError for a layer that is to be left out."""
        if layer in self.without:
            raise OSError(f"{layer}: left out")


@dataclass
class Held:
    """Which layers hold in a process that was confined."""

    processes: bool = False
    mounts: bool = False
    private: bool = False
    network: bool = False
    landlock: int = 0
    filtered: bool = False
    limited: bool = False
    watched: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def without_layers() -> tuple[str, ...]:
    """The layers that MINEPROOF_WITHOUT names, such as `namespaces,landlock`."""
    return tuple(filter(None, os.environ.get("MINEPROOF_WITHOUT", "").split(",")))


def confine(wanted: Confinement) -> Held:
    """Confine what runs after this call; returns in a new process. Its layers are `Held`."""
    held = Held()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, WAITED_FOR)
    with suppress(OSError):
        wanted.wants("namespaces")
        linux.unshare(linux.NAMESPACES)
        held.processes = held.network = True
    if held.processes:
        _become_init(held, wanted, _stay_outside())
    else:
        _become_supervisor(held, wanted)
    _restrict(held, wanted)
    return held


def confine_fork(lifeline: int, answers: int) -> None:
    """Hide everybody else's processes from a fork of this one; returns in a new process.

    It keeps its files and the network. Where there are no namespaces, it ends with its parent.
    """
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, WAITED_FOR)
    with suppress(OSError):
        linux.show_memory()  # without it, the system gives a fork no namespace
        linux.unshare(linux.HIDING)
        tells = _stay_outside(lifeline, answers)
        with suppress(OSError):
            linux.mount("none", "/", flags=_PRIVATE_MOUNTS)
            linux.mount("proc", "/proc", flags=_MOUNT_FLAGS)
        _stay_as_init(tells, (lifeline, answers))
        return
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WAITED_FOR)
    with suppress(OSError):
        linux.signal_at_parents_death(signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def _stay_outside(lifeline: int = 0, *left: int) -> int:
    """Go on in a child, the init of the namespace; this process waits for it and ends as it does.

    Returns where the init is to tell how the stranger ended.
    """
    told, tells = os.pipe()
    child = os.fork()
    if child:
        for descriptor in (tells, *left):
            os.close(descriptor)
        _leave_prints()
        supervise(child, lifeline=lifeline)
        _kill(child)
        os.set_blocking(told, False)
        data = b""
        with suppress(OSError):
            data = os.read(told, 5)
        end_as(Ended.of(data))
    os.close(told)
    # What is blocked could be sent to an init from inside; the rest cannot.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    os.setsid()
    linux.signal_at_parents_death(signal.SIGKILL)
    looks = select.poll()
    looks.register(tells, 0)
    if looks.poll(0):  # the other end is gone: the parent died before it could be noticed
        os._exit(1)
    return tells


def _become_init(held: Held, wanted: Confinement, tells: int) -> None:
    """Give the namespace its own files, then go on in a child; this process is its init.

    How the child ended is told to the process outside, by the pipe `tells`.
    """
    with suppress(OSError):
        linux.mount("none", "/", flags=_PRIVATE_MOUNTS)
        linux.mount_read_only("/")
        held.mounts = True
    with suppress(OSError):
        linux.mount("proc", "/proc", flags=_MOUNT_FLAGS)
        held.watched = True
    if not held.watched:  # the old one shows everybody else's processes
        with suppress(OSError):
            linux.mount("tmpfs", "/proc", "size=4k", _MOUNT_FLAGS)
    with suppress(OSError):
        linux.mount("tmpfs", PRIVATE_FOLDER, f"size={_PRIVATE_MB}m,mode=1777", _MOUNT_FLAGS)
        held.private = True
    _stay_as_init(tells, (), wanted.most_bytes if held.watched else None)


def _stay_as_init(tells: int, left: tuple[int, ...], memory: int | None = None) -> None:
    """Go on in a child; this process is the init of its namespace, and tells how it ended."""
    child = os.fork()
    if child:
        linux.drop_capabilities()
        _leave_pipes()
        for descriptor in left:
            os.close(descriptor)
        ended = supervise(child, memory=memory, everyone=True)
        os.write(tells, ended.data)
        os._exit(0)
    os.close(tells)
    linux.signal_at_parents_death(signal.SIGKILL)
    os.setsid()
    linux.drop_capabilities()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WAITED_FOR)


def _become_supervisor(held: Held, wanted: Confinement) -> None:
    """Go on in a child; this process is the parent of all that it starts and leaves behind."""
    me = os.getpid()
    with suppress(OSError):
        wanted.wants("supervisor")
        linux.take_orphans()
        held.watched = True
    child = os.fork()
    if child:
        _leave_prints()
        memory = wanted.most_bytes if held.watched else None
        ended = supervise(child, lifeline=0, memory=memory)
        _kill(child)
        end_descendants()
        end_as(ended)
    with suppress(OSError):
        linux.signal_at_parents_death(signal.SIGKILL)
        os.setsid()
    if os.getppid() != me:
        os._exit(1)


def _kill(child: int) -> None:
    """Kill a child, unless it was reaped: its number may be another's by then."""
    with suppress(ChildProcessError, ProcessLookupError):
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        os.kill(child, signal.SIGKILL)


def _leave_prints() -> None:
    """Hold no pipe that the stranger writes into; the one it reads from is the lifeline."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _leave_pipes() -> None:
    _leave_prints()
    os.dup2(1, 0)


def _restrict(held: Held, wanted: Confinement) -> None:
    """What the stranger's process gives up itself, before it runs foreign code."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WAITED_FOR)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _limit(held)
    with suppress(OSError):
        linux.no_new_privileges()
        wanted.wants("landlock")
        writable = [PRIVATE_FOLDER] if held.private else []
        readable, listed = _readable(wanted)
        if held.processes:
            readable.append("/proc")
        held.landlock = restrict_files(readable, listed, [*writable, os.devnull]).version
    with suppress(OSError):
        wanted.wants("filter")
        filter_calls(None if held.processes else os.getpid())
        held.filtered = True


def _limit(held: Held) -> None:
    try:
        import resource
    except ImportError:  # not a POSIX system
        return
    limits = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, _MOST_FILE_MB * 2**20),
        (resource.RLIMIT_NOFILE, _MOST_OPEN_FILES),
    ]
    if held.processes:  # elsewhere this counts all processes of the user
        limits.append((resource.RLIMIT_NPROC, MOST_PROCESSES))
    for kind, most in limits:
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))
            held.limited = True


_PACKAGES = {"site-packages", "dist-packages"}
"""Folders of installed packages, wherever they lie: too large to be looked through."""


def _readable(wanted: Confinement) -> tuple[list[str | Path], list[Path]]:
    """What Python, this package and the stranger's code lie in, and the folders to be listed."""
    prefixes = [Path(one).resolve() for one in {sys.prefix, sys.base_prefix, sys.exec_prefix}]
    found: list[str | Path] = [*_SYSTEM, *prefixes, Path(__file__).resolve().parents[1]]
    places = [Path(one) for one in sys.path if one]
    if wanted.folder is not None:
        places.append(Path(wanted.folder))
    listed = []
    for place in {one.resolve() for one in places}:
        if place.is_file() or _PACKAGES.intersection(place.parts):
            found.append(place)
        elif not any(place == one or one in place.parents for one in prefixes):
            found += without_results(place)
            listed.append(place)
    return found, listed
