"""Confinement: layers that keep a stranger's process from harm, each where the system has it.

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
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from mineproof.sandbox import linux
from mineproof.sandbox.linux import filter_calls, restrict_files, without_results

# ----------------------------------------------------------------------------
# The supervisor: it watches a stranger's process, and all that it started, until they end.
#
# The supervisor is the stranger's parent, and in a process namespace of their own its init: nothing
# in there can end, stop or interrupt it, and all of them end with it.

MOST_PROCESSES = 64
"""Processes that a stranger may have at a time, itself included."""
TOO_MUCH, TOO_MANY = 117, 118
ENDINGS = {
    TOO_MUCH: "used too much memory in all its processes",
    TOO_MANY: f"started more than {MOST_PROCESSES - 1} processes",
}
"""Exit statuses by which a supervisor says why it ended a stranger."""
WAITED_FOR = (signal.SIGCHLD, signal.SIGTERM)
"""The signals that are blocked until a supervisor has begun."""
_LOOK_SECONDS = 0.25
_LOOK_CLOSELY = 0.05
"""How often is looked once there are several processes, which together use what one may not."""
_PATIENCE = 5.0


@dataclass(frozen=True)
class ExitReport:
    """How a stranger ended: its status as `os.waitpid` gives it, and why it was ended, if so."""

    status: int
    why: int = 0

    @property
    def data(self) -> bytes:
        return self.status.to_bytes(4, "little") + self.why.to_bytes(1, "little")

    @classmethod
    def of(cls, data: bytes) -> ExitReport:
        """The report that `data` holds; without any, the stranger was killed."""
        if len(data) != 5:
            return cls(signal.SIGKILL)
        return cls(int.from_bytes(data[:4], "little"), data[4])


class _ToldToEnd(Exception):
    """SIGTERM came."""


def supervise(
    child: int,
    *,
    lifeline: int | None = None,
    memory: int | None = None,
    everyone: bool = False,
    turns: int | None = None,
) -> ExitReport:
    """Wait until a child ends, reaping whatever else does; `WAITED_FOR` must be blocked.

    It ends early if whoever holds the other end of `lifeline`, a pipe, is gone or sends SIGTERM,
    and if the descendants together use more than `memory` bytes or are too many. With `everyone`,
    all processes that can be seen are descendants. From `turns`, a pipe, comes when they are to
    stand still and when to go on.
    """
    events = select.poll()
    pauses = _Pauses(child, everyone)
    look = _LOOK_SECONDS
    try:
        events.register(os.pidfd_open(child), select.POLLIN)
    except (AttributeError, OSError):  # not Linux, or an old one
        look /= 10
    if turns is not None:
        events.register(turns, select.POLLIN)
    next_look = 0.0
    try:
        if lifeline is not None:
            events.register(lifeline, 0)
            _listen_for_the_end()
        while True:
            with suppress(ChildProcessError):
                while (found := os.waitpid(-1, os.WNOHANG))[0]:
                    if found[0] == child:
                        return ExitReport(found[1])
            if time.monotonic() >= next_look:
                sizes = [] if memory is None else [size for _, size in _descendants(everyone)]
                if memory is not None and (why := _excess(sizes, memory)):
                    return ExitReport(signal.SIGKILL, why)
                pauses.look()
                next_look = time.monotonic() + (_LOOK_CLOSELY if len(sizes) > 1 else look)
            for descriptor, _ in events.poll(1000 * max(next_look - time.monotonic(), 0)):
                if descriptor == lifeline:
                    return ExitReport(signal.SIGKILL)
                if descriptor == turns:
                    if order := os.read(turns, _MOST_ORDERS):
                        pauses.obey(order[-1:])
                    else:
                        events.unregister(turns)
    except _ToldToEnd:
        return ExitReport(signal.SIGKILL)


def _listen_for_the_end() -> None:
    def end(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_IGN)
        raise _ToldToEnd

    signal.signal(signal.SIGTERM, end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


STAND_STILL, GO_ON = b"s", b"g"
"""What a referee's process writes into the pipe `turns`."""
_MOST_ORDERS = 4096


class _Pauses:
    """Stops a stranger with all that it started while it is not its turn."""

    def __init__(self, child: int, everyone: bool) -> None:
        self._child, self._everyone = child, everyone
        self._others: set[int] = set()
        self._still = False

    def obey(self, order: bytes) -> None:
        self._still = order == STAND_STILL
        self._signal(signal.SIGSTOP if self._still else signal.SIGCONT)

    def look(self) -> None:
        """Stop again what may have gone on, or begun meanwhile; and what has left the session."""
        if self._still:
            self._signal(signal.SIGSTOP)
            if not self._everyone:
                self._others = {process for process, _ in _descendants(everyone=False)}
                for process in self._others:
                    _send(process, signal.SIGSTOP)

    def _signal(self, number: int) -> None:
        if self._everyone:  # all at once: nothing can be started in between
            _send(-1, number)
            return
        _send(-self._child, number)
        if number == signal.SIGCONT:
            for process in self._others:
                _send(process, number)
            self._others = set()


