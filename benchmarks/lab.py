"""What the laboratory costs besides the agent: Beginner games through the runner, kept as Parquet.

The promise is half a millisecond a game for everything but the agent: 5 % for an agent that takes
10 ms. Most of it is the Python referee. Agents that live in the core play whole shards there; for
one that costs nothing, 20,000 games a second are promised.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

from benchmarks.result import Result
from mineproof import kernel
from mineproof.agents.agent import Agent, AgentWithBegin, Answer
from mineproof.lab.executors import FinishedShard, InProcessExecutor, ShardCallback
from mineproof.lab.experiment import Experiment
from mineproof.lab.runner import run
from mineproof.lab.shards import AgentPool, Shard, play_shard
from mineproof.rng import Stream
from mineproof.view.view import View

GAMES = 4000
CORE_GAMES = 200_000


class _Timed:
    """An agent that is timed."""

    seconds = 0.0

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def begin(self, view: View, rng: Stream) -> None:
        if isinstance(self._agent, AgentWithBegin):
            self._agent.begin(view, rng)

    def act(self, view: View) -> Answer:
        began = time.process_time()
        answer = self._agent.act(view)
        _Timed.seconds += time.process_time() - began
        return answer


class _TimedBench(AgentPool):
    def agent(self, name: str) -> Agent:
        return _Timed(super().agent(name))


class _TimedHere(InProcessExecutor):
    def play(
        self, experiment: Experiment, shards: Sequence[Shard], tell: ShardCallback
    ) -> Generator[FinishedShard, None, None]:
        bench = _TimedBench(experiment)
        for shard in shards:
            yield shard, play_shard(experiment, shard, bench)


def bench() -> Iterator[Result]:
    """Time everything from starting the experiment to the last shard on disk."""
    # Under its full name it is played by the Python referee.
    experiment = Experiment.of(["none+random"], boards=["beginner"], games=GAMES, seed=1)
    many = Experiment.of(["random"], boards=["beginner"], games=CORE_GAMES, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        # DuckDB takes a while to load, once.
        run(Experiment.of(["random"], boards=["beginner"], games=16), folder=Path(folder) / "warm")
        _Timed.seconds = 0.0
        began = time.process_time()
        run(experiment, _TimedHere(), folder=Path(folder) / "results")
        seconds = time.process_time() - began - _Timed.seconds
        began = time.process_time()
        run(many, folder=Path(folder) / "core")
        in_core = time.process_time() - began
    yield Result(
        "Beginner games in the laboratory, without the agent", "games", GAMES, seconds, 2000
    )
    if kernel.available():
        yield Result("Beginner games of random in the core", "games", CORE_GAMES, in_core, 20_000)
