"""Report 4: propositional resolution, with the mine total late or never, and fewer cells given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.agents.agent import LogicAgent
from mineproof.agents.policies import stop
from mineproof.game.play import play_game
from mineproof.lab.experiment import Experiment
from mineproof.lab.figures import Curve, Point, bars, curves
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
from mineproof.logics.resolution import Resolution
from mineproof.reports.estimates import (
    PairedDifference,
    PublishedShare,
    agreement,
    claim_outcome,
    curve_of,
    difference_of,
    gain_outcome,
    gap_of,
    mean_of,
    share_of,
)
from mineproof.reports.workshop import GameColumns, Workshop
from mineproof.view.setting import Setting
from mineproof.view.view import View

NEVER, AT_9, AT_25 = "resolution[global=0]", "resolution[global=9]", "resolution[global=25]"
THEIR_GAMES = 20
LITTLE = 0.1
"""A difference below this counts as little: so far the report's own rows lie apart."""
CONSTRAINT_MARGIN = 0.03
RULES = "report4"
_MEASURES = (
    *("published success", "success", "cells marked", "ms a game", "longest, ms"),
    "agreement",
)
_TOO_LONG = "about 30 % ran past three minutes"
_WHY = (
    "Where a row differs, chance in 20 games and two slips of the report are the reasons to name:"
    " its unit propagation looks at the mines twice and never at the safe cells, and the sign in"
    " its test for the global constraint is wrong. Both are built as they were meant."
)


@dataclass(frozen=True)
class _Level:
    name: str
    board: str
    cells: int
    published: dict[str, float]
    """The success by the number of cells given, written as the report does."""

    def given(self, factor: float) -> int:
        return round(factor * sqrt(self.cells))


FACTORS = {"2": 2.0, "1": 1.0, "1/2": 0.5, "1/4": 0.25}
MEDIUM = _Level("Medium", "16x16/25", 256, {"2": 1.0, "1": 0.9, "1/2": 0.95, "1/4": 0.9})
HARD = _Level("Hard", "16x30/99", 480, {"2": 0.4, "1": 0.35, "1/2": 0.15, "1/4": 0.0})
TABLE_1 = {
    NEVER: ("never", PublishedShare(0.85, THEIR_GAMES)),
    AT_9: ("at 9 unmarked", PublishedShare(0.90, THEIR_GAMES)),
    AT_25: ("at 25 unmarked", None),
}


def report(workshop: Workshop) -> Section:
    """Both tables: success and the share of cells marked, with intervals and times."""
    first, when_added, paired, slowest = _table_1(workshop)
    levels = [_table_2(workshop, level) for level in (MEDIUM, HARD)]
    blocks: tuple[Block, ...] = (
        Text(
            "The agent never guesses: it is given some safe cells, succeeds where every cell is"
            " marked, and stops where resolution yields nothing new. Given are"
            " round(f x sqrt(cells)) cells drawn from the safe ones. The report played 20 games a"
            " cell of its tables, whose own intervals are wide: each is shown."
        ),
        first,
        *(block for found in levels for block in (found[0], found[1])),
        *clauses_by_round(workshop, _rounds_of()),
        Claims("What the report says", _claims(paired, slowest, levels)),
    )
    found = [(level, one) for level, (_, _, one) in zip((MEDIUM, HARD), levels, strict=True)]
    numbers = [*when_added, *(line for level, one in found for line in _numbers(one, level))]
    return Section(
        "004", "Report 4: propositional resolution", blocks, tuple(numbers), _card(found, numbers)
    )


