"""What the coach's server refuses: requests of other sites, and connections that ask too much."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Any

import pytest
import uvicorn
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mineproof.web.app import make_app
from mineproof.web.coach import Coach
from mineproof.web.guard import LOOPBACK_HOSTS, host_of, limited_protocol
from mineproof.web.requests import CoachLimits
from tests.interrupts import PATIENCE

GAME = json.dumps({"board": "beginner"}).encode()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:99", "localhost:8017", "[::1]:8017"])
def test_the_names_of_this_machine_are_accepted(client: Any, host: str) -> None:
    assert client.raw("GET", "/api/boards", headers={"host": host}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "127.0.0.1.evil.example", "", "10.0.0.1", "localhost.evil.example:1"),
        *("[::2]", "[127.0.0.1]evil.com", "[127.0.0.1]", "[::1]evil.com", "[::1]:80@evil.com"),
        *("localhost:evil", "127.0.0.1:80@evil.com", "localhost:", "localhost:99999", "::1"),
        *(
            "user@localhost",
            "localhost/evil.com",
            "localhost evil.com",
            "localhost\tx",
            "[::1%25lo]",
        ),
        *("localhost.", "localhost\x00", "127.0.0.1:80:80", "[localhost]", "127.1"),
    ],
)
def test_other_names_are_refused(client: Any, host: str) -> None:
    """DNS rebinding: a name of somebody else's that leads to this machine."""
    answer = client.raw("GET", "/api/boards", headers={"host": host})
    assert (answer.status, answer.code) == (403, "forbidden")


BROWSERS = re.compile(r"(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?", re.ASCII | re.I)
"""What a browser of this machine sends, and nothing else; ports are checked apart."""
PIECES = st.sampled_from(
    [
        *("127.0.0.1", "localhost", "::1", "[::1]", "[", "]", ":", "@", "/", ".", "%", " ", "#"),
        *("80", "8017", "99999", "evil.com", "x", "\x00", "\t", "\uff11", "[127.0.0.1]", "0x7f.1"),
    ]
)


@settings(max_examples=500)
@given(st.lists(PIECES, max_size=6).map("".join) | st.text(max_size=20))
@example("[0:0:0:0:0:0:0:1]")
def test_a_host_is_ours_only_by_the_strict_grammar(host: str) -> None:
    found = host_of(host)
    named = BROWSERS.fullmatch(host)
    if named and int((named[2] or ":0")[1:]) <= 65535:
        assert found in LOOPBACK_HOSTS
    elif found in LOOPBACK_HOSTS:
        # Other spellings of the same address of version 6, in its brackets.
        address = host.partition("]")[0].removeprefix("[")
        assert host.startswith("[")
        assert ipaddress.IPv6Address(address).is_loopback
    if found is not None:
        assert not set(host) & set("@/#% \t\x00")


def test_bound_to_the_network_every_address_but_no_other_name_is_accepted(client: Any) -> None:
    app = make_app(Coach(), hosts=("localhost", "myhost"), any_address=True)
    open_client = type(client)(app, client.coach)
    for host, status in [("10.0.0.1:80", 200), ("myhost", 200), ("evil.example", 403)]:
        assert open_client.raw("GET", "/api/boards", headers={"host": host}).status == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"origin": "http://127.0.0.1:8017"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/json; charset=utf-8"}, 200),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-length": "many"}, 400),
        ({"content-length": "9" * 11}, 413),
    ],
)
def test_what_changes_something_comes_from_the_page(
    client: Any, headers: dict[str, str], status: int
) -> None:
    answer = client.raw("POST", "/api/games", GAME, headers)
    assert answer.status == status
    assert status == 200 or answer.code


def test_another_site_may_link_to_the_page_but_ask_nothing(client: Any) -> None:
    foreign = {"sec-fetch-site": "cross-site"}
    assert client.raw("GET", "/api/boards", headers=foreign).status == 403
    visit = {**foreign, "sec-fetch-mode": "navigate"}
    assert client.raw("GET", "/", headers=visit).status != 403


def test_a_body_ends_within_the_limit(small: Any) -> None:
    """Also where it comes in parts and its length was not said, or was a lie."""
    most = small.coach.limits.body
    whole = json.dumps({"board": "x" * most}).encode()
    assert small.raw("POST", "/api/games", whole).status == 413
    parts = [whole[place : place + 100] for place in range(0, len(whole), 100)]
    for lie in ({"content-length": "10"}, {"transfer-encoding": "chunked"}):
        answer = small.raw("POST", "/api/games", parts, lie)
        assert (answer.status, answer.code) == (413, "too-large")
    both = {"content-length": "10", "transfer-encoding": "chunked"}
    answer = small.raw("POST", "/api/games", parts, both)
    assert (answer.status, answer.code) == (400, "malformed")
    split = small.raw("POST", "/api/games", [GAME[:9], GAME[9:]])
    assert split.status == 200


def test_a_body_comes_in_time(caplog: pytest.LogCaptureFixture) -> None:
    """One that never comes is given up, and says so; one that ends early leaves no traceback."""
    caplog.set_level("ERROR")
    coach = Coach(replace(CoachLimits(), body_seconds=0.05))
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/games",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 5),
    }

    def answer_to(parts: list[Any]) -> list[Any]:
        sent: list[Any] = []

        async def receive() -> Any:
            if not parts:
                await asyncio.Event().wait()
            return parts.pop(0)

        async def send(message: Any) -> None:
            sent.append(message)

        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, make_app(coach)(scope, receive, send)).result()
        return sent

    part = {"type": "http.request", "body": b"{", "more_body": True}
    start, body = answer_to([part])
    assert start["status"] == 408
    assert json.loads(body["body"])["error"]["code"] == "too-slow"
    assert answer_to([part, {"type": "http.disconnect"}])[0]["status"] == 400
    assert not caplog.records
    coach.workers.close()


