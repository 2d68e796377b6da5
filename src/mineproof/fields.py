"""Typed fields of JSON and TOML: every file and message from outside is read through these.

What is read may be hostile. A value is used only after its type and size are checked, and the error
names the field and what is accepted.

>>> found = FieldTable(parse_json('{"level": 7}', "an object"))
>>> found["level"].whole_number(0, 9)
7
>>> found["level"].text()
Traceback (most recent call last):
mineproof.errors.NotationError: field level is no text
>>> found["name"]
Traceback (most recent call last):
mineproof.errors.NotationError: field name is missing
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NoReturn, TypeVar

from mineproof.errors import InputError, NotationError, one_line, quoted

Choice = TypeVar("Choice")
CellFinder = Callable[[list[int]], int]
"""The cell at some coordinates, as `Topology.cell` finds it. Raises InputError."""


def parse_json(text: str, accepted: str) -> Any:
    """The value of a JSON text. Raises NotationError, which says what is accepted."""
    try:
        return json.loads(text)
    # Not only malformed texts: a number of thousands of digits is a ValueError, and brackets nested
    # beyond the interpreter's stack are a RecursionError.
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise NotationError(f"not JSON; accepted: {accepted}", line) from None


def parse_toml(text: str) -> dict[str, Any]:
    """The table of a TOML text. Raises NotationError."""
    import tomllib  # few who read JSON need it

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise NotationError(f"not TOML: {one_line(error)}") from None
    # As for JSON: integers of more than 4,300 digits, and nested brackets.
    except (ValueError, RecursionError):
        raise NotationError(
            "not TOML that is read here; accepted: shorter numbers and fewer nested brackets"
        ) from None


class FieldValue:
    """A value with the name of the field that holds it. Each method checks one type."""

    __slots__ = ("name", "value")

    def __init__(self, value: Any, name: str) -> None:
        self.value = value
        self.name = name

    def text(self, most: int | None = None) -> str:
        """A text, of at most so many characters."""
        if not isinstance(self.value, str) or (most is not None and len(self.value) > most):
            limit = "" if most is None else f" of at most {most} characters"
            raise NotationError(f"field {self.name} is no text{limit}")
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            self._refuse("true or false")
        return self.value

    def whole_number(self, least: int | None = None, most: int | None = None) -> int:
        """An integer, within these bounds."""
        low = -math.inf if least is None else least
        high = math.inf if most is None else most
        if not _is_whole(self.value) or not low <= self.value <= high:
            self._refuse("a whole number" if least is None else _range(least, most))
        return int(self.value)

    def number(self) -> float:
        """A number, whole or not."""
        if not _is_whole(self.value) and not isinstance(self.value, float):
            self._refuse("a number")
        return float(self.value)

    def one_of(self, choices: Mapping[str, Choice], or_else: str = "") -> Choice:
        """What one of these words stands for; `or_else` ends the list of what is accepted."""
        if not isinstance(self.value, str) or self.value not in choices:
            self._refuse(", ".join(choices) + or_else)
        return choices[self.value]

    def items(self, most: int) -> list[Any]:
        """A list of at most so many values."""
        if not isinstance(self.value, list) or len(self.value) > most:
            raise NotationError(f"field {self.name} is no list of at most {most}")
        return self.value

    def each(self, most: int) -> Iterator[FieldValue]:
        """The values of a list, each under the name of this field."""
        return (FieldValue(one, self.name) for one in self.items(most))

    def whole_numbers(self, most: int, largest: int) -> tuple[int, ...]:
        """A list of at most `most` integers from 0 to `largest`."""
        found = self.items(most)
        for one in found:
            if not _is_whole(one) or not 0 <= one <= largest:
                raise _refusal(one, self.name, _range(0, largest))
        return tuple(found)

    def texts(self) -> tuple[str, ...]:
        """A list of texts."""
        if not isinstance(self.value, list) or not all(isinstance(one, str) for one in self.value):
            self._refuse("a list of texts")
        return tuple(self.value)

    def table(self) -> FieldTable:
        """The fields of an object, which messages name after this field: `from.seed`."""
        if not isinstance(self.value, dict):
            self._refuse("an object")
        return FieldTable(self.value, f"{self.name}.")

    def cell(self, cell_at: CellFinder) -> int:
        """A cell by its coordinates."""
        return _cell(self.value, cell_at, self.name)

    def cells(self, cell_at: CellFinder, most: int) -> tuple[int, ...]:
        """A list of cells, each by its coordinates."""
        return tuple(_cell(place, cell_at, self.name) for place in self.items(most))

    def _refuse(self, accepted: str) -> NoReturn:
        raise _refusal(self.value, self.name, accepted)


class FieldTable:
    """The fields of a JSON object or of a TOML table, by name.

    Messages put `within` before each name.
    """

    def __init__(self, found: Mapping[str, Any], within: str = "") -> None:
        self._found = found
        self._within = within
        self._read: set[str] = set()

    def __iter__(self) -> Iterator[str]:
        """The names of the fields."""
        return iter(self._found)

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def __getitem__(self, name: str) -> FieldValue:
        """A field that must be there. Raises NotationError."""
        if name not in self._found:
            raise NotationError(f"field {self._within}{name} is missing")
        return self.get(name, None)

    def get(self, name: str, default: Any) -> FieldValue:
        """A field, or a default where it is left out."""
        self._read.add(name)
        return FieldValue(self._found.get(name, default), self._within + name)

    def refuse_others(self, but: Collection[str] = ()) -> None:
        """Raise NotationError if there are fields that were not asked for, but for these."""
        for name in self._found:
            if name not in self._read and name not in but:
                raise NotationError(f"field {self._within}{name} is not known here")


def _is_whole(value: object) -> bool:
    # Not isinstance: Python counts True as the number 1, JSON and TOML do not.
    return type(value) is int


def _range(least: int, most: int | None) -> str:
    return f"numbers from {least}" if most is None else f"{least} to {most}"


def _cell(place: object, cell_at: CellFinder, name: str) -> int:
    # A certificate has thousands of cells: this is where the time of reading goes.
    if type(place) is not list:
        raise _refusal(place, name, "coordinates")
    for number in place:
        if type(number) is not int:
            raise _refusal(place, name, "coordinates")
    try:
        return cell_at(place)
    except InputError as error:
        raise NotationError(f"field {name}: {error}") from None


def _refusal(value: object, name: str, accepted: str) -> NotationError:
    try:
        shown = quoted(value)
    except RecursionError:  # a value that could be read may still be too deep to be printed
        shown = "what is nested too deeply"
    return NotationError(f"field {name} holds {shown}; accepted: {accepted}")
