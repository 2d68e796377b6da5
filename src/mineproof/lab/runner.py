"""Runs an experiment: plays the shards that are missing and keeps what is finished.

    experiment = Experiment.of(["random", "single-point"], boards=["beginner"], games=1000)
    with make_executor(jobs=2) as executor:
        run(experiment, executor, folder="results")

Killed at any moment and run again, the folder ends with the same rows as an undisturbed run on any
executor, but for the column `seconds`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import InputError, LabError
from mineproof.game.rows import Row
from mineproof.lab.executors import Executor, InProcessExecutor
from mineproof.lab.experiment import Experiment
from mineproof.lab.shards import Shard, shards_of
from mineproof.lab.store import ShardStore, kept_secret
from mineproof.lab.table import Table, join_tables, rows_of
from mineproof.sandbox.agent import forked_agents

__all__ = ["InterruptedRun", "Judge", "Progress", "Run", "UnfinishedRun", "run"]

_MOST_IN_MEMORY = 64


class Progress:
    """Watches a run, and shows nothing of it.

    `skipped` games of an agent were there before; `played` counts new ones.
    """

    def begin(self, experiment: Experiment, executor: str) -> None: ...

    def skipped(self, agent: int, games: int, won: int) -> None: ...

    def played(self, agent: int, games: int, won: int) -> None: ...

    def end(self) -> None: ...


class Judge(Protocol):
    """Looks at games in their order and says when enough were played.

    `won` has a row for each agent and a column for each of the first games that all agents have
    played. It is asked again with more columns until it answers True; the answer must depend on
    nothing but the columns, so that it is the same however the games were played.
    """

    def __call__(self, won: NDArray[np.bool_], /) -> bool: ...


@dataclass
class Run:
    """What a run left. `games` counts the finished ones; `tables` are theirs without a folder."""

    experiment: Experiment
    folder: Path | None
    games: int = 0
    tables: dict[Shard, Table] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every game was played; not so where a judge or Ctrl-C stopped it."""
        return self.games == self.experiment.rows

    def table(self, agent: int) -> Table:
        """The games of one agent, in order, where there is no folder."""
        own = (shard for shard in self.tables if shard.agent == agent)
        return join_tables(self.tables[shard] for shard in sorted(own, key=lambda one: one.number))


class InterruptedRun(KeyboardInterrupt):
    """Ctrl-C during a run, with what was finished until then."""

    def __init__(self, left: Run) -> None:
        self.run = left
        done = f"interrupted after {left.games} of {left.experiment.rows} games"
        if left.folder is not None:
            done += f", kept in {str(left.folder)!a}; the same command resumes"
        super().__init__(done)


class UnfinishedRun(LabError):
    """A run that cannot go on, with what was finished until then."""

    def __init__(self, left: Run, why: str) -> None:
        self.run = left
        super().__init__(why)


def run(
    experiment: Experiment,
    executor: Executor | None = None,
    *,
    folder: str | Path | None = None,
    progress: Progress | None = None,
    judge: Judge | None = None,
    watch: Callable[[Row], None] | None = None,
    transcripts: bool = False,
) -> Run:
    """Play what is missing of an experiment; into a folder, or into memory without one.

    Where agents from outside take part, the deals come from a secret that is drawn now, or that the
    folder holds already; the experiment of the run has it. `watch` is called with the row of every
    game that is played: without a folder after each game, with one when a shard is finished. With
    `transcripts` the folder keeps those of all games; games that it holds without are played again
    for them. Raises InputError for what cannot be played or a folder that is not its own,
    `UnfinishedRun` where it cannot go on, `InterruptedRun` at Ctrl-C.
    """
    experiment.check()
    chosen = InProcessExecutor() if executor is None else executor
    kept = experiment.unwritable
    if kept is not None and (folder is not None or not isinstance(chosen, InProcessExecutor)):
        raise InputError(
            f"{kept} stay in this process; accepted: agents by name on boards or worlds, or neither"
            " jobs, out nor engine"
        )
    if transcripts and folder is None:
        raise InputError("transcripts are kept in a folder; accepted: together with out")
    with forked_agents(experiment.objects, experiment.limits) as objects:
        # What the processes of objects hold was there before the secret.
        playing = replace(experiment, objects=objects)
        playing = playing.sealed(None if folder is None else kept_secret(folder))
        return _run(playing, chosen, folder, progress, judge, watch, transcripts)


