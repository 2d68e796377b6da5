"""Connections: so many at once, so many from one address, and none that never asks anything."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import Any

import uvicorn

from mineproof.surfaces.web.app import make_app
from mineproof.surfaces.web.connections import limited_protocol
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.service import Coach
from tests.interrupts import PATIENCE

LIMITS = replace(CoachLimits(), connections=4, connections_each=3, request_seconds=3600.0)
BOARDS = b"GET /api/boards HTTP/1.1\r\nHost: localhost\r\n\r\n"


async def serve(limits: CoachLimits, talk: Any) -> None:
    """Let `talk` have the port of a server under limits."""
    coach = Coach(limits)
    config = uvicorn.Config(
        make_app(coach), log_level="warning", lifespan="off", http=limited_protocol(limits)
    )
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


def run_served(limits: CoachLimits, talk: Any) -> None:
    """The same in a thread of its own: a browser's test may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, serve(limits, talk)).result()


async def end(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


async def closed(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read(1) == b""
    except ConnectionResetError:
        return True


def test_an_address_has_so_many_connections() -> None:
    async def answers(port: int, kept: AsyncExitStack) -> bool:
        """Whether one more connection is let in; it is kept open."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        kept.push_async_callback(end, writer)
        writer.write(BOARDS)
        try:
            return (await reader.readline()).startswith(b"HTTP/1.1 200")
        except ConnectionResetError:
            return False

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

    run_served(LIMITS, talk)


def test_a_connection_that_asks_nothing_is_closed() -> None:
    async def talk(port: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /api/boards HTTP/1.1\r\nHost: loc")
        assert await closed(reader)
        await end(writer)

    run_served(replace(LIMITS, request_seconds=0.05), talk)
