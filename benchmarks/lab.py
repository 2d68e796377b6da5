"""Beginner games of a cheap agent through the laboratory's runner, kept as Parquet.

Nearly all of it is the Python referee. Agents that live in the core will play whole shards there.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.result import Result
from mineproof.lab.experiment import Experiment
from mineproof.lab.runner import run

GAMES = 4000


def bench() -> Result:
    """Everything between asking for the experiment and the last shard on the disk."""
    experiment = Experiment.of(["random"], boards=["beginner"], games=GAMES, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        run(experiment, folder=Path(folder) / "results")
        seconds = time.process_time() - began
    return Result("random on Beginner through the runner", "games", GAMES, seconds)
