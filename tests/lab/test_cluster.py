"""The same shards on a real Dask cluster: a scheduler and two workers, one of which is killed."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import mineproof as mp
from mineproof.lab.experiment import Experiment
from mineproof.surfaces.cli.main import run
from tests.interrupts import PATIENCE
from tests.lab.processes import Gate, Process, Rows, children, shards, transcripts


class Cluster:
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
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    running = Cluster(folder)
    yield running
    running.end()


def test_a_worker_killed_mid_run_changes_no_row(
    gate: Gate,
    cluster: Cluster,
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
    assert run(["compare", "--agents", "random", "--board", "5x5/4", "--engine", engine]) == status
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
