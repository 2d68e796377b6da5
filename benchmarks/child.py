"""One large case in a process of its own, so that its memory can be measured."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from mineproof.board import Topology
from mineproof.engine.exact import analyze, core_board_of
from mineproof.errors import BudgetExceeded
from mineproof.rules import Rules
from mineproof.view import View


@dataclass(frozen=True)
class Measured:
    """CPU seconds, infinite if over budget, and megabytes beyond those of the position."""

    seconds: float
    megabytes: float


def measured(view: View, *, runs: int = 3) -> Measured:
    """Time the analysis of a position in a process that has done nothing else."""
    return _in_child(view, runs)


def refusal(view: View) -> Measured:
    """Time how long it takes until a position is given up as over budget; infinite if it is not."""
    return _in_child(view, 0)


def _in_child(view: View, runs: int) -> Measured:
    header = json.dumps([view.topology.text, view.rules.text, runs])
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.child"],
        input=header.encode() + b"\n" + view.codes().tobytes(),
        capture_output=True,
        check=True,
        cwd=Path(__file__).resolve().parent.parent,
    )
    return Measured(**json.loads(done.stdout.splitlines()[-1]))


def measure(view: View, runs: int) -> Measured:
    core_board_of(view.topology)
    before = _resident("VmRSS")
    _forget_peak()
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        try:
            analysis = analyze(view)
        except BudgetExceeded:
            break
        _ = analysis.p.array
        best = min(best, time.process_time() - start)
    return Measured(best, _resident("VmHWM") - before)


def refused(view: View) -> Measured:
    core_board_of(view.topology)
    before = _resident("VmRSS")
    _forget_peak()
    start = time.process_time()
    try:
        analyze(view)
    except BudgetExceeded:
        return Measured(time.process_time() - start, _resident("VmHWM") - before)
    return Measured(float("inf"), _resident("VmHWM") - before)


def _forget_peak() -> None:
    """Reset the peak of memory; if that is impossible, it counts from the start."""
    peak = Path("/proc/self/clear_refs")
    if peak.exists():
        peak.write_text("5")


def _resident(field: str) -> float:
    """Megabytes of this process now (VmRSS) or at most (VmHWM)."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    for line in status.read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise AssertionError(f"no {field} in /proc/self/status")


def main() -> None:
    header, _, codes = sys.stdin.buffer.read().partition(b"\n")
    topology, rules, runs = json.loads(header)
    view = View.of_codes(
        Topology.parse(topology), Rules.parse(rules), np.frombuffer(codes, dtype=np.uint8)
    )
    print(json.dumps(asdict(measure(view, runs) if runs else refused(view))))


if __name__ == "__main__":
    main()
