"""The exact engine where the frontier is wide: lattices of clues, and cells shown at random."""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import median

from benchmarks.child import measured, refusal
from benchmarks.peers import ms_toollib_times
from benchmarks.positions import lattice, scattered
from benchmarks.result import Result, UnavailableError
from mineproof import kernel

PATIENCE = 5.0
"""Time limit of ms_toollib for one position, in seconds."""


def bench() -> Iterator[Result]:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    for side, seconds in ((20, 0.1), (24, 0.5), (28, 6.0)):
        worst = max((measured(lattice(side, seed)) for seed in range(3)), key=lambda m: m.seconds)
        yield Result(
            f"lattice {side}x{side}, 20 % mines, worst of 3",
            "positions",
            1,
            worst.seconds,
            promised=1 / seconds,
            peer=ms_toollib_times([lattice(side, 0)], runs=1, limit=PATIENCE)[0],
            megabytes=worst.megabytes,
            most_megabytes=512,
        )
    refused = [refusal(lattice(60, seed)) for seed in range(3)]
    yield Result(
        "lattice 60x60, 20 % mines, given up, slowest of 3",
        "positions",
        1,
        max(found.seconds for found in refused),
        promised=1 / 2.0,
        megabytes=max(found.megabytes for found in refused),
        most_megabytes=500,
    )
    for side, seconds in ((40, 0.01), (50, 0.1)):
        found_all = [measured(scattered(side, seed)) for seed in range(5)]
        yield Result(
            f"30 % shown at random, {side}x{side}, median of 5 boards",
            "positions",
            1,
            median(found.seconds for found in found_all),
            promised=1 / seconds,
            peer=ms_toollib_times([scattered(side, 0)], runs=1, limit=PATIENCE)[0],
            megabytes=max(found.megabytes for found in found_all),
        )
    times = sorted(measured(scattered(100, seed), runs=1).seconds for seed in range(10))
    solved = sum(map(math.isfinite, times))
    yield Result(
        f"the same at 100x100, the 8th of 10 boards ({solved} solved)",
        "positions",
        1,
        times[7],
        promised=1 / 2.0,
    )
