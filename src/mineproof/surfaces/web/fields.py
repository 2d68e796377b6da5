"""The fields of a request: what each is, how it is read, and how the documentation calls it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn

from mineproof.errors import quoted
from mineproof.surfaces.web.faults import Refused

__all__ = ["MAX_SEED", "Field", "FieldKind", "read_body", "read_fields", "read_query"]

MAX_SEED = 2**53 - 1
"""The largest whole number that a page can hold exactly."""
_MOST_TEXTS = 8


class FieldKind(Enum):
    """What a field holds; the value is its JSON schema."""

    TEXT = "string"
    NUMBER = "integer"
    SWITCH = "boolean"
    TEXTS = "array"


@dataclass(frozen=True)
class Field:
    """One field by name. One that is not required may be left out, or null."""

    name: str
    kind: FieldKind
    doc: str
    required: bool = False
    accepted: tuple[str, ...] = ()
    """The words that a text may be; any where this is empty."""

    @property
    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": self.kind.value, "description": self.doc}
        if self.kind is FieldKind.NUMBER:
            schema |= {"minimum": 0, "maximum": MAX_SEED}
        elif self.kind is FieldKind.TEXTS:
            schema |= {"items": {"type": "string"}, "maxItems": _MOST_TEXTS}
        if self.accepted:
            schema["enum"] = list(self.accepted)
        return schema

    def check(self, value: object, longest: int) -> object:
        """Return `value` if it is of this kind. Raises Refused."""
        if self.kind is FieldKind.NUMBER:
            if type(value) is int and 0 <= value <= MAX_SEED:
                return value
            self._refuse(value, f"a whole number from 0 to {MAX_SEED}")
        if self.kind is FieldKind.SWITCH:
            if isinstance(value, bool):
                return value
            self._refuse(value, "true or false")
        if self.kind is FieldKind.TEXTS:
            if isinstance(value, list) and len(value) <= _MOST_TEXTS:
                return [self._text(one, longest) for one in value]
            self._refuse(value, f"a list of at most {_MOST_TEXTS} texts")
        return self._text(value, longest)

    def _text(self, value: object, longest: int) -> str:
        if not isinstance(value, str):
            self._refuse(value, "a text")
        if len(value) > longest:
            raise Refused(
                "malformed",
                f"field {self.name} has {len(value)} characters; accepted: at most {longest}",
            )
        if self.accepted and value not in self.accepted:
            self._refuse(value, ", ".join(self.accepted))
        return value

    def _refuse(self, value: object, accepted: str) -> NoReturn:
        said = quoted(value) if isinstance(value, str | int | float) else type(value).__name__
        raise Refused("malformed", f"field {self.name} is {said}; accepted: {accepted}")

    def from_query(self, text: str) -> object:
        """The value that stands in an address. Raises Refused."""
        if self.kind is FieldKind.NUMBER:
            if text.isascii() and text.isdigit() and len(text) <= 16:
                return int(text)
            self._refuse(text, f"a whole number from 0 to {MAX_SEED}")
        if self.kind is FieldKind.SWITCH:
            if text in ("0", "1"):
                return text == "1"
            self._refuse(text, "0 or 1")
        return text


def read_fields(
    fields: Sequence[Field], given: Mapping[str, object], longest: int
) -> dict[str, Any]:
    """The values of all fields, None where one is left out. Raises Refused."""
    known = {field.name for field in fields}
    for name in given:
        if name not in known:
            accepted = ", ".join(sorted(known)) or "none"
            raise Refused("malformed", f"unknown field {quoted(name)}; accepted: {accepted}")
    found: dict[str, Any] = {}
    for field in fields:
        value = given.get(field.name)
        if value is None and field.required:
            raise Refused("malformed", f"field {field.name} is missing: {field.doc}")
        found[field.name] = None if value is None else field.check(value, longest)
    return found


def read_body(body: bytes) -> dict[str, object]:
    """The JSON object of a body; an empty body is an empty one. Raises Refused."""
    if not body.strip():
        return {}
    try:
        found = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else _reason(error)
        raise Refused(
            "malformed", f"the body is no JSON: {reason}; accepted: one JSON object"
        ) from None
    if not isinstance(found, dict):
        raise Refused("malformed", "the body is no JSON object; accepted: {...}")
    return found


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno}, column {error.colno}"
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return "a number has too many digits" if "digits" in str(error) else str(error)


def read_query(
    fields: Sequence[Field], query: Sequence[tuple[str, str]], longest: int
) -> dict[str, Any]:
    """The fields of an address. Raises Refused."""
    by_name = {field.name: field for field in fields}
    given: dict[str, object] = {}
    for name, text in query:
        if name in given:
            raise Refused("malformed", f"field {quoted(name)} stands twice; accepted: once")
        given[name] = by_name[name].from_query(text) if name in by_name else text
    return read_fields(fields, given, longest)
