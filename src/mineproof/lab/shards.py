"""Shards: an experiment cut into pieces that can be played anywhere, in any order.

The cut depends on the experiment alone, not on who plays it, and a shard played again gives the
same rows but for the time they took. Agents that live in the core play their shards there, and the
Python referee plays all others.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from mineproof.agents.adapters.source import AgentSource
from mineproof.agents.agent import Agent
from mineproof.agents.catalog import make_agent
from mineproof.errors import InputError, LabError, quoted
from mineproof.lab.core_games import lives_in_core, play_in_core
from mineproof.lab.experiment import Experiment, file_digest
from mineproof.lab.rows import Table, table_of
from mineproof.match.isolation import IsolatedAgent
from mineproof.match.row import Row, play_row

__all__ = ["Bench", "Shard", "Tell", "play_shard", "shards_of"]

Tell = Callable[[int, int], None]
"""Called now and then with how many games were played and won since the last call."""

_MOST_PROCESSES = 8
_TELL_EVERY = 0.2


@dataclass(frozen=True)
class Shard:
    """Games `start` to `stop` (not included) of one agent, by its place in the experiment."""

    agent: int
    number: int
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"games-{self.agent:03d}-{self.number:06d}.parquet"


def shards_of(experiment: Experiment, size: int | None = None) -> tuple[Shard, ...]:
    """All shards in the order they are played, of the experiment's own size unless given.

    Few agents take turns, so that they are always equally far; of many, one plays after the other,
    so that its process need not be started again.
    """
    total, games = len(experiment), experiment.shard_games if size is None else size
    agents = range(len(experiment.agents))
    shards = [
        Shard(agent, number, start, min(start + games, total))
        for agent in agents
        for number, start in enumerate(range(0, total, games))
    ]
    if len(agents) <= _MOST_PROCESSES:
        shards.sort(key=lambda shard: (shard.number, shard.agent))
    return tuple(shards)


class Bench:
    """The agents that wait for their next game; those with a process of their own keep it.

    A catalog's agent is made anew for every game, so that no game can leave anything to the next.
    """

    def __init__(self, experiment: Experiment) -> None:
        self._limits = experiment.limits
        self._objects = dict(experiment.objects)
        self._digests = dict(experiment.sources)
        self._sources: dict[str, AgentSource | None] = {}
        self._processes: OrderedDict[str, IsolatedAgent] = OrderedDict()
        self._lock = Lock()
        self._closed = False

    def agent(self, name: str) -> Agent:
        """An agent for one game. Raises InputError."""
        if name in self._objects:
            return self._objects[name]()
        if name not in self._sources:
            self._sources[name] = AgentSource.parse(name)
        source = self._sources[name]
        if source is None:
            return make_agent(name)
        with self._lock:
            if self._closed:
                raise LabError("the laboratory is closed")
            player = self._processes.pop(name, None)
            if player is None:
                self._check(name, source)
                player = IsolatedAgent(source, self._limits)
            self._processes[name] = player
            if len(self._processes) > _MOST_PROCESSES:
                self._processes.popitem(last=False)[1].close()
        return player

    def _check(self, name: str, source: AgentSource) -> None:
        if source.file is not None and file_digest(source.file) != self._digests.get(name):
            raise InputError(
                f"the file of agent {quoted(name)} is not the one this experiment began with;"
                " accepted: the same file, or a new experiment"
            )

    def close(self) -> None:
        """End the processes of agents; from another thread too, while a game is played."""
        with self._lock:
            self._closed = True
            for player in self._processes.values():
                player.close()
            self._processes.clear()


def play_shard(
    experiment: Experiment,
    shard: Shard,
    bench: Bench,
    tell: Tell | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> Table:
    """Play a shard and return its rows. Raises InputError for what cannot be played."""
    name = experiment.agents[shard.agent]
    if lives_in_core(experiment, name):
        table = play_in_core(experiment, name, shard.start, shard.stop, clock)
        if tell is not None:
            tell(len(shard), int(table["won"].sum()))
        return table
    rows: list[Row] = []
    boards: list[str] = []
    told, told_at = 0, clock()
    for number in range(shard.start, shard.stop):
        place, index = experiment.game(number)
        agent = bench.agent(name)
        rows.append(
            play_row(
                place.setting, agent, name, experiment.seed, index, experiment.agent_seed, clock
            )
        )
        boards.append(place.board)
        if tell is not None and (now := clock()) - told_at >= _TELL_EVERY:
            tell(len(rows) - told, sum(row.won for row in rows[told:]))
            told, told_at = len(rows), now
    if tell is not None and told < len(rows):
        tell(len(rows) - told, sum(row.won for row in rows[told:]))
    return table_of(rows, boards, range(shard.start, shard.stop))
