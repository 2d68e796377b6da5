"""Report 2: hexagonal worlds and a SAT solver (Tornado Sweeper).

The report's own worlds are played where their file is given. Beside them stand thirty of our own,
and three kinds that are dealt: at random, solved by entailment, and mixed as the report's are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.agents.catalog import parse_agent
from mineproof.board.layout import deal
from mineproof.board.presets import Board, World, choose_worlds
from mineproof.errors import InputError
from mineproof.game.play import play_game
from mineproof.lab.experiment import Experiment
from mineproof.lab.figures import bars
from mineproof.lab.report import (
    Agreement,
    Block,
    Card,
    Cell,
    Claims,
    Estimate,
    Figure,
    ReportClaim,
    Section,
    SummaryLine,
    Table,
    Text,
)
from mineproof.reports.estimates import (
    PublishedShare,
    agreement,
    claim_outcome,
    curve_of,
    difference_of,
    mean_of,
    pooled_share,
    share_of,
)
from mineproof.reports.workshop import GameColumns, Workshop
from mineproof.text import many
from mineproof.view.setting import Setting

PUBLISHED = {
    "random": ("RPX", 22 / 3000),
    "single-point": ("SPX", 1872 / 3000),
    "sat[safe-only]": ("SATX", 2594 / 3000),
}
LOGICAL = ("single-point", "sat[safe-only]", "sat")
PLAIN = ("random", *LOGICAL)
PROPOSED = {
    "sat+corner-first": "prefer a corner",
    "sat+density-formula": "the formula for cells away from clues",
    "exact": "all configurations, the least chance",
    "sat+forced-first": "make forced guesses early",
}
"""The improvements that the report proposes, by the agents that have them."""
AGENTS = (*PLAIN, *PROPOSED)
_COVERED = "tornadoes of covered cells"
"""What a reader sees of the report's finer measure."""


def report(workshop: Workshop) -> Section:
    """Wins on every kind of worlds, the finer measure, the improvements, and every loss."""
    given = (worlds_of_file(workshop, AGENTS),) if workshop.worlds else ()
    own, dealt = own_worlds(workshop, PLAIN), random_worlds(workshop, AGENTS)
    solved, mixed = kept_worlds(workshop, PLAIN)
    kinds = (*given, own, dealt, solved, mixed)
    losses, all_guessed = _losses(kinds)
    # All strategies play on these: where a file was given on its worlds, else on many dealt ones.
    widely = (*given, dealt)[0]
    blocks: list[Block] = [Text(_what(bool(given)))]
    blocks += [Text(kind.text) for kind in kinds]
    blocks += [_strategies(kinds), _measures(kinds)]
    for kind in (*given, own, dealt):
        title = f"Games won by size of the world, {kind.name}"
        blocks.append(_by_size(kind, "won", f"002-wins-{kind.key}", title))
    title = f"Tornadoes among the cells still covered at the end, by size, {widely.name}"
    orders = [claim for kind in kinds for claim in _order(kind)]
    blocks += [
        _by_size(widely, "finer", f"002-finer-{widely.key}", title),
        _improvements(widely),
        losses,
        Claims("What the report says of its strategies", (all_guessed, *orders)),
        Text(
            "sat[safe-only] is SATX as the report describes it: the solver proves cells safe and"
            " none dangerous. sat also marks proved tornadoes, which a random move then avoids."
        ),
    ]
    return Section(
        "002",
        "Report 2: hexagonal worlds and a SAT solver",
        tuple(blocks),
        tuple(line for kind in kinds for line in _numbers(kind)),
        _card(kinds[0], dealt, orders[0]),
    )


