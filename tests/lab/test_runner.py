"""Runs that are killed, interrupted or lose workers end with the rows of an undisturbed one."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from mineproof.errors import InputError
from mineproof.lab.executors import Here, make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.rows import rows_of
from mineproof.lab.runner import Run, Unfinished, run
from mineproof.lab.shards import Shard, shards_of
from mineproof.lab.workers import Workers
from tests.interrupts import until
from tests.lab.processes import Gate, Process, Rows, alive, children, shards

ReadRows = Callable[[Path], Rows]
Start = Callable[..., Process]


@pytest.fixture(scope="module")
def spec(gated: Experiment, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("spec") / "experiment.toml"
    path.write_text(gated.text)
    return str(path)


@pytest.mark.parametrize("jobs", [2, 3])
def test_any_number_of_jobs_gives_the_same_rows(
    experiment: Experiment, undisturbed: Rows, rows: ReadRows, tmp_path: Path, jobs: int
) -> None:
    with make_executor(jobs) as executor:
        left = run(experiment, executor, folder=tmp_path)
    assert left.complete
    assert rows(tmp_path) == undisturbed


def test_without_a_folder_the_rows_are_in_memory(experiment: Experiment, undisturbed: Rows) -> None:
    left = run(experiment)
    tables = [left.table(agent) for agent in range(len(experiment.agents))]
    games = [(row.agent, row.won, row.steps) for table in tables for row in rows_of(table)]
    assert games == [(row[0], row[5], row[12]) for row in undisturbed]


def _all_end(processes: list[int]) -> None:
    until(lambda: not any(map(alive, processes)))


def test_killed_again_and_again_and_run_again(
    spec: str, gate: Gate, ungated: Rows, rows: ReadRows, start: Start, tmp_path: Path
) -> None:
    folder = tmp_path / "results"
    kept = 0
    for _ in range(2):
        # Two workers that are held leave at most 18 of these in shards that are not finished.
        gate.let(30)
        process = start("compare", "--spec", spec, "--out", str(folder), "--jobs", "2")
        enough = kept + 2
        process.until(lambda enough=enough: len(shards(folder)) >= enough)
        workers = children(process.popen.pid)
        assert workers
        process.kill()
        kept = len(shards(folder))
        _all_end(workers)
    before = {path: path.stat().st_mtime_ns for path in shards(folder)}
    assert kept <= len(before) < 16
    gate.open()
    status, _, err = start("compare", "--spec", spec, "--out", str(folder)).end()
    assert (status, err) == (0, "")
    assert rows(folder) == ungated
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_the_processes_of_agents_end_with_a_killed_laboratory(start: Start, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def act(self, view):\n        while True: pass\n")
    forever = ("--move-seconds", "3600", "--game-seconds", "3600")
    process = start("compare", "--agents", str(file), "--jobs", "2", "--games", "64", *forever)
    process.until(lambda: len(_family(process.popen.pid)) == 4)
    family = _family(process.popen.pid)
    assert len(family) == 4
    process.kill()
    _all_end(family)


def _family(pid: int) -> list[int]:
    """The workers of a process and the agents' processes of those."""
    workers = children(pid)
    return workers + [agent for worker in workers for agent in children(worker)]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(
    spec: str, gate: Gate, ungated: Rows, rows: ReadRows, start: Start, tmp_path: Path, jobs: str
) -> None:
    folder = tmp_path / "results"
    gate.let(30)
    process = start("compare", "--spec", spec, "--out", str(folder), "--jobs", jobs)
    process.until(lambda: len(shards(folder)) > 1)
    process.interrupt()
    status, out, err = process.end()
    assert status == 130
    assert out == ""
    assert err.startswith("mineproof: interrupted after ")
    assert "the same command resumes" in err
    assert err.count("\n") == 1
    assert not list(folder.glob(".aside*"))
    gate.open()
    status, _, err = start("compare", "--spec", spec, "--out", str(folder)).end()
    assert (status, err) == (0, "")
    assert rows(folder) == ungated


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_csv_is_written_however_the_run_is_ended(
    spec: str, gate: Gate, start: Start, tmp_path: Path, number: signal.Signals
) -> None:
    folder, marks = tmp_path / "results", tmp_path / "marks.csv"
    gate.let(30)
    process = start("compare", "--spec", spec, "--out", str(folder), "--csv", str(marks))
    process.until(lambda: len(shards(folder)) > 1)
    process.popen.send_signal(number)
    status, _, err = process.end()
    assert status == 130
    assert "interrupted after" in err
    assert "a row for each agent is in" in err
    assert len(marks.read_text().splitlines()) == 3