def _run(
    experiment: Experiment,
    executor: Executor,
    folder: str | Path | None,
    progress: Progress | None,
    judge: Judge | None,
    watch: Callable[[Row], None] | None,
    transcripts: bool,
) -> Run:
    result = Run(experiment, None if folder is None else Path(folder))
    watcher = Progress() if progress is None else progress
    try:
        with nullcontext() if folder is None else ShardStore(folder, experiment) as store:
            _play(result, executor, watcher, judge, watch, store, transcripts)
    except KeyboardInterrupt:
        raise InterruptedRun(result) from None
    except LabError as error:
        raise UnfinishedRun(result, str(error)) from None
    return result


def _play(
    result: Run,
    executor: Executor,
    progress: Progress,
    judge: Judge | None,
    watch: Callable[[Row], None] | None,
    store: ShardStore | None,
    transcripts: bool,
) -> None:
    experiment = result.experiment
    size = experiment.shard_games
    if store is None:
        # Nothing is written, so shards can be small: Ctrl-C then loses little.
        size = min(size, _MOST_IN_MEMORY) if watch is None else 1
    finished = {} if store is None else store.finished()
    again = set()
    if store is not None and transcripts:
        again = finished.keys() - store.transcribed()
    shards = shards_of(experiment, size)
    missing = [shard for shard in shards if shard not in finished or shard in again]
    front = _JudgedGames(experiment, size, judge)

    def tell(shard: Shard, played: int, won: int) -> None:
        progress.played(shard.agent, played, won)

    progress.begin(experiment, executor.description)
    try:
        for shard, won in finished.items():
            result.games += len(shard)
            if shard not in again:
                progress.skipped(shard.agent, len(shard), int(won.sum()))
            front.add(shard, won)
        if front.decided():
            missing = [shard for shard in missing if shard in again]
        if not missing:
            return
        with closing(executor.play(experiment, missing, tell, transcripts)) as arriving:
            for shard, table in arriving:
                if store is not None and shard in again:
                    _check_repetition(experiment, shard, finished[shard], table)
                    store.write_transcripts(shard, table)
                    continue
                if store is None:
                    result.tables[shard] = table
                else:
                    store.write(shard, table)
                result.games += len(shard)
                if watch is not None:
                    for row in rows_of(table):
                        watch(row)
                front.add(shard, table["won"])
                if front.decided():
                    return
    finally:
        progress.end()


def _check_repetition(
    experiment: Experiment, shard: Shard, won: NDArray[np.bool_], table: Table
) -> None:
    """Raise LabError if games that were played again ended otherwise."""
    other = np.flatnonzero(won != table["won"])
    if len(other):
        place, index = experiment.game(shard.start + int(other[0]))
        raise LabError(
            f"{experiment.agents[shard.agent]} does not repeat itself: game {index} on"
            f" {place.setting.name} ended otherwise when played again; accepted: transcripts from"
            " the beginning, in another folder"
        )


class _JudgedGames:
    """How far all agents have got, for the judge."""

    def __init__(self, experiment: Experiment, size: int, judge: Judge | None) -> None:
        self._judge = judge
        self._size = size
        self._total = len(experiment)
        games = 0 if judge is None else self._total
        self._won = np.zeros((len(experiment.agents), games), dtype=np.bool_)
        self._left = np.full(-(-self._total // self._size), len(experiment.agents))
        self._shards = 0

    def add(self, shard: Shard, won: NDArray[np.bool_]) -> None:
        if self._judge is None:
            return
        self._won[shard.agent, shard.start : shard.stop] = won
        self._left[shard.number] -= 1

    def decided(self) -> bool:
        """Whether the judge has seen enough in the games that all agents have played."""
        if self._judge is None:
            return False
        before = self._shards
        while self._shards < len(self._left) and not self._left[self._shards]:
            self._shards += 1
        if self._shards == before:
            return False
        reached = min(self._shards * self._size, self._total)
        return self._judge(self._won[:, :reached])
