"""The HTTP endpoints: the table that gives each operation of `Coach` an address, as OpenAPI too.

Routing, reading of requests and documentation all use the table.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_type_hints

import mineproof
from mineproof.web.answers import SCHEMAS, answer_name
from mineproof.web.coach import Coach
from mineproof.web.requests import STATUSES, Field


@dataclass(frozen=True)
class Endpoint:
    """One address and the operation behind it.

    `queue` says which threads do the work: quick ones, or those that may take their time.
    """

    method: str
    path: str
    call: Callable[..., Any]
    queue: str = "moves"

    @property
    def operation(self) -> str:
        """The name of the method of `Coach`."""
        return self.call.__name__

    @property
    def summary(self) -> str:
        """What it does, in a line."""
        return inspect.getdoc(self.call) or ""

    @cached_property
    def answer(self) -> str:
        """The name of the answer in the documentation."""
        return answer_name(self._hints["return"])

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the body, or of the query of a GET."""
        others = ("self", "client", *self.path_names)
        names = [name for name in inspect.signature(self.call).parameters if name not in others]
        return tuple(Field.of(name, self._hints[name]) for name in names)

    @cached_property
    def by_client(self) -> bool:
        """Whether the operation takes the address that asks, as `client`."""
        return "client" in self._hints

    @property
    def path_names(self) -> list[str]:
        """The parameters that stand in the path."""
        return re.findall(r"\{(\w+)\}", self.path)

    @cached_property
    def _hints(self) -> dict[str, Any]:
        return get_type_hints(self.call, include_extras=True)


_GAME = "/api/games/{game}"
RECORDINGS = "/api/recordings"

ENDPOINTS = (
    Endpoint("GET", "/api/boards", Coach.boards),
    Endpoint("GET", "/api/agents", Coach.agents),
    Endpoint("POST", "/api/daily", Coach.daily),
    Endpoint("POST", "/api/games", Coach.new_game),
    Endpoint("GET", _GAME, Coach.game),
    Endpoint("POST", f"{_GAME}/open", Coach.open),
    Endpoint("POST", f"{_GAME}/flag", Coach.flag),
    Endpoint("POST", f"{_GAME}/chord", Coach.chord),
    Endpoint("POST", f"{_GAME}/undo", Coach.undo),
    Endpoint("GET", f"{_GAME}/analysis", Coach.game_analysis, "analyses"),
    Endpoint("GET", f"{_GAME}/explain", Coach.game_explain, "proofs"),
    Endpoint("GET", f"{_GAME}/hint", Coach.hint, "proofs"),
    Endpoint("GET", f"{_GAME}/certificate", Coach.certificate, "proofs"),
    Endpoint("GET", f"{_GAME}/review", Coach.review, "analyses"),
    Endpoint("POST", RECORDINGS, Coach.recording, "analyses"),
    Endpoint("POST", "/api/positions", Coach.position, "analyses"),
    Endpoint("POST", "/api/positions/analysis", Coach.position_analysis, "analyses"),
    Endpoint("POST", "/api/positions/explain", Coach.position_explain, "proofs"),
    Endpoint("POST", "/api/positions/export", Coach.export),
    Endpoint("GET", "/api/lessons", Coach.lessons),
    Endpoint("GET", "/api/puzzles/{puzzle}", Coach.puzzle, "analyses"),
    Endpoint("GET", "/api/puzzles/{puzzle}/explain", Coach.puzzle_explain, "proofs"),
    Endpoint("POST", "/api/watch", Coach.watch, "agents"),
)


def openapi_json() -> dict[str, Any]:
    """The documentation of all endpoints, as OpenAPI 3.1."""
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in ENDPOINTS:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "mineproof coach",
            "version": mineproof.__version__,
            "description": "Cells are numbers from 0; the board's description has their"
            " coordinates. The layout of a game that runs is never told.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {"schemas": SCHEMAS},
    }


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": endpoint.operation,
        "summary": endpoint.summary,
        "responses": {
            "200": _content("The answer.", endpoint.answer),
            "default": _content(f"One line; codes: {', '.join(STATUSES)}.", "Error"),
        },
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in endpoint.path_names
    ]
    if endpoint.method == "GET":
        parameters += [
            {"name": field.name, "in": "query", "required": field.required, "schema": field.schema}
            for field in endpoint.fields
        ]
    else:
        required = [field.name for field in endpoint.fields if field.required]
        body = {
            "type": "object",
            "properties": {field.name: field.schema for field in endpoint.fields},
            "required": required,
            "additionalProperties": False,
        }
        described["requestBody"] = {
            "required": bool(required),
            "content": {"application/json": {"schema": body}},
        }
    if parameters:
        described["parameters"] = parameters
    return described


def _content(description: str, schema: str) -> dict[str, Any]:
    return {
        "description": description,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}},
    }
