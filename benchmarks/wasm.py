"""The core in WebAssembly, as the package for JavaScript runs it in node, beside the native core.

Needs `make js`. The peer is the native core, asked from Python for the same in the same run.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.positions import expert_positions
from benchmarks.result import Result, UnavailableError, best_of
from mineproof import kernel
from mineproof.advice.adviser import advise
from mineproof.agents.players import first_cells
from mineproof.engine.exact import analyze, core_board_of
from mineproof.kernel import core
from mineproof.view import Mark, View
from mineproof.view.view import code_bytes

PACKAGE = Path(__file__).parent.parent / "build" / "js" / "index.js"
GAMES, RUNS, CHAMPION = 110, 25, 40
MARKS = {Mark.HIDDEN: ".", Mark.BLANK: "?", Mark.MINE: "*"}


def bench() -> Iterator[Result]:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    if not PACKAGE.exists():
        raise UnavailableError("needs the package for JavaScript: make js")
    views = expert_positions(GAMES)
    guesses = [view for view in views if not analyze(view).safe]
    asked = {
        "positions": list(map(_marks, views)),
        "guesses": list(map(_marks, guesses)),
        "runs": RUNS,
        "champion": CHAMPION,
    }
    command = ["node", str(Path(__file__).with_suffix(".mjs")), str(PACKAGE)]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True)
    if done.returncode:
        raise UnavailableError(f"node failed: {done.stderr.strip().splitlines()[-1]}")
    found = json.loads(done.stdout)
    native: dict[str, list[float]] = {
        "analyze": _each(views, RUNS, lambda view: analyze(view).p.array),
        "bestMove": _each(views, 3, advise),
        "swift": _guessing(guesses, "swift"),
        "champion": _guessing(guesses[:CHAMPION], "champion"),
    }
    for name, times in native.items():
        # Most guesses of the champion are quick, and few take all the time.
        kind = "mean" if name == "champion" else "median"
        measure = statistics.fmean if name == "champion" else statistics.median
        wasm, python = measure(found[name]), measure(times)
        work = f"{name} in WebAssembly, {len(times)} Expert positions, {kind}; peer: native"
        yield Result(work, "positions", 1, wasm, peer=python)


def _marks(view: View) -> list[str | int]:
    return [MARKS[one] if isinstance(one, Mark) else one for one in view]


def _each(views: Sequence[View], runs: int, ask: Callable[[View], object]) -> list[float]:
    return [best_of(runs, partial(ask, view)) for view in views]


def _guessing(views: Sequence[View], player: str) -> list[float]:
    """A player remembers what it has thought of: every round is a new one."""
    least = [float("inf")] * len(views)
    for _ in range(3):
        ask = _seat(views[0], player)
        for i, view in enumerate(views):
            least[i] = min(least[i], best_of(1, partial(ask, view)))
    return least


def _seat(view: View, player: str) -> Callable[[View], object]:
    """What the package's `guess` asks of the core."""
    total, rule = view.total, view.rules.first_click
    assert total is not None
    first = first_cells(view.topology, rule, total)
    seat = core.Seat(core_board_of(view.topology).board, total, rule.value, first, player, {})

    def ask(shown: View) -> object:
        seat.begin(0)
        seat.prove(code_bytes(shown))
        return seat.guess()

    return ask
