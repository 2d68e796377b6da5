"""Runs and executors: killed and resumed, in processes and on a cluster; their progress."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from rich.console import Console

import mineproof as mp
from mineproof.cli.main import run as run_command
from mineproof.errors import InputError
from mineproof.lab.executors import InProcessExecutor, ProcessExecutor, make_executor
from mineproof.lab.experiment import Experiment
from mineproof.lab.progress import ConsoleProgress, Pace, time_text
from mineproof.lab.runner import Progress, Run, UnfinishedRun, run
from mineproof.lab.shards import Shard, shards_of
from mineproof.lab.table import rows_of
from tests.interrupts import PATIENCE, until
from tests.lab.processes import Gate, Process, Rows, alive, children, shards, transcripts

# ----------------------------------------------------------------------------
# Runs that are killed, interrupted or lose workers end with the rows of an undisturbed one.


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

    def __init__(self, workers: ProcessExecutor, times: int) -> None:
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
    with ProcessExecutor(2) as workers:
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
    with ProcessExecutor(1) as workers:
        left = run(experiment, workers, folder=tmp_path / "results")
        assert left.complete


def test_workers_that_always_die_are_an_error(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dies.py").write_text("import os\nos.kill(os.getpid(), 9)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("mineproof.lab.executors._CHILD", "dies")
    with (
        ProcessExecutor(1) as workers,
        pytest.raises(UnfinishedRun, match="SIGKILL, 3 times") as caught,
    ):
        run(experiment, workers, folder=tmp_path / "results")
    assert caught.value.run.games == 0


class _KillsOneShard(Progress):
    """Ends every worker that has begun to play an agent."""

    def __init__(self, workers: ProcessExecutor, agent: int) -> None:
        self.workers, self.agent = workers, agent

    def played(self, agent: int, games: int, won: int) -> None:
        if agent == self.agent and games > 0:
            for worker, shard in self.workers._busy.values():
                if shard.agent == agent:
                    os.kill(worker.process.pid, signal.SIGKILL)


def test_a_shard_that_loses_every_worker_is_left_out_and_named(tmp_path: Path) -> None:
    """The worker stands before its last answer until it is killed, so it never finishes."""
    (tmp_path / "waits.py").write_text(
        "import runpy, threading\n"
        "import mineproof.lab.shards as shards\n"
        "play = shards.play_shard\n"
        "def waits(experiment, shard, bench, tell, **rest):\n"
        "    table = play(experiment, shard, bench, tell, **rest)\n"
        "    if shard.agent == 1:\n"
        "        tell(1, 0)\n"
        "        threading.Event().wait()\n"
        "    return table\n"
        "shards.play_shard = waits\n"
        "runpy.run_module('mineproof.lab.worker', run_name='__main__')\n"
    )
    experiment = Experiment.of(["random", "single-point", "sat"], boards=["5x5/4"], games=16)
    with pytest.MonkeyPatch.context() as patch, ProcessExecutor(2) as workers:
        patch.setenv("PYTHONPATH", str(tmp_path))
        patch.setattr("mineproof.lab.executors._CHILD", "waits")
        with pytest.raises(UnfinishedRun) as caught:
            run(experiment, workers, progress=_KillsOneShard(workers, 1))
    assert str(caught.value) == (
        "missing: games 0 to 15 of single-point: the worker was killed by SIGKILL, 3 times;"
        " all others are finished"
    )
    left = caught.value.run
    assert {shard.agent for shard in left.tables} == {0, 2}
    assert left.games == 32


def test_workers_are_kept_between_experiments(experiment: Experiment) -> None:
    other = Experiment.of(["random"], boards=["5x5/4"], games=16)
    with ProcessExecutor(2) as workers:
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

    class Changes(InProcessExecutor):
        def play(self, experiment, shards, tell, transcripts=False):
            file.write_text("class Mine:\n    def act(self, view): return 0\n")
            with ProcessExecutor(1) as workers:
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


# ----------------------------------------------------------------------------
# The same shards on a real Dask cluster: a scheduler and two workers, one of which is killed.


class DaskExecutor:
    """A scheduler and two workers on this machine, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "scheduler.json"
        self._folder = folder
        self.scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        deadline = time.monotonic() + PATIENCE
        while not (self.file.exists() and self.file.read_text().rstrip().endswith("}")):
            assert time.monotonic() < deadline, (folder / "scheduler.log").read_text()
            time.sleep(0.02)
        self.workers = [self._start("worker", "--nthreads", "1", "--no-nanny") for _ in range(2)]
        there = "import sys, distributed; distributed.Client(sys.argv[1]).wait_for_workers(2)"
        address = self.engine.replace("dask://", "tcp://")
        subprocess.run([sys.executable, "-c", there, address], timeout=PATIENCE, check=True)

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [
                    *(sys.executable, "-m", f"distributed.cli.dask_{kind}", "--no-dashboard"),
                    *("--scheduler-file", str(self.file), *options),
                ],
                stdout=log,
                stderr=log,
                cwd=self._folder,
            )

    @property
    def engine(self) -> str:
        address: str = json.loads(self.file.read_text())["address"]
        return address.replace("tcp://", "dask://")

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
        for process in (*self.workers, self.scheduler):
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskExecutor]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    running = DaskExecutor(folder)
    yield running
    running.end()


