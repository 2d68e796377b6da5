"""Whole games in the core, for the agents that live there; rows come back as columns.

So far that is `random` under the rules of the ordinary game. What the core plays is what the Python
referee would play, game for game: a test compares the rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.lab.experiment import Experiment, Place
from mineproof.lab.rows import KINDS, SCHEMA, Table
from mineproof.rules import FirstClick, Given, Goal, OnMine

__all__ = ["lives_in_core", "play_in_core"]

AGENTS = ("random",)
"""The agents that play whole games in the core."""


def lives_in_core(experiment: Experiment, agent: str) -> bool:
    """Whether the core can play this agent's games of an experiment."""
    return kernel.available() and agent in AGENTS and all(map(_ordinary, experiment.places))


def _ordinary(place: Place) -> bool:
    """Whether the core knows these rules, and the mines fit whatever the first cell is."""
    rules, topology = place.setting.rules, place.setting.board.topology
    mines = rules.mines.fixed(len(topology))
    if place.world is not None or mines is None or rules.given != Given():
        return False
    if (rules.on_mine, rules.goal, rules.clues) != (OnMine.LOSE, Goal.CLEAR, "exact"):
        return False
    kept_free = int(rules.first_click is not FirstClick.ANY)
    if rules.first_click is FirstClick.OPENING:
        kept_free += int(topology.degrees.max())
    return mines + kept_free <= len(topology)


def play_in_core(
    experiment: Experiment,
    agent: str,
    start: int,
    stop: int,
    clock: Callable[[], float] = time.perf_counter,
) -> Table:
    """The rows of games `start` to `stop` (not included) of an agent that lives in the core."""
    numbers = np.arange(start, stop)
    indices, places = np.divmod(numbers, len(experiment.places))
    began = clock()
    ends = np.zeros((len(numbers), 4), dtype=np.int32)
    cells = np.zeros(len(numbers), dtype=np.int64)
    mines = np.zeros(len(numbers), dtype=np.int64)
    boards = np.empty(len(numbers), dtype=object)
    for which, place in enumerate(experiment.places):
        here = np.flatnonzero(places == which)
        if not len(here):
            continue
        rules, topology = place.setting.rules, place.setting.board.topology
        laid = rules.mines.fixed(len(topology)) or 0
        ends[here] = kernel.core.play_random(
            experiment.seed,
            experiment.agent_seed,
            int(indices[here[0]]),
            len(here),
            topology.offsets,
            topology.targets,
            laid,
            rules.first_click.value,
            rules.cascade,
        )
        cells[here], mines[here], boards[here] = len(topology), laid, place.board
    seconds = (clock() - began) / max(len(numbers), 1)
    return _table(agent, numbers, indices, boards, cells, mines, ends, seconds)


def _table(
    agent: str,
    numbers: NDArray[np.int64],
    indices: NDArray[np.int64],
    boards: NDArray[np.object_],
    cells: NDArray[np.int64],
    mines: NDArray[np.int64],
    ends: NDArray[np.int32],
    seconds: float,
) -> Table:
    won = ends[:, 0].astype(bool)
    steps, opened, covered = ends[:, 1], ends[:, 2], ends[:, 3] + mines
    columns = {
        "agent": agent,
        "board": boards,
        "world": None,
        "game": numbers,
        "index": indices,
        "won": won,
        "stuck": False,
        # It flags nothing, so it has found no mine.
        "score": np.where(mines == 0, 1.0, 0.0),
        "finer": np.where(covered == 0, 1.0, mines / np.maximum(covered, 1)),
        "marked_share": opened / cells,
        "opened": opened,
        "guesses": steps,
        "steps": steps,
        "seconds": seconds,
        "effort": 0,
        "reason": np.where(won, "", f"exploded: guessed by {agent}").astype(object),
    }
    table = {}
    for name, kind in SCHEMA.items():
        column = np.empty(len(numbers), dtype=KINDS[kind])
        column[:] = columns[name]
        table[name] = column
    return table