def _card(
    found: Sequence[tuple[_Level, dict[str, _PlayResults]]], numbers: list[SummaryLine]
) -> Card:
    """Success on both levels by the cells given, published and here."""
    question = "How far does resolution alone get, without a guess?"
    ours = [
        curve_of(level.name, enumerate(cell.success for cell in one.values()))
        for level, one in found
    ]
    theirs = Curve(
        "published",
        tuple(
            Point(place + shift, level.published[words])
            for (level, _), shift in zip(found, (-0.2, 0.2), strict=True)
            for place, words in enumerate(FACTORS)
        ),
        published=True,
    )
    svg = bars(
        "004-card",
        question,
        [f"f = {words}" for words in FACTORS],
        [*ours, theirs],
        y_label="every cell marked",
        percent=True,
        y_range=(0, 1.05),
        small=True,
    )
    compared = [line for line in numbers if line.outcome is not Agreement.NONE]
    agreeing = sum(line.outcome is Agreement.AGREES for line in compared)
    ends = [
        " to ".join(f"{100 * one[words].success.value:.0f} %" for words in ("2", "1/4"))
        for _, one in found
    ]
    return Card(
        question,
        svg,
        "By the cells given, f x sqrt(cells); published rates are of 20 games each.",
        Agreement.AGREES if agreeing >= len(compared) - 1 else Agreement.DIFFERS,
        f"{agreeing} of {len(compared)} published rates agree. From many cells given to few it"
        f" solves {ends[0]} of {MEDIUM.board}, {ends[1]} of {HARD.board}.",
    )


def _rounds_of() -> dict[str, tuple[str, int]]:
    """Both levels with the most and with few cells given."""
    return {
        f"{level.name}, f = {words}": (level.board, level.given(FACTORS[words]))
        for level in (MEDIUM, HARD)
        for words in ("2", "1/2")
    }


def _experiment(workshop: Workshop, agents: list[str], level: _Level, given: int) -> Experiment:
    games = workshop.scale.games(200 if level is MEDIUM else 100, 400)
    return Experiment.of(
        agents,
        boards=[level.board],
        games=games,
        seed=workshop.seed,
        rules=RULES,
        given=f"random:{given}",
    )


@dataclass(frozen=True)
class _PlayResults:
    """A cell of a table: success, share marked, mean and longest time in milliseconds."""

    success: Estimate
    marked: Estimate
    mean: float
    longest: float

    @property
    def cells(self) -> tuple[Cell, ...]:
        return self.success, self.marked, self.mean, self.longest


def _play_results(played: GameColumns, agent: str) -> _PlayResults:
    seconds = played.column("seconds", agent)
    return _PlayResults(
        share_of(played.column("won", agent)),
        mean_of(played.column("marked_share", agent), 1, percent=True),
        1000 * float(seconds.mean()),
        1000 * float(seconds.max()),
    )


def _table_1(workshop: Workshop) -> tuple[Table, list[SummaryLine], PairedDifference, float]:
    given = MEDIUM.given(FACTORS["1/2"])
    experiment = _experiment(workshop, list(TABLE_1), MEDIUM, given)
    played = workshop.play("004-total", experiment)
    rows: list[tuple[Any, ...]] = []
    numbers: list[SummaryLine] = []
    for agent, (when, published) in TABLE_1.items():
        found = _play_results(played, agent)
        theirs, outcome = _TOO_LONG, Agreement.NONE
        if published is not None:
            theirs, outcome = published.estimate.text, agreement(published, found.success)
        rows.append((when, theirs, *found.cells, outcome.value))
        short = theirs if published is None else published.text
        here = found.success.text
        if published is None:
            here += f", the longest game {found.longest:.0f} ms"
        what = f"Success with the global constraint {when}"
        numbers.append(SummaryLine(what, f"{RULES}, {MEDIUM.board}, f = 1/2", short, here, outcome))
    table = Table(
        "004-table-1",
        "Table 1: when the global constraint is added, on Medium with f = 1/2",
        ("global constraint", *_MEASURES),
        tuple(rows),
        f"{experiment.games} games each, {given} cells given, the same deals for all three. {_WHY}",
    )
    paired = difference_of(played.column("won", AT_9), played.column("won", NEVER))
    slowest = float(played.column("seconds", AT_25).max())
    return table, numbers, paired, slowest


