"""Linux system calls that Python has no names for, through the C library.

Each raises OSError where it fails. On other systems all of them do, so a caller that asks for a
protection learns that there is none.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import stat
import struct
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_NEW_MOUNTS, _NEW_IPC, _NEW_USERS = 0x20000, 0x8000000, 0x10000000
_NEW_PROCESSES, _NEW_NETWORK, _NEW_NAME = 0x20000000, 0x40000000, 0x4000000
NAMESPACES = _NEW_USERS | _NEW_PROCESSES | _NEW_NETWORK | _NEW_IPC | _NEW_NAME
"""A namespace of users, processes, the network, System V memory and the host's name."""

HIDING = _NEW_USERS | _NEW_PROCESSES | _NEW_MOUNTS
"""Those that hide other processes, and nothing else."""

_SET_PARENT_DEATH_SIGNAL, _SET_DUMPABLE, _DROP_BOUNDING = 1, 4, 24
_SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 36, 38
_MOST_CAPABILITIES = 64
_CAPABILITY_VERSION = 0x20080522
_MOUNT_SETATTR = 442
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY, _NO_SUID = 1, 2
_BIND, _DETACH = 0x5000, 2


@cache
def _library() -> Any:
    if not sys.platform.startswith("linux"):
        raise OSError(f"{sys.platform} has no such call")
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    return library


def _checked(result: int, name: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def machine() -> str:
    """The kind of processor: `x86_64`, `aarch64`."""
    return platform.machine()


def syscall(name: str, number: int, *arguments: Any) -> int:
    """A call by its number, the same on all processors since Linux 5."""
    return _checked(_library().syscall(ctypes.c_long(number), *arguments), name)


def prctl(option: int, *arguments: int) -> None:
    padded = [ctypes.c_ulong(one) for one in (*arguments, 0, 0, 0, 0)[:4]]
    _checked(_library().prctl(option, *padded), "prctl")


def unshare(namespaces: int) -> None:
    """Leave the namespaces of the parent, as the same user."""
    user, group = os.getuid(), os.getgid()
    _checked(_library().unshare(namespaces), "unshare")
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        Path(f"/proc/self/{name}").write_text(text, encoding="ascii")


def leave_mounts() -> None:
    """Have mounts of one's own, which nobody outside sees."""
    _checked(_library().unshare(_NEW_MOUNTS), "unshare")
    mount("none", "/", flags=_PRIVATE_MOUNTS)


_PRIVATE_MOUNTS = 0x44000


def mount(kind: str, place: str, options: str = "", flags: int = 0, source: str = "") -> None:
    """Mount a file system without a device, or with a `source` that place at another."""
    texts = [os.fsencode(text) for text in (source or kind, place, kind, options)]
    origin, target, type_, data = texts
    _checked(_library().mount(origin, target, type_, ctypes.c_ulong(flags), data), f"mount {place}")


def mount_read_only(place: str = "/", below: bool = True) -> None:
    """Make a place read-only, and all that is mounted below it."""
    attributes = (ctypes.c_uint64 * 4)(_READ_ONLY | _NO_SUID, 0, 0, 0)
    syscall(
        "mount_setattr",
        _MOUNT_SETATTR,
        ctypes.c_int(_AT_FDCWD),
        place.encode(),
        ctypes.c_uint(_AT_RECURSIVE if below else 0),
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )


# -- A view of the file system: a root that shows some paths, where they are, and nothing else --


def show_only(paths: Iterable[str | Path], root: str) -> None:
    """Fill an empty folder with these paths, read-only; links among them stay links.

    What is not there is left out. Needs mounts of one's own that are read-only, so that nothing can
    be made anywhere else.
    """
    shown: list[Path] = []
    for path in sorted({Path(os.path.realpath(one)) for one in paths}):
        if not path.exists() or any(path.is_relative_to(one) for one in shown):
            continue
        place = Path(f"{root}{path}")
        if path.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch()
        mount("", str(place), flags=_BIND, source=str(path))
        shown.append(path)
    for one in paths:
        _show_link(Path(one), root)


def _show_link(path: Path, root: str) -> None:
    """Show the first link on the way to a path."""
    link = next((one for one in [*reversed(path.parents), path] if one.is_symlink()), None)
    if link is not None and not os.path.lexists(place := Path(f"{root}{link}")):
        with suppress(OSError):  # its folder may be shown itself, read-only
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(os.path.realpath(link))


def enter(root: str) -> None:
    """Make a mounted folder the root, and let go of the old one."""
    os.chdir(root)
    syscall("pivot_root", _PIVOT_ROOT[machine()], b".", b".")
    _checked(_library().umount2(b".", ctypes.c_int(_DETACH)), "umount2")
    os.chdir("/")


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    for capability in range(_MOST_CAPABILITIES):
        try:
            prctl(_DROP_BOUNDING, capability)
        except OSError:
            break  # the kernel has no more, or there are none to drop
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_library().capset(ctypes.byref(header), ctypes.byref(nothing)), "capset")


