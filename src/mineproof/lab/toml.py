"""TOML texts: writing values, and reading tables whose every key is known and of its type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from mineproof.errors import NotationError, as_given

__all__ = ["Fields", "toml_list", "toml_seed", "toml_text"]


def toml_text(text: str) -> str:
    """A TOML string. JSON's escapes are TOML's, but for the delete character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def toml_seed(seed: int) -> str:
    """A seed as a number where TOML can hold it, else as a text."""
    return str(seed) if seed < 2**63 else toml_text(str(seed))


def toml_list(items: Sequence[str]) -> str:
    return "[" + ", ".join(map(toml_text, items)) + "]"


class Fields:
    """Takes the keys of a TOML table one by one; what is left over was not known."""

    def __init__(self, data: Mapping[str, Any], where: str = "") -> None:
        self._data = dict(data)
        self._where = where

    def take(self, key: str, kind: type, default: Any) -> Any:
        value = self._data.pop(key, default)
        fits = isinstance(value, kind) and not (kind is not bool and isinstance(value, bool))
        if not (fits or (kind is float and type(value) is int)):
            raise NotationError(f"{self._where}{key} {as_given(value)} is no {kind.__name__}")
        return float(value) if kind is float else value

    def texts(self, key: str) -> tuple[str, ...]:
        values = self.take(key, list, [])
        if not all(isinstance(value, str) for value in values):
            raise NotationError(f"{key} {as_given(values)}; accepted: a list of texts")
        return tuple(values)

    def number(self, key: str, default: int) -> int:
        """A number of 64 bits; the larger ones are written as texts."""
        value = self._data.pop(key, default)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
            return int(value)
        if type(value) is not int:
            raise NotationError(f"{key} {as_given(value)} is no number")
        return value

    def end(self) -> None:
        for key in self._data:
            raise NotationError(f"{self._where}{key} is not known here")
