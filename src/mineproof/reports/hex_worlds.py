"""The worlds that report 2's strategies play: from a file, dealt at random, or dealt and kept.

The report's own worlds are not shipped, and they are not like worlds dealt at random. Its 30 were
chosen by what solves them from the two given cells: 11 by single clues, 14 more by all clues
together, 5 by neither. So worlds are also dealt and kept by just that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mineproof.agents.spec import parse_agent
from mineproof.board.deal import deal
from mineproof.board.presets import Board
from mineproof.board.worlds import World, choose_worlds
from mineproof.errors import InputError
from mineproof.lab.experiment import Experiment
from mineproof.lab.report import Estimate
from mineproof.match.game import play_game
from mineproof.reports.estimates import mean_of, share_of
from mineproof.reports.workshop import GameNumbers, Workshop
from mineproof.view.setting import Setting

__all__ = [
    "MIXTURE",
    "SIZES",
    "WorldKind",
    "dealt_and_kept",
    "dealt_at_random",
    "from_file",
    "solved_by",
    "world_of",
]

SIZES = {"S": "hex:5x5/5", "M": "hex:7x7/10", "L": "hex:11x11/28"}
RULES = "report2"
SOLVERS = {"single": "single-point+stop", "together": "sat+stop"}
"""What solves a world, the cheaper first; neither uses the mine total, and neither guesses."""
NEITHER = "neither"
MIXTURE = {
    "S": {"single": 5, "together": 4, NEITHER: 1},
    "M": {"single": 4, "together": 4, NEITHER: 2},
    "L": {"single": 2, "together": 6, NEITHER: 2},
}
"""How many of the report's ten worlds of each size each solves."""


@dataclass(frozen=True)
class WorldKind:
    """Worlds of one kind and the games on them; `places` are those of each size.

    Where worlds are `drawn` and each is played several times, intervals are for the choice of the
    worlds. `published_on` is how many worlds or games the published numbers count for; None where
    they say nothing of such worlds.
    """

    key: str
    name: str
    text: str
    played: GameNumbers
    places: Mapping[str, list[int]]
    drawn: bool = False
    published_on: int | None = None

    def won(self, agent: str, places: Iterable[int] | None = None) -> Estimate:
        """The share of an agent's games that it won."""
        return self._share(agent, "won", places)

    def finer(self, agent: str, places: Iterable[int] | None = None) -> Estimate:
        """The mean of the finer measure."""
        return self._share(agent, "finer", places)

    def column(self, name: str, agent: str) -> Any:
        """A column of all games of an agent."""
        return self.played.column(name, agent, self.played.everywhere)

    def _share(self, agent: str, column: str, places: Iterable[int] | None) -> Estimate:
        numbers = self.played.everywhere if places is None else places
        columns = [self.played.column(column, agent, place) for place in numbers]
        if self.drawn:
            means = np.array([one.mean() for one in columns])
            if set(means) in ({0.0}, {1.0}):
                # Drawing such worlds again would find nothing else: they are counted instead.
                return share_of(means)
            return mean_of(means, 1, percent=True)
        values = np.concatenate(columns)
        return share_of(values) if column == "won" else mean_of(values, 1, percent=True)


def from_file(workshop: Workshop, agents: tuple[str, ...]) -> WorldKind:
    """The worlds of the file that was given. Raises InputError for another size."""
    games = workshop.scale.games(25, 100)
    worlds = choose_worlds(workshop.worlds)
    experiment = Experiment.of(agents, worlds=worlds, games=games, seed=workshop.seed)
    shapes = {board.partition("/")[0]: size for size, board in SIZES.items()}
    places: dict[str, list[int]] = {size: [] for size in SIZES}
    for number, place in enumerate(experiment.places):
        size = shapes.get(place.board.partition("/")[0])
        if size is None:
            raise InputError(
                f"world {place.world} is {place.board}; accepted: worlds of 5x5, 7x7 and 11x11"
            )
        places[size].append(number)
    solved = [solved_by(world) for world in worlds]
    return WorldKind(
        "worlds",
        "worlds of the file",
        f"The {len(worlds)} worlds of the given file, {games} games each; corner and centre are"
        " given. Worlds named TEST are left out. From the two given cells,"
        f" {solved.count('single')} are solved by single clues, {solved.count('together')} more by"
        f" all clues together, {solved.count(NEITHER)} by neither. The intervals are for chance in"
        " play: the worlds are the same as the report's if the file is.",
        workshop.play("002-worlds", experiment),
        {size: numbers for size, numbers in places.items() if numbers},
        published_on=3000,
    )


