"""Threads for work that takes time, with a limit on how much may wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from mineproof.surfaces.web.faults import Refused

__all__ = ["Crew"]

T = TypeVar("T")


class Crew:
    """A few threads; more work than `waiting` at once is refused as busy."""

    def __init__(self, name: str, threads: int, waiting: int) -> None:
        self.name = name
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"coach-{name}")
        self._most = waiting
        self._under_way = 0

    async def run(self, work: Callable[[], T]) -> T:
        """What the work returns, or raises. Called from the event loop only. Raises Refused."""
        if self._under_way >= self._most:
            raise Refused("busy", f"too many requests for {self.name} at once; ask again shortly")
        self._under_way += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        finally:
            self._under_way -= 1

    def begin(self, work: Callable[[], object]) -> None:
        """Do work that nobody waits for."""
        self._pool.submit(work)

    def close(self) -> None:
        """Drop what waits; what runs is not waited for."""
        self._pool.shutdown(wait=False, cancel_futures=True)
