"""Moves of an agent in a process of its own: the median time between question and answer."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.result import Result
from mineproof.agents.agent import Decision
from mineproof.game.play import play
from mineproof.rng import Stream
from mineproof.sandbox.agent import IsolatedAgent, make_player
from mineproof.view.view import View

AGENT = """
class FirstHidden:
    def __init__(self):
        self.cell = 0
    def act(self, view):
        while view.is_open(self.cell):
            self.cell += 1
        return self.cell
"""
GAMES = 20


class Timed:
    """An isolated agent whose moves are timed."""

    def __init__(self, agent: IsolatedAgent) -> None:
        self.agent = agent
        self.seconds: list[float] = []

    def begin(self, view: View, rng: Stream) -> None:
        self.agent.begin(view, rng)

    def act(self, view: View) -> Decision:
        began = time.perf_counter()
        decision = self.agent.act(view)
        self.seconds.append(time.perf_counter() - began)
        return decision


def bench() -> Result:
    """Games that go on after a mine, so that the agent moves once for every cell."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "agent.py"
        file.write_text(AGENT)
        agent = make_player(str(file))
        assert isinstance(agent, IsolatedAgent)
        timed = Timed(agent)
        for index in range(GAMES):
            play("expert", timed, seed=1, index=index, on_mine="continue")
        agent.close()
    moves = len(timed.seconds)
    return Result("median move of an isolated agent", "moves", moves, moves * median(timed.seconds))
