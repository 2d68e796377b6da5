"""Steps of the native batch beside those of Jumanji's Minesweeper, in one run.

16x30 with 99 mines, 1,024 boards, random legal actions. Ours opens cascades and begins anew when a
game ends; Jumanji's does neither. Jumanji brings JAX, so it may be in another environment:

    JUMANJI_PYTHON=path/to/python make bench ARGS=envs
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import numpy as np

from benchmarks.result import Result, UnavailableError
from mineproof import kernel

BOARD, GAMES, STEPS, RUNS = "expert", 1024, 1000, 5
AT_LEAST = 50.0

# Actions are drawn as Jumanji's own random policy draws them, and without that its step alone.
_JUMANJI = """
import json, sys, time
games, steps, runs = json.load(sys.stdin)
import jax, jax.numpy as jnp
from jumanji.environments.logic.minesweeper.env import Minesweeper
from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator
env = Minesweeper(generator=UniformSamplingGenerator(num_rows=16, num_cols=30, num_mines=99))
step = jax.vmap(env.step)
def choose(seen, key):
    logits = jnp.where(seen.action_mask.reshape(games, -1), 0.0, -jnp.inf)
    cells = jax.random.categorical(key, logits)
    return jnp.stack([cells // 30, cells % 30], axis=1).astype(jnp.int32)
both = jax.jit(lambda state, seen, key: step(state, choose(seen, key)))
choose, step = jax.jit(choose), jax.jit(step)
best = [float("inf")] * 2
for run in range(runs + 1):
    start = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(run), games))
    keys = jax.random.split(jax.random.PRNGKey(run), steps)
    state, seen = start
    began = time.process_time()
    for key in keys:
        state, seen = jax.block_until_ready(both(state, seen.observation, key))
    times = [time.process_time() - began, 0.0]
    state, seen = start
    for key in keys:
        action = jax.block_until_ready(choose(seen.observation, key))
        began = time.process_time()
        state, seen = jax.block_until_ready(step(state, action))
        times[1] += time.process_time() - began
    if run:
        best = [min(pair) for pair in zip(best, times)]
print(json.dumps([one / (games * steps) for one in best]))
"""


def bench() -> Iterator[Result]:
    if not kernel.available():
        raise UnavailableError("needs the compiled core")
    try:
        import gymnasium

        import mineproof.envs
    except ModuleNotFoundError:
        raise UnavailableError("needs gymnasium, of the extra gym") from None
    name = mineproof.envs.ENVIRONMENT
    theirs, alone = _jumanji() or (None, None)
    for mode in ("NextStep", "SameStep"):
        envs: Any = gymnasium.make_vec(name, GAMES, board=BOARD, autoreset_mode=mode)
        envs.reset(seed=1)
        moves, seconds = min((_steps(envs) for _ in range(RUNS)), key=lambda one: one[1] / one[0])
        yield Result(
            f"random legal steps of {GAMES:,} boards, {mode}, beside Jumanji's",
            "steps",
            moves,
            seconds,
            peer=None if theirs is None else theirs * moves,
            least_ratio=None if theirs is None or mode != "NextStep" else AT_LEAST,
        )
        if alone is not None and mode == "NextStep":
            work = "the same, beside Jumanji's step without the choice of its action"
            yield Result(work, "steps", moves, seconds, peer=alone * moves)
    yield from _threads(gymnasium, name)


def _steps(envs: Any, clock: Any = time.process_time) -> tuple[int, float]:
    """Moves made, those of games that began anew not counted, and the time they took."""
    start = clock()
    moves = 0
    for _ in range(STEPS):
        envs.step(envs.random_actions())
        moves += int(np.count_nonzero(envs.moved))
    return moves, clock() - start


def _threads(gymnasium: Any, name: str) -> Iterator[Result]:
    """Steps alone, by wall time, on one thread and on two; the medians.

    Each batch is stepped a block at a time: step by step in turns, the second would find what the
    first has just left in the caches, since both play the same games.
    """
    for games in (64, GAMES, 16 * GAMES):
        batches = [gymnasium.make_vec(name, games, board=BOARD, threads=n) for n in (1, 2)]
        for envs in batches:
            envs.reset(seed=1)
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(RUNS):
            for taken, envs in zip(times, batches, strict=True):
                for _ in range(60):
                    actions = envs.random_actions()
                    start = time.perf_counter()
                    envs.step(actions)
                    taken.append(time.perf_counter() - start)
        one, two = map(median, times)
        yield Result(
            f"steps of {games:,} boards on two threads beside one, wall time",
            "steps",
            games,
            two,
            peer=one,
        )


def _jumanji() -> tuple[float, float] | None:
    """CPU seconds of one of Jumanji's steps, with its random action and without; None where it is
    not installed.
    """
    python = os.environ.get("JUMANJI_PYTHON", sys.executable)
    done = subprocess.run(
        [python, "-c", _JUMANJI],
        input=json.dumps([GAMES, 100, RUNS]),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        return None
    both, alone = json.loads(done.stdout.splitlines()[-1])
    return both, alone
