"""Report 1: sets split by intersection; how many mines can still be solved, and what is missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.layout import deal
from mineproof.lab.experiment import Experiment
from mineproof.lab.figures import curves
from mineproof.lab.report import (
    Agreement,
    Block,
    Card,
    Cell,
    Claims,
    Estimate,
    Figure,
    Part,
    ReportClaim,
    Section,
    SummaryLine,
    Table,
    Text,
)
from mineproof.lab.statistics import p_text
from mineproof.reports.estimates import (
    UNIT,
    PublishedShare,
    agreement,
    claim_outcome,
    curve_of,
    difference_of,
    for_share,
    half_point,
    mean_of,
    pooled_share,
    share_of,
)
from mineproof.reports.report_1_chains import chains_of_influence
from mineproof.reports.report_1_logics import certain_cells, space_and_time
from mineproof.reports.workshop import GameColumns, Workshop

PUBLISHED = {
    50: PublishedShare(0.813, 1000),
    60: PublishedShare(0.723, 1000),
    65: PublishedShare(0.635, 1000),
    70: PublishedShare(0.544, 1000),
    75: PublishedShare(0.465, 1000),
    80: PublishedShare(0.323, 1000),
    85: PublishedShare(0.222, 1000),
    90: PublishedShare(0.146, 1000),
    95: PublishedShare(0.080, 1000),
    100: PublishedShare(0.039, 1000),
}
AGENTS = ("partition", "partition[global]", "exact")
LEVELS = {"Beginner": "9x9/10", "Intermediate": "16x16/40", "Expert": "16x30/99"}
CLICKS = ("any", "safe", "opening")
FIRST = "0,0"

_Wins = dict[tuple[str, str, int], NDArray[np.bool_]]
"""Wins by agent, first-click rule and number of mines."""


def report(workshop: Workshop) -> Section:
    """The ten columns, the levels, the most mines by board size, and the certain cells found."""
    games = workshop.scale.games(for_share(0.085), 1000)
    wins = _columns(workshop, games)
    shares = {key: share_of(won) for key, won in wins.items()}
    best = _nearest(shares)
    claims = _claims(wins, shares, best)
    bonus: tuple[Block, ...] = ()
    # The bonus parts play exact, which is too slow without the core.
    if "exact" in _agents(workshop):
        bonus = (uncertain_clues(workshop), chains_of_influence(workshop))
    blocks: tuple[Block, ...] = (
        Text(
            f"Boards of 16x30, {games} deals per column, the first cell {FIRST} as in the report,"
            " which names no first-click rule. So all three are run. Under any, the first cell may"
            " hold a mine, and then the game is lost at once; under safe it holds none; under"
            " opening its neighbours hold none either. A deal whose first cell is free is the same"
            " under any and safe, so those games are played once and counted for both."
        ),
        _table(shares),
        _figure(shares),
        Claims("Against the published row", claims),
        _levels(workshop),
        *most_mines(workshop, _agents(workshop)),
        *certain_cells(workshop),
        *space_and_time(workshop),
        *bonus,
    )
    rules = f"16x30, first cell {FIRST}, first click {best[1]}, {best[0]}"
    numbers = tuple(
        SummaryLine(
            f"Success on 16x30 with {mines} mines",
            rules,
            f"{100 * published.share:.1f} %",
            shares[(*best, mines)].text,
            agreement(published, shares[(*best, mines)]),
        )
        for mines, published in PUBLISHED.items()
    )
    title = "Report 1: sets split by intersection"
    return Section("001", title, blocks, numbers, _card(shares, best, claims))


def _card(
    shares: dict[tuple[str, str, int], Estimate],
    best: tuple[str, str],
    claims: Sequence[ReportClaim],
) -> Card:
    question = "How many mines can splitting sets still solve?"
    exact = [("exact", best[1])] if "exact" in _agents_of(shares) else []
    series = [
        curve_of(agent, ((mines, shares[agent, click, mines]) for mines in PUBLISHED))
        for agent, click in (best, *exact)
    ]
    theirs = ((mines, published.estimate) for mines, published in PUBLISHED.items())
    svg = curves(
        "001-card",
        question,
        [*series, curve_of("published", theirs, published=True)],
        x_label="mines on 16x30",
        y_label="boards solved",
        percent=True,
        y_range=(0, 1.02),
        small=True,
    )
    row, tail = claims
    return Card(
        question,
        svg,
        f"Here the first cell is 0,0 and first click {best[1]}; bands are 95 % intervals.",
        row.outcome,
        f"{row.evidence.partition(' columns ')[0]} published rates agree. That a sound agent"
        f" solves more of the densest boards: {tail.outcome.value}.",
    )


def _agents(workshop: Workshop) -> tuple[str, ...]:
    """Without the compiled core the exact agent takes seconds a game: too long for a quick run."""
    return AGENTS if kernel.available() or workshop.scale.in_full else AGENTS[:2]


def _columns(workshop: Workshop, games: int) -> _Wins:
    agents = _agents(workshop)
    boards = [f"16x30/{mines}" for mines in PUBLISHED]
    wins: _Wins = {}
    for click in ("safe", "opening"):
        experiment = Experiment.of(
            agents, boards=boards, games=games, seed=workshop.seed, first_click=click, given=FIRST
        )
        played = workshop.play(f"001-{click}", experiment)
        for agent in agents:
            for place, mines in enumerate(PUBLISHED):
                wins[agent, click, mines] = played.column("won", agent, place)
        if click == "safe":
            # Any is not played: where the first cell is free it plays the games of safe.
            for place, mines in enumerate(PUBLISHED):
                survived = first_cell_free(played, place)
                for agent in agents:
                    wins[agent, "any", mines] = wins[agent, "safe", mines] & survived
    return wins


def first_cell_free(played: GameColumns, place: int) -> NDArray[np.bool_]:
    """Whether the first cell of each game would be free had the deal not kept it so.

    A deal keeps a cell free by skipping it. If the mines miss the cell anyway, the deals with and
    without the rule are equal, and so are the games.
    """
    experiment = played.experiment
    setting = experiment.places[place].setting
    topology = setting.board.topology
    first = topology.cell((0, 0))
    return np.array(
        [
            not deal(topology, setting.rules.mines, experiment.seed, index).is_mine(first)
            for index in range(experiment.games)
        ],
        dtype=np.bool_,
    )


def _nearest(shares: dict[tuple[str, str, int], Estimate]) -> tuple[str, str]:
    """The agent without exact chances and the rule whose row is nearest to the published one."""

    def distance(agent: str, click: str) -> float:
        return sum(
            (shares[agent, click, mines].value - published.share) ** 2
            for mines, published in PUBLISHED.items()
        )

    return min(
        ((agent, click) for agent in AGENTS[:2] for click in CLICKS), key=lambda two: distance(*two)
    )


def _agents_of(shares: dict[tuple[str, str, int], Estimate]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(agent for agent, _, _ in shares))


def _table(shares: dict[tuple[str, str, int], Estimate]) -> Table:
    agents = _agents_of(shares)
    columns = [f"{agent}, {click}" for agent in agents for click in CLICKS]
    rows: list[tuple[Any, ...]] = []
    for mines, published in PUBLISHED.items():
        ours = [shares[agent, click, mines] for agent in agents for click in CLICKS]
        rows.append((mines, published.estimate, *ours))
    return Table(
        "001-success",
        "Success rate on 16x30 by number of mines and first-click rule",
        ("mines", "published", *columns),
        tuple(rows),
        "partition[global] knows the mine total, as the report's question 7 proposes; exact guesses"
        " by exact chances, the conditional probabilities its authors wish for.",
    )


def _figure(shares: dict[tuple[str, str, int], Estimate]) -> Figure:
    shown = [(agent, "safe") for agent in _agents_of(shares)]
    shown += [("partition", "any"), ("partition", "opening")]
    series = [
        curve_of(f"{agent}, {click}", ((mines, shares[agent, click, mines]) for mines in PUBLISHED))
        for agent, click in shown
    ]
    theirs = ((mines, found.estimate) for mines, found in PUBLISHED.items())
    title = "Success rate on 16x30 against the number of mines"
    svg = curves(
        "001-success",
        title,
        [*series, curve_of("published", theirs, published=True)],
        x_label="mines",
        y_label="boards solved",
        percent=True,
        y_range=(0, 1.02),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (mines, PUBLISHED[mines].estimate, *(shares[agent, click, mines] for agent, click in shown))
        for mines in PUBLISHED
    )
    columns = ("mines", "published", *(f"{agent}, {click}" for agent, click in shown))
    return Figure(
        "001-success-figure",
        title,
        svg,
        Table("001-success-figure", title, columns, rows),
        "Bands are 95 % intervals; the published circles carry those of their 1000 games.",
    )


def _claims(
    wins: _Wins, shares: dict[tuple[str, str, int], Estimate], best: tuple[str, str]
) -> tuple[ReportClaim, ...]:
    agent, click = best
    agreeing = [
        mines
        for mines, published in PUBLISHED.items()
        if agreement(published, shares[agent, click, mines]) is Agreement.AGREES
    ]
    tail = [mines for mines in PUBLISHED if mines >= 90]
    published = float(np.mean([PUBLISHED[mines].share for mines in tail]))
    pooled = pooled_share(_pool(wins, "partition", "safe", tail))
    others = ", ".join(
        f"{other} {pooled_share(_pool(wins, other, 'safe', tail)).text}"
        for other in _agents_of(shares)[1:]
    )
    return (
        ReportClaim(
            "The published row is reproduced",
            # Of ten comparisons at 95 %, one that differs is no surprise.
            Agreement.AGREES if len(agreeing) >= len(PUBLISHED) - 1 else Agreement.DIFFERS,
            f"{len(agreeing)} of {len(PUBLISHED)} columns agree with the nearest reading, {agent}"
            f" with first click {click}; {_why(agreeing)}",
            f"16x30, first cell {FIRST}, first click {click}, {agent}",
        ),
        ReportClaim(
            "A sound agent lies above the published tail (90 to 100 mines)",
            claim_outcome(pooled.low > published, fails=pooled.high < published),
            f"published {100 * published:.1f} % on average, partition {pooled.text}; {others},"
            " all with a safe first cell",
            f"16x30, first cell {FIRST} safe, partition",
        ),
    )


def _why(agreeing: Sequence[int]) -> str:
    differing = [str(mines) for mines in PUBLISHED if mines not in agreeing]
    if not differing:
        return "no column differs by more than chance explains"
    return (
        f"differing at {', '.join(differing)} mines. The report does not say its first-click rule,"
        " how it breaks ties between sets, or whether cells away from all clues are guessed"
    )


def _pool(wins: _Wins, agent: str, click: str, columns: Sequence[int]) -> NDArray[np.bool_]:
    """The wins of some columns, a row for each deal: the columns share these."""
    return np.stack([wins[agent, click, mines] for mines in columns], axis=1)


def _levels(workshop: Workshop) -> Table:
    agents = ("single-point", *_agents(workshop))
    games = workshop.scale.games(for_share(0.075), 1000)
    played = workshop.play(
        "001-levels",
        Experiment.of(
            agents,
            boards=list(LEVELS.values()),
            games=games,
            seed=workshop.seed,
            first_click="safe",
            given=FIRST,
        ),
    )
    rows: list[tuple[Cell, ...]] = []
    for place, (level, board) in enumerate(LEVELS.items()):
        unguessed = played.column("won", "partition", place) & (
            played.column("guesses", "partition", place) == 0
        )
        rows.append(
            (
                level,
                board,
                *(share_of(played.column("won", agent, place)) for agent in agents),
                share_of(unguessed),
            )
        )
    return Table(
        "001-levels",
        "The standard levels",
        ("level", "board", *agents, "partition, without a guess"),
        tuple(rows),
        f"{games} games per level, first cell {FIRST} safe. The report solved each level, for some"
        " Beginner and Intermediate boards with nearly no guess, and gives no rates.",
    )


# -- The largest number of mines that an agent still usually solves, by board size (report 1) --

SIZES = ((8, 8), (16, 16), (16, 30), (24, 30))
QUICK_PERCENTS = (10, 13, 16, 19, 22)
FULL_PERCENTS = tuple(range(8, 27))
LITTLE = 0.03
"""A difference of win rates below this counts as none."""


def most_mines(workshop: Workshop, agents: Sequence[str]) -> tuple[Block, ...]:
    """The table: for each size the mines at which half the games are won; and what helps."""
    games = workshop.scale.games(for_share(0.1), 300)
    percents = FULL_PERCENTS if workshop.scale.in_full else QUICK_PERCENTS
    counts = {size: mine_counts(size, percents) for size in SIZES}
    boards = [f"{rows}x{cols}/{mines}" for (rows, cols), all_ in counts.items() for mines in all_]
    played = workshop.play(
        "001-most-mines",
        Experiment.of(
            agents, boards=boards, games=games, seed=workshop.seed, first_click="safe", given="0,0"
        ),
    )
    rows: list[tuple[Any, ...]] = []
    first = 0
    for size, tried in counts.items():
        places = range(first, first + len(tried))
        first += len(tried)
        rows += [_row(played, agent, size, tried, places) for agent in agents]
    return (
        Table(
            "001-most-mines",
            "The largest number of mines solved in at least half the games",
            ("board", "agent", "most mines tried with half won", "half won at", "density there"),
            tuple(rows),
            f"{games} games for each number of mines, at {len(percents)} densities a board, first"
            " cell 0,0 safe. Half won at: where a logistic line through the shares crosses one"
            " half. The report's own row crosses it between 70 and 75 mines on 16x30.",
        ),
        Claims("What helps to solve more mines", _more_mines(played, agents, len(percents))),
    )


def _more_mines(
    played: GameColumns, agents: Sequence[str], densities: int
) -> tuple[ReportClaim, ...]:
    """What the report's two proposals gain over its agent, on all boards of the table."""
    plain, *better = agents
    said = {
        "partition[global]": "Knowing the number of mines helps to solve more of them",
        "exact": "Conditional probabilities improve the guesses",
    }
    claims = []
    for agent in better:
        won, without = (played.by_deal("won", one, played.everywhere) for one in (agent, plain))
        gain = difference_of(won, without, unit="deals")
        claims.append(
            ReportClaim(
                said[agent],
                gain.gain(LITTLE),
                f"{agent} wins {gain.points} more of the games than {plain}, on"
                f" {len(SIZES)} sizes with {densities} densities each; over {gain.games} deals,"
                f" {p_text(gain.p_value)}",
                f"first cell 0,0 safe, {agent} and {plain}",
                f"{100 * LITTLE:.0f} points",
            )
        )
    return tuple(claims)