@pytest.mark.parametrize("path", ["/", "/api/boards", "/nothing", "/openapi.json", "/static/x.js"])
@pytest.mark.parametrize("host", ["127.0.0.1", "evil.example"])
def test_every_answer_is_dressed(client: Any, path: str, host: str) -> None:
    headers = client.raw("GET", path, headers={"host": host}).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in policy
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-embedder-policy"] == "require-corp"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] in ("no-store", "no-cache")
    assert "server" not in headers


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/api/boards", 405),
        ("GET", "/api/games", 405),
        ("DELETE", "/api/games/x", 405),
        ("OPTIONS", "/api/games", 405),
        ("GET", "/api/", 404),
        ("GET", "/api/games/", 404),
        ("GET", "/api/games/x", 404),
        ("GET", "/api/games/x/y", 404),
        ("GET", "/%00", 404),
    ],
)
def test_other_addresses_and_methods(client: Any, method: str, path: str, status: int) -> None:
    answer = client.raw(method, path)
    assert (answer.status, bool(answer.code)) == (status, True)


def test_errors_echo_no_markup(client: Any) -> None:
    nasty = "<script>alert(1)</script>"
    for answer in (
        client.raw("GET", f"/{nasty}"),
        client.raw("GET", f"/api/games/{nasty}"),
        client.post("/api/games", board=nasty),
        client.post("/api/positions", text=nasty),
        client.post("/api/games", **{nasty: 1}),
    ):
        assert answer.code
        assert answer.headers["content-type"] == "application/json"


def test_a_mistyped_address_is_told_to_a_person_as_a_page(client: Any) -> None:
    person = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    answer = client.raw("GET", "/<b>plya</b>", headers=person)
    assert answer.status == 404
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    page = answer.body.decode()
    assert "There is nothing at &#x27;/" in page
    assert "<b>" not in page
    assert '<a href="/">Go to the coach</a>' in page


# ----------------------------------------------------------------------------
# Connections: so many at once, so many from one address, and none that never asks anything.


LIMITS = replace(CoachLimits(), connections=4, connections_each=3, request_seconds=3600.0)
BOARDS = b"GET /api/boards HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def serve(limits: CoachLimits, talk: Any, app: Any = None) -> None:
    """Let `talk` have the port of a server under limits, of a coach or of another app."""
    coach = Coach(limits)
    app = make_app(coach) if app is None else app
    config = uvicorn.Config(app, log_level="warning", lifespan="off", http=limited_protocol(limits))
    config.load()
    server = uvicorn.Server(config)
    made = limited_protocol(limits)

    def protocol() -> asyncio.Protocol:
        return made(config=config, server_state=server.server_state, app_state={})  # type: ignore[call-arg]

    listening = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    try:
        await asyncio.wait_for(talk(port), PATIENCE)
    finally:
        listening.close()
        coach.workers.close()


def run_served(limits: CoachLimits, talk: Any, app: Any = None) -> None:
    """The same in a thread of its own: a browser's test may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, serve(limits, talk, app)).result()


async def end(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def closed(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read(1) == b""
    except ConnectionResetError:
        return True


async def answers(port: int, kept: AsyncExitStack, asks: bytes = BOARDS) -> bool:
    """Whether one more connection is let in and gets the start of an answer; it is kept open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    kept.push_async_callback(end, writer)
    writer.write(asks)
    try:
        return (await reader.readline()).startswith(b"HTTP/1.1 200")
    except ConnectionResetError:
        return False


def test_an_address_has_so_many_connections() -> None:
    """While the server works for each of them; the app here never ends an answer."""

    async def works(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass

    async def talk(port: int) -> None:
        async with AsyncExitStack() as kept:
            async with AsyncExitStack() as first:
                assert await answers(port, first)
                assert await answers(port, kept)
                assert await answers(port, kept)
                assert not await answers(port, kept)
            # One that ends makes room for another, as soon as the server has heard of it.
            while not await answers(port, kept):
                await asyncio.sleep(0.01)

    run_served(LIMITS, talk, works)


@pytest.mark.parametrize(
    "held",
    [
        b"",
        b"GET /api/boards HTTP/1.1\r\nHost: loc",
        b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{",
    ],
    ids=["asks nothing", "half a request", "half a body"],
)
def test_connections_that_are_only_held_shut_nobody_out(held: bytes) -> None:
    async def talk(port: int) -> None:
        async with AsyncExitStack() as kept:
            oldest = None
            for _ in range(2 * LIMITS.connections_each):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                kept.push_async_callback(end, writer)
                writer.write(held)
                oldest = reader if oldest is None else oldest
            assert await answers(port, kept)
            assert oldest is not None
            assert await closed(oldest)  # and no more than the limit are open
            # Nor do those that have asked once and are kept for the next request.
            for _ in range(LIMITS.connections_each):
                assert await answers(port, kept)

    run_served(LIMITS, talk)


def test_a_request_of_two_lengths_is_refused() -> None:
    """Programs on the way may disagree on where it ends, and take its body for a request."""

    async def talk(port: int) -> None:
        for line in (b"GET /api/boards", b"POST /api/games"):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(
                line + b" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"
            )
            assert (await reader.readline()).startswith(b"HTTP/1.1 400")
            await end(writer)

    run_served(LIMITS, talk)


def test_a_connection_that_asks_nothing_is_closed() -> None:
    async def talk(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/boards HTTP/1.1\r\nHost: loc")
        assert await closed(reader)
        await end(writer)

    run_served(replace(LIMITS, request_seconds=0.05), talk)