def _table_2(workshop: Workshop, level: _Level) -> tuple[Table, Figure, dict[str, _PlayResults]]:
    found: dict[str, _PlayResults] = {}
    rows: list[tuple[Any, ...]] = []
    games = 0
    for words, factor in FACTORS.items():
        given = level.given(factor)
        experiment = _experiment(workshop, [AT_9], level, given)
        name = f"004-{level.name.lower()}-{given}"
        found[words] = _play_results(workshop.play(name, experiment), AT_9)
        games = experiment.games
        published = PublishedShare(level.published[words], THEIR_GAMES)
        outcome = agreement(published, found[words].success).value
        rows.append((words, given, published.estimate, *found[words].cells, outcome))
    title = f"Table 2, {level.name} ({level.board}): success by cells given"
    key = f"004-{level.name.lower()}"
    table = Table(
        key,
        title,
        ("f", "cells given", *_MEASURES),
        tuple(rows),
        f"{games} games per row, the global constraint at 9 unmarked cells. {_WHY}",
    )
    return table, _figure(level, found, key), found


def _figure(level: _Level, found: dict[str, _PlayResults], key: str) -> Figure:
    theirs = [PublishedShare(level.published[words], THEIR_GAMES).estimate for words in FACTORS]
    title = f"{level.name}: every cell marked, and the share of cells marked"
    svg = bars(
        f"{key}-figure",
        title,
        [f"f = {words}" for words in FACTORS],
        [
            curve_of("every cell marked", enumerate(cell.success for cell in found.values())),
            curve_of("share of cells marked", enumerate(cell.marked for cell in found.values())),
            curve_of("published success (20 games)", enumerate(theirs), published=True),
        ],
        y_label="share",
        percent=True,
        y_range=(0, 1.05),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (words, one, found[words].success, found[words].marked)
        for words, one in zip(FACTORS, theirs, strict=True)
    )
    data = Table(f"{key}-figure", title, ("f", "published", "success", "cells marked"), rows)
    return Figure(f"{key}-figure", title, svg, data)


def _claims(
    paired: PairedDifference,
    slowest: float,
    levels: list[tuple[Table, Figure, dict[str, _PlayResults]]],
) -> tuple[ReportClaim, ...]:
    medium, hard = ([cell.success for cell in found.values()] for _, _, found in levels)
    few, rare = (gap_of(cells[0], cells[-1]) for cells in (medium, hard))
    constraint = f"{RULES}, {MEDIUM.board}, f = 1/2"
    return (
        ReportClaim(
            "Adding the global constraint late raises success a little",
            paired.gain(CONSTRAINT_MARGIN),
            f"at 9 unmarked less never: {paired.text}",
            constraint,
            f"{100 * CONSTRAINT_MARGIN:.0f} points",
        ),
        ReportClaim(
            "Added at 25 unmarked cells it runs for minutes",
            claim_outcome(slowest >= 180),
            f"the longest game took {1000 * slowest:.0f} ms; above nine cells the constraint is a"
            " counting argument here, not the clauses that drowned the report's program",
            constraint,
        ),
        ReportClaim(
            "On Medium the number of given cells matters little",
            claim_outcome(
                few.low > -LITTLE and few.high < LITTLE,
                fails=few.low >= LITTLE or few.high <= -LITTLE,
            ),
            f"from f = 2 to f = 1/4 success goes from {medium[0].text} to {medium[-1].text}; up to"
            f" {100 * LITTLE:.0f} points, as far as the report's own rows lie apart, counts as"
            " little",
            f"{RULES}, {MEDIUM.board}, f = 2 and 1/4, {AT_9}",
        ),
        ReportClaim(
            "On Hard few given cells make success rare",
            gain_outcome(rare, LITTLE),
            f"from f = 2 to f = 1/4 success goes from {hard[0].text} to {hard[-1].text}",
            f"{RULES}, {HARD.board}, f = 2 and 1/4, {AT_9}",
            f"{100 * LITTLE:.0f} points",
        ),
    )


def _numbers(found: dict[str, _PlayResults], level: _Level) -> list[SummaryLine]:
    lines = []
    for words in FACTORS:
        published = PublishedShare(level.published[words], THEIR_GAMES)
        ours = found[words].success
        rules = f"{RULES}, {level.board}, f = {words}, {AT_9}"
        outcome = agreement(published, ours)
        lines.append(
            SummaryLine(f"Success on {level.name}", rules, published.text, ours.text, outcome)
        )
    return lines


