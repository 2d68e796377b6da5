"""Requests of the coach: fields, refusals, every limit, and the workers for slow tasks."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NoReturn, Protocol, get_args

from mineproof.engine.analysis import Budget
from mineproof.errors import (
    AgentFailure,
    BudgetExceeded,
    IllegalMove,
    InconsistentPosition,
    MineproofError,
    one_line,
    quoted,
)

MAX_SEED = 2**53 - 1
"""The largest whole number that JavaScript holds exactly."""
MOST_RECORDING = 2**20
"""The longest recorded game, in characters of base64; an hour of play is a third of it."""
_MOST_TEXTS = 8


class FieldKind(Enum):
    """What a field holds; the value is its JSON schema."""

    TEXT = "string"
    NUMBER = "integer"
    SWITCH = "boolean"
    TEXTS = "array"


_KINDS: dict[object, FieldKind] = {
    str: FieldKind.TEXT,
    int: FieldKind.NUMBER,
    bool: FieldKind.SWITCH,
    list[str]: FieldKind.TEXTS,
}


@dataclass(frozen=True)
class Field:
    """One field by name. One that is not required may be left out, or null."""

    name: str
    kind: FieldKind
    doc: str
    required: bool = False
    accepted: tuple[str, ...] = ()  # the words that a text may be; any if empty
    longest: int | None = None  # characters, where it is not the usual limit

    @classmethod
    def of(cls, name: str, hint: Any) -> Field:
        """The field that a parameter of an operation declares.

        Its type is `Annotated`: a type, `| None` if the field may be left out, what it means, and
        the words that it may be, as an `Enum` or a tuple, or how many characters it may have.
        """
        kind, doc, *notes = get_args(hint)
        longest = next((note for note in notes if isinstance(note, int)), None)
        words = [note for note in notes if not isinstance(note, int)]
        required = type(None) not in get_args(kind)
        if not required:
            kind, _ = get_args(kind)
        accepted = tuple(getattr(word, "value", word) for one in words for word in one)
        return cls(name, _KINDS[kind], doc, required, accepted, longest)

    @property
    def schema(self) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": self.kind.value, "description": self.doc}
        if self.kind is FieldKind.NUMBER:
            schema |= {"minimum": 0, "maximum": MAX_SEED}
        elif self.kind is FieldKind.TEXTS:
            schema |= {"items": {"type": "string"}, "maxItems": _MOST_TEXTS}
        if self.accepted:
            schema["enum"] = list(self.accepted)
        if self.longest is not None:
            schema["maxLength"] = self.longest
        return schema

    def check(self, value: object, longest: int) -> object:
        """Return `value` if it is of this kind. Raises Refusal."""
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
        return self._text(value, self.longest or longest)

    def _text(self, value: object, longest: int) -> str:
        if not isinstance(value, str):
            self._refuse(value, "a text")
        if len(value) > longest:
            raise Refusal(
                "malformed",
                f"field {self.name} has {len(value)} characters; accepted: at most {longest}",
            )
        if self.accepted and value not in self.accepted:
            self._refuse(value, ", ".join(self.accepted))
        return value

    def _refuse(self, value: object, accepted: str) -> NoReturn:
        given = quoted(value) if isinstance(value, str | int | float) else type(value).__name__
        raise Refusal("malformed", f"field {self.name} is {given}; accepted: {accepted}")

    def from_query(self, text: str) -> object:
        """The value that stands in an address. Raises Refusal."""
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
    """The values of all fields, None where one is left out. Raises Refusal."""
    known = {field.name for field in fields}
    for name in given:
        if name not in known:
            accepted = ", ".join(sorted(known)) or "none"
            raise Refusal("malformed", f"unknown field {quoted(name)}; accepted: {accepted}")
    found: dict[str, Any] = {}
    for field in fields:
        value = given.get(field.name)
        if value is None and field.required:
            raise Refusal("malformed", f"field {field.name} is missing: {field.doc}")
        found[field.name] = None if value is None else field.check(value, longest)
    return found


def read_body(body: bytes) -> dict[str, object]:
    """The JSON object of a body; an empty body is an empty one. Raises Refusal."""
    if not body.strip():
        return {}
    try:
        found = json.loads(body, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else _reason(error)
        raise Refusal(
            "malformed", f"the body is no JSON: {reason}; accepted: one JSON object"
        ) from None
    if not isinstance(found, dict):
        raise Refusal("malformed", "the body is no JSON object; accepted: {...}")
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
    """The fields of an address. Raises Refusal."""
    by_name = {field.name: field for field in fields}
    given: dict[str, object] = {}
    for name, text in query:
        if name in given:
            raise Refusal("malformed", f"field {quoted(name)} stands twice; accepted: once")
        given[name] = by_name[name].from_query(text) if name in by_name else text
    return read_fields(fields, given, longest)


# ----------------------------------------------------------------------------
# Refusals: the answer to a request that is not carried out, with a status, a code and one line.

STATUSES = {
    "malformed": 400,  # the request, a board or a position cannot be read
    "forbidden": 403,  # the Host or Origin is not this server's
    "not-found": 404,  # there is no such address or game
    "not-allowed": 405,  # the address is there, for another method
    "too-slow": 408,  # the body of the request did not come in time
    "contradiction": 409,  # no layout explains the position; `clash` has the cells
    "illegal": 409,  # a move that the referee refuses
    "gone": 410,  # the game was dropped: idle for too long, or to make room
    "too-large": 413,  # more bytes than a request may have
    "not-json": 415,  # a body that does not call itself JSON
    "too-wide": 422,  # more work than the budget allows; nothing is approximated
    "failed": 500,  # a fault of the server; its terminal says more
    "busy": 503,  # too many requests at once
}

_LONGEST = 1_000
TOO_WIDE = "too wide to count in the budget"


class Refusal(MineproofError):
    """A request that is not carried out, by its code in `STATUSES`."""

    def __init__(
        self, code: str, message: str, *, cell: int | None = None, clash: Sequence[int] = ()
    ) -> None:
        super().__init__(message)
        self.code = code
        self.cell = cell
        self.clash = tuple(clash)

    @property
    def status(self) -> int:
        return STATUSES[self.code]

    def to_json(self) -> dict[str, Any]:
        """The body of the answer."""
        error: dict[str, Any] = {"code": self.code, "message": one_line(self, _LONGEST)}
        if self.cell is not None:
            error["cell"] = self.cell
        if self.code == "contradiction":
            error["clash"] = list(self.clash)
        return {"error": error}


def refusal_of(error: MineproofError) -> Refusal:
    """The refusal that an error of mineproof stands for."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, InconsistentPosition):
        return Refusal("contradiction", str(error), clash=error.clues)
    if isinstance(error, BudgetExceeded):
        return Refusal("too-wide", f"{TOO_WIDE}: {error}")
    if isinstance(error, IllegalMove):
        return Refusal("illegal", str(error))
    if isinstance(error, AgentFailure):
        return Refusal("failed", str(error))
    return Refusal("malformed", str(error))


