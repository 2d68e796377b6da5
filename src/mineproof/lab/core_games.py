"""Whole games in the core, for the agents that live there; rows come back as columns.

These are `random`, `exact` and the players that only the core has, under the rules of the ordinary
game, with cells given by name or without. What the core plays is what the Python referee would
play, game for game: a test compares the rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from mineproof import kernel
from mineproof.agents.spec import is_random, parse_agent
from mineproof.board.deal import given_cells, kept_free_for_given
from mineproof.kernel import core
from mineproof.lab.experiment import Experiment, Place
from mineproof.lab.rows import KINDS, SCHEMA, Table
from mineproof.match.play_many import core_games, core_player, knows
from mineproof.match.row import EXPLODED_UNSTATED

__all__ = ["lives_in_core", "play_in_core"]


def lives_in_core(experiment: Experiment, agent: str) -> bool:
    """Whether the core can play this agent's games of an experiment."""
    if agent in dict(experiment.objects):
        return False
    if not kernel.available() or not (is_random(agent) or core_player(agent)):
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
    table = {name: np.empty(len(numbers), dtype=KINDS[kind]) for name, kind in SCHEMA.items()}
    for which, place in enumerate(experiment.places):
        here = np.flatnonzero(places == which)
        # With a secret every game has a seed of its own.
        runs = [here] if experiment.secret is None else list(here.reshape(-1, 1))
        for some in runs:
            if not len(some):
                continue
            played = _play(experiment, place, agent, int(indices[some[0]]), len(some))
            for name, column in _columns(agent, place, played).items():
                table[name][some] = column
    table["game"][:] = numbers
    table["index"][:] = indices
    table["seconds"][:] = (clock() - began) / max(len(numbers), 1)
    return table


def _play(
    experiment: Experiment, place: Place, agent: str, start: int, games: int
) -> core.PlayedGames:
    player = core_player(agent)
    if player is not None:
        return core_games(
            place.setting,
            player,
            experiment.deal_seed(start),
            experiment.agent_seed,
            start,
            games,
        )
    rules, topology = place.setting.rules, place.setting.board.topology
    return core.play_random(
        experiment.deal_seed(start),
        experiment.agent_seed,
        start,
        games,
        topology.offsets,
        topology.targets,
        rules.mines.fixed(len(topology)) or 0,
        rules.first_click.value,
        rules.cascade,
        given_cells(topology, rules.given),
        kept_free_for_given(topology, rules),
    )


def _columns(agent: str, place: Place, played: core.PlayedGames) -> dict[str, object]:
    """The columns of the games at one place, but for their numbers and times."""
    topology = place.setting.board.topology
    mines = place.setting.rules.mines.fixed(len(topology)) or 0
    opened, flags, covered = played.opened, played.flags, played.safe_left + mines
    steps = played.clicks + flags
    # A given cell that was a mine is nobody's guess.
    lost = np.where(
        steps == 0, EXPLODED_UNSTATED, f"exploded: guessed by {parse_agent(agent).policy}"
    )
    return {
        "agent": agent,
        "board": place.board,
        "world": None,
        "won": played.won,
        "stuck": False,
        # Every flag came with a proof, so it stands on a mine.
        "score": flags / mines if mines else 1.0,
        "finer": np.where(covered == 0, 1.0, mines / np.maximum(covered, 1)),
        "marked_share": (opened + flags) / len(topology),
        "opened": opened - played.given,
        "guesses": played.guesses,
        "steps": steps,
        "effort": 0,
        "risks": "",
        "reason": np.where(played.won, "", lost).astype(object),
    }
