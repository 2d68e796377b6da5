"""The ASGI app: routes from the table of endpoints, work in threads, answers as JSON."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from mineproof.errors import MineproofError, quoted
from mineproof.web.api import ENDPOINTS, RECORDINGS, Endpoint, openapi_json
from mineproof.web.coach import Coach
from mineproof.web.guard import LOOPBACK_HOSTS, Guard
from mineproof.web.requests import STATUSES, Refusal, read_body, read_fields, read_query, refusal_of

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
"""The page for a mistyped address; programs get JSON."""
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
    queues = {
        # A board without guesses that takes long holds a thread: two more are left for quick moves.
        "moves": WorkQueue("moves", 2 + limits.dealers, limits.waiting),
        "analyses": WorkQueue("analyses", 4, limits.waiting),
        "proofs": WorkQueue("proofs", limits.provers, limits.waiting),
        "agents": WorkQueue("agents", limits.watchers, 2 * limits.watchers),
    }

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        # Starting a process takes longer than a proof: one is ready when the first is asked for.
        queues["proofs"].begin(served.workers.warm_up)
        yield
        for queue in queues.values():
            queue.close()
        served.workers.close()

    async def page(request: Request) -> Response:
        return static.answer(PAGE, request)

    async def file(request: Request) -> Response:
        return static.answer(request.path_params["name"], request)

    async def documentation(request: Request) -> Response:
        return _json_response(_encode(openapi_json(), request))

    routes = [
        Route("/", _with_errors(page), methods=["GET"]),
        Route("/static/{name:path}", _with_errors(file), methods=["GET"]),
        Route("/openapi.json", _with_errors(documentation), methods=["GET"]),
    ]
    for endpoint in ENDPOINTS:
        handler = _endpoint(endpoint, served, queues[endpoint.queue])
        routes.append(Route(endpoint.path, _with_errors(handler), methods=[endpoint.method]))
    app = Starlette(
        routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _unknown_address}
    )
    app.router.redirect_slashes = False
    return Guard(
        app,
        hosts=hosts,
        any_address=any_address,
        most_bytes=lambda path: limits.recording if path == RECORDINGS else limits.body,
        most_seconds=limits.body_seconds,
    )


def _endpoint(endpoint: Endpoint, coach: Coach, queue: WorkQueue) -> Handler:
    """The handler that reads the fields, lets the queue do the work and writes the answer."""
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
            return _encode(operation(**request.path_params, **fields), request)

        return _json_response(await queue.run(work))

    return handle


def _encode(answer: Any, request: Request) -> tuple[bytes, bool]:
    """The bytes of an answer, and whether they are zipped."""
    data = json.dumps(answer, allow_nan=False, separators=(",", ":")).encode()
    if len(data) > _LEAST_ZIPPED and "gzip" in request.headers.get("accept-encoding", ""):
        return gzip.compress(data, 3, mtime=0), True
    return data, False


def _json_response(encoded: tuple[bytes, bool]) -> Response:
    data, zipped = encoded
    headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"} if zipped else None
    return Response(data, 200, headers, "application/json")


def _refusal_response(refused: Refusal, headers: dict[str, str] | None = None) -> Response:
    data = json.dumps(refused.to_json()).encode()
    return Response(data, refused.status, headers, "application/json")


def _with_errors(handler: Handler) -> Handler:
    """The handler with every error turned into an answer of one line."""

    async def handle(request: Request) -> Response:
        try:
            return await handler(request)
        except ClientDisconnect:
            return Response(status_code=STATUSES["malformed"])  # nobody is there to read it
        except MineproofError as error:
            return _refusal_response(refusal_of(error))
        except Exception:
            # The player's message reveals no internals; the terminal has them all.
            _LOG.exception("%s %s failed", request.method, request.url.path)
            return _refusal_response(Refusal("failed", "the server failed; its terminal says more"))

    return handle


async def _unknown_address(request: Request, error: Exception) -> Response:
    """An address or method that the table does not have."""
    path = quoted(request.url.path)
    if isinstance(error, HTTPException) and error.status_code == STATUSES["not-allowed"]:
        headers = dict(error.headers or {})
        accepted = headers.get("Allow", "")
        refused = Refusal(
            "not-allowed", f"{request.method} is not for {path}; accepted: {accepted}"
        )
        return _refusal_response(refused, headers)
    if "text/html" in request.headers.get("accept", ""):
        return HTMLResponse(_NOTHING.format(path=escape(path)), STATUSES["not-found"])
    return _refusal_response(
        Refusal("not-found", f"there is nothing at {path}; /openapi.json lists all")
    )


# -- Threads for work that takes time, with a limit on the requests that wait --

T = TypeVar("T")


class WorkQueue:
    """A few threads. More than `waiting` requests at once are refused as busy."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self.name = name
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"coach-{name}")
        self._most = waiting
        self._under_way = 0

    async def run(self, work: Callable[[], T]) -> T:
        """What the work returns, or raises. Called from the event loop only. Raises Refusal."""
        if self._under_way >= self._most:
            raise Refusal("busy", f"too many requests for {self.name} at once; ask again shortly")
        self._under_way += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._under_way -= 1

    def begin(self, work: Callable[[], object]) -> None:
        """Start work that nobody waits for."""
        self._pool.submit(work)

    def close(self) -> None:
        """Drop what waits; what runs is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)


# -- The page's files: those packaged with mineproof and no others, whatever the address --

PAGE = "index.html"
_FOLDER = Path(__file__).parent / "static"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PACKED = {".png", ".woff2"}
_COMMENT = re.compile(rb"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)$", re.MULTILINE)


def without_comments(script: bytes) -> bytes:
    """A script of the page as it is sent: lines of comments are empty, the others keep theirs."""
    return _COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), script)


@dataclass(frozen=True)
class _File:
    """A file as it was when it was read last."""

    state: tuple[int, int]
    kind: str
    data: bytes
    zipped: bytes | None
    tag: str


class StaticFiles:
    """Serves files by a list made from the folder; a name that is not on it is not found."""

    def __init__(self, folder: Path = _FOLDER) -> None:
        self._folder = folder
        self._names = self._list_files()
        self._read: dict[str, _File] = {}

    def _list_files(self) -> dict[str, Path]:
        return {
            path.relative_to(self._folder).as_posix(): path
            for path in sorted(self._folder.rglob("*"))
            if path.suffix in _KINDS and path.is_file() and not path.is_symlink()
        }

    def answer(self, name: str, request: Request) -> Response:
        """The file of a name, or that it has not changed. Raises Refusal."""
        if name not in self._names:
            # Developers of the page add files while the server runs.
            self._names = self._list_files()
        if name not in self._names:
            raise Refusal("not-found", f"there is no file {quoted(name)}")
        file = self._file(name)
        headers = {"ETag": file.tag, "Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        data = file.data
        if file.zipped is not None and "gzip" in request.headers.get("accept-encoding", ""):
            data = file.zipped
            headers["Content-Encoding"] = "gzip"
        return Response(data, headers=headers, media_type=file.kind)

    def _file(self, name: str) -> _File:
        path = self._names[name]
        try:
            status = path.stat()
            state = (status.st_mtime_ns, status.st_size)
            known = self._read.get(name)
            if known is not None and known.state == state:
                return known
            data = path.read_bytes()
            if path.suffix == ".js":
                data = without_comments(data)
        except OSError:
            raise Refusal("not-found", f"there is no file {quoted(name)}") from None
        worth = len(data) > _LEAST_ZIPPED and path.suffix not in _PACKED
        self._read[name] = _File(
            state,
            _KINDS[path.suffix],
            data,
            gzip.compress(data, 9, mtime=0) if worth else None,
            f'"{hashlib.sha256(data).hexdigest()[:20]}"',
        )
        return self._read[name]