# -- Every limit of the coach's server; a request past one is refused with a clear line --

_BUDGET = Budget(states=4_000_000, memory=256 << 20)
_QUICK = Budget(states=20_000, memory=16 << 20)


@dataclass(frozen=True)
class CoachLimits:
    """The limits of one server."""

    body: int = 256 * 1024  # bytes of a request
    recording: int = MOST_RECORDING + 4096  # bytes of one that brings a recorded game
    events: int = 100_000  # events of the mouse in a recorded game
    body_seconds: float = 20.0  # seconds in which the body of a request must have come
    request_seconds: float = 20.0  # seconds in which a connection must come to a first request
    connections: int = 512  # connections at once
    connections_each: int = 128  # connections at once from one address
    text: int = 64 * 1024  # characters of one text in it
    cells: int = 10_000  # cells of a board
    games: int = 1_000  # games kept; beyond it the longest idle one is dropped
    games_each: int = 200  # the same of one address
    all_cells: int = 2_000_000  # cells of all games kept together
    idle: float = 2 * 3600.0  # seconds after which an idle game is dropped
    budget: Budget = _BUDGET  # the work of one analysis
    quick_budget: Budget = _QUICK  # the work of the analysis that comes with the answer to a move
    steps: int = 20_000  # the search for the fewest premises of one explanation
    proof_seconds: float = 5.0  # seconds of one explanation, the search included
    win_seconds: float = (
        2.0  # seconds after which no more games are played out for the chance to win
    )
    win_grace: float = 3.0  # seconds more before that is given up
    no_guess_cells: int = 1_000  # cells of a board that needs no guess
    no_guess_seconds: float = 10.0  # seconds in which such a board must be found
    certificate_seconds: float = 20.0  # seconds in which its certificate must be made
    review_seconds: float = (
        5.0  # seconds after which the rest of a review has no chances, or only risks
    )
    watch_cells: int = 1_000  # cells of a board on which agents are watched
    watch_seconds: float = 20.0  # seconds for all games of agents that are watched together
    waiting: int = 128  # requests of one kind under way before more are refused as busy
    watchers: int = 2  # agents' games that are played at once
    provers: int = 2  # explanations that are looked for at once
    dealers: int = 2  # boards without guesses in the making that take long; more are refused

    def moves(self, cells: int) -> int:
        """Moves of one game, flags included."""
        return 2 * cells + 1_000


# -- Workers for slow tasks, each of which can be ended at its time limit ------


class TaskWorkers(Protocol):
    """Processes beside a server, or a second worker of a page that has none."""

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        """The result of the task. Raises Refusal: the task's own, or `otherwise` past its time."""

    def warm_up(self) -> None:
        """Have one ready."""

    def close(self) -> None:
        """End them all."""


def task_answer(told: Mapping[str, Any] | None, seconds: float, otherwise: str) -> Any:
    """The result of a task; None stands for one that was ended. Raises Refusal."""
    if told is None:
        raise Refusal("too-wide", f"{TOO_WIDE}: {otherwise} within {seconds:g} seconds")
    if "error" in told:
        error = told["error"]
        raise Refusal(error["code"], error["message"], clash=error.get("clash", ()))
    return told["answer"]