def mine_counts(size: tuple[int, int], percents: Sequence[int]) -> list[int]:
    """The numbers of mines of these densities; two that round to one number are one."""
    return sorted({round(size[0] * size[1] * percent / 100) for percent in percents})


def _row(
    played: GameColumns, agent: str, size: tuple[int, int], counts: list[int], places: range
) -> tuple[Any, ...]:
    won = np.stack([played.column("won", agent, place) for place in places], axis=1)
    half = [mines for mines, share in zip(counts, won.mean(axis=0), strict=True) if share >= 0.5]
    crossing = half_point(counts, won)
    density = None if crossing is None else f"{100 * crossing.value / (size[0] * size[1]):.1f} %"
    return f"{size[0]}x{size[1]}", agent, max(half, default=None), crossing, density


# ----------------------------------------------------------------------------
# Uncertain clues, report 1's bonus part: what it costs when clues are missing or wrong.
#
# Four agents play the same games under every channel: `partition`, the report's own, splits what
# the bounds of each clue leave, `naive` believes each clue, `sat` proves what is certain and
# guesses at random, `exact` weighs every layout by the likelihood of its clues.
# Where no clue can be wrong, `naive` plays the same games as `exact`, so it does not play them.

CLUE_AGENTS = ("partition", "naive", "sat", "exact")
_PLAYING = tuple(agent for agent in CLUE_AGENTS if agent != "naive")
WITHHELD = (0.1, 0.2, 0.3, 0.5, 0.7)
UNRELIABLE = ("optimistic", "cautious")
DENSITIES = {"2 %": "9x9/2", "5 %": "9x9/4", "7 %": "9x9/6", "10 %": "9x9/8"}
CLUE_BOARDS = {**LEVELS, **DENSITIES}

