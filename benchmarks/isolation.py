"""Moves of an agent in a process of its own: the median time between question and answer.

A Python file and a program that speaks the protocol of lines take turns, game by game.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
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
PROGRAM = """
import json, sys
for line in sys.stdin:
    rows = json.loads(line)["rows"]
    row = next(number for number, row in enumerate(rows) if "." in row)
    print('{"open": [%d, %d]}' % (row, rows[row].index(".")), flush=True)
"""
GAMES = 10


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


def bench() -> Iterator[Result]:
    """Games that go on after a mine, so that the agent moves once for every cell."""
    with tempfile.TemporaryDirectory() as folder:
        file, program = Path(folder) / "agent.py", Path(folder) / "program"
        file.write_text(AGENT)
        program.mkdir()
        (program / "first.py").write_text(PROGRAM)
        (program / "agent.toml").write_text('command = "python3 first.py"')
        timed = {}
        for name, path in (("agent", file), ("program", program)):
            agent = make_player(str(path))
            assert isinstance(agent, IsolatedAgent)
            timed[name] = Timed(agent)
        for index in range(GAMES):
            for one in timed.values():
                play("expert", one, seed=1, index=index, on_mine="continue")
        for one in timed.values():
            one.agent.close()
    for name, one in timed.items():
        moves = len(one.seconds)
        yield Result(
            f"median move of an isolated {name}", "moves", moves, moves * median(one.seconds)
        )