def _card(first: WorldKind, dealt: WorldKind, claim: ReportClaim) -> Card:
    """The three strategies on the worlds of the file or ours, and dealt at random."""
    question = "Does a SAT solver beat single clues on hexagons?"
    names = [name for name, _ in PUBLISHED.values()]
    theirs = [PublishedShare(share, 3000).estimate for _, share in PUBLISHED.values()]
    svg = bars(
        "002-card",
        question,
        names,
        [
            *(
                curve_of(kind.name, enumerate(kind.won(agent) for agent in PUBLISHED))
                for kind in (first, dealt)
            ),
            curve_of("published", enumerate(theirs), published=True),
        ],
        y_label="games won",
        percent=True,
        y_range=(0, 1.05),
        small=True,
    )
    numbers, random = (
        [f"{100 * kind.won(agent).value:.0f}" for agent in PUBLISHED] for kind in (first, dealt)
    )
    return Card(
        question,
        svg,
        "RPX guesses, SPX has single clues, SATX the solver; with 95 % intervals.",
        claim.outcome,
        f"RPX, SPX and SATX win {', '.join(numbers)} % on {first.name} (published 1, 62, 86 %),"
        f" {', '.join(random)} % on worlds dealt at random.",
        claim.margin,
    )


def _what(given: bool) -> str:
    start = (
        "The strategies of the report on the worlds of the given file, and beside them on thirty"
        " worlds of our own and on dealt ones."
        if given
        else "The report's own 30 worlds are not shipped: --worlds FILE adds them, played and"
        " compared in the same way as thirty worlds of our own."
    )
    return (
        f"{start} All have its sizes (S 5x5 with 5 tornadoes, M 7x7 with 10, L 11x11 with 28), with"
        " corner and centre free and given. The report's worlds were chosen: 25 of its 30 can be"
        " solved from the two given cells without a guess. So several kinds stand side by side."
    )


