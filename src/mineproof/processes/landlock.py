"""Landlock: what files a process may touch, by the process itself and without being root.

It may read what it is given and write to one folder. Where the kernel knows how, it opens no
network connection and signals nobody outside.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from mineproof.processes.linux import syscall

__all__ = ["Landlock", "restrict_files", "without_results"]

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
"""Entries of a folder that are looked through; one with more is not opened to an agent."""
_RESULTS = "experiment.toml"


class Landlock:
    """What the kernel offers: its version, 0 where it offers nothing."""

    def __init__(self) -> None:
        self.version = 0
        with suppress(OSError):
            self.version = syscall(
                "landlock",
                _CREATE,
                None,
                ctypes.c_size_t(0),
                ctypes.c_uint(_VERSION_FLAG),
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
        kernel.rights,
        _BIND_AND_CONNECT if kernel.network else 0,
        _SCOPES if kernel.signals else 0,
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
