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
from functools import cache
from pathlib import Path
from typing import Any

_NEW_MOUNTS, _NEW_IPC, _NEW_USERS = 0x20000, 0x8000000, 0x10000000
_NEW_PROCESSES, _NEW_NETWORK = 0x20000000, 0x40000000
NAMESPACES = _NEW_USERS | _NEW_PROCESSES | _NEW_MOUNTS | _NEW_NETWORK | _NEW_IPC
"""A user, process, mount, network and System V namespace."""

HIDING = _NEW_USERS | _NEW_PROCESSES | _NEW_MOUNTS
"""Those that hide other processes, and nothing else."""

_SET_PARENT_DEATH_SIGNAL, _SET_DUMPABLE, _DROP_BOUNDING = 1, 4, 24
_SET_SUBREAPER, _SET_NO_NEW_PRIVILEGES = 36, 38
_MOST_CAPABILITIES = 64
_CAPABILITY_VERSION = 0x20080522
_MOUNT_SETATTR = 442
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_READ_ONLY, _NO_SUID = 1, 2


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


def mount(kind: str, place: str, options: str = "", flags: int = 0) -> None:
    """Mount a file system without a device."""
    texts = [text.encode() for text in (kind, place, kind, options)]
    source, target, type_, data = texts
    _checked(_library().mount(source, target, type_, ctypes.c_ulong(flags), data), f"mount {place}")


def mount_read_only(place: str = "/") -> None:
    """Make a place and all that is mounted below it read-only."""
    attributes = (ctypes.c_uint64 * 4)(_READ_ONLY | _NO_SUID, 0, 0, 0)
    syscall(
        "mount_setattr",
        _MOUNT_SETATTR,
        ctypes.c_int(_AT_FDCWD),
        place.encode(),
        ctypes.c_uint(_AT_RECURSIVE),
        ctypes.byref(attributes),
        ctypes.c_size_t(ctypes.sizeof(attributes)),
    )


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
# A seccomp filter: a process gives up, for good, the system calls that an agent never needs.
#
# It opens no socket, attaches to no process, makes no namespace and mounts nothing. Where it has no
# process namespace of its own, it also signals nobody but itself and limits nobody else.

_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
# A filter must check the architecture: another one numbers its calls differently.
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OTHER_TABLE = 0x40000000
"""Numbers from here on belong to the second table of x86-64 (x32)."""
# All flags of `clone` that make a namespace, one bit each.
_NEW_NAMESPACES = 0x7E020000
_CLONE3 = 435

# The number of each call on x86-64 and on aarch64.
_REFUSED = {
    "socket": (41, 198),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "reboot": (169, 142),
    "pidfd_getfd": (438, 438),
    "io_uring_setup": (425, 425),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "mount_setattr": (442, 442),
}
_CLONE = (56, 220)
_OF_ANOTHER = {
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "prlimit64": (302, 261),
}
_NEVER_ALONE = {
    "pidfd_send_signal": (424, 424),
    "setpriority": (141, 140),
    "sched_setaffinity": (203, 122),
}


def filter_calls(alone: int | None = None) -> None:
    """Install the filter; `alone` is the number of a process that can see the others.

    Raises OSError where that cannot be done. Needs `no_new_privileges` first.
    """
    code = program(machine(), alone)
    buffer = ctypes.create_string_buffer(code, len(code))
    head = struct.pack("HxxxxxxQ", len(code) // 8, ctypes.addressof(buffer))
    holder = ctypes.create_string_buffer(head, len(head))
    prctl(_SET_SECCOMP, _FILTER, ctypes.addressof(holder))


def program(processor: str, alone: int | None = None) -> bytes:
    """The filter for a processor. Raises OSError for one that is not known."""
    if processor not in _ARCHITECTURES:
        raise OSError(f"no filter of system calls for {processor}")
    column = list(_ARCHITECTURES).index(processor)
    return b"".join(_lines(processor, column, alone))


def _line(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def _refuse(number: int = errno.EPERM) -> bytes:
    return _line(_RETURN, _ERRNO | number)


def _lines(processor: str, column: int, alone: int | None) -> Iterator[bytes]:
    yield _line(_LOAD, _ARCHITECTURE)
    yield _line(_IF_EQUAL, _ARCHITECTURES[processor], yes=1)
    yield _refuse()
    yield _line(_LOAD, _NUMBER)
    yield _line(_IF_AT_LEAST, _OTHER_TABLE, no=1)
    yield _refuse()
    refused = dict(_REFUSED) if alone is None else {**_REFUSED, **_NEVER_ALONE}
    for numbers in refused.values():
        yield _line(_IF_EQUAL, numbers[column], no=1)
        yield _refuse()
    # Its flags are in memory, where a filter cannot look: without it the C library uses `clone`.
    yield _line(_IF_EQUAL, _CLONE3, no=1)
    yield _refuse(errno.ENOSYS)
    yield _line(_IF_EQUAL, _CLONE[column], no=4)
    yield _line(_LOAD, _FIRST_ARGUMENT)
    yield _line(_IF_BITS, _NEW_NAMESPACES, no=1)
    yield _refuse()
    yield _line(_LOAD, _NUMBER)
    if alone is not None:
        for name, numbers in _OF_ANOTHER.items():
            itself = [alone, 0] if name == "prlimit64" else [alone]
            yield _line(_IF_EQUAL, numbers[column], no=len(itself) + 3)
            yield _line(_LOAD, _FIRST_ARGUMENT)
            for place, number in enumerate(itself):
                yield _line(_IF_EQUAL, number, yes=len(itself) - place)
            yield _refuse()
            yield _line(_LOAD, _NUMBER)
    yield _line(_RETURN, _ALLOW)
