"""A coach without a network: requests go straight into the app, answers are checked by schema."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import pytest
from starlette.types import ASGIApp, Message

from mineproof.web.answers import SCHEMAS
from mineproof.web.api import ENDPOINTS
from mineproof.web.app import make_app
from mineproof.web.coach import Coach
from mineproof.web.requests import CoachLimits

HOST = "127.0.0.1:8017"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of an error, which is one line."""
        error = self.json["error"]
        assert "\n" not in error["message"]
        assert error["message"]
        check_schema(self.json, SCHEMAS["Error"])
        return str(error["code"])


class Client:
    """Sends requests as a browser would, and checks what comes back against its schema."""

    def __init__(self, app: ASGIApp, coach: Coach) -> None:
        self.app, self.coach = app, coach

    def raw(
        self,
        method: str,
        path: str,
        body: bytes | Iterable[bytes] = b"",
        headers: dict[str, str] | None = None,
    ) -> Answer:
        sent = {"host": HOST, "content-type": "application/json", **(headers or {})}
        parts = [body] if isinstance(body, bytes) else list(body)
        place, _, query = path.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": place,
            "raw_path": place.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(k.lower().encode(), v.encode("latin-1")) for k, v in sent.items()],
            "server": ("127.0.0.1", 8017),
            "client": ("127.0.0.1", 50000),
        }

        async def exchange() -> list[Message]:
            messages: list[Message] = []
            waiting = _parts(parts)

            async def receive() -> Message:
                return await anext(waiting)

            async def send(message: Message) -> None:
                messages.append(message)

            await self.app(scope, receive, send)
            return messages

        # In a thread: a worker of the suite that drove a browser before has a loop running in this.
        with ThreadPoolExecutor(1) as thread:
            messages = thread.submit(asyncio.run, exchange()).result()
        start = messages[0]
        found = {k.decode(): v.decode() for k, v in start["headers"]}
        data = b"".join(message.get("body", b"") for message in messages[1:])
        if found.get("content-encoding") == "gzip":
            data = gzip.decompress(data)
        return Answer(start["status"], found, data)

    def get(self, path: str, **headers: str) -> Answer:
        return self._checked("GET", path, self.raw("GET", path, headers=headers))

    def post(self, path: str, /, **fields: object) -> Answer:
        body = json.dumps(fields).encode()
        return self._checked("POST", path, self.raw("POST", path, body))

    def _checked(self, method: str, path: str, answer: Answer) -> Answer:
        """Nothing but what the documentation says is ever answered."""
        if path.startswith("/api/"):
            if answer.status != 200:
                assert answer.code
                return answer
            check_schema(answer.json, SCHEMAS[_schema_of(method, path)])
        return answer

    def new(self, board: str, **fields: object) -> tuple[str, dict[str, Any]]:
        """A new game: its address and what it answered."""
        answer = self.post("/api/games", board=board, **fields)
        assert answer.status == 200, answer.body
        return f"/api/games/{answer.json['game']}", answer.json


async def _parts(parts: list[bytes]) -> AsyncIterator[Message]:
    for place, part in enumerate(parts, 1):
        yield {"type": "http.request", "body": part, "more_body": place < len(parts)}
    while True:
        yield {"type": "http.disconnect"}


def _schema_of(method: str, path: str) -> str:
    words = path.partition("?")[0].split("/")
    for endpoint in ENDPOINTS:
        pattern = endpoint.path.split("/")
        same = len(pattern) == len(words) and all(
            part == word or part.startswith("{") for part, word in zip(pattern, words, strict=True)
        )
        if same and endpoint.method == method:
            return endpoint.answer
    raise AssertionError(f"{method} {path} is not in the table")


def check_schema(value: Any, schema: dict[str, Any], at: str = "$") -> None:
    """The part of JSON Schema that the documentation uses; AssertionError names the place."""
    if "$ref" in schema:
        check_schema(value, SCHEMAS[schema["$ref"].rpartition("/")[2]], at)
        return
    if "anyOf" in schema:
        assert any(_fits(value, one, at) for one in schema["anyOf"]), f"{at}: {value!r}"
        return
    if "enum" in schema:
        assert value in schema["enum"], f"{at}: {value!r}"
        return
    kinds: dict[str, Any] = {
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
        "array": list,
        "object": dict,
        "null": type(None),
    }
    kind = schema["type"]
    assert isinstance(value, kinds[kind]), f"{at}: {value!r} is no {kind}"
    assert kind not in ("integer", "number") or not isinstance(value, bool), at
    assert value >= schema["minimum"] if "minimum" in schema else True, f"{at}: {value}"
    assert value <= schema["maximum"] if "maximum" in schema else True, f"{at}: {value}"
    if kind == "object":
        properties = schema["properties"]
        assert set(value) <= set(properties), f"{at}: {set(value) - set(properties)}"
        assert set(schema["required"]) <= set(value), f"{at}: {set(schema['required'])}"
        for name, one in value.items():
            check_schema(one, properties[name], f"{at}.{name}")
    if kind == "array":
        fixed = schema.get("prefixItems", ())
        for place, one in enumerate(value):
            items = fixed[place] if place < len(fixed) else schema["items"]
            check_schema(one, items, f"{at}[{place}]")


def _fits(value: Any, schema: dict[str, Any], at: str) -> bool:
    try:
        check_schema(value, schema, at)
    except AssertionError:
        return False
    return True


PATIENT = CoachLimits(
    proof_seconds=120.0, win_grace=120.0, review_seconds=120.0, watch_seconds=240.0
)
"""The usual limits, but for those of time: on a slow machine the same is answered, later."""


@pytest.fixture(scope="session")
def shared_coach() -> Iterator[Coach]:
    coach = Coach(PATIENT)
    yield coach
    coach.workers.close()


@pytest.fixture(scope="session")
def client(shared_coach: Coach) -> Client:
    """A coach that takes its time, shared by all tests: games of others do not matter."""
    return Client(make_app(shared_coach), shared_coach)


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def small(clock: Clock) -> Client:
    """A coach that can be filled up by hand."""
    limits = replace(PATIENT, body=2_000, text=500, cells=100, games=3, all_cells=200, idle=60.0)
    coach = Coach(limits, clock)
    return Client(make_app(coach), coach)
