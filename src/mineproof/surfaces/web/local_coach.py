"""The coach without a server: requests of a page, answered in the same program.

A page that runs mineproof itself has nobody who could wait for a task while it is done elsewhere.
So a request that wants one is broken off, the page has the task done, and the request is carried
out again from its beginning with what the task answered. Nothing may have changed before an
operation asks for a task; what was drawn by lot is drawn again as it was.
"""

from __future__ import annotations

import json
import secrets
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from mineproof.errors import MineproofError, quoted
from mineproof.surfaces.web.faults import Refused, fault_of
from mineproof.surfaces.web.fields import read_body, read_fields, read_query
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.openapi import ENDPOINTS, Endpoint
from mineproof.surfaces.web.service import Coach
from mineproof.surfaces.web.task_doers import answer_of

__all__ = ["LocalCoach"]

LIMITS = CoachLimits(games=40, games_each=40, all_cells=200_000)
"""One player's: the page keeps all games itself, and begins one again that was let go."""


@dataclass
class _Request:
    """A request and what became of it so far."""

    path: str
    body: str | None
    told: list[Mapping[str, Any] | None] = field(default_factory=list)
    """The answers of the tasks that it wanted; None for one that was ended."""
    drawn: list[int] = field(default_factory=list)


class _Wanted(Exception):
    """A task that a request cannot go on without; no error of ours, which operations may catch."""

    def __init__(self, task: str, asked: dict[str, Any], seconds: float) -> None:
        super().__init__(task)
        self.message = {"task": task, "asked": asked, "seconds": seconds}


class _Rehearsal:
    """The workers and the lots of the request that is carried out: known, or wanted."""

    def __init__(self) -> None:
        self._request = _Request("", None)
        self._asked = self._drawn = 0

    def begin(self, request: _Request) -> None:
        self._request, self._asked, self._drawn = request, 0, 0

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        """What the task answered. Raises _Wanted where it has not been done, and Refused."""
        self._asked += 1
        if self._asked > len(self._request.told):
            raise _Wanted(task, asked, seconds)
        return answer_of(self._request.told[self._asked - 1], seconds, otherwise)

    def draw(self, below: int) -> int:
        self._drawn += 1
        if self._drawn > len(self._request.drawn):
            self._request.drawn.append(secrets.randbelow(below))
        return self._request.drawn[self._drawn - 1]

    def warm_up(self) -> None:
        """The page does."""

    def close(self) -> None:
        """The page does."""


class LocalCoach:
    """Answers requests by their path and body, as texts of JSON: one of three objects.

    `{"answer": ...}` and `{"error": ...}` are what a server would send. `{"wanted": {"task",
    "asked", "seconds"}}` is a task to be done by `mineproof.surfaces.web.tasks.done`; what it
    tells, or null if it was ended at its time limit, is given to `go_on`.
    """

    def __init__(
        self, limits: CoachLimits = LIMITS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rehearsal = _Rehearsal()
        self._coach = Coach(limits, clock, self._rehearsal, self._rehearsal.draw)
        self._waiting: dict[int, _Request] = {}

    def ask(self, number: int, path: str, body: str | None) -> str:
        """Carry out a request; `number` is the page's name for it. With a body it is a POST."""
        return self._carry_out(number, _Request(path, body))

    def go_on(self, number: int, told: str) -> str:
        """Carry out a request again, with what the task that it wanted has told."""
        request = self._waiting.pop(number)
        request.told.append(json.loads(told))
        return self._carry_out(number, request)

    def drop(self, number: int) -> None:
        """Forget a request that waits for a task."""
        self._waiting.pop(number, None)

    def _carry_out(self, number: int, request: _Request) -> str:
        try:
            answer = {"answer": self._answer(request)}
        except _Wanted as wanted:
            self._waiting[number] = request
            answer = {"wanted": wanted.message}
        except MineproofError as error:
            answer = _fault(fault_of(error))
        except Exception:
            traceback.print_exc()
            failed = "the coach failed; the browser's console says more"
            answer = _fault(Refused("failed", failed))
        return json.dumps(answer, allow_nan=False, separators=(",", ":"))

    def _answer(self, request: _Request) -> Any:
        address = urlsplit(request.path)
        endpoint, names = _route("GET" if request.body is None else "POST", address.path)
        longest = self._coach.limits.text
        if request.body is None:
            query = parse_qsl(address.query, keep_blank_values=True)
            fields = read_query(endpoint.fields, query, longest)
        else:
            fields = read_fields(endpoint.fields, read_body(request.body.encode()), longest)
        self._rehearsal.begin(request)
        return getattr(self._coach, endpoint.operation)(**names, **fields)


def _fault(refused: Refused) -> dict[str, Any]:
    told = refused.to_json()
    return {"error": told["error"], "status": refused.status}


def _route(method: str, path: str) -> tuple[Endpoint, dict[str, str]]:
    """The endpoint of an address, and what its path names. Raises Refused."""
    given = path.split("/")
    for endpoint in ENDPOINTS:
        wanted = endpoint.path.split("/")
        if endpoint.method != method or len(wanted) != len(given):
            continue
        names: dict[str, str] = {}
        for part, word in zip(wanted, given, strict=True):
            if part.startswith("{"):
                names[part[1:-1]] = unquote(word)
            elif part != word:
                break
        else:
            return endpoint, names
    raise Refused("not-found", f"there is nothing at {method} {quoted(path)}")
