"""What a request must be before anything looks at it, and the headers of every answer.

- The Host is an address of this machine, or the name it was started under: a page of another site
  whose name suddenly leads here (DNS rebinding) has another one.
- A request that another site's page sends is refused: by its Origin, and by Sec-Fetch-Site.
- A body is JSON and says so, and ends within the limit, whatever its Content-Length says.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Collection, MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mineproof.errors import quoted
from mineproof.surfaces.web.faults import Refused

__all__ = ["LOOPBACK_HOSTS", "Guard"]

LOOPBACK_HOSTS = ("127.0.0.1", "::1", "localhost")

_HEADERS = {
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
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_READING = ("GET", "HEAD")


class Guard:
    """Checks every request to the app, and adds the headers to every answer."""

    def __init__(
        self, app: ASGIApp, *, hosts: Collection[str], any_address: bool, most_bytes: int
    ) -> None:
        """`hosts` are accepted names; with `any_address` so is every number of an address."""
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)
        self._any_address = any_address
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                _dress(message)
            await send(message)

        try:
            self._check(scope)
            received = self._counted(receive)
        except Refused as refused:
            await JSONResponse(refused.to_json(), refused.status)(scope, receive, dressed)
            return
        await self._app(scope, received, dressed)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise Refused(
                "forbidden",
                f"Host {quoted(host)} is not this server's; accepted: the address it printed",
            )
        # A link from another site may lead to the page, but may not call the API.
        foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        visits = scope["path"] == "/" and headers.get("sec-fetch-mode") == "navigate"
        if foreign and not visits:
            raise Refused("forbidden", "the request comes from a page of another site")
        if scope["method"] in _READING:
            return
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise Refused("forbidden", f"Origin {quoted(origin)} is another site's")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise Refused("not-json", f"Content-Type {quoted(kind)}; accepted: application/json")
        length = headers.get("content-length", "0")
        if not (length.isascii() and length.isdigit()) or len(length) > 12:
            raise Refused("malformed", f"Content-Length {quoted(length)} is no length")
        if int(length) > self._most_bytes:
            raise self._too_large()

    def _is_ours(self, host: str) -> bool:
        name = host.lower()
        if name.startswith("["):
            name = name[1:].partition("]")[0]
        elif name.count(":") == 1:
            name = name.partition(":")[0]
        if name in self._hosts:
            return True
        if not self._any_address:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def _too_large(self) -> Refused:
        return Refused(
            "too-large", f"the request is too large; accepted: at most {self._most_bytes} bytes"
        )

    def _counted(self, receive: Receive) -> Receive:
        """The body's parts, until they are more than a request may have. Raises Refused."""
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                if taken > self._most_bytes:
                    raise self._too_large()
            return message

        return counted


def _dress(message: MutableMapping[str, Any]) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in _HEADERS.items():
        headers[name] = value
    headers.setdefault("Cache-Control", "no-store")