class _KillsWorkers:
    """Kills a busy worker each time games were played, for a while."""

    def __init__(self, workers: Workers, times: int) -> None:
        self._workers, self.times = workers, times
        self.killed: set[int] = set()

    def begin(self, experiment: Experiment, executor: str) -> None: ...

    def skipped(self, agent: int, games: int, won: int) -> None: ...

    def played(self, agent: int, games: int, won: int) -> None:
        if self.times and games > 0:
            self.times -= 1
            self.killed.add(self._workers.pids[-1])
            os.kill(self._workers.pids[-1], signal.SIGKILL)

    def end(self) -> None: ...


def test_a_worker_that_dies_is_replaced(
    experiment: Experiment, undisturbed: Rows, rows: ReadRows, tmp_path: Path
) -> None:
    with Workers(2) as workers:
        killer = _KillsWorkers(workers, times=2)
        run(experiment, workers, folder=tmp_path, progress=killer)
        assert killer.times == 0
        assert not killer.killed & set(workers.pids)
    assert rows(tmp_path) == undisturbed


@pytest.mark.parametrize("without", ["", "namespaces", "namespaces,landlock,filter,supervisor"])
def test_an_agent_that_kills_its_parent_ends_no_worker(
    tmp_path: Path, without: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEPROOF_WITHOUT", without)
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\n"
        "class Mine:\n"
        "    def act(self, view):\n"
        "        os.kill(os.getppid(), 9)\n"
        "        return 0\n"
    )
    experiment = Experiment.of([str(file)], boards=["5x5/4"], games=2)
    with Workers(1) as workers:
        left = run(experiment, workers, folder=tmp_path / "results")
        assert left.complete


def test_workers_that_always_die_are_an_error(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dies.py").write_text("import os\nos.kill(os.getpid(), 9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("mineproof.lab.workers._CHILD", "dies")
    with Workers(1) as workers, pytest.raises(Unfinished, match="SIGKILL, 3 times") as caught:
        run(experiment, workers, folder=tmp_path / "results")
    assert caught.value.run.games == 0


def test_workers_are_kept_between_experiments(experiment: Experiment) -> None:
    other = Experiment.of(["random"], boards=["5x5/4"], games=16)
    with Workers(2) as workers:
        first = run(other, workers)
        pids = workers.pids
        second = run(other, workers)
        assert set(workers.pids) <= set(pids)
        third = run(Experiment.of(["random"], boards=["5x5/5"], games=16), workers)
    assert _won(first) == _won(second)
    assert len(_won(third)) == 16
    assert not any(map(alive, pids))


def _won(left: Run) -> list[bool]:
    agents = range(len(left.experiment.agents))
    return [won for agent in agents for won in left.table(agent)["won"].tolist()]


def test_an_agent_file_that_changes_while_it_is_played_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def act(self, view): return view.hidden[0]\n")
    experiment = Experiment.of([str(file)], boards=["5x5/4"], games=16)

    class Changes(Here):
        def play(self, experiment, shards, tell, transcripts=False):
            file.write_text("class Mine:\n    def act(self, view): return 0\n")
            with Workers(1) as workers:
                yield from workers.play(experiment, shards, tell)

    with pytest.raises(InputError, match="not the one this experiment began with"):
        run(experiment, Changes())


def test_a_judge_stops_at_the_same_game_however_it_is_played(
    experiment: Experiment, tmp_path: Path
) -> None:
    seen: list[int] = []

    def judge(won: NDArray[np.bool_]) -> bool:
        seen.append(won.shape[1])
        return bool(won.shape[1] >= 40)

    left = run(experiment, folder=tmp_path, judge=judge)
    assert not left.complete
    assert seen[-1] >= 40 > (seen[-2] if len(seen) > 1 else 0)
    again = run(experiment, folder=tmp_path, judge=judge)
    assert again.games == left.games
    assert seen[-1] == seen[-2]


def test_the_order_lets_few_agents_take_turns() -> None:
    few = Experiment.of(["random", "single-point"], boards=["beginner"], games=100)
    assert [shard.agent for shard in shards_of(few)[:4]] == [0, 1, 0, 1]
    many = Experiment.of([f"a{n}" for n in range(20)], boards=["beginner"], games=100)
    assert [shard.agent for shard in shards_of(many)[:3]] == [0, 0, 0]
    assert shards_of(few)[0] == Shard(0, 0, 0, few.shard_games)


def test_strange_engines_are_refused() -> None:
    with pytest.raises(InputError, match="accepted: local or dask"):
        make_executor(1, "spark://somewhere")
    with pytest.raises(InputError, match="0 jobs"):
        make_executor(0)
    with pytest.raises(InputError, match="without jobs"):
        make_executor(2, "dask://127.0.0.1:1")
