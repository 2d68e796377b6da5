"""The ASGI app: routes from the table of endpoints, work in threads, answers as JSON."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from html import escape
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from mineproof.errors import MineproofError, quoted
from mineproof.surfaces.web.crew import Crew
from mineproof.surfaces.web.faults import STATUSES, Refused, fault_of
from mineproof.surfaces.web.fields import read_body, read_fields, read_query
from mineproof.surfaces.web.guard import LOOPBACK_HOSTS, Guard
from mineproof.surfaces.web.openapi import ENDPOINTS, Endpoint, openapi_json
from mineproof.surfaces.web.service import Coach
from mineproof.surfaces.web.statics import PAGE, StaticFiles

__all__ = ["make_app"]

_LEAST_ZIPPED = 1024
_NOTHING = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Not found · mineproof coach</title>
<h1>There is nothing at {path}</h1>
<p><a href="/">Go to the coach</a></p>
</html>
"""
"""What somebody reads who mistyped an address; programs get JSON."""
_LOG = logging.getLogger("mineproof.coach")

Handler = Callable[[Request], Awaitable[Response]]


def make_app(
    coach: Coach | None = None,
    *,
    hosts: Collection[str] = LOOPBACK_HOSTS,
    any_address: bool = False,
    files: StaticFiles | None = None,
) -> ASGIApp:
    """The app of one coach. `hosts` and `any_address` say which Host headers are accepted."""
    served = coach or Coach()
    static = files or StaticFiles()
    limits = served.limits
    crews = {
        "moves": Crew("moves", 2 + limits.dealers, limits.waiting),
        "analyses": Crew("analyses", 4, limits.waiting),
        "proofs": Crew("proofs", limits.provers, limits.waiting),
        "agents": Crew("agents", limits.watchers, 2 * limits.watchers),
    }

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        # Starting a process takes longer than a proof: one is ready when the first is asked for.
        crews["proofs"].begin(served.workers.warm_up)
        yield
        for crew in crews.values():
            crew.close()
        served.workers.close()

    async def page(request: Request) -> Response:
        return static.answer(PAGE, request)

    async def file(request: Request) -> Response:
        return static.answer(request.path_params["name"], request)

    async def documentation(request: Request) -> Response:
        return _json_response(_encoded(openapi_json(), request))

    routes = [
        Route("/", _guarded(page), methods=["GET"]),
        Route("/static/{name:path}", _guarded(file), methods=["GET"]),
        Route("/openapi.json", _guarded(documentation), methods=["GET"]),
    ]
    for endpoint in ENDPOINTS:
        handler = _endpoint(endpoint, served, crews[endpoint.crew])
        routes.append(Route(endpoint.path, _guarded(handler), methods=[endpoint.method]))
    app = Starlette(
        routes=routes,
        lifespan=lifespan,
        exception_handlers={HTTPException: _no_route},
    )
    app.router.redirect_slashes = False
    return Guard(
        app,
        hosts=hosts,
        any_address=any_address,
        most_bytes=limits.body,
        most_seconds=limits.body_seconds,
    )


def _endpoint(endpoint: Endpoint, coach: Coach, crew: Crew) -> Handler:
    """The handler that reads the fields, lets the crew do the work and writes the answer."""
    operation = getattr(coach, endpoint.operation)
    longest = coach.limits.text

    async def handle(request: Request) -> Response:
        if endpoint.method == "GET":
            fields = read_query(endpoint.fields, request.query_params.multi_items(), longest)
        else:
            fields = read_fields(endpoint.fields, read_body(await request.body()), longest)

        if endpoint.by_client:
            fields["client"] = "" if request.client is None else request.client.host

        def work() -> tuple[bytes, bool]:
            return _encoded(operation(**request.path_params, **fields), request)

        return _json_response(await crew.run(work))

    return handle


def _encoded(answer: Any, request: Request) -> tuple[bytes, bool]:
    """The bytes of an answer, and whether they are zipped."""
    data = json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()
    if len(data) > _LEAST_ZIPPED and "gzip" in request.headers.get("accept-encoding", ""):
        return gzip.compress(data, 3, mtime=0), True
    return data, False


def _json_response(encoded: tuple[bytes, bool], status: int = 200) -> Response:
    data, zipped = encoded
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if zipped else None
    return Response(data, status, headers, "application/json")


def _fault(refused: Refused, headers: dict[str, str] | None = None) -> Response:
    data = json.dumps(refused.to_json()).encode()
    return Response(data, refused.status, headers, "application/json")


def _guarded(handler: Handler) -> Handler:
    """The handler with every error turned into an answer of one line."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except ClientDisconnect:
            return Response(status_code=STATUSES["malformed"])  # nobody is there to read it
        except MineproofError as error:
            return _fault(fault_of(error))
        except Exception:
            # The player's message reveals no internals; the terminal has them all.
            _LOG.exception("%s %s failed", request.method, request.url.path)
            return _fault(Refused("failed", "the server failed; its terminal says more"))

    return handle


async def _no_route(request: Request, error: Exception) -> Response:
    """An address or method that the table does not have."""
    path = quoted(request.url.path)
    if isinstance(error, HTTPException) and error.status_code == STATUSES["not-allowed"]:
        headers = dict(error.headers or {})
        accepted = headers.get("Allow", "")
        refused = Refused(
            "not-allowed", f"{request.method} is not for {path}; accepted: {accepted}"
        )
        return _fault(refused, headers)
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_NOTHING.format(path=escape(path)), STATUSES["not-found"])
    return _fault(Refused("not-found", f"there is nothing at {path}; /openapi.json lists all"))
