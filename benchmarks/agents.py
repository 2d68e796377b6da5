"""Whole Expert games of every listed agent by the Python referee, on one CPU core.

One row per agent: games per second of CPU time, and how long a move takes (median and 99th
percentile). Each plays as it is listed, so `resolution` stops where nothing is proved and the
others guess. The last rows are harder: games that last long because guesses are good, and the
slowest move of `resolution` with the mine total at 25 unmarked cells.
"""

from __future__ import annotations

import time
from typing import Any

from benchmarks.result import Result
from mineproof.agents.agent import Decision, LogicAgent
from mineproof.agents.catalog import make_agent
from mineproof.game import play
from mineproof.rng import Stream
from mineproof.view import View

PROMISED = {
    "random": None,
    "single-point": 200,
    "partition": 50,
    "gauss": 20,
    "sat": 10,
    "reductio": 10,
    "resolution": 10,
    "exact": None,
}
LONG = ("partition+exact-risk", "sat[global]+exact-risk", "reductio[global]+exact-risk")
SECONDS = 2.0
SEED = 1


class Timed:
    """An agent that records how long each of its moves took."""

    def __init__(self, name: str) -> None:
        agent = make_agent(name)
        assert isinstance(agent, LogicAgent)
        self._agent = agent
        self.moves: list[float] = []

    def begin(self, view: View, rng: Stream) -> None:
        self._agent.begin(view, rng)

    def act(self, view: View) -> Decision:
        start = time.process_time()
        decision = self._agent.act(view)
        self.moves.append(time.process_time() - start)
        return decision


def games(name: str, promised: float | None, board: str = "expert", **rules: Any) -> Result:
    """Play for a while; the first game warms up and does not count."""
    agent = Timed(name)
    play(board, agent, SEED, **rules)
    agent.moves.clear()
    played, start = 0, time.process_time()
    while time.process_time() - start < SECONDS:
        played += 1
        play(board, agent, SEED, index=played, **rules)
    seconds = time.process_time() - start
    moves = sorted(agent.moves)
    middle, late = (1e3 * moves[int(share * (len(moves) - 1))] for share in (0.5, 0.99))
    work = f"{name}: {board} games, move p50 {middle:.2f} ms, p99 {late:.2f} ms"
    return Result(work, "games", played, seconds, promised)


def slowest_move(name: str, board: str, **rules: Any) -> Result:
    """The slowest of all moves of some games, promised within a second."""
    agent = Timed(name)
    for index in range(20):
        play(board, agent, SEED, index=index, **rules)
    return Result(f"{name}: {board}, the slowest move", "move", 1, max(agent.moves), promised=1)


def bench() -> list[Result]:
    rows = [games(name, promised) for name, promised in PROMISED.items()]
    rows += [games(name, None) for name in LONG]
    report_4 = {"goal": "mark-all", "given": "random:8"}
    rows.append(slowest_move("resolution[global=25]", "16x16/25", **report_4))
    return rows