def no_new_privileges() -> None:
    """Let no program that is started have more rights than this one."""
    prctl(_SET_NO_NEW_PRIVILEGES, 1)


def signal_at_parents_death(number: int) -> None:
    """Be sent a signal when the parent is gone, however it went."""
    prctl(_SET_PARENT_DEATH_SIGNAL, number)


def take_orphans() -> None:
    """Become the parent of every descendant whose parent is gone."""
    prctl(_SET_SUBREAPER, 1)


def show_memory() -> None:
    """Take back `hide_memory`, as a fork must before it can have namespaces."""
    prctl(_SET_DUMPABLE, 1)


def hide_memory() -> None:
    """Let no other process of this user read this one's memory."""
    prctl(_SET_DUMPABLE, 0)


# -- Other processes, as `/proc` tells of them; on other systems there are none to be seen --

_TIMES = slice(11, 15)
"""Where a process's CPU times stand in `stat`, behind the name of its program."""


def processes_below(root: int | None) -> dict[int, list[str]]:
    """What runs below a process, or all that can be seen, each with what `stat` says of it."""
    found: dict[int, list[str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            if fields[0] != "Z":
                found[int(folder.name)] = fields
    if root is None:
        return found
    parents = {process: int(fields[1]) for process, fields in found.items()}

    def is_below(process: int) -> bool:
        while process in parents and process != root:
            process = parents[process]
        return process == root

    return {one: fields for one, fields in found.items() if one != root and is_below(one)}


@dataclass(frozen=True)
class CpuTimes:
    """What the processes below one have used of the CPUs, and how long each waited for one."""

    used: float
    waited: dict[int, float]

    @classmethod
    def below(cls, root: int) -> CpuTimes:
        """The times up to now, in seconds."""
        waited: dict[int, float] = {}
        ticks = 0
        for process, fields in processes_below(root).items():
            ticks += sum(map(int, fields[_TIMES]))
            with suppress(OSError, ValueError, IndexError):
                waited[process] = (
                    int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9
                )
        return cls(ticks / os.sysconf("SC_CLK_TCK"), waited)

    def delay_since(self, before: CpuTimes) -> float:
        """How long one of them, ready to run, waited for a CPU since then; the longest time."""
        delays = (time - before.waited.get(one, 0.0) for one, time in self.waited.items())
        return max(delays, default=0.0)


# ----------------------------------------------------------------------------
# Landlock: a process restricts, without being root, which files it may touch.
#
# It may read what it is given and write to one folder. Where the kernel knows how, it opens no
# network connection and signals nobody outside.

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_VERSION_FLAG = 1
_PATH_RULE = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_FOLDER = 1, 2, 4, 8
_TRUNCATE = 1 << 14
_FIRST_RIGHTS = 13
_RIGHTS_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_BIND_AND_CONNECT, _SCOPES = 3, 3
_REFER_SINCE, _TRUNCATE_SINCE, _NETWORK_SINCE, _SCOPES_SINCE = 2, 3, 4, 6
_MOST_ENTRIES = 5000
"""Entries of a folder that are looked through; a larger folder is not opened to an agent."""
_RESULTS = "experiment.toml"


class Landlock:
    """What the kernel offers: its version, 0 where it offers nothing."""

    def __init__(self) -> None:
        self.version = 0
        with suppress(OSError):
            self.version = syscall(
                "landlock", _CREATE, None, ctypes.c_size_t(0), ctypes.c_uint(_VERSION_FLAG)
            )

    @property
    def network(self) -> bool:
        return self.version >= _NETWORK_SINCE

    @property
    def signals(self) -> bool:
        return self.version >= _SCOPES_SINCE

    @property
    def rights(self) -> int:
        """All that can be done with files, as bits."""
        rights = (1 << _FIRST_RIGHTS) - 1
        if self.version >= _REFER_SINCE:
            rights |= 1 << _FIRST_RIGHTS
        return rights | (_TRUNCATE if self.version >= _TRUNCATE_SINCE else 0)


def restrict_files(
    readable: Iterable[str | Path], listed: Iterable[Path], writable: Iterable[str | Path]
) -> Landlock:
    """Restrict this process and its children for good, and say by which version.

    The names in folders that are `listed` may be read, and not their files.

    Raises OSError where the kernel cannot. A path that is not there is left out.
    """
    kernel = Landlock()
    if not kernel.version:
        raise OSError("the kernel has no Landlock")
    rules = (ctypes.c_uint64 * 3)(
        kernel.rights, _BIND_AND_CONNECT if kernel.network else 0, _SCOPES if kernel.signals else 0
    )
    size = 8 * (3 if kernel.signals else 2 if kernel.network else 1)
    ruleset = syscall(
        "landlock", _CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint(0)
    )
    try:
        for path in readable:
            _allow(ruleset, path, _EXECUTE | _READ_FILE | _READ_FOLDER)
        for folder in listed:
            _allow(ruleset, folder, _READ_FOLDER)
        for path in writable:
            _allow(ruleset, path, kernel.rights)
        syscall("landlock", _RESTRICT, ctypes.c_int(ruleset), ctypes.c_uint(0))
    finally:
        os.close(ruleset)
    return kernel


def _allow(ruleset: int, path: str | Path, rights: int) -> None:
    with suppress(OSError):
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(place).st_mode):
                rights &= _RIGHTS_OF_FILES
            rule = rights.to_bytes(8, "little") + place.to_bytes(4, "little", signed=True)
            syscall(
                "landlock",
                _ADD_RULE,
                ctypes.c_int(ruleset),
                ctypes.c_int(_PATH_RULE),
                rule,
                ctypes.c_uint(0),
            )
        finally:
            os.close(place)


def without_results(folder: str | Path) -> list[Path]:
    """What of a folder an agent may read: all but experiments, results and what is too large.

    A folder of results lies below it as often as not, and it holds the secret of the deals.
    Packages of Python are not looked through.
    """
    found, left = [], _MOST_ENTRIES
    with suppress(OSError):
        for entry in sorted(Path(folder).iterdir()):
            left -= 1
            if left < 0:
                break
            if entry.suffix == ".toml" or entry.name.startswith("."):
                continue
            if entry.is_dir() and not (entry / "__init__.py").is_file():
                seen = _entries(entry, left)
                if seen is None:
                    continue
                left -= seen
            found.append(entry)
    return found


def _entries(folder: Path, most: int) -> int | None:
    """How many entries a folder has below it; None for too many, or if it holds results."""
    seen = 0
    for _, folders, files in os.walk(folder):
        seen += len(folders) + len(files)
        if seen > most or _RESULTS in files:
            return None
    return seen


# ----------------------------------------------------------------------------
# A seccomp filter: a process gives up, for good, all system calls but those of a list.
#
# The list has what an interpreter, its libraries and a shell need to compute, to read files and to
# start processes and threads. What it lacks fails: sockets, tracing, namespaces, mounts, owners and
# rights of files, memory and messages that outlive a process, locks and watches on files, which
# would tell others something. Where a process has no process namespace of its own, it also signals
# nobody but itself and limits nobody else; where it has no place of its own to write to, it opens
# no file for writing.

_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _AND, _RETURN = 0x20, 0x54, 0x06
_IF_EQUAL, _IF_AT_LEAST, _IF_BITS = 0x15, 0x35, 0x45
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
# A filter must check the architecture: another one numbers its calls differently.
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OTHER_TABLE = 0x40000000
"""Numbers from here on belong to the second table of x86-64 (x32)."""
_NEWER = 424
"""Calls from here on are told to be unknown: the C library then uses an older one."""


def _table(text: str) -> dict[str, tuple[int | None, ...]]:
    """Names of calls with their numbers on x86-64 and aarch64, `-` where one has none."""
    rows = [row.split() for row in text.replace("\n", ",").split(",") if row.strip()]
    return {
        name: tuple(None if number == "-" else int(number) for number in numbers)
        for name, *numbers in rows
    }


# The first are asked most often.
_ALLOWED = _table(
    """
    read 0 63, write 1 64, futex 202 98, munmap 11 215, brk 12 214, madvise 28 233, close 3 57
    newfstatat 262 79, fstat 5 80, stat 4 -, lstat 6 -, lseek 8 62, mprotect 10 226
    poll 7 -, ppoll 271 73, select 23 -, pselect6 270 72, epoll_create 213 -, epoll_create1 291 20
    epoll_ctl 233 21, epoll_wait 232 -, epoll_pwait 281 22, eventfd2 290 19, signalfd4 289 74
    timerfd_create 283 85, timerfd_settime 286 86, timerfd_gettime 287 87
    pread64 17 67, pwrite64 18 68, readv 19 65, writev 20 66, preadv 295 69, pwritev 296 70
    preadv2 327 286, pwritev2 328 287, sendfile 40 71, copy_file_range 326 285, fadvise64 221 223
    access 21 -, faccessat 269 48, faccessat2 439 439, readlink 89 -, readlinkat 267 78
    statx 332 291, getdents 78 -, getdents64 217 61, getcwd 79 17, chdir 80 49, fchdir 81 50
    statfs 137 43, fstatfs 138 44, umask 95 166, fsync 74 82, fdatasync 75 83, ftruncate 77 46
    fallocate 285 47, pipe 22 -, pipe2 293 59, dup 32 23, dup2 33 -, dup3 292 24
    close_range 436 436, socketpair 53 199, sendto 44 206, recvfrom 45 207, sendmsg 46 211
    recvmsg 47 212, shutdown 48 210, getsockname 51 204, getpeername 52 205, getsockopt 55 209
    mremap 25 216, msync 26 227, rt_sigaction 13 134, rt_sigprocmask 14 135, rt_sigreturn 15 139
    rt_sigpending 127 136, rt_sigtimedwait 128 137, rt_sigsuspend 130 133, sigaltstack 131 132
    pause 34 -, nanosleep 35 101, clock_nanosleep 230 115, clock_gettime 228 113
    clock_getres 229 114, gettimeofday 96 169, time 201 -, times 100 153, alarm 37 -
    getitimer 36 102, setitimer 38 103, getrusage 98 165, sysinfo 99 179, uname 63 160
    getpid 39 172, gettid 186 178, getppid 110 173, getpgrp 111 -, getpgid 121 155, setpgid 109 154
    getsid 124 156, setsid 112 157, getuid 102 174, geteuid 107 175, getgid 104 176
    getegid 108 177, getresuid 118 148, getresgid 120 150, getgroups 115 158, capget 125 90
    getrlimit 97 163, setrlimit 160 164, getpriority 140 141, sched_yield 24 124
    sched_getaffinity 204 123, sched_getparam 143 121, sched_getscheduler 145 120
    sched_get_priority_max 146 125, sched_get_priority_min 147 126, getcpu 309 168
    membarrier 324 283, set_robust_list 273 99, get_robust_list 274 100, rseq 334 293
    set_tid_address 218 96, arch_prctl 158 -, getrandom 318 278, restart_syscall 219 128
    fork 57 -, vfork 58 -, execve 59 221, wait4 61 260, waitid 247 95, exit 60 93, exit_group 231 94
    """
)
_WRITING = _table(
    """
    mkdir 83 -, mkdirat 258 34, rmdir 84 -, unlink 87 -, unlinkat 263 35, rename 82 -
    renameat 264 38, renameat2 316 276, symlink 88 -, symlinkat 266 36, truncate 76 45
    link 86 -, linkat 265 37
    """
)
# Allowed with some values of an argument, by the place of that argument.
_ONE_OF: dict[str, tuple[int, tuple[int, ...]]] = {
    # Copies of a descriptor, its flags and the size of its pipe: no locks, leases or watches.
    "fcntl": (1, (0, 1, 2, 3, 4, 1030, 1032)),
    # A terminal's state and size, the flags of a descriptor, how much can be read.
    "ioctl": (1, (0x5401, 0x5413, 0x540F, 0x541B, 0x5421, 0x5450, 0x5451)),
    # The name of a thread and of memory, and questions. A process stays one that can be counted.
    "prctl": (0, (3, 15, 16, 21, 23, 39, 0x53564D41)),
}
# Allowed without any of some bits of an argument.
_WITHOUT: dict[str, tuple[int, int]] = {
    # No new namespaces.
    "clone": (0, 0x7E020000)
}
_FLAGS_OF_OPEN = {"open": 1, "openat": 2}
_OPENS_FOR_WRITING = 0x1 | 0x2 | 0x40 | 0x200 | 0x400000
_SHARED_WITHOUT_FILE, _HUGE = 0x21, 0x40000
_FLAGS_OF_MMAP = 3
_CHECKED = _table(
    "mmap 9 222, fcntl 72 25, ioctl 16 29, prctl 157 167, clone 56 220, open 2 -, openat 257 56"
)
_OF_ANOTHER = _table(
    """
    kill 62 129, tkill 200 130, tgkill 234 131, rt_sigqueueinfo 129 138, rt_tgsigqueueinfo 297 240
    prlimit64 302 261
    """
)
_NEVER_ALONE = _table("setpriority 141 140, sched_setaffinity 203 122")


def filter_calls(alone: int | None = None, *, writes: bool = True) -> None:
    """Install the filter; `alone` is the number of a process that can see the others.

    With `writes` it has a place of its own to write to. Raises OSError where that cannot be done.
    Needs `no_new_privileges` first.
    """
    code = program(machine(), alone, writes=writes)
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    holder = ctypes.create_string_buffer(head, len(head))
    prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(holder))