_Channels: TypeAlias = Mapping[str, GameColumns]
"""The games by channel of clues."""


def uncertain_clues(workshop: Workshop) -> Part:
    """The curve over p, the tables by level and density, and the performance hit."""
    games = workshop.scale.games(for_share(0.1), for_share(0.05))
    channels = ("exact", *(f"withheld:{share}" for share in WITHHELD), *UNRELIABLE)
    played: _Channels = {clues: _play_channel(workshop, clues, games) for clues in channels}
    return Part(
        "Uncertain clues: what they cost",
        _clue_answer(played),
        (
            Text(
                "partition is the report's own agent: of a clue it takes the numbers of mines that"
                " can have shown it, and proves what these leave no doubt of. naive believes every"
                " clue and drops the newest of clues that clash; sat proves what the bounds of all"
                " clues together leave no doubt of, and guesses at random; exact weighs every"
                " layout by the likelihood of what is shown (Bayes). Where clues are exact or only"
                " withheld, naive and exact are the same agent, and play once. The score is the"
                " share of mines among the cells still covered at the end, 1 for a win."
                f" {games} games each, the first cell 0,0 an opening."
            ),
            _withheld_figure(played),
            *(_by_place(played, clues) for clues in ("exact", "withheld:0.3", *UNRELIABLE)),
            _hit(played),
        ),
    )


