"""Whole games in the core, for the agents that live there; rows come back as columns.

These are `random`, `exact` and the players that only the core has, under the rules of the ordinary
game. What the core plays is what the Python referee would play, game for game: a test compares the
rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.agents.spec import RANDOM, parse_agent
from mineproof.lab.experiment import Experiment, Place
from mineproof.lab.rows import KINDS, SCHEMA, Table
from mineproof.match.play_many import core_player, core_rows, knows

__all__ = ["lives_in_core", "play_in_core"]


def lives_in_core(experiment: Experiment, agent: str) -> bool:
    """Whether the core can play this agent's games of an experiment."""
    if not kernel.available() or (agent != RANDOM and core_player(agent) is None):
        return False
    return all(place.world is None and knows(place.setting) for place in experiment.places)


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
    ends = np.zeros((len(numbers), 6), dtype=np.int32)
    cells = np.zeros(len(numbers), dtype=np.int64)
    mines = np.zeros(len(numbers), dtype=np.int64)
    boards = np.empty(len(numbers), dtype=object)
    for which, place in enumerate(experiment.places):
        here = np.flatnonzero(places == which)
        if not len(here):
            continue
        topology = place.setting.board.topology
        laid = place.setting.rules.mines.fixed(len(topology)) or 0
        ends[here] = _ends(experiment, place, agent, int(indices[here[0]]), len(here))
        cells[here], mines[here], boards[here] = len(topology), laid, place.board
    seconds = (clock() - began) / max(len(numbers), 1)
    return _table(agent, numbers, indices, boards, cells, mines, ends, seconds)


def _ends(
    experiment: Experiment, place: Place, agent: str, start: int, games: int
) -> NDArray[np.int32]:
    """A row a game: won, opened by the agent, opened in all, safe cells left, guesses, flags."""
    player = core_player(agent)
    if player is not None:
        return core_rows(
            place.setting, player, experiment.seed, experiment.agent_seed, start, games
        )[0]
    rules, topology = place.setting.rules, place.setting.board.topology
    ends = kernel.core.play_random(
        experiment.seed,
        experiment.agent_seed,
        start,
        games,
        topology.offsets,
        topology.targets,
        rules.mines.fixed(len(topology)) or 0,
        rules.first_click.value,
        rules.cascade,
    )
    # It guesses every step and flags nothing.
    return np.column_stack([ends, ends[:, 1], np.zeros_like(ends[:, 1])])


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
    opened, covered, flags = ends[:, 2], ends[:, 3] + mines, ends[:, 5]
    policy = agent if agent == RANDOM else parse_agent(agent).policy
    columns = {
        "agent": agent,
        "board": boards,
        "world": None,
        "game": numbers,
        "index": indices,
        "won": won,
        "stuck": False,
        # Every flag came with a proof, so it stands on a mine.
        "score": np.where(mines == 0, 1.0, flags / np.maximum(mines, 1)),
        "finer": np.where(covered == 0, 1.0, mines / np.maximum(covered, 1)),
        "marked_share": (opened + flags) / cells,
        "opened": opened,
        "guesses": ends[:, 4],
        "steps": ends[:, 1] + flags,
        "seconds": seconds,
        "effort": 0,
        "reason": np.where(won, "", f"exploded: guessed by {policy}").astype(object),
    }
    table = {}
    for name, kind in SCHEMA.items():
        column = np.empty(len(numbers), dtype=KINDS[kind])
        column[:] = columns[name]
        table[name] = column
    return table
