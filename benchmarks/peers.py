"""ms_toollib, the fastest solver on PyPI, timed in a process of its own: it can abort."""

from __future__ import annotations

import importlib.util
import json
import math
import subprocess
import sys
from collections.abc import Sequence

from benchmarks.result import UnavailableError
from mineproof.view import Mark, View

_SCRIPT = """
import json, sys, time
import ms_toollib
boards, mines, runs = json.load(sys.stdin)
times = []
for board in boards:
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        ms_toollib.cal_probability_onboard(board, mines)
        best = min(best, time.process_time() - start)
    times.append(best)
print(json.dumps(times))
"""
_HIDDEN_THERE = 10


def ms_toollib_times(views: Sequence[View], *, runs: int = 3, limit: float = 60.0) -> list[float]:
    """Seconds for every position (of one board and total); infinite if it took too long."""
    if importlib.util.find_spec("ms_toollib") is None:
        raise UnavailableError("needs ms_toollib, of the extra dev")
    rows, cols = views[0].topology.lattice.dimensions
    boards = []
    for view in views:
        codes = view.codes().astype(int)
        codes[codes == Mark.HIDDEN.value] = _HIDDEN_THERE
        boards.append(codes.reshape(rows, cols).tolist())
    try:
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            input=json.dumps([boards, views[0].total, runs]),
            capture_output=True,
            text=True,
            timeout=limit,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return [math.inf] * len(views)
    times: list[float] = json.loads(done.stdout.splitlines()[-1])
    return times
