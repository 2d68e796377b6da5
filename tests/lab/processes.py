"""The laboratory as a real process, and what it leaves behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Rows = list[tuple[Any, ...]]

PATIENCE = 40.0


class Process:
    """A `mineproof` process."""

    def __init__(self, *arguments: str, **options: Any) -> None:
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "mineproof", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )

    def until(self, ready: Callable[[], object]) -> None:
        """Wait until something is the case, while the process runs."""
        deadline = time.monotonic() + PATIENCE
        while not ready():
            assert self.popen.poll() is None, self.popen.communicate()
            assert time.monotonic() < deadline
            time.sleep(0.005)

    def kill(self) -> None:
        self.popen.kill()
        self.popen.communicate()

    def interrupt(self) -> None:
        self.popen.send_signal(signal.SIGINT)

    def end(self) -> tuple[int, str, str]:
        """Its exit status and what it printed."""
        out, err = self.popen.communicate(timeout=PATIENCE)
        return self.popen.returncode, out, err


def shards(folder: Path) -> list[Path]:
    """The shards that are in a folder."""
    return sorted(folder.glob("games-*.parquet"))


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


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        os.kill(pid, 0)
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