def _strategies(kinds: Sequence[WorldKind]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for agent in PLAIN:
        name, share = PUBLISHED.get(agent, ("", None))
        rows.append(
            (
                agent,
                name,
                None if share is None else PublishedShare(share, 3000).estimate,
                *(kind.won(agent) for kind in kinds),
                *(
                    "" if share is None else _agreement(kind, agent).value
                    for kind in kinds
                    if kind.published_on is not None
                ),
            )
        )
    return Table(
        "002-strategies",
        "Comparison of the strategies",
        (
            *("agent", "report's name", "published", *(kind.name for kind in kinds)),
            *(f"against {kind.name}" for kind in kinds if kind.published_on is not None),
        ),
        tuple(rows),
        "Published: 22, 1872 and 2594 of 3000 games on the report's 30 worlds.",
    )


def _measures(kinds: Sequence[WorldKind]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for kind in kinds:
        for agent in PLAIN:
            won = kind.column("won", agent)
            rows.append(
                (
                    kind.name,
                    agent,
                    f"{int(won.sum()):,}/{len(won):,}",
                    kind.finer(agent),
                    mean_of(kind.column("guesses", agent), 2),
                    1000 * float(kind.column("seconds", agent).mean()),
                )
            )
    return Table(
        "002-measures",
        "The same games: wins, tornadoes of covered cells, random moves and time",
        ("worlds", "agent", "won", _COVERED, "random moves a game", "ms a game"),
        tuple(rows),
        "Tornadoes of covered cells: when the game ends; a hit one counts as covered, and 100 % is"
        " a win.",
    )


def _agreement(kind: WorldKind, agent: str) -> Agreement:
    if kind.published_on is None:
        return Agreement.NONE
    return agreement(PublishedShare(PUBLISHED[agent][1], kind.published_on), kind.won(agent))


def _numbers(kind: WorldKind) -> list[SummaryLine]:
    """What each strategy wins on a kind of worlds, beside what was published."""
    rules = f"{RULES}, {kind.name}"
    found = [
        SummaryLine(
            f"{name} wins ({agent})",
            rules,
            f"{100 * share:.0f} %",
            kind.won(agent).text,
            _agreement(kind, agent),
        )
        for agent, (name, share) in PUBLISHED.items()
    ]
    marking = "SATX that also marks tornadoes wins (sat)"
    return [*found, SummaryLine(marking, rules, "", kind.won("sat").text, Agreement.NONE)]


def _by_size(kind: WorldKind, column: str, name: str, title: str) -> Figure:
    found: dict[tuple[str, str], Estimate] = {}
    for agent in PLAIN:
        for size, numbers in kind.places.items():
            measure = kind.won if column == "won" else kind.finer
            found[agent, size] = measure(agent, numbers)
    series = [
        curve_of(agent, ((number, found[agent, size]) for number, size in enumerate(kind.places)))
        for agent in PLAIN
    ]
    svg = bars(
        name,
        title,
        [f"{size} ({SIZES[size].removeprefix('hex:')})" for size in kind.places],
        series,
        y_label="games won" if column == "won" else _COVERED,
        percent=True,
        y_range=(0, 1.05),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (size, *(found[agent, size] for agent in PLAIN)) for size in kind.places
    )
    note = (
        "The report gives totals over all sizes only."
        if column == "won"
        else "The report proposes this measure and gives no numbers; 100 % is a win."
    )
    return Figure(name, title, svg, Table(name, title, ("size", *PLAIN), rows), note)


def _improvements(kind: WorldKind) -> Table:
    """What each proposal gains over sat with random guesses, and what its lost games take."""
    rows: list[tuple[Cell, ...]] = []
    plain = kind.by_unit("won", "sat")
    for agent, proposal in {"sat": "none: a random move", **PROPOSED}.items():
        won = kind.column("won", agent)
        lost = ~won.astype(bool)
        ours = kind.by_unit("won", agent)
        gain = None if agent == "sat" else difference_of(ours, plain).estimate(True, 1)
        rows.append(
            (
                proposal,
                agent,
                kind.won(agent),
                gain,
                kind.finer(agent),
                mean_of(kind.column("guesses", agent), 2),
                mean_of(kind.column("steps", agent)[lost], 1) if lost.any() else None,
                mean_of(1000 * kind.column("seconds", agent)[lost], 2) if lost.any() else None,
            )
        )
    return Table(
        "002-improvements",
        f"The improvements that the report only proposes, {kind.name}",
        (
            "proposal",
            "agent",
            "won",
            "gain over sat, points",
            _COVERED,
            "random moves a game",
            "steps a lost game",
            "ms a lost game",
        ),
        tuple(rows),
        "The gain is paired, over the same worlds. The report's last proposal is about time: a"
        " guess that must be made anyway is made as soon as possible, so that a lost game ends"
        " early. Its first two are about wins.",
    )


def _losses(kinds: Sequence[WorldKind]) -> tuple[Table, ReportClaim]:
    rows: list[tuple[Cell, ...]] = []
    guessed_all = lost_all = 0
    for kind in kinds:
        for agent in LOGICAL:
            won = kind.column("won", agent)
            reasons = kind.column("reason", agent)[~won.astype(bool)]
            guessed = sum(str(reason).startswith("exploded: guessed") for reason in reasons)
            guesses = int(kind.column("guesses", agent).sum())
            rows.append((kind.name, agent, len(reasons), guessed, len(reasons) - guessed, guesses))
            guessed_all += guessed
            lost_all += len(reasons)
    table = Table(
        "002-losses",
        "Where losses came from",
        ("worlds", "agent", "games lost", "by a random move", "otherwise", "random moves in all"),
        tuple(rows),
    )
    claim = ReportClaim(
        "Every loss of SPX and SATX came from a random move",
        claim_outcome(guessed_all == lost_all),
        f"{guessed_all:,} of {lost_all:,} losses came from a random move; every move called proved"
        " was safe",
        f"{RULES}, all kinds of worlds, {', '.join(LOGICAL)}",
    )
    return table, claim


def _order(kind: WorldKind) -> tuple[ReportClaim, ...]:
    """SATX above SPX, and SPX above RPX, on the same games."""
    claims = []
    for more, less in pairwise(("sat[safe-only]", "single-point", "random")):
        gap = difference_of(kind.by_unit("won", more), kind.by_unit("won", less))
        names = [PUBLISHED[agent][0] for agent in (more, less)]
        why = (
            f"; sat, which also marks what it proves dangerous, wins {kind.won('sat').text}: a"
            " random move of SATX may open a cell that it could have proved dangerous, one of SPX"
            " does so less often"
            if more == "sat[safe-only]"
            else ""
        )
        claims.append(
            ReportClaim(
                f"{names[0]} wins more than {names[1]}",
                gap.gain(LITTLE),
                f"{kind.won(more).text} and {kind.won(less).text}, a difference of"
                f" {gap.points}{why}",
                f"{RULES}, {kind.name}",
                f"{100 * LITTLE:.0f} points",
            )
        )
    return tuple(claims)


# ----------------------------------------------------------------------------
# The worlds that report 2's strategies play: from a file, dealt at random, or dealt and kept.
#
# The report's own worlds are not shipped, and they are not like worlds dealt at random. Its 30 were
# chosen by what solves them from the two given cells: 11 by single clues, 14 more by all clues
# together, 5 by neither. So worlds are also dealt and kept by just that.

SIZES = {"S": "hex:5x5/5", "M": "hex:7x7/10", "L": "hex:11x11/28"}
RULES = "report2"
LITTLE = 0.03
"""A difference of win rates below this counts as none."""
OWN_SEED = 2026
OWN = {
    "S": (0, 1, 4, 5, 6, 7, 69, 99, 217, 266),
    "M": (0, 1, 4, 7, 8, 9, 121, 162, 725, 774),
    "L": (0, 1, 3, 12, 479, 537, 580, 731, 742, 902),
}
"""Thirty worlds of our own, those of examples/worlds.txt, by the numbers of their deals."""
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
    played: GameColumns
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

    def by_unit(
        self, name: str, agent: str, places: Iterable[int] | None = None
    ) -> NDArray[np.float64]:
        """A column by what was drawn at random: worlds, deals, or games on the worlds of a file."""
        numbers = list(self.played.everywhere if places is None else places)
        if not self.drawn and self.played.experiment.boards:
            return self.played.by_deal(name, agent, numbers)
        columns = [self.played.column(name, agent, place) for place in numbers]
        if self.drawn:
            return np.array([one.mean() for one in columns])
        return np.concatenate(columns).astype(np.float64)

    def _share(self, agent: str, column: str, places: Iterable[int] | None) -> Estimate:
        numbers = list(self.played.everywhere if places is None else places)
        units = self.by_unit(column, agent, numbers)
        if self.drawn and set(units) in ({0.0}, {1.0}):
            # Drawing such worlds again would find nothing else: they are counted instead.
            return share_of(units)
        if column != "won" or self.drawn:
            return mean_of(units, 1, percent=True)
        if self.played.experiment.boards and len(numbers) > 1:
            columns = [self.played.column(column, agent, place) for place in numbers]
            return pooled_share(np.stack(columns, axis=1))
        return share_of(units)


def worlds_of_file(workshop: Workshop, agents: tuple[str, ...]) -> WorldKind:
    """The worlds of the file that was given. Raises InputError for another size."""
    return _fixed_worlds(
        workshop,
        agents,
        "worlds",
        "worlds of the file",
        choose_worlds(workshop.worlds),
        "The given file: {worlds}, {games} games each. Worlds named TEST are left out."
        " From the two given cells, {solved}. The intervals are for chance in play: the worlds are"
        " the same as the report's if the file is.",
        published_on=3000,
    )


def own_worlds(workshop: Workshop, agents: tuple[str, ...]) -> WorldKind:
    """Thirty worlds of our own, played as those of a file are."""
    return _fixed_worlds(
        workshop,
        agents,
        "own",
        "our thirty worlds",
        shipped_worlds(),
        "Thirty worlds of our own (examples/worlds.txt), {games} games each, as in the report. From"
        " the two given cells, {solved}: the report's mixture. Thirty other worlds of that mixture"
        " would win more or less, so the intervals are for the choice of the worlds.",
        published_on=30,
        drawn=True,
    )


def shipped_worlds() -> tuple[World, ...]:
    """The worlds of examples/worlds.txt: ten of each size, in the report's mixture."""
    return tuple(
        World(f"{size}{number}", world_of(size, OWN_SEED, index).layout)
        for size, deals in OWN.items()
        for number, index in enumerate(deals, 1)
    )


def _fixed_worlds(
    workshop: Workshop,
    agents: tuple[str, ...],
    key: str,
    name: str,
    worlds: tuple[World, ...],
    text: str,
    *,
    published_on: int,
    drawn: bool = False,
) -> WorldKind:
    """Games on these very worlds. Raises InputError for another size."""
    games = workshop.scale.games(25, 100)
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
    by = Counter(solver_of(world) for world in worlds)
    solved = (
        f"{by['single']} are solved by single clues, {by['together']} more by all clues together,"
        f" {by[NEITHER]} by neither"
    )
    return WorldKind(
        key,
        name,
        text.format(worlds=many(len(worlds), "world"), games=games, solved=solved),
        workshop.play(f"002-{key}", experiment),
        {size: numbers for size, numbers in places.items() if numbers},
        drawn,
        published_on,
    )


def random_worlds(workshop: Workshop, agents: tuple[str, ...]) -> WorldKind:
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


def kept_worlds(workshop: Workshop, agents: tuple[str, ...]) -> tuple[WorldKind, WorldKind]:
    """Worlds that entailment alone solves, and worlds mixed as the report's 30 are."""
    need = {
        size: {solver: workshop.scale.games(3 * count, 12 * count) for solver, count in ten.items()}
        for size, ten in MIXTURE.items()
    }
    games = workshop.scale.games(6, 10)
    solved: dict[str, list[int]] = {}
    mixed: dict[str, list[int]] = {}
    dealt = {size: _deals_by_solver(workshop, size, counts) for size, counts in need.items()}
    for size, by in dealt.items():
        worlds = sum(need[size].values())
        # In the order of the deals, so the two kinds are mixed as they occur.
        solved[size] = sorted(by["single"] + by["together"])[:worlds]
        chosen = (by[solver][:count] for solver, count in need[size].items())
        mixed[size] = sorted(index for some in chosen for index in some)
    kept = sum(map(len, mixed.values()))
    shares = ", ".join(f"{size} {_kept_share(by)}" for size, by in dealt.items())
    return (
        _world_kind(
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
        _world_kind(
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


def _world_kind(
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
        # The name of a world begins with its size: see `world_of`.
        places[world.name[0]].append(number)
    played = workshop.play(f"002-{key}", experiment)
    return WorldKind(key, name, text, played, places, True, published_on)


def world_of(size: str, seed: int, index: int) -> World:
    board = Board.parse(SIZES[size])
    topology = board.topology
    free = (topology.corner, topology.centre)
    return World(f"{size}-{index}", deal(topology, board.mines, seed, index, free))


def _deals_by_solver(
    workshop: Workshop, size: str, need: Mapping[str, int]
) -> dict[str, list[int]]:
    """The indices of deals by what solves them, until there are enough of each."""
    asked = {"size": size, "need": dict(need), "seed": workshop.seed}
    workshop.say(f"002-kept: deals of {SIZES[size]}, sorted by what solves them")

    def work() -> dict[str, list[int]]:
        found: dict[str, list[int]] = {solver: [] for solver in need}
        index = 0
        while any(len(found[solver]) < count for solver, count in need.items()):
            found[solver_of(world_of(size, workshop.seed, index))].append(index)
            index += 1
        return found

    return workshop.measure("002-kept", asked, work)


def solver_of(world: World) -> str:
    """The first of the solvers that opens every safe cell from the two given ones."""
    setting = Setting.of(world)
    # The cheaper solver is first, so its name is given where both solve the world.
    for solver, agent in SOLVERS.items():
        if play_game(setting, parse_agent(agent).make(), agent, 0).outcome.won:
            return solver
    return NEITHER


def _kept_share(by: Mapping[str, list[int]]) -> Estimate:
    kept = sum(len(by[solver]) for solver in SOLVERS)
    return share_of([True] * kept + [False] * len(by[NEITHER]))
