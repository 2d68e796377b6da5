"""Summing up a million rows: results, pairs and boards from a folder of shards."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.result import Result
from mineproof.lab.experiment import Experiment
from mineproof.lab.results import Results
from mineproof.lab.shards import Shard, shards_of
from mineproof.lab.store import ShardStore
from mineproof.lab.table import SCHEMA, Table

ROWS = 1_000_000
RUNS = 3
TEXTS = {"board": "square:9x9/10", "world": None, "reason": "exploded: guessed by random"}


def bench() -> Result:
    """The fastest of several runs; 2 seconds are promised."""
    experiment = Experiment.of(
        ["random", "single-point"], boards=["beginner"], games=ROWS // 2, seed=1
    )
    rng = np.random.default_rng(1)
    times = []
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "results"
        with ShardStore(folder, experiment) as store:
            for shard in shards_of(experiment):
                store.write(shard, _made_up(experiment, shard, rng))
        for _ in range(RUNS):
            began = time.perf_counter()
            with Results(folder) as results:
                results.summary()
                results.paired()
                results.by_place()
            times.append(time.perf_counter() - began)
    return Result("sum up a million rows of two agents", "rows", ROWS, min(times), ROWS / 2)


def _made_up(experiment: Experiment, shard: Shard, rng: np.random.Generator) -> Table:
    """A shard of invented games."""
    games = len(shard)
    texts = {**TEXTS, "agent": experiment.agents[shard.agent]}
    numbers = {"game": np.arange(shard.start, shard.stop), "index": np.arange(games)}
    made = {
        "VARCHAR": lambda name: np.full(games, texts[name], dtype=object),
        "BIGINT": lambda name: numbers.get(name, rng.integers(0, 100, games)),
        "BOOLEAN": lambda name: rng.random(games) < 0.5,
        "DOUBLE": lambda name: rng.random(games),
    }
    return {name: made[kind](name) for name, kind in SCHEMA.items()}
