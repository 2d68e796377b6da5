"""Shards: an experiment cut into pieces that can be played anywhere, in any order.

The cut depends on the experiment alone, not on who plays it, and a shard played again gives the
same rows but for the time they took. Agents that live in the core play their shards there, and the
Python referee plays all others. It also plays the core's games again where transcripts are asked
for.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import numpy as np

from mineproof.agents.adapters.source import AgentSource
from mineproof.agents.agent import Agent
from mineproof.agents.catalog import make_agent
from mineproof.errors import InputError, LabError, quoted
from mineproof.lab.core_games import lives_in_core, play_in_core
from mineproof.lab.experiment import Experiment, source_digest
from mineproof.lab.position_rows import record_position
from mineproof.lab.rows import KINDS, POSITIONS, TRANSCRIPT, Table, same_rows, table_of
from mineproof.match.isolation import IsolatedAgent
from mineproof.match.row import Row, play_recorded

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
    records: str = "games"

    def __len__(self) -> int:
        return self.stop - self.start

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.records}-{self.agent:03d}-{self.number:06d}.parquet"

    @property
    def transcripts_file(self) -> str:
        """The name of the file of its transcripts."""
        return self.file.replace("games-", "transcripts-")


def shards_of(experiment: Experiment, size: int | None = None) -> tuple[Shard, ...]:
    """All shards in the order they are played, of the experiment's own size unless given.

    Few agents take turns, so that they are always equally far; of many, one plays after the other,
    so that its process need not be started again.
    """
    total, games = len(experiment), experiment.shard_games if size is None else size
    agents = range(len(experiment.agents))
    shards = [
        Shard(agent, number, start, min(start + games, total), experiment.records)
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
                self._check(name)
                player = IsolatedAgent(source, self._limits)
            self._processes[name] = player
            if len(self._processes) > _MOST_PROCESSES:
                self._processes.popitem(last=False)[1].close()
        return player

    def _check(self, name: str) -> None:
        if source_digest(name) != self._digests.get(name):
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
    *,
    transcripts: bool = False,
) -> Table:
    """Play a shard and return its rows, on demand with the text of each game.

    Raises InputError for what cannot be played.
    """
    name = experiment.agents[shard.agent]
    if experiment.records == "positions":
        return _position_shard(experiment, shard, bench, tell, clock)
    if not lives_in_core(experiment, name):
        return _refereed(experiment, shard, bench, tell, clock, transcripts)
    table = play_in_core(experiment, name, shard.start, shard.stop, clock)
    if not transcripts:
        if tell is not None:
            tell(len(shard), int(table["won"].sum()))
        return table
    again = _refereed(experiment, shard, bench, tell, clock, transcripts)
    if not same_rows(table, again):
        raise LabError(
            f"games {shard.start} to {shard.stop - 1} of {name} end otherwise when the referee"
            " plays them again: a fault of mineproof"
        )
    return {**table, TRANSCRIPT: again[TRANSCRIPT]}


def _refereed(
    experiment: Experiment,
    shard: Shard,
    bench: Bench,
    tell: Tell | None,
    clock: Callable[[], float],
    transcripts: bool,
) -> Table:
    """The rows of a shard as the Python referee plays it."""
    name = experiment.agents[shard.agent]
    rows: list[Row] = []
    boards: list[str] = []
    texts: list[str] = []
    counted = _Counted(tell, clock)
    for number in range(shard.start, shard.stop):
        place, index = experiment.game(number)
        agent = bench.agent(name)
        row, game = play_recorded(
            place.setting,
            agent,
            name,
            experiment.deal_seed(index),
            index,
            experiment.agent_seed,
            clock,
            luck=name in experiment.outsiders,
        )
        rows.append(row)
        boards.append(place.board)
        if transcripts:
            texts.append(game.text)
        counted.add(row.won)
    counted.tell()
    table = table_of(rows, boards, range(shard.start, shard.stop))
    return {**table, TRANSCRIPT: np.array(texts, dtype=object)} if transcripts else table


def _position_shard(
    experiment: Experiment,
    shard: Shard,
    bench: Bench,
    tell: Tell | None,
    clock: Callable[[], float],
) -> Table:
    """One position of every game, with what the engine says of it."""
    name = experiment.agents[shard.agent]
    rows = []
    counted = _Counted(tell, clock)
    for number in range(shard.start, shard.stop):
        place, index = experiment.game(number)
        rows.append(
            record_position(
                place.setting,
                bench.agent(name),
                name,
                experiment.seed,
                index,
                experiment.agent_seed,
                experiment.samples,
            )
            | {"board": place.board, "world": place.world, "game": number}
        )
        counted.add(bool(rows[-1]["won"]))
    counted.tell()
    table = {}
    for column, kind in POSITIONS.items():
        table[column] = np.empty(len(rows), dtype=KINDS[kind])
        table[column][:] = [row[column] for row in rows]
    return table


class _Counted:
    """Games played and won, told now and then."""

    def __init__(self, tell: Tell | None, clock: Callable[[], float]) -> None:
        self._tell, self._clock = tell, clock
        self._played = self._won = 0
        self._told_at = clock()

    def add(self, won: bool) -> None:
        self._played, self._won = self._played + 1, self._won + won
        if self._clock() - self._told_at >= _TELL_EVERY:
            self.tell()

    def tell(self) -> None:
        if self._tell is not None and self._played:
            self._tell(self._played, self._won)
        self._played, self._won, self._told_at = 0, 0, self._clock()