def _clue_answer(played: _Channels) -> str:
    """What each model of clues costs the report's agent and ours at one density."""
    place = list(CLUE_BOARDS).index("5 %")
    told = []
    for clues, words in {
        "exact": "exact clues",
        "withheld:0.3": "clues withheld with probability 0.3",
        "optimistic": "optimistic clues",
        "cautious": "cautious clues",
    }.items():
        ours, best = (_won(played, clues, agent, place).value for agent in ("partition", "exact"))
        told.append(f"{100 * ours:.0f} and {100 * best:.0f} % with {words}")
    return (
        "The report asks what its three models cost, and has no numbers. At 5 % mines"
        f" ({CLUE_BOARDS['5 %']}) partition, its own agent, and exact win {', '.join(told)}."
    )


def _play_channel(workshop: Workshop, clues: str, games: int) -> GameColumns:
    boards = list(CLUE_BOARDS.values())
    name = f"001-clues-{clues.replace(':', '-')}"
    return workshop.play(
        name,
        Experiment.of(
            CLUE_AGENTS if clues in UNRELIABLE else _PLAYING,
            boards=boards,
            games=games,
            seed=workshop.seed,
            clues=clues,
            first_click="opening",
            given="0,0",
        ),
    )


def _clue_column(
    played: _Channels, clues: str, name: str, agent: str, place: int
) -> NDArray[np.float64 | np.bool_]:
    """A column of an agent's games under one channel."""
    # Where no clue can be wrong, naive would play the games of exact.
    if clues not in UNRELIABLE and agent == "naive":
        agent = "exact"
    found: NDArray[np.float64 | np.bool_] = played[clues].column(name, agent, place)
    return found