def _send(process: int, number: int) -> None:
    with suppress(OSError):
        os.kill(process, number)


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


def exit_like(ended: ExitReport) -> None:
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


def _excess(sizes: Sequence[int], memory: int) -> int:
    """The reserved status for what processes of these sizes have too much of, or 0."""
    if len(sizes) > MOST_PROCESSES:
        return TOO_MANY
    return TOO_MUCH if sum(sizes) > memory else 0


def _descendants(everyone: bool) -> Iterator[tuple[int, int]]:
    """The descendants of this process, with the bytes of memory that each uses."""
    me = os.getpid()
    for process in linux.processes_below(None if everyone else me):
        if process != me:
            with suppress(OSError, ValueError, IndexError):
                yield process, _memory_of(process)


_COUNTED = ("RssAnon:", "RssShmem:", "VmSwap:", "HugetlbPages:")


def _memory_of(process: int) -> int:
    """Its memory in bytes, without files that can be read again; what is shared counts in each."""
    lines = Path(f"/proc/{process}/status").read_text(errors="replace").split("\n")
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith(_COUNTED))


# -- The confinement itself ----------------------------------------------------

PRIVATE_FOLDER = "/dev/shm"
"""Where a stranger may write files, in memory, seen by nobody else and gone with it."""
LAYERS = ("namespaces", "landlock", "filter", "supervisor")
"""What can be left out; limits, a clean environment and the end of a group always hold."""
_PRIVATE_MB = 64
_SPARE_MB = 256
_MOST_FILE_MB = 64
_MOST_OPEN_FILES = 256
_MOUNT_FLAGS = 0x6
"""Without set-user-id programs and devices."""
_READ_ONLY = 0x1
_VIEW = "/proc"
"""Where the new root is put together: a folder that is there, and holds nobody's files."""
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/proc/self"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives"),
    *("/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/ssl/openssl.cnf"),
    *("/dev/null", "/dev/random", "/dev/urandom", "/sys/devices/system/cpu"),
)
"""Files of the system that programs read; no user's own files."""


@dataclass(frozen=True)
class Confinement:
    """What a stranger is allowed: a folder and files to read, and memory for all its processes.

    From the descriptor `turns` its supervisor is told whose turn it is. `without` names layers of
    LAYERS to leave out, which shows what is left on a system that lacks them.
    """

    folder: str | None = None
    memory_mb: int = 2048
    without: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    turns: int | None = None

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
        lists = {name: tuple(found[name]) for name in ("without", "files")}
        return cls(**{**found, **lists})

    def wants(self, layer: str) -> None:
        """Raise OSError for a layer that is to be left out."""
        if layer in self.without:
            raise OSError(f"{layer}: left out")


@dataclass
class ActiveLayers:
    """The layers that hold in a confined process."""

    processes: bool = False
    mounts: bool = False
    view: bool = False
    private: bool = False
    network: bool = False
    landlock: int = 0
    powerless: bool = False
    filtered: bool = False
    limited: bool = False
    watched: bool = False

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


_ACTIVE = ActiveLayers()


def active_layers() -> ActiveLayers:
    """The layers that hold for this process; none where `confine` was not called."""
    return _ACTIVE


def layers_left_out() -> tuple[str, ...]:
    """The layers that MINEPROOF_WITHOUT names, such as `namespaces,landlock`."""
    return tuple(filter(None, os.environ.get("MINEPROOF_WITHOUT", "").split(",")))


def confine(wanted: Confinement) -> None:
    """Confine what runs after this call; returns in a new process. See `active_layers`."""
    held = _ACTIVE
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, WAITED_FOR)
    with suppress(OSError):
        wanted.wants("namespaces")
        linux.unshare(linux.NAMESPACES)
        held.processes = held.network = True
    if held.processes:
        _become_init(held, wanted, _stay_outside(left=wanted.turns))
    else:
        _become_supervisor(held, wanted)
    _restrict(held, wanted)