def program(processor: str, alone: int | None = None, *, writes: bool = True) -> bytes:
    """The filter for a processor. Raises OSError for one that is not known."""
    if processor not in _ARCHITECTURES:
        raise OSError(f"no filter of system calls for {processor}")
    column = list(_ARCHITECTURES).index(processor)
    return b"".join(_lines(processor, column, alone, writes))


def _line(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def _refusal(number: int = errno.EPERM) -> bytes:
    return _line(_RETURN, _ERRNO | number)


def _lines(processor: str, column: int, alone: int | None, writes: bool) -> Iterator[bytes]:
    yield _line(_LOAD, _ARCHITECTURE)
    yield _line(_IF_EQUAL, _ARCHITECTURES[processor], yes=1)
    yield _refusal()
    yield _line(_LOAD, _NUMBER)
    yield _line(_IF_AT_LEAST, _OTHER_TABLE, no=1)
    yield _refusal()
    allowed, checks = dict(_ALLOWED), dict(_CHECKED)
    if writes:
        allowed |= _WRITING
    if alone is None:
        allowed |= _OF_ANOTHER | _NEVER_ALONE
    else:
        checks |= _OF_ANOTHER
    for numbers in allowed.values():
        if (number := numbers[column]) is not None:
            yield _line(_IF_EQUAL, number, no=1)
            yield _line(_RETURN, _ALLOW)
    for name, numbers in checks.items():
        if (number := numbers[column]) is not None:
            lines = list(_check(name, alone, writes))
            yield _line(_IF_EQUAL, number, no=len(lines))
            yield from lines
    yield _line(_IF_AT_LEAST, _NEWER, no=1)
    yield _refusal(errno.ENOSYS)
    yield _refusal()


def _check(name: str, alone: int | None, writes: bool) -> Iterator[bytes]:
    """Look at the arguments of a call; each way ends in an answer."""
    if name in _FLAGS_OF_OPEN:
        if not writes:
            yield _line(_LOAD, _argument(_FLAGS_OF_OPEN[name]))
            yield _line(_IF_BITS, _OPENS_FOR_WRITING, no=1)
            yield _refusal(errno.EACCES)
    elif name == "mmap":
        # What is shared without a file is not lost with the process, and no limit counts it.
        yield _line(_LOAD, _argument(_FLAGS_OF_MMAP))
        yield _line(_IF_BITS, _HUGE, no=1)
        yield _refusal()
        yield _line(_AND, _SHARED_WITHOUT_FILE)
        yield _line(_IF_EQUAL, _SHARED_WITHOUT_FILE, no=1)
        yield _refusal()
    elif name in _WITHOUT:
        place, bits = _WITHOUT[name]
        yield _line(_LOAD, _argument(place))
        yield _line(_IF_BITS, bits, no=1)
        yield _refusal()
    else:
        itself = () if alone is None else (alone, 0) if name == "prlimit64" else (alone,)
        place, values = _ONE_OF.get(name, (0, itself))
        yield _line(_LOAD, _argument(place))
        for seen, value in enumerate(values):
            yield _line(_IF_EQUAL, value, yes=len(values) - seen)
        yield _refusal()
    yield _line(_RETURN, _ALLOW)


def _argument(place: int) -> int:
    """Where the lower half of an argument stands; both processors keep it first."""
    return _ARGUMENTS + 8 * place
