"""Shards: an experiment cut into pieces that can be played anywhere, in any order.

The cut depends on the experiment alone, not on who plays it, and a shard played again gives the
same rows but for the time they took. Agents that live in the core play their shards there, and the
Python referee plays all others. It also plays the core's games again where transcripts are asked
for.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from mineproof import kernel
from mineproof.advice.adviser import advise, best_play_chances, obstacle
from mineproof.agents.adapters import AgentSource
from mineproof.agents.agent import Agent, Decision, LogicAgent
from mineproof.agents.catalog import is_random, make_agent
from mineproof.board.layout import given_cells, mine_free_given_cells
from mineproof.engine.analysis import Analysis
from mineproof.engine.exact import analyze
from mineproof.errors import InputError, LabError, quoted
from mineproof.game.annotate import game_with_premises
from mineproof.game.play import core_games, core_player, play_game, play_recorded, plays_in_core
from mineproof.game.referee import Referee
from mineproof.game.rows import Row, core_columns
from mineproof.kernel import core
from mineproof.lab.experiment import Experiment, Place, source_digest
from mineproof.lab.table import KINDS, POSITIONS, SCHEMA, TRANSCRIPT, Table, same_rows, table_of
from mineproof.rng import Purpose, Stream
from mineproof.sandbox.agent import IsolatedAgent
from mineproof.search.win import WinChance, cell_win_chances
from mineproof.view.setting import Setting
from mineproof.view.view import View

GamesCallback = Callable[[int, int], None]
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


class AgentPool:
    """The agents that wait for their next game; those with a process of their own keep it.

    A catalog's agent is made anew for every game, so that no game can leave anything to the next.
    """

    def __init__(self, experiment: Experiment) -> None:
        self._limits = experiment.limits
        self._objects = dict(experiment.objects)
        self._digests = dict(experiment.sources)
        self._sources: dict[str, AgentSource | None] = {}
        self._folders = [
            (source.file, source.folder)
            for source in map(AgentSource.parse, experiment.outsiders)
            if source is not None
        ]
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
                player = IsolatedAgent(source, self._limits, alone=self._has_neighbours(source))
            self._processes[name] = player
            if len(self._processes) > _MOST_PROCESSES:
                self._processes.popitem(last=False)[1].close()
        return player

    def _has_neighbours(self, source: AgentSource) -> bool:
        """Whether another agent's file lies in the folder of this one's, or below."""
        return source.folder is not None and any(
            file != source.file and folder is not None and folder.is_relative_to(source.folder)
            for file, folder in self._folders
        )

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
    bench: AgentPool,
    tell: GamesCallback | None = None,
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
        return _referee_shard(experiment, shard, bench, tell, clock, transcripts)
    table = play_in_core(experiment, name, shard.start, shard.stop, clock)
    if not transcripts:
        if tell is not None:
            tell(len(shard), int(table["won"].sum()))
        return table
    again = _referee_shard(experiment, shard, bench, tell, clock, transcripts)
    if not same_rows(table, again):
        raise LabError(
            f"games {shard.start} to {shard.stop - 1} of {name} end otherwise when the referee"
            " plays them again: a fault of mineproof"
        )
    return {**table, TRANSCRIPT: again[TRANSCRIPT]}


def _referee_shard(
    experiment: Experiment,
    shard: Shard,
    bench: AgentPool,
    tell: GamesCallback | None,
    clock: Callable[[], float],
    transcripts: bool,
) -> Table:
    """The rows of a shard as the Python referee plays it."""
    name = experiment.agents[shard.agent]
    rows: list[Row] = []
    boards: list[str] = []
    texts: list[str] = []
    counted = _GameCounter(tell, clock)
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
            if isinstance(agent, LogicAgent):
                game = game_with_premises(game)  # after the game: its time is that of the agent
            texts.append(game.text)
        counted.add(row.won)
    counted.tell()
    table = table_of(rows, boards, range(shard.start, shard.stop))
    return {**table, TRANSCRIPT: np.array(texts, dtype=object)} if transcripts else table


def _position_shard(
    experiment: Experiment,
    shard: Shard,
    bench: AgentPool,
    tell: GamesCallback | None,
    clock: Callable[[], float],
) -> Table:
    """One position of every game, with what the engine says of it."""
    name = experiment.agents[shard.agent]
    rows = []
    counted = _GameCounter(tell, clock)
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


class _GameCounter:
    """Games played and won, told now and then."""

    def __init__(self, tell: GamesCallback | None, clock: Callable[[], float]) -> None:
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


# ----------------------------------------------------------------------------
# Whole games in the core, for the agents that live there; rows come back as columns.
#
# These are `random`, `exact` and the players that only the core has, under the rules of the
# ordinary game, with cells given by name or without. The core plays the same games as the Python
# referee, game for game: a test compares the rows.


def lives_in_core(experiment: Experiment, agent: str) -> bool:
    """Whether the core can play this agent's games of an experiment."""
    if agent in dict(experiment.objects):
        return False
    if not kernel.available() or not (is_random(agent) or core_player(agent)):
        return False
    return all(place.world is None and plays_in_core(place.setting) for place in experiment.places)


