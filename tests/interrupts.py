"""Processes that are waited for and interrupted while they work, however fast they are."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 120.0
"""Seconds after which what should happen is no longer waited for, also on a slow machine."""
_TICKS = os.sysconf("SC_CLK_TCK")


def long_position(blocks: int = 16, side: int = 20) -> str:
    """A position of as many wide components, which keep a processor busy for 20 seconds."""
    rows = [
        "?".join([("2." * side if row % 2 == 0 else ".." * side)[:side]] * blocks)
        for row in range(side)
    ]
    return "\n".join([f"square {side}x{len(rows[0])} mines=unknown density=0.25", *rows, ""])


def until(ready: Callable[[], object], process: subprocess.Popen[Any] | None = None) -> None:
    """Wait until something is the case, while a process runs."""
    deadline = time.monotonic() + PATIENCE
    while not ready():
        assert process is None or process.poll() is None, process and process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.005)


def interrupt_at_work(process: subprocess.Popen[Any], seconds: float = 0.5) -> None:
    """Send Ctrl-C to a process once it has kept a processor busy for so long from now on."""
    begun = _worked(process.pid)
    until(lambda: _worked(process.pid) - begun >= seconds, process)
    process.send_signal(signal.SIGINT)


def _worked(pid: int) -> float:
    """The seconds of a processor that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS
