"""The laboratory as a real process, and what it leaves behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mineproof.lab.store import read_experiment
from mineproof.lab.table import connect, file_list
from tests.interrupts import PATIENCE, until

Rows = list[tuple[Any, ...]]

_PROGRESS = re.compile(r"^[\d,]+ of [\d,]+ games, .*\n", re.MULTILINE)

_ISOLATION = re.compile(r"^mineproof: agents are not kept from .*\n", re.MULTILINE)

GATED = """\
import os, time

class Gated:
    def begin(self, view, rng):
        gate = os.environ.get("MINEPROOF_GATE")
        while gate and not os.path.exists(f"{gate}/open") and not took_one_of(gate):
            time.sleep(0.005)

    def act(self, view):
        return view.hidden[0]

def took_one_of(gate):
    for name in os.listdir(gate):
        try:
            os.unlink(f"{gate}/{name}")
        except FileNotFoundError:
            continue
        return True
    return False
"""
"""An agent that begins a game only where a gate lets it, if there is one."""


class Gate:
    """Lets so many games of `GATED` begin: a run cannot be over before it is open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._games = 0
        folder.mkdir()

    def let(self, games: int) -> None:
        for _ in range(games):
            self._games += 1
            (self._folder / str(self._games)).touch()

    def open(self) -> None:
        (self._folder / "open").touch()


class Process:
    """A `mineproof` process; `first` is Python that it runs before."""

    def __init__(self, *arguments: str, first: str = "") -> None:
        program = f"{first}\nfrom mineproof.cli import main\nmain()"
        self.popen = subprocess.Popen(
            [sys.executable, *(("-c", program) if first else ("-m", "mineproof")), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def until(self, ready: Callable[[], object]) -> None:
        """Wait until something is the case, while the process runs."""
        until(ready, self.popen)

    def kill(self) -> None:
        self.popen.kill()
        self.popen.communicate()

    def interrupt(self) -> None:
        self.popen.send_signal(signal.SIGINT)

    def end(self) -> tuple[int, str, str]:
        """Its exit status and what it printed, but for the progress of a run that takes long.

        What of the isolation does not hold here is left out, too.
        """
        out, err = self.popen.communicate(timeout=PATIENCE)
        return self.popen.returncode, out, _ISOLATION.sub("", _PROGRESS.sub("", err))


def shards(folder: Path) -> list[Path]:
    """The shards that are in a folder."""
    return sorted(folder.glob("games-*.parquet"))


def transcripts(folder: Path) -> dict[tuple[str, int], str]:
    """The texts of all transcripts in a folder, by agent and number of the game."""
    agents = read_experiment(folder).agents
    found = {}
    with connect() as connection:
        for path in sorted(folder.glob("transcripts-*.parquet")):
            agent = agents[int(path.name.split("-")[1])]
            query = f"SELECT game, transcript FROM read_parquet({file_list([path])})"
            for game, text in connection.execute(query).fetchall():
                found[agent, game] = text
    return found


def children(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(status.parent.name))
    return found


def descendants(pid: int) -> set[int]:
    """The processes that a process has started, those that they have started, and so on."""
    found = set(children(pid))
    return found.union(*map(descendants, found))


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