def play_in_core(
    experiment: Experiment,
    agent: str,
    start: int,
    stop: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Table:
    """The rows of games `start` to `stop` (not included) of an agent that lives in the core."""
    numbers = np.arange(start, stop)
    indices, places = np.divmod(numbers, len(experiment.places))
    began = clock()
    table = {name: np.empty(len(numbers), dtype=KINDS[kind]) for name, kind in SCHEMA.items()}
    for which, place in enumerate(experiment.places):
        here = np.flatnonzero(places == which)
        # With a secret every game has a seed of its own.
        runs = [here] if experiment.secret is None else list(here.reshape(-1, 1))
        for some in runs:
            if not len(some):
                continue
            played = _play(experiment, place, agent, int(indices[some[0]]), len(some))
            table["board"][some] = place.board
            for name, column in core_columns(place.setting, agent, played).items():
                table[name][some] = column
    table["game"][:] = numbers
    table["index"][:] = indices
    table["seconds"][:] = (clock() - began) / max(len(numbers), 1)
    return table


def _play(
    experiment: Experiment, place: Place, agent: str, start: int, games: int
) -> core.PlayedGames:
    player = core_player(agent)
    if player is not None:
        return core_games(
            place.setting, player, experiment.deal_seed(start), experiment.agent_seed, start, games
        )
    rules, topology = place.setting.rules, place.setting.board.topology
    return core.play_random(
        experiment.deal_seed(start),
        experiment.agent_seed,
        start,
        games,
        topology.offsets,
        topology.targets,
        rules.mines.fixed(len(topology)) or 0,
        rules.first_click.value,
        rules.cascade,
        given_cells(topology, rules.given),
        mine_free_given_cells(topology, rules),
    )


# ----------------------------------------------------------------------------
# One position of a game, labelled exactly: what a data set of positions is made of.
#
# Every game gives one position, drawn uniformly from those in which its agent had to move after the
# first cell, so that the rows of a data set are independent of each other.

_SAFE, _MINE = 1, 2


def record_position(
    setting: Setting,
    agent: Agent,
    name: str,
    seed: int,
    index: int,
    agent_seed: int,
    samples: int = 0,
) -> dict[str, Any]:
    """The row of one game: a position of it, what is certain there, the best move and its worth.

    `samples` games are played out for the worth where it is not known exactly; with 0 it is NaN
    there. Raises BudgetExceeded where the position is too wide to count.
    """
    if isinstance(agent, IsolatedAgent):
        agent.prepare()
    views: list[View] = []
    cells: list[int] = []

    def watch(referee: Referee, decision: Decision | None) -> None:
        if decision is not None:
            cells.append(-1 if decision.cell is None else decision.cell)
        views.append(referee.view)

    game = play_game(setting, agent, name, seed, index, agent_seed, watch)
    moves = [move for move in range(len(cells)) if views[move].opened_count]
    chosen = Stream(seed, index, Purpose.SAMPLE).choice(moves or [0])
    view = views[chosen]
    analysis = analyze(view)
    chances = analysis.p.array
    hidden = np.zeros(len(view), dtype=np.bool_)
    hidden[list(view.hidden)] = True
    certain = _SAFE * (hidden & (chances == 0.0)) + _MINE * (hidden & (chances == 1.0))
    wins = _wins(analysis, samples, seed)
    advice = advise(analysis, wins=wins)
    win = None if advice is None else advice.win
    return {
        "agent": name,
        "index": index,
        "move": chosen,
        "moves": len(cells),
        "mines": -1 if view.total is None else view.total,
        "codes": view.codes().tolist(),
        "chances": chances.astype(np.float32).tolist(),
        "certain": certain.tolist(),
        "played": cells[chosen] if cells else -1,
        "best": -1 if advice is None else advice.cell,
        "risk": math.nan if advice is None else advice.risk,
        "basis": "" if advice is None else advice.basis.value,
        "worth": math.nan if win is None else win.chance,
        "won": game.outcome.won,
    }


def _wins(analysis: Analysis, samples: int, seed: int) -> list[WinChance]:
    """The chances to win that are known, or played out; none where neither can be."""
    if obstacle(analysis.view) is not None:
        return []
    end = best_play_chances(analysis)
    if end is not None or not samples:
        return end or []
    return cell_win_chances(analysis.view, samples=samples, seed=seed)