def confine_fork(lifeline: int, answers: int) -> None:
    """Hide all other processes from a fork of this one; returns in a new process.

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
            linux.leave_mounts()
            linux.mount("proc", "/proc", flags=_MOUNT_FLAGS)
        _stay_as_init(tells, (lifeline, answers))
        return
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WAITED_FOR)
    with suppress(OSError):
        linux.signal_at_parents_death(signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def _stay_outside(lifeline: int = 0, left: int | None = None) -> int:
    """Go on in a child, the init of the namespace; this process waits for it and ends as it does.

    Returns where the init is to tell how the stranger ended.
    """
    told, tells = os.pipe()
    child = os.fork()
    if child:
        for descriptor in (tells, left):
            if descriptor is not None:
                os.close(descriptor)
        _leave_prints()
        supervise(child, lifeline=lifeline)
        _kill(child)
        os.set_blocking(told, False)
        data = b""
        with suppress(OSError):
            data = os.read(told, 5)
        exit_like(ExitReport.of(data))
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


def _become_init(held: ActiveLayers, wanted: Confinement, tells: int) -> None:
    """Give the namespace its own files, then go on in a child; this process is its init.

    How the child ended is told to the process outside, by the pipe `tells`.
    """
    readable, _ = _readable(wanted)
    here = Path.cwd()
    with suppress(OSError):
        linux.leave_mounts()
        linux.mount_read_only("/")
        held.mounts = True
    try:
        if not held.mounts:
            raise OSError("no mounts of its own")
        linux.mount("tmpfs", _VIEW, "size=4m,mode=755", _MOUNT_FLAGS)
        linux.show_only(readable, _VIEW)
        for folder in (Path(_VIEW + "/proc"), Path(_VIEW + PRIVATE_FOLDER)):
            folder.mkdir(parents=True, exist_ok=True)
        Path(_VIEW + "/dev/fd").symlink_to("/proc/self/fd")
        _show_processes(held, _VIEW)
        linux.enter(_VIEW)
        linux.mount_read_only("/", below=False)
        held.view = True
    except OSError:
        with suppress(OSError):
            _show_processes(held)
    with suppress(OSError):  # where it was, as far as that is shown
        os.chdir(here)
    with suppress(OSError):
        linux.mount("tmpfs", PRIVATE_FOLDER, f"size={_PRIVATE_MB}m,mode=1777", _MOUNT_FLAGS)
        held.private = True
    memory = wanted.most_bytes if held.watched else None
    _stay_as_init(tells, (), memory, wanted.turns)


def _show_processes(held: ActiveLayers, root: str = "") -> None:
    """Mount a `/proc` of the namespace, which nobody writes to."""
    try:
        linux.mount("proc", f"{root}/proc", flags=_MOUNT_FLAGS | _READ_ONLY)
        held.watched = True
    except OSError:  # the old one shows everybody else's processes
        linux.mount("tmpfs", f"{root}/proc", "size=4k", _MOUNT_FLAGS)


def _stay_as_init(
    tells: int, left: tuple[int, ...], memory: int | None = None, turns: int | None = None
) -> None:
    """Go on in a child; this process is the init of its namespace, and tells how it ended."""
    child = os.fork()
    if child:
        linux.drop_capabilities()
        _leave_pipes()
        for descriptor in left:
            os.close(descriptor)
        ended = supervise(child, memory=memory, everyone=True, turns=turns)
        os.write(tells, ended.data)
        os._exit(0)
    os.close(tells)
    if turns is not None:
        os.close(turns)
    linux.signal_at_parents_death(signal.SIGKILL)
    os.setsid()
    linux.drop_capabilities()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, WAITED_FOR)


def _become_supervisor(held: ActiveLayers, wanted: Confinement) -> None:
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
        ended = supervise(child, lifeline=0, memory=memory, turns=wanted.turns)
        _kill(child)
        end_descendants()
        exit_like(ended)
    if wanted.turns is not None:
        os.close(wanted.turns)
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


def _restrict(held: ActiveLayers, wanted: Confinement) -> None:
    """The rights that the stranger's process gives up itself, before it runs foreign code."""
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WAITED_FOR)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    _limit(held)
    with suppress(OSError):
        linux.no_new_privileges()
        linux.drop_capabilities()
        held.powerless = True
    with suppress(OSError):
        wanted.wants("landlock")
        writable = [PRIVATE_FOLDER] if held.private else []
        readable, listed = _readable(wanted)
        if held.processes:
            readable.append("/proc")
        held.landlock = restrict_files(readable, listed, [*writable, os.devnull]).version
    with suppress(OSError):
        wanted.wants("filter")
        kept = held.private or held.landlock > 0
        filter_calls(None if held.processes else os.getpid(), writes=kept)
        held.filtered = True


def _limit(held: ActiveLayers) -> None:
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
    """The files of Python, this package and the stranger's code, and the folders to be listed."""
    prefixes = [Path(one).resolve() for one in {sys.prefix, sys.base_prefix, sys.exec_prefix}]
    found: list[str | Path] = [*_SYSTEM, *prefixes, Path(__file__).resolve().parents[1]]
    places = [Path(one) for one in sys.path if one]
    found += wanted.files
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