def _won(played: _Channels, clues: str, agent: str, place: int) -> Estimate:
    return share_of(_clue_column(played, clues, "won", agent, place))


def _score(played: _Channels, clues: str, agent: str, place: int) -> Estimate:
    return mean_of(_clue_column(played, clues, "finer", agent, place), bounds=UNIT)


def _withheld_figure(played: _Channels) -> Figure:
    """Win rate against the share of withheld clues, on the smallest level."""
    places = list(CLUE_BOARDS)
    shown = ("Beginner", "5 %")
    at = {0.0: "exact", **{p: f"withheld:{p}" for p in WITHHELD}}
    lines = [(level, agent) for level in shown for agent in _PLAYING]
    rates = {
        (level, agent, p): _won(played, clues, agent, places.index(level))
        for level, agent in lines
        for p, clues in at.items()
    }
    series = [
        curve_of(f"{agent}, {CLUE_BOARDS[level]}", ((p, rates[level, agent, p]) for p in at))
        for level, agent in lines
    ]
    title = "Win rate against the share of withheld clues"
    svg = curves(
        "001-withheld",
        title,
        series,
        x_label="probability that a clue is withheld",
        y_label="games won",
        percent=True,
        y_range=(0, 1.02),
    )
    columns = ["p"]
    for level in places:
        columns += [f"{agent}, {CLUE_BOARDS[level]}" for agent in _PLAYING]
        columns += [f"score of {agent}, {CLUE_BOARDS[level]}" for agent in _PLAYING]
    rows: list[tuple[Cell, ...]] = []
    for p, clues in at.items():
        row: list[Cell] = [p]
        for place in range(len(places)):
            row += [_won(played, clues, agent, place) for agent in _PLAYING]
            row += [_score(played, clues, agent, place) for agent in _PLAYING]
        rows.append(tuple(row))
    data = Table("001-withheld", title, tuple(columns), tuple(rows))
    return Figure("001-withheld", title, svg, data, "Bands are 95 % intervals.")


