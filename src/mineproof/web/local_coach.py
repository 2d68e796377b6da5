"""The coach without a server: requests of a page, answered in the same program.

A page that runs mineproof itself cannot wait for a slow task within a request. A request that needs
one is aborted; the page has the task done in a second worker, and the request is replayed from its
beginning with the result and the same random draws. So an operation must change nothing before it
asks for a task.
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
from mineproof.web.api import ENDPOINTS, Endpoint
from mineproof.web.coach import Coach
from mineproof.web.requests import (
    CoachLimits,
    Refusal,
    read_body,
    read_fields,
    read_query,
    refusal_of,
    task_answer,
)

LIMITS = CoachLimits(games=40, games_each=40, all_cells=200_000)
"""One player's: the page keeps all games itself, and begins one again that was let go."""


@dataclass
class _PageRequest:
    """A request, with the task results and the random draws that it has so far."""

    path: str
    body: str | None
    results: list[Mapping[str, Any] | None] = field(default_factory=list)
    """The results of the tasks that it needed; None for one that was ended."""
    drawn: list[int] = field(default_factory=list)


class _TaskRequest(Exception):
    """A task that a request needs. Not a MineproofError: operations catch those."""

    def __init__(self, task: str, asked: dict[str, Any], seconds: float) -> None:
        super().__init__(task)
        self.message = {"task": task, "asked": asked, "seconds": seconds}


class _ReplayWorkers:
    """The workers and the random draws of one request: known from before, or still needed."""

    def __init__(self) -> None:
        self._request = _PageRequest("", None)
        self._asked = self._drawn = 0

    def begin(self, request: _PageRequest) -> None:
        self._request, self._asked, self._drawn = request, 0, 0

    def ask(self, task: str, asked: dict[str, Any], seconds: float, otherwise: str) -> Any:
        """The result of the task. Raises _TaskRequest where it has not been done, and Refusal."""
        self._asked += 1
        if self._asked > len(self._request.results):
            raise _TaskRequest(task, asked, seconds)
        return task_answer(self._request.results[self._asked - 1], seconds, otherwise)

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
    "asked", "seconds"}}` is a task to be done by `mineproof.web.tasks.run_task`;
    its result, or null if it was ended at its time limit, is given to `go_on`.
    """

    def __init__(
        self, limits: CoachLimits = LIMITS, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._workers = _ReplayWorkers()
        self._coach = Coach(limits, clock, self._workers, self._workers.draw)
        self._waiting: dict[int, _PageRequest] = {}

    def ask(self, number: int, path: str, body: str | None) -> str:
        """Carry out a request; `number` is the page's name for it. With a body it is a POST."""
        return self._carry_out(number, _PageRequest(path, body))

    def go_on(self, number: int, told: str) -> str:
        """Replay a request with the result of the task that it needed."""
        request = self._waiting.pop(number)
        request.results.append(json.loads(told))
        return self._carry_out(number, request)

    def drop(self, number: int) -> None:
        """Forget a request that waits for a task."""
        self._waiting.pop(number, None)

    def _carry_out(self, number: int, request: _PageRequest) -> str:
        try:
            answer = {"answer": self._answer(request)}
        except _TaskRequest as wanted:
            self._waiting[number] = request
            answer = {"wanted": wanted.message}
        except MineproofError as error:
            refused = refusal_of(error)
            answer = {**refused.to_json(), "status": refused.status}
        except Exception:
            traceback.print_exc()
            refused = Refusal("failed", "the coach failed; the browser's console says more")
            answer = {**refused.to_json(), "status": refused.status}
        return json.dumps(answer, allow_nan=False, separators=(",", ":"))

    def _answer(self, request: _PageRequest) -> Any:
        address = urlsplit(request.path)
        endpoint, names = _route("GET" if request.body is None else "POST", address.path)
        longest = self._coach.limits.text
        if request.body is None:
            query = parse_qsl(address.query, keep_blank_values=True)
            fields = read_query(endpoint.fields, query, longest)
        else:
            fields = read_fields(endpoint.fields, read_body(request.body.encode()), longest)
        self._workers.begin(request)
        return getattr(self._coach, endpoint.operation)(**names, **fields)


def _route(method: str, path: str) -> tuple[Endpoint, dict[str, str]]:
    """The endpoint of an address, and what its path names. Raises Refusal."""
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
    raise Refusal("not-found", f"there is nothing at {method} {quoted(path)}")
