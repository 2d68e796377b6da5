"""The table of endpoints: routing, parsing of requests and documentation all use it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import mineproof
from mineproof.rules import FirstClick
from mineproof.surfaces.web.faults import STATUSES
from mineproof.surfaces.web.fields import Field, FieldKind
from mineproof.surfaces.web.positions import NOTATIONS
from mineproof.surfaces.web.schemas import SCHEMAS

__all__ = ["ENDPOINTS", "Endpoint", "openapi_json"]


@dataclass(frozen=True)
class Endpoint:
    """One address: the operation behind it, its fields, and the schema of its answer.

    `crew` says which threads do the work: quick ones, or those that may take their time.
    """

    method: str
    path: str
    operation: str
    summary: str
    answer: str
    fields: tuple[Field, ...] = ()
    crew: str = "moves"
    by_client: bool = False
    """Whether the operation is told the address that asks, as `client`."""


_CELL = Field("cell", FieldKind.NUMBER, "the number of a cell", required=True)
_BOARD = Field(
    "board",
    FieldKind.TEXT,
    "a preset such as expert, or such as 9x9/10, hex:11x11/28",
    required=True,
)
_SEED = Field("seed", FieldKind.NUMBER, "decides the deal; random if left out")
_FIRST = Field(
    "first_click",
    FieldKind.TEXT,
    "what the first cell may be: any, safe or opening (safe)",
    accepted=tuple(rule.value for rule in FirstClick),
)
_CLUES = Field("clues", FieldKind.TEXT, "a clue channel such as withheld:0.3 (exact)")
_TEXT = Field("text", FieldKind.TEXT, "a position in any accepted notation", required=True)
_WIN = Field("win", FieldKind.SWITCH, "whether to work out the chance to win as well")

_AT = Field("at", FieldKind.NUMBER, "the moves before; a move asked for twice is made once")
_SEE = Field("see", FieldKind.SWITCH, "whether to add the analysis after the move, if it is quick")

_GAME = "/api/games/{game}"

ENDPOINTS = (
    Endpoint("GET", "/api/boards", "boards", "Presets, topologies and limits.", "Boards"),
    Endpoint("GET", "/api/agents", "agents", "The agents that can be watched.", "Agents"),
    Endpoint(
        "POST",
        "/api/games",
        "new_game",
        "Begin a game, or take one up that was begun elsewhere.",
        "Game",
        (
            _BOARD,
            _SEED,
            _FIRST,
            _CLUES,
            Field("moves", FieldKind.TEXT, "moves to play at once, such as o12f3u3c12"),
            Field("elapsed_ms", FieldKind.NUMBER, "the time that they took (0)"),
            Field("practice", FieldKind.SWITCH, "whether moves were taken back before"),
            Field(
                "no_guess",
                FieldKind.SWITCH,
                "whether the board is to be solvable from its first cell without a guess",
            ),
        ),
        by_client=True,
    ),
    Endpoint("GET", _GAME, "game", "All that the player may know of a game.", "Game"),
    Endpoint("POST", f"{_GAME}/open", "open", "Open a cell.", "Moved", (_CELL, _AT, _SEE)),
    Endpoint(
        "POST",
        f"{_GAME}/flag",
        "flag",
        "Set a flag or take it off.",
        "Moved",
        (_CELL, Field("on", FieldKind.SWITCH, "toggles the flag if left out"), _AT),
    ),
    Endpoint(
        "POST",
        f"{_GAME}/chord",
        "chord",
        "Open the unflagged neighbours of a clue that has as many flags.",
        "Moved",
        (_CELL, _AT, _SEE),
    ),
    Endpoint(
        "POST",
        f"{_GAME}/undo",
        "undo",
        "Take moves back; the game goes on as practice.",
        "Game",
        (Field("moves", FieldKind.NUMBER, "how many (1)"), _AT),
    ),
    Endpoint(
        "GET",
        f"{_GAME}/analysis",
        "game_analysis",
        "The chance of a mine in every cell, exactly, and the best move.",
        "Analysis",
        (_WIN,),
        "analyses",
    ),
    Endpoint(
        "GET",
        f"{_GAME}/explain",
        "game_explain",
        "Why a cell is certain, or two solutions that differ there.",
        "Explanation",
        (_CELL,),
        "proofs",
    ),
    Endpoint(
        "GET",
        f"{_GAME}/hint",
        "hint",
        "What is certain, told bit by bit: where, from which clues, which cell, why.",
        "Hint",
        (Field("level", FieldKind.NUMBER, "how much to tell, from 1 (1)"),),
        "proofs",
    ),
    Endpoint(
        "GET",
        f"{_GAME}/certificate",
        "certificate",
        "The proof that a finished game needed no guess, as a line of JSON.",
        "Text",
        (),
        "proofs",
    ),
    Endpoint(
        "GET",
        f"{_GAME}/review",
        "review",
        "Every move with its risk, the least there was, and what it cost.",
        "Review",
        (),
        "analyses",
    ),
    Endpoint(
        "POST",
        "/api/positions",
        "position",
        "Read a position, or begin an empty one; says whether any layout explains it.",
        "Position",
        (
            Field("text", FieldKind.TEXT, _TEXT.doc),
            Field("board", FieldKind.TEXT, "instead: a board of which nothing is open"),
        ),
        "analyses",
    ),
    Endpoint(
        "POST",
        "/api/positions/analysis",
        "position_analysis",
        "The chance of a mine in every cell of a position.",
        "Analysis",
        (_TEXT, _WIN),
        "analyses",
    ),
    Endpoint(
        "POST",
        "/api/positions/explain",
        "position_explain",
        "Why a cell of a position is certain, or why not.",
        "Explanation",
        (_TEXT, _CELL),
        "proofs",
    ),
    Endpoint(
        "POST",
        "/api/positions/export",
        "export",
        "A position in another notation.",
        "Text",
        (_TEXT, Field("to", FieldKind.TEXT, "the notation", required=True, accepted=NOTATIONS)),
    ),
    Endpoint("GET", "/api/lessons", "lessons", "Patterns and puzzles, in order.", "Lessons"),
    Endpoint(
        "GET",
        "/api/puzzles/{puzzle}",
        "puzzle",
        "A puzzle that teaches, with its answer.",
        "Puzzle",
        (),
        "analyses",
    ),
    Endpoint(
        "GET",
        "/api/puzzles/{puzzle}/explain",
        "puzzle_explain",
        "Why a cell of a puzzle is certain, or why not.",
        "Explanation",
        (_CELL,),
        "proofs",
    ),
    Endpoint(
        "POST",
        "/api/watch",
        "watch",
        "Let one or two agents play the same deal.",
        "Watched",
        (
            _BOARD,
            _SEED,
            _FIRST,
            _CLUES,
            Field("agents", FieldKind.TEXTS, "one or two names of the catalog", required=True),
        ),
        "agents",
    ),
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
        for name in re.findall(r"\{(\w+)\}", endpoint.path)
    ]
    if endpoint.method == "GET":
        parameters += [
            {"name": field.name, "in": "query", "required": field.required, "schema": field.schema}
            for field in endpoint.fields
        ]
    else:
        described["requestBody"] = {
            "required": any(field.required for field in endpoint.fields),
            "content": {"application/json": {"schema": _body(endpoint)}},
        }
    if parameters:
        described["parameters"] = parameters
    return described


def _body(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {field.name: field.schema for field in endpoint.fields},
        "required": [field.name for field in endpoint.fields if field.required],
        "additionalProperties": False,
    }


def _content(description: str, schema: str) -> dict[str, Any]:
    return {
        "description": description,
        "content": {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}},
    }
