"""What the laboratory costs beside the agent: Beginner games through the runner, kept as Parquet.

Promised is half a millisecond a game for all that is not the agent: 5 % beside an agent of 10 ms.
Most of it is the Python referee; agents that live in the core will play whole shards there.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Generator, Sequence
from pathlib import Path

from benchmarks.result import Result
from mineproof.agents.agent import Agent, Answer, Beginner
from mineproof.lab.engines import Finished, Here, ShardTell
from mineproof.lab.experiment import Experiment
from mineproof.lab.runner import run
from mineproof.lab.shards import Bench, Shard, play_shard
from mineproof.rng import Stream
from mineproof.view.view import View

GAMES = 4000


class _Timed:
    """An agent whose time is taken."""

    seconds = 0.0

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def begin(self, view: View, rng: Stream) -> None:
        if isinstance(self._agent, Beginner):
            self._agent.begin(view, rng)

    def act(self, view: View) -> Answer:
        began = time.process_time()
        answer = self._agent.act(view)
        _Timed.seconds += time.process_time() - began
        return answer


class _TimedBench(Bench):
    def agent(self, name: str) -> Agent:
        return _Timed(super().agent(name))


class _TimedHere(Here):
    def play(
        self, experiment: Experiment, shards: Sequence[Shard], tell: ShardTell
    ) -> Generator[Finished, None, None]:
        bench = _TimedBench(experiment)
        for shard in shards:
            yield shard, play_shard(experiment, shard, bench)


def bench() -> Result:
    """Everything between asking for the experiment and the last shard on the disk."""
    experiment = Experiment.of(["random"], boards=["beginner"], games=GAMES, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        # DuckDB takes a while to load, once.
        run(Experiment.of(["random"], boards=["beginner"], games=16), folder=Path(folder) / "warm")
        _Timed.seconds = 0.0
        began = time.process_time()
        run(experiment, _TimedHere(), folder=Path(folder) / "results")
        seconds = time.process_time() - began - _Timed.seconds
    return Result(
        "Beginner games in the laboratory, without the agent", "games", GAMES, seconds, 2000
    )
