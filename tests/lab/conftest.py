"""Experiments, their rows without the time they took, and the laboratory as a real process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.runner import run
from mineproof.lab.table import SCHEMA, TIMING
from mineproof.sandbox.agent import Limits
from tests.lab.processes import GATED, Gate, Process, Rows


@pytest.fixture(scope="session")
def rows() -> Callable[[Path], Rows]:
    """Every row of a folder, in order, without the time it took."""

    def read(folder: Path) -> Rows:
        columns = ", ".join(f'"{name}"' for name in SCHEMA if name != TIMING)
        with Results(folder) as results:
            return results.query(f"SELECT {columns} FROM games ORDER BY agent, game")

    return read


@pytest.fixture(scope="session")
def experiment() -> Experiment:
    """A second or so of games."""
    return Experiment.of(
        ["random", "single-point"], boards=["beginner", "hex:7x7/10"], games=60, seed=3
    )


@pytest.fixture(scope="session")
def undisturbed(
    experiment: Experiment, rows: Callable[[Path], Rows], tmp_path_factory: pytest.TempPathFactory
) -> Rows:
    """The rows of that experiment, played in this process without a break."""
    folder = tmp_path_factory.mktemp("undisturbed") / "results"
    run(experiment, folder=folder)
    return rows(folder)


@pytest.fixture(scope="session")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    """An experiment that lasts for as long as its gate is closed; 16 shards of 10 games."""
    file = tmp_path_factory.mktemp("gated") / "gated.py"
    file.write_text(GATED)
    return Experiment.of(
        ["random", str(file)],
        boards=["beginner", "hex:7x7/10"],
        games=40,
        seed=3,
        shard_games=10,
        secret="0123456789abcdef0123456789abcdef",
        limits=Limits(move_seconds=3600.0, game_seconds=3600.0, start_seconds=3600.0),
    )


@pytest.fixture(scope="session")
def ungated(
    gated: Experiment, rows: Callable[[Path], Rows], tmp_path_factory: pytest.TempPathFactory
) -> Rows:
    """The rows of that experiment, played in this process without a gate."""
    folder = tmp_path_factory.mktemp("ungated") / "results"
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("MINEPROOF_GATE", raising=False)
        run(gated, folder=folder)
    return rows(folder)


@pytest.fixture
def gate(ungated: Rows, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """The gate of the processes that a test starts."""
    monkeypatch.setenv("MINEPROOF_GATE", str(tmp_path / "gate"))
    monkeypatch.setenv(
        "MINEPROOF_WITHOUT", "namespaces,landlock,filter"
    )  # it must write to the gate
    return Gate(tmp_path / "gate")


@pytest.fixture
def start() -> Iterator[Callable[..., Process]]:
    """Start `mineproof` processes, and end those that are left."""
    started: list[Process] = []

    def begin(*arguments: str, first: str = "") -> Process:
        started.append(Process(*arguments, first=first))
        return started[-1]

    yield begin
    for process in started:
        if process.popen.poll() is None:
            process.kill()
