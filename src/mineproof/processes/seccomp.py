"""A filter of system calls: a process refuses to itself, for good, what an agent never needs.

It opens no socket, attaches to no process, makes no namespace and mounts nothing. Where it has no
process namespace of its own, it also signals nobody but itself and limits nobody else.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterator

from mineproof.processes.linux import machine, prctl

__all__ = ["filter_calls", "program"]

_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _IF_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OTHER_TABLE = 0x40000000
"""Numbers from here on are those of a second table of x86-64."""
_NEW_NAMESPACES = 0x7E020000
_CLONE3 = 435

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