def dealt_at_random(workshop: Workshop, agents: tuple[str, ...]) -> WorldKind:
    """Worlds of the report's sizes, a new one for every game."""
    games = workshop.scale.games(300, 3000)
    experiment = Experiment.of(
        agents, boards=list(SIZES.values()), games=games, seed=workshop.seed, rules=RULES
    )
    return WorldKind(
        "dealt",
        "dealt at random",
        f"Dealt at random: {games} worlds of each size, and every agent plays each once.",
        workshop.play("002-dealt", experiment),
        {size: [place] for place, size in enumerate(SIZES)},
    )


def dealt_and_kept(workshop: Workshop, agents: tuple[str, ...]) -> tuple[WorldKind, WorldKind]:
    """Worlds that entailment alone solves, and worlds mixed as the report's 30 are."""
    need = {
        size: {solver: workshop.scale.games(3 * count, 12 * count) for solver, count in ten.items()}
        for size, ten in MIXTURE.items()
    }
    games = workshop.scale.games(6, 10)
    solved: dict[str, list[int]] = {}
    mixed: dict[str, list[int]] = {}
    dealt = {size: _sorted_deals(workshop, size, counts) for size, counts in need.items()}
    for size, by in dealt.items():
        worlds = sum(need[size].values())
        solved[size] = sorted(by["single"] + by["together"])[:worlds]
        chosen = (by[solver][:count] for solver, count in need[size].items())
        mixed[size] = sorted(index for some in chosen for index in some)
    kept = sum(map(len, mixed.values()))
    shares = ", ".join(f"{size} {_share_kept(by)}" for size, by in dealt.items())
    return (
        _kept(
            workshop,
            "solved",
            "solved by entailment",
            "Dealt, and kept where entailment alone solves them: all clues together, as SATX has"
            f" them, with marks, without the mine total and without a guess. The share kept:"
            f" {shares}. {kept} worlds, {games} games each. SATX cannot lose on them. Nor does SPX,"
            " hardly ever: where a dealt world can be solved at all, single clues are nearly always"
            " enough.",
            solved,
            games,
            agents,
        ),
        _kept(
            workshop,
            "mixed",
            "mixed as the report's",
            "Dealt, and kept in the mixture of the report's own worlds: of every 30, 11 that single"
            " clues solve from the two given cells, 14 that only all clues together solve, 5 that"
            f" neither does, size by size. {kept} worlds, {games} games each. The published"
            " figures are compared with this kind; their intervals are those of 30 worlds.",
            mixed,
            games,
            agents,
            published_on=30,
        ),
    )


def _kept(
    workshop: Workshop,
    key: str,
    name: str,
    text: str,
    chosen: Mapping[str, list[int]],
    games: int,
    agents: tuple[str, ...],
    published_on: int | None = None,
) -> WorldKind:
    seed = workshop.seed
    worlds = [world_of(size, seed, index) for size, many in chosen.items() for index in many]
    experiment = Experiment.of(agents, worlds=worlds, games=games, seed=seed)
    places: dict[str, list[int]] = {size: [] for size in chosen}
    for number, world in enumerate(worlds):
        places[world.name[0]].append(number)
    played = workshop.play(f"002-{key}", experiment)
    return WorldKind(key, name, text, played, places, True, published_on)


def world_of(size: str, seed: int, index: int) -> World:
    board = Board.parse(SIZES[size])
    topology = board.topology
    free = (topology.corner, topology.centre)
    return World(f"{size}-{index}", deal(topology, board.mines, seed, index, free))


def _sorted_deals(workshop: Workshop, size: str, need: Mapping[str, int]) -> dict[str, list[int]]:
    """The indices of deals by what solves them, until there are enough of each."""
    asked = {"size": size, "need": dict(need), "seed": workshop.seed}
    workshop.say(f"002-kept: deals of {SIZES[size]}, sorted by what solves them")

    def work() -> dict[str, list[int]]:
        found: dict[str, list[int]] = {solver: [] for solver in need}
        index = 0
        while any(len(found[solver]) < count for solver, count in need.items()):
            found[solved_by(world_of(size, workshop.seed, index))].append(index)
            index += 1
        return found

    found: dict[str, list[int]] = workshop.measure("002-kept", asked, work)
    return found


def solved_by(world: World) -> str:
    """The first of the solvers that opens every safe cell from the two given ones."""
    setting = Setting.of(world)
    for solver, agent in SOLVERS.items():
        if play_game(setting, parse_agent(agent).make(), agent, 0).outcome.won:
            return solver
    return NEITHER


def _share_kept(by: Mapping[str, list[int]]) -> Estimate:
    """The share of the deals that entailment solves."""
    kept = sum(len(by[solver]) for solver in SOLVERS)
    return share_of([True] * kept + [False] * len(by[NEITHER]))
