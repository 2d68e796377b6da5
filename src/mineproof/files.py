"""Files: read with a size limit, as text only, and written whole or not at all.

A file may be hostile, so reading is limited, and one line says what is wrong with it.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from threading import get_ident
from types import TracebackType
from typing import Self, TypeVar

from mineproof.errors import NotationError, quoted

MAX_TEXT_BYTES = 64 * 2**20
_LONGEST_NAME = 255

Value = TypeVar("Value")


def read_bytes(source: str | Path, limit: int = MAX_TEXT_BYTES) -> bytes:
    """The bytes of a file, or of standard input for `-`. Raises NotationError."""
    try:
        if str(source) == "-":
            if sys.stdin is None:
                raise NotationError("standard input is closed; accepted: a text there, or a file")
            # One byte past the limit tells a source that is too long from one that just fits.
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(source).open("rb") as file:
                data = file.read(limit + 1)
    except (OSError, TypeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a path"
        raise NotationError(
            f"{quoted(str(source))} cannot be read: {reason}; accepted: a readable file or -"
        ) from None
    if len(data) > limit:
        raise NotationError(f"{quoted(str(source))} is longer than {limit} bytes")
    return data


def read_text(source: str | Path, limit: int = MAX_TEXT_BYTES) -> str:
    """The UTF-8 text of a file, or of standard input for `-`. Raises NotationError."""
    return decode_text(read_bytes(source, limit), source)


def decode_text(data: bytes, source: str | Path) -> str:
    """The UTF-8 text that bytes of a source are. Raises NotationError."""
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotationError("not UTF-8 text; accepted: a text file", line, str(source)) from None


def parse_file(
    source: str | Path, parse: Callable[[str], Value], limit: int = MAX_TEXT_BYTES
) -> Value:
    """What `parse` makes of a file's text, or of standard input's for `-`.

    Raises NotationError, which names the file.
    """
    text = read_text(source, limit)
    try:
        return parse(text)
    except NotationError as error:
        raise error.within(str(source)) if error.source is None else error from None


def check_writable(path: str | Path) -> None:
    """Do what can be done of `write_text` without writing. Raises OSError, or ValueError."""
    file = _path(path)
    if file.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if file.is_symlink() or (file.exists() and not file.is_file()):
        return  # a device may wait for its reader when it is opened
    if len(os.fsencode(file.name)) > _LONGEST_NAME:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), str(path))
    aside = _aside(file)
    try:
        aside.touch()
    finally:
        aside.unlink(missing_ok=True)


def _path(path: str | Path) -> Path:
    """The path of a file to be written. Raises ValueError for a name that no file can have.

    Asked whether such a file exists, Python says no: it would be noticed after all the work.
    """
    if "\0" in os.fspath(path):
        raise ValueError("embedded null byte")
    return Path(path)


def _aside(file: Path) -> Path:
    """A name that no other thread or process writes to."""
    return file.with_name(f".mineproof-{os.getpid()}-{get_ident()}.aside")


def write_text(path: str | Path, text: str) -> None:
    """Write a file aside, then give it its name. Raises OSError, or ValueError for no path.

    What is there and no plain file, such as /dev/stdout, is written to as it is.
    """
    write_bytes(path, text.encode())


def write_bytes(path: str | Path, data: bytes) -> None:
    """`write_text` for bytes."""
    file = _path(path)
    if file.is_symlink() or (file.exists() and not file.is_file()):
        file.write_bytes(data)
        return
    # Written beside it and renamed: a reader sees the old file or the new one, never a half.
    aside = _aside(file)
    try:
        aside.write_bytes(data)
        if file.exists():
            shutil.copymode(file, aside)
        aside.replace(file)
    finally:
        aside.unlink(missing_ok=True)


# -- Base class for context managers that release something --------------------


class Closeable(ABC):
    """Holds processes, files or connections until `close`, which a `with` calls at its end."""

    @abstractmethod
    def close(self) -> None:
        """Release everything; a second call does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
