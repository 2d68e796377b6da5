"""Files that an option names and a command writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mineproof.errors import InputError, quoted
from mineproof.files import check_writable, write_bytes, write_text

__all__ = ["Output"]


@dataclass(frozen=True)
class Output:
    """A file to be written, and the option that named it.

    Refused at once if no file can be there, so that no game is played that cannot be kept.
    """

    option: str
    path: str

    def __post_init__(self) -> None:
        try:
            check_writable(self.path)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a path"
            raise InputError(
                f"{self.option} {quoted(self.path)} cannot be written: {reason}; accepted: a file"
                " in an existing folder"
            ) from None

    @classmethod
    def named(cls, option: str, path: str | None) -> Output | None:
        """The output of an option; None where it was not given."""
        return None if path is None else cls(option, path)

    def write(self, text: str) -> None:
        """Write the file, whole or not at all. Raises InputError."""
        self._write(lambda: write_text(self.path, text))

    def write_data(self, data: bytes) -> None:
        """The same for bytes."""
        self._write(lambda: write_bytes(self.path, data))

    def _write(self, put: Callable[[], None]) -> None:
        try:
            put()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a path"
            raise InputError(
                f"{self.option} {quoted(self.path)} cannot be written: {reason}; accepted: a"
                " writable file"
            ) from None
