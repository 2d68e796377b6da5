"""Fifty players on one coach: how long a move and its overlay take, seen from a second process.

Every player has a connection of its own, makes a move on an Expert board twice a second, asks for
the chances after each, and for a proof after every tenth. A game that ends is followed by another.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from benchmarks.result import Result, UnavailableError

PLAYERS = 50
SECONDS = 12.0
PACE = 0.5
PROMISED = 0.2
WARM_UP = 2.0


def bench() -> Iterator[Result]:
    if find_spec("uvicorn") is None:
        raise UnavailableError("needs the extra web")
    process = subprocess.Popen(
        [sys.executable, "-m", "mineproof", "coach", "--port", "0", "--no-open"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        port = int(line.partition("127.0.0.1:")[2].partition("/")[0])
        times = asyncio.run(_play_all(port))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=30)
    spent = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before
    everything = sorted(t for one in times.values() for t in one)
    rate = len(everything) / SECONDS
    yield Result(
        "the server's CPU time per request, including its start", "requests", len(everything), spent
    )
    for name, taken in [*sorted(times.items()), ("all requests", everything)]:
        ordered = sorted(taken)
        for share in (0.5, 0.99):
            yield Result(
                f"{PLAYERS} players, {rate:.0f} requests/s: {name}, p{100 * share:.0f}"
                f" of {len(ordered)}",
                "requests",
                1,
                ordered[int(share * (len(ordered) - 1))],
                promised=1 / PROMISED if share == 0.99 else None,
            )


async def _play_all(port: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = defaultdict(list)
    begin = time.perf_counter()
    players = [_Player(number, port, times, begin) for number in range(PLAYERS)]
    await asyncio.gather(*(player.play() for player in players))
    return times


class _Player:
    """Opens what is safest until the time is up."""

    def __init__(self, number: int, port: int, times: dict[str, list[float]], begin: float) -> None:
        self._random = random.Random(number)
        self._port = port
        self._times = times
        self._begin, self._end = begin + WARM_UP, begin + WARM_UP + SECONDS

    async def play(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            await asyncio.sleep(self._random.random() * PACE)
            while time.perf_counter() < self._end:
                await self._game()
        finally:
            self._writer.close()
            await self._writer.wait_closed()

    async def _game(self) -> None:
        begun = await self._ask("a new game", "POST", "/api/games", {"board": "expert"})
        path = f"/api/games/{begun['game']}"
        state, moves, cell = "ready", 0, self._random.randrange(480)
        while state in ("ready", "running") and time.perf_counter() < self._end:
            due = time.perf_counter() + PACE * (0.5 + self._random.random())
            state = (await self._ask("open", "POST", f"{path}/open", {"cell": cell}))["state"]
            moves += 1
            analysis = await self._ask("chances", "GET", f"{path}/analysis")
            certain = [c for c, what in enumerate(analysis["certain"]) if what]
            if moves % 10 == 0 and certain and state == "running":
                await self._ask("a proof", "GET", f"{path}/explain?cell={certain[0]}")
            if analysis["best"] is not None:
                cell = analysis["best"]["cell"]
            await asyncio.sleep(max(0.0, due - time.perf_counter()))

    async def _ask(self, name: str, method: str, path: str, body: object = None) -> Any:
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        start = time.perf_counter()
        self._writer.write(head.encode() + data)
        header = await self._reader.readuntil(b"\r\n\r\n")
        length = int(header.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        answer = await self._reader.readexactly(length)
        if start >= self._begin:
            self._times[name].append(time.perf_counter() - start)
        if not header.startswith(b"HTTP/1.1 200"):
            raise AssertionError(f"{path} answered {answer[:200]!r}")
        return json.loads(answer)