# ----------------------------------------------------------------------------
# How large the knowledge base of resolution is, round by round (report 4).
#
# A round is one time that the player is asked what follows: it inserts the clauses of new hints,
# marks what single literals tell, and matches clauses only where there are none, as the report
# does.

MOST_POINTS = 24
FEWEST_GAMES = 8
"""A point of a line is the mean of at least this many games."""


class CountingResolution(Resolution):
    """Resolution that takes every hint into its clauses at once, and notes how many it has.

    What single hints decide is marked in the same round; `Resolution` itself leaves the clauses
    until hints alone decide nothing, which proves the same cells.
    """

    def begin(self, view: View) -> None:
        super().begin(view)
        self.sizes: list[int] = []

    @property
    def _has_news(self) -> bool:
        return False

    def _prove(self, view: View) -> None:
        new = self._facts.changed or self._taken < len(self._facts.log) or self._fresh
        super()._prove(view)
        if new:
            self.sizes.append(len(self._clauses))


def clauses_by_round(
    workshop: Workshop, boards: Mapping[str, tuple[str, int]]
) -> tuple[Block, ...]:
    """The figure: a line for each board, named, with the number of cells given on it."""
    games = workshop.scale.games(50, 400)
    sizes = {name: _sizes(workshop, board, given, games) for name, (board, given) in boards.items()}
    lines: list[tuple[str, list[tuple[int, Any]]]] = []
    rows: list[tuple[Cell, ...]] = []
    for name, played in sizes.items():
        points = [(number, mean_of(here, 1), len(here)) for number, here in _sizes_by_round(played)]
        lines.append((name, [(number, mean) for number, mean, _ in points]))
        rows += [(name, number, mean, many) for number, mean, many in points]
    title = "The knowledge base by round: clauses of games still in play"
    svg = curves(
        "004-clauses",
        title,
        [curve_of(name, points) for name, points in lines],
        x_label="round",
        y_label="clauses",
    )
    data = Table("004-clauses", title, ("level", "round", "clauses", "games in play"), tuple(rows))
    note = (
        f"{games} games each, the global constraint at 9 unmarked cells. In a round the"
        " clauses of new hints are inserted and single literals marked, and only where there are"
        " none are clauses matched, as the report does."
        f" Means with 95 % intervals, over the games still in play, at least {FEWEST_GAMES}."
        f" {_most_text(sizes)}"
    )
    return (Figure("004-clauses", title, svg, data, note),)


def _sizes(workshop: Workshop, board: str, given: int, games: int) -> list[list[int]]:
    """The clauses after every round of every game."""
    asked = {"board": board, "given": given, "games": games, "seed": workshop.seed}

    def work() -> list[list[int]]:
        setting = Setting.of(board, RULES, given=f"random:{given}")
        logic = CountingResolution()
        agent = LogicAgent(logic, stop)
        found = []
        for index in range(games):
            play_game(setting, agent, "resolution", workshop.seed, index)
            found.append(logic.sizes)
        return found

    return workshop.measure("004-clauses", asked, work)


def _sizes_by_round(played: Sequence[Sequence[int]]) -> list[tuple[int, NDArray[np.int64]]]:
    """Some rounds, evenly spaced, each with the sizes in the games that got there."""
    lengths = sorted((len(sizes) for sizes in played), reverse=True)
    # The last round that enough games reach.
    last = lengths[min(FEWEST_GAMES, len(lengths)) - 1]
    # Rounding may give the same round twice.
    numbers = np.unique(np.linspace(1, last, min(MOST_POINTS, last)).round().astype(int))
    return [
        (int(number), np.array([sizes[number - 1] for sizes in played if len(sizes) >= number]))
        for number in numbers
        if number > 0
    ]


def _most_text(sizes: Mapping[str, Sequence[Sequence[int]]]) -> str:
    most = "; ".join(
        f"{name}: {max((max(one, default=0) for one in played), default=0):,}"
        for name, played in sizes.items()
    )
    return f"The most clauses that any game had at once: {most}."
