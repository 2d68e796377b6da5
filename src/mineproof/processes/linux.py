"""Linux's calls that Python has no names for, by the C library: each raises OSError.

Elsewhere all of them raise OSError too, so that whoever asks for a protection learns that there is
none.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

__all__ = [
    "HIDING",
    "NAMESPACES",
    "drop_capabilities",
    "hide_memory",
    "machine",
    "mount",
    "mount_read_only",
    "no_new_privileges",
    "prctl",
    "show_memory",
    "signal_at_parents_death",
    "syscall",
    "take_orphans",
    "unshare",
]

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