def test_a_worker_killed_mid_run_changes_no_row(
    gate: Gate,
    cluster: DaskExecutor,
    gated: Experiment,
    ungated: Rows,
    rows: Callable[[Path], Rows],
    start: Callable[..., Process],
    tmp_path: Path,
) -> None:
    spec, folder = tmp_path / "experiment.toml", tmp_path / "results"
    spec.write_text(gated.text)
    arguments = ("compare", "--spec", str(spec), "--engine", cluster.engine)
    gate.let(30)
    process = start(*arguments, "--out", str(folder), "--json", "--transcripts")
    process.until(lambda: len(shards(folder)) > 1)
    # Both end up with games that are not let begin; the processes of those agents are theirs.
    process.until(lambda: all(children(worker.pid) for worker in cluster.workers))
    cluster.workers[0].kill()
    gate.open()
    status, out, err = process.end()
    assert status == 0, err
    assert json.loads(out)["finished"]
    assert rows(folder) == ungated
    texts = transcripts(folder)
    assert len(texts) == gated.rows
    seed = gated.deal_seed(1)
    again = mp.play("hex:7x7/10", "random", seed, index=1, agent_seed=gated.agent_seed)
    assert texts["random", 3] == again.text


@pytest.mark.parametrize(
    ("engine", "status", "said"),
    [
        ("dask://127.0.0.1:1", 1, "no scheduler answers"),
        ("dask://no port here", 2, "accepted: dask://host:port"),
        ("dask://127.0.0.1:99999", 1, "no scheduler answers"),
    ],
)
def test_no_scheduler_is_one_line(
    engine: str, status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run_command(["compare", "--agents", "random", "--board", "5x5/4", "--engine", engine])
        == status
    )
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


# ----------------------------------------------------------------------------
# What a run shows while it goes.


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


EXPERIMENT = Experiment.of(["random", "single-point"], boards=["beginner"], games=500)


def test_a_terminal_sees_rates_intervals_and_the_time_left() -> None:
    clock, screen = Clock(), io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120, color_system=None)
    progress = ConsoleProgress(console, clock)
    progress.begin(EXPERIMENT, "2 processes")
    progress.skipped(0, 100, 0)
    clock.now = 10
    progress.played(1, 300, 210)
    assert progress.line == "400 of 1,000 games, 30 games/s, 20 s left (2 processes)"
    progress.end()
    shown = screen.getvalue()
    assert "single-point" in shown
    assert "70.0 % won (64.6 to 74.9)" in shown


def test_wins_are_not_shown_where_scores_count() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120, color_system=None)
    progress = ConsoleProgress(console, Clock())
    progress.begin(Experiment.of(["random"], boards=["5x5/4"], on_mine="continue"), "1 process")
    progress.played(0, 30, 20)
    progress.end()
    assert "30 played" in screen.getvalue()
    assert "won" not in screen.getvalue()


def test_the_line_beside_the_bar_is_not_broken_at_80_columns() -> None:
    clock, screen = Clock(), io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, color_system=None)
    progress = ConsoleProgress(console, clock)
    progress.begin(EXPERIMENT, "2 processes")
    clock.now = 40
    progress.played(1, 100, 70)
    progress.end()
    assert "100 of 1,000 games, 2 games/s, 6 min 00 s left (2 processes)" in screen.getvalue()


def test_a_file_gets_a_line_now_and_then() -> None:
    clock, lines = Clock(), io.StringIO()
    progress = ConsoleProgress(Console(file=lines, width=120), clock)
    progress.begin(EXPERIMENT, "1 process")
    for _ in range(100):
        clock.now += 1
        progress.played(0, 1, 0)
    progress.end()
    assert len(lines.getvalue().splitlines()) == 3
    assert "30 of 1,000 games, 1 games/s" in lines.getvalue()


def test_a_slow_pace_is_not_called_none() -> None:
    clock, lines = Clock(), io.StringIO()
    progress = ConsoleProgress(Console(file=lines, width=120), clock)
    progress.begin(EXPERIMENT, "1 process")
    clock.now += 50
    progress.played(0, 4, 0)
    progress.end()
    assert "4 of 1,000 games, 0.08 games/s" in lines.getvalue()


def test_the_pace_is_that_of_late() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert pace.rate == 0
    for second in range(100):
        clock.now += 1
        pace.add(1000 if second < 50 else 10)
    assert pace.rate == pytest.approx(10)


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0 s"), (59, "59 s"), (185, "3 min 05 s"), (7800, "2 h 10 min")]
)
def test_times_for_people(seconds: float, text: str) -> None:
    assert time_text(seconds) == text
