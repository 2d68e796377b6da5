"""Checks on every request before anything reads it, and the headers of every answer.

- The Host is an address of this machine, or the name it was started under: a page of another site
  whose name suddenly leads here (DNS rebinding) has another one.
- A request that another site's page sends is refused: by its Origin, and by Sec-Fetch-Site.
- A body is JSON and says so, and ends within the limits of size and time, whatever its
  Content-Length says.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from mineproof.errors import quoted
from mineproof.web.requests import CoachLimits, Refusal

LOOPBACK_HOSTS = ("127.0.0.1", "::1", "localhost")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
        " font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none';"
        " form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_READING = ("GET", "HEAD")
_HOST = re.compile(
    r"(?:\[(?P<six>[0-9a-f:.]{2,45})\]|(?P<name>[a-z0-9](?:[a-z0-9._-]{0,252})))"
    r"(?::(?P<port>[0-9]{1,5}))?",
    re.ASCII,
)


def host_of(header: str) -> str | None:
    """The name or address in a Host header, in small letters; None where it is no Host header.

    The grammar is that of RFC 9110 without what no browser sends: a name or an address, one of
    version 6 in brackets, then a port if any, and nothing else.

    >>> host_of("[::1]:8017"), host_of("LOCALHOST"), host_of("127.0.0.1:80@evil.com")
    ('::1', 'localhost', None)
    """
    found = _HOST.fullmatch(header.lower())
    if found is None or int(found["port"] or 0) > 65535:
        return None
    if found["six"] is None:
        return found["name"]
    try:
        return str(ipaddress.IPv6Address(found["six"]))
    except ValueError:
        return None


class Guard:
    """Checks every request to the app, and adds the headers to every answer."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Collection[str],
        any_address: bool,
        most_bytes: Callable[[str], int],
        most_seconds: float,
    ) -> None:
        """`hosts` are accepted names; with `any_address` so is every number of an address.

        `most_bytes(path)` is how long the body of a request to a path may be.
        """
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._any_address = any_address
        self._most_bytes, self._most_seconds = most_bytes, most_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            self._check(scope)
            received = self._limit_body(receive, self._most_bytes(scope["path"]))
        except Refusal as refused:
            await JSONResponse(refused.to_json(), refused.status)(scope, receive, send_with_headers)
            return
        await self._app(scope, received, send_with_headers)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise Refusal(
                "forbidden",
                f"Host {quoted(host)} is not this server's; accepted: the address it printed",
            )
        # A link from another site may lead to the page, but may not call the API.
        foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        visits = scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate"
        if foreign and not visits:
            raise Refusal("forbidden", "the request comes from a page of another site")
        if "transfer-encoding" in headers and "content-length" in headers:
            # Two programs on the way may disagree on where the request ends.
            accepted = "Transfer-Encoding; accepted: one of the two"
            raise Refusal("malformed", f"Content-Length beside {accepted}")
        if scope["method"] in _READING:
            return
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Refusal("forbidden", f"Origin {quoted(origin)} is another site's")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Refusal("not-json", f"Content-Type {quoted(kind)}; accepted: application/json")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 12:
            raise Refusal("malformed", f"Content-Length {quoted(length)} is no length")
        most = self._most_bytes(scope["path"])
        if int(length) > most:
            raise _too_large(most)

    def _is_ours(self, host: str) -> bool:
        name = host_of(host)
        if name is None:
            return False
        if name in self._hosts:
            return True
        if not self._any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _limit_body(self, receive: Receive, most: int) -> Receive:
        """Receive the parts of a body within the limits of bytes and time. Raises Refusal."""
        taken, whole = 0, False
        loop = asyncio.get_running_loop()
        end = loop.time() + self._most_seconds

        async def receive_limited() -> Message:
            nonlocal taken, whole
            if whole:
                return await receive()  # waits for the client to leave
            try:
                message = await asyncio.wait_for(receive(), end - loop.time())
            except TimeoutError:
                raise Refusal(
                    "too-slow",
                    f"the request did not come; accepted: within {self._most_seconds:g} seconds",
                ) from None
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                whole = not message.get("more_body", False)
                if taken > most:
                    raise _too_large(most)
            return message

        return receive_limited


def _too_large(most: int) -> Refusal:
    return Refusal("too-large", f"the request is too large; accepted: at most {most} bytes")


# ----------------------------------------------------------------------------
# Limits on connections: how many at once, and how long one may wait with its first request.
#
# Only requests reach the app; a connection that never sends one is closed here. Where there is no
# room for one more, the oldest that the server waits for gives way: connections that are held open
# and ask nothing, or send a byte now and then, shut nobody out.


def limited_protocol(limits: CoachLimits) -> type[asyncio.Protocol]:
    """The protocol of uvicorn under limits, for one server."""
    open_from: defaultdict[str, dict[LimitedProtocol, None]] = defaultdict(dict)

    def has_room(address: str) -> bool:
        """Whether there is room for one more, once another has given way for it."""
        crowd = open_from[address]
        if len(crowd) < limits.connections_each:
            if sum(map(len, open_from.values())) < limits.connections:
                return True
            crowd = max(open_from.values(), key=len)
        waiting = next((one for one in crowd if one.is_waiting), None)
        if waiting is None:
            return False
        waiting.leave()
        waiting.transport.abort()
        return True

    class LimitedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        """One connection. One too many is closed before it has sent anything."""

        _address: str | None = None

        def connection_made(self, transport: Any) -> None:
            peer = transport.get_extra_info("peername")
            address = str(peer[0]) if peer else ""
            super().connection_made(transport)
            if not has_room(address):
                transport.abort()
                return
            self._address = address
            open_from[address][self] = None
            self.loop.call_later(limits.request_seconds, self._give_up)

        def _give_up(self) -> None:
            """Close a connection that has not come to a first request."""
            if self.cycle is None and not self.transport.is_closing():
                self.transport.abort()

        @property
        def is_waiting(self) -> bool:
            """Whether the server waits for it: for a request, or for the rest of one."""
            cycle = self.cycle
            return cycle is None or cycle.response_complete or cycle.more_body

        def leave(self) -> None:
            """Make room for another."""
            if self._address is not None:
                del open_from[self._address][self]
                if not open_from[self._address]:
                    del open_from[self._address]
                self._address = None

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            self.leave()

        def send_400_response(self, msg: str) -> None:
            self.transport.write(_no_http())
            self.transport.close()

    return LimitedProtocol


def _no_http() -> bytes:
    """The answer to bytes that are not HTTP: one line, with the headers of every answer."""
    body = b'{"error": {"code": "malformed", "message": "the request is no HTTP"}}'
    lines = [
        "HTTP/1.1 400 Bad Request",
        "Content-Type: application/json",
        "Cache-Control: no-store",
        "Connection: close",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in HEADERS.items()),
    ]
    return "\r\n".join((*lines, "", "")).encode("ascii") + body
