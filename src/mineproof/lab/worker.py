"""A worker's side: `python -m mineproof.lab.worker FD` plays the shards it is sent.

The laboratory's process sends ("experiment", text) and ("shard", (shard, transcripts)); back go
("played", played, won) now and then, and ("finished", table) or ("refused", message). When the
laboratory is gone, however it went, the worker ends, and the processes of agents with it.
"""

from __future__ import annotations

import os
import sys
import threading
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from mineproof.errors import MineproofError
from mineproof.lab.experiment import Experiment
from mineproof.lab.shards import AgentPool, GamesCallback, play_shard

__all__ = ["main"]

_ENDING = threading.Event()
"""Set when the laboratory is gone."""


def main(descriptor: int) -> None:
    """Serve until the other end hangs up."""
    connection: Connection[Any, Any] = Connection(descriptor)
    orders: SimpleQueue[tuple[str, Any]] = SimpleQueue()
    benches: list[AgentPool] = []
    threading.Thread(target=_listen, args=(connection, orders, benches), daemon=True).start()
    experiment: Experiment | None = None
    while True:
        kind, content = orders.get()
        try:
            if kind == "experiment":
                experiment = Experiment.parse(content)
                for bench in benches:
                    bench.close()
                benches[:] = [AgentPool(experiment)]
                continue
            assert experiment is not None, "the experiment is sent first"
            shard, transcripts = content
            tell = _teller(connection, benches)
            table = play_shard(experiment, shard, benches[0], tell, transcripts=transcripts)
            answer: tuple[str, Any] = ("finished", table)
        except MineproofError as error:
            answer = ("refused", str(error))
        except Exception:
            if _ENDING.is_set():
                # The game lost its agent to the other thread, which is about to leave.
                threading.Event().wait()
            raise
        try:
            connection.send(answer)
        except OSError:
            _end(benches)


def _teller(connection: Connection[Any, Any], benches: list[AgentPool]) -> GamesCallback:
    def tell(played: int, won: int) -> None:
        try:
            connection.send(("played", played, won))
        except OSError:
            _end(benches)

    return tell


def _listen(
    connection: Connection[Any, Any], orders: SimpleQueue[tuple[str, Any]], benches: list[AgentPool]
) -> None:
    """Take orders, also while a game is played: so that the end of the laboratory is noticed."""
    while True:
        try:
            orders.put(connection.recv())
        except (EOFError, OSError):
            _end(benches)


def _end(benches: list[AgentPool]) -> None:
    """Leave at once: a game may be under way in the other thread."""
    _ENDING.set()
    try:
        for bench in benches:
            bench.close()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
