"""Every endpoint of the coach with its fields and its answer, from the table that routes them."""

from __future__ import annotations

from typing import Any

from mineproof.web.answers import SCHEMAS
from mineproof.web.api import ENDPOINTS, Endpoint
from mineproof.web.requests import STATUSES

__all__ = ["endpoint_page"]

_HEAD = """# HTTP endpoints

What the coach's server answers, from the table that routes the requests. `GET /openapi.json` of a
running coach has the same as OpenAPI 3.1. [The coach](coach.md#the-server) says how it is run, and
what its limits are.

Cells are numbers from 0. A request's body is a JSON object; an answer is one too. The layout of a
game that runs is never told.
"""


def endpoint_page() -> str:
    """The whole page."""
    parts = [_HEAD, *map(_section, ENDPOINTS), _errors(), "## Answers\n"]
    parts += [_schema(name, schema) for name, schema in SCHEMAS.items()]
    return "\n".join(parts)


def _section(endpoint: Endpoint) -> str:
    parts = [
        f"## {endpoint.method} {endpoint.path}\n",
        f"{endpoint.summary} The answer is [{endpoint.answer}](#{endpoint.answer.lower()}).\n",
    ]
    if endpoint.fields:
        where = "query" if endpoint.method == "GET" else "body"
        parts += [f"| field of the {where} | type | |", "|---|---|---|"]
        for field in endpoint.fields:
            needed = "; required" if field.required else ""
            accepted = f"; one of {', '.join(field.accepted)}" if field.accepted else ""
            parts.append(f"| `{field.name}` | {field.kind.value} | {field.doc}{accepted}{needed} |")
        parts.append("")
    return "\n".join(parts)


def _errors() -> str:
    rows = "\n".join(f"| `{code}` | {status} |" for code, status in STATUSES.items())
    return (
        "## Errors\n\nAn error is an [Error](#error): a code and a message of one line.\n\n"
        f"| code | HTTP status |\n|---|---|\n{rows}\n"
    )


def _schema(name: str, schema: dict[str, Any]) -> str:
    lines = [f"### {name}\n"]
    properties = schema.get("properties", {})
    if not properties:
        return "\n".join([*lines, f"{_type(schema)}\n"])
    needed = set(schema.get("required", ()))
    lines += ["| key | holds |", "|---|---|"]
    for key, one in properties.items():
        absent = "" if key in needed else " (may be absent)"
        lines.append(f"| `{key}` | {_type(one)}{absent} |")
    return "\n".join([*lines, ""])


def _type(schema: dict[str, Any]) -> str:
    """A schema in a few words."""
    said = _kind(schema)
    if described := schema.get("description"):
        said += f": {described}"
    return said.replace("|", "\\|")


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return " or ".join(f"`{word}`" for word in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    if "prefixItems" in schema:
        return f"a list of {', '.join(map(_kind, schema['prefixItems']))}"
    if schema.get("type") == "array":
        return f"a list of {_kind(schema.get('items', {}))}"
    if schema.get("type") == "object" and "properties" in schema:
        keys = (f"`{key}`: {_kind(one)}" for key, one in schema["properties"].items())
        return f"an object with {', '.join(keys)}"
    return {"integer": "whole number", "null": "null"}.get(
        str(schema.get("type", "any")), str(schema.get("type", "any"))
    )
