"""Connections to the server: how many at once, how long one may say nothing, and what is no HTTP.

What reaches the app is a request; a connection that never becomes one is dealt with here.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from mineproof.surfaces.web.guard import HEADERS
from mineproof.surfaces.web.limits import CoachLimits

__all__ = ["limited_protocol"]


def limited_protocol(limits: CoachLimits) -> type[asyncio.Protocol]:
    """The protocol of uvicorn under limits, for one server."""
    open_from: Counter[str] = Counter()

    class Limited(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        """One connection. One too many is closed before it has said a word."""

        _address: str | None = None

        def connection_made(self, transport: Any) -> None:
            peer = transport.get_extra_info("peername")
            address = str(peer[0]) if peer else ""
            super().connection_made(transport)
            full = open_from.total() >= limits.connections
            if full or open_from[address] >= limits.connections_each:
                transport.abort()
                return
            self._address = address
            open_from[address] += 1
            self.loop.call_later(limits.request_seconds, self._give_up)

        def _give_up(self) -> None:
            """Close a connection that has not come to a first request."""
            if self.cycle is None and not self.transport.is_closing():
                self.transport.abort()

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self._address is not None:
                open_from[self._address] -= 1
                if not open_from[self._address]:
                    del open_from[self._address]
                self._address = None

        def send_400_response(self, msg: str) -> None:
            self.transport.write(_no_http(HEADERS.items()))
            self.transport.close()

    return Limited


def _no_http(headers: Iterable[tuple[str, str]]) -> bytes:
    """The answer to what is no HTTP: one line, under the headers of every answer."""
    body = b'{"error": {"code": "malformed", "message": "the request is no HTTP"}}'
    lines = [
        "HTTP/1.1 400 Bad Request",
        "Content-Type: application/json",
        "Cache-Control: no-store",
        "Connection: close",
        f"Content-Length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers),
    ]
    return "\r\n".join((*lines, "", "")).encode("ascii") + body
