"""Reading files that may be hostile: a size limit, text only, and one line on what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

from mineproof.errors import NotationError, quoted

__all__ = ["MAX_TEXT_BYTES", "read_text"]

MAX_TEXT_BYTES = 64 * 2**20


def read_text(source: str | Path, limit: int = MAX_TEXT_BYTES) -> str:
    """The UTF-8 text of a file, or of standard input for `-`. Raises NotationError."""
    try:
        if str(source) == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            with Path(source).open("rb") as file:
                data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not a path"
        raise NotationError(
            f"{quoted(str(source))} cannot be read: {reason}; accepted: a readable file or -"
        ) from None
    if len(data) > limit:
        raise NotationError(f"{quoted(str(source))} is longer than {limit} bytes")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise NotationError("not UTF-8 text; accepted: a text file", line, str(source)) from None
