"""Replies of a model: how an answer is found in a text, and the grade that it gets.

The last JSON object of a reply is its answer, so that a model may think aloud before it. A reply is
hostile input: its length, the number of objects tried and the size of every list are limited.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

from mineproof.board.topology import Topology, parse_coordinates
from mineproof.errors import InputError, NotationError, quoted
from mineproof.fields import FieldTable, FieldValue
from mineproof.view.view import View

MOST_REPLY = 64 * 1024
"""Characters of a reply; a longer one is unreadable."""
_MOST_OBJECTS = 200
_LONGEST_NUMBER = 40
_NUMBER = re.compile(r"(\d+(?:\.\d+)?|\.\d+)\s*(%)?|(\d+)\s*/\s*(\d+)")
_DECODER = json.JSONDecoder()


class Verdict(Enum):
    """What became of a reply. Only an answer has a score other than 0."""

    ANSWER = "answer"
    UNREADABLE = "unreadable"
    """No answer in the form that was asked for."""
    ILLEGAL = "illegal"
    """It names a cell that is off the board or open."""
    SILENT = "silent"
    """Nothing but white space, or no reply at all."""


@dataclass(frozen=True)
class Grade:
    """The grade of a reply: 1 at best, 0 for what needs no thought; some kinds go below 0."""

    score: float
    verdict: Verdict = Verdict.ANSWER
    metrics: dict[str, float] = field(default_factory=dict)
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        return {
            "score": self.score,
            "verdict": self.verdict.value,
            "metrics": self.metrics,
            "note": self.note,
        }


class BadReply(Exception):
    """A reply that is no answer; `verdict` says in which way."""

    def __init__(self, verdict: Verdict, note: str) -> None:
        super().__init__(note)
        self.verdict, self.note = verdict, note

    @property
    def grade(self) -> Grade:
        return Grade(0.0, self.verdict, note=self.note)


def check_length(reply: str | None) -> str:
    """The reply, if it is one. Raises BadReply."""
    if reply is None or not reply.strip():
        raise BadReply(Verdict.SILENT, "no reply")
    if len(reply) > MOST_REPLY:
        raise BadReply(Verdict.UNREADABLE, f"longer than {MOST_REPLY} characters")
    return reply


def answer_of(reply: str | None, names: Collection[str]) -> FieldTable:
    """The last JSON object of a reply that has one of these fields. Raises BadReply."""
    text = check_length(reply)
    found: dict[str, Any] | None = None
    place, tried = text.find("{"), 0
    while place >= 0 and tried < _MOST_OBJECTS:
        tried += 1
        end = place + 1
        try:
            value, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            pass
        else:
            if isinstance(value, dict) and not value.keys().isdisjoint(names):
                found = value
        place = text.find("{", end)
    if found is None:
        raise BadReply(Verdict.UNREADABLE, f"no JSON object with {' or '.join(names)}")
    return FieldTable(found)


def cells_of(answer: FieldTable, name: str, view: View) -> list[int]:
    """The hidden cells that a field lists; none where it is left out. Raises BadReply."""
    listed = answer.get(name, [])
    value = [listed.value] if isinstance(listed.value, str) else listed.value
    try:
        places = FieldValue(value, name).items(4 * len(view))
    except NotationError as error:
        raise BadReply(Verdict.UNREADABLE, str(error)) from None
    return [hidden_cell(place, view) for place in places]


def hidden_cell(place: object, view: View) -> int:
    """The hidden cell that is written `3,4` or `[3, 4]`. Raises BadReply."""
    cell = _cell(place, view.topology)
    if view.is_open(cell):
        raise BadReply(Verdict.ILLEGAL, f"cell {view.topology.cell_name(cell)} is open")
    return cell


def _cell(place: object, topology: Topology) -> int:
    try:
        if isinstance(place, str):
            coordinates = parse_coordinates(place.strip().strip("()").replace(" ", ""))
        elif isinstance(place, list) and all(type(number) is int for number in place):
            coordinates = tuple(place)
        else:
            raise BadReply(Verdict.UNREADABLE, f"{quoted(place)} is no cell")
    except InputError as error:
        raise BadReply(Verdict.UNREADABLE, str(error)) from None
    try:
        return topology.cell(coordinates)
    except InputError as error:
        raise BadReply(Verdict.ILLEGAL, str(error)) from None


def truth_of(answer: FieldTable, name: str) -> bool:
    """A field that is true or false. Raises BadReply."""
    value = answer.get(name, None).value
    if not isinstance(value, bool):
        raise BadReply(Verdict.UNREADABLE, f"field {name} is not true or false")
    return value


def share_of(answer: FieldTable, name: str) -> float:
    """A chance: a number, `0.25`, `25 %` or `1/4`. Raises BadReply."""
    value = answer.get(name, None).value
    share: Fraction | float | None = None
    if isinstance(value, int | float) and not isinstance(value, bool):
        share = value
    elif isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        match = _NUMBER.fullmatch(value.strip())
        if match and match[1]:
            share = Fraction(match[1]) / (100 if match[2] else 1)
        elif match and int(match[4]):
            share = Fraction(int(match[3]), int(match[4]))
    if share is None or not 0 <= share <= 1:  # which refuses NaN as well
        raise BadReply(Verdict.UNREADABLE, f"field {name} is no chance from 0 to 1")
    return float(share)