def _by_place(played: _Channels, clues: str) -> Table:
    """Win rate and score of every agent on every level and density under one channel."""
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            board,
            *(_won(played, clues, agent, place) for agent in CLUE_AGENTS),
            *(_score(played, clues, agent, place) for agent in CLUE_AGENTS),
        )
        for place, (name, board) in enumerate(CLUE_BOARDS.items())
    ]
    return Table(
        f"001-clues-{clues.replace(':', '-')}",
        f"Clues {clues}: games won, and score",
        (
            "level or density",
            "board",
            *CLUE_AGENTS,
            *(f"score of {agent}" for agent in CLUE_AGENTS),
        ),
        tuple(rows),
    )


def _hit(played: _Channels) -> Table:
    """What each channel costs each agent against exact clues, over the same deals."""
    rows: list[tuple[Cell, ...]] = []
    for clues in [clues for clues in played if clues != "exact"]:
        for name, board in CLUE_BOARDS.items():
            place = list(CLUE_BOARDS).index(name)
            row: list[Cell] = [clues, board]
            for column in ("won", "finer"):
                for agent in CLUE_AGENTS:
                    plain = _clue_column(played, "exact", column, agent, place)
                    found = difference_of(_clue_column(played, clues, column, agent, place), plain)
                    row.append(found.estimate(True, 1) if column == "won" else found.estimate())
            rows.append(tuple(row))
    return Table(
        "001-clues-hit",
        "The performance hit against exact clues, over the same deals",
        ("clues", "board", *CLUE_AGENTS, *(f"score of {agent}" for agent in CLUE_AGENTS)),
        tuple(rows),
        "Differences of the win rate in percentage points and of the score, with 95 % intervals.",
    )
