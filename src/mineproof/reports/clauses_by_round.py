"""How large the knowledge base of resolution is, round by round (report 4).

A round is one time that the player is asked what follows: it inserts the clauses of new hints,
marks what single literals tell, and matches clauses only where there are none, as the report does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.agents.logic_agent import LogicAgent
from mineproof.agents.policies import stop
from mineproof.inference.logics.resolution import Resolution
from mineproof.lab.figures import curves
from mineproof.lab.report import Block, Cell, Figure, Table
from mineproof.match.game import play_game
from mineproof.reports.estimates import curve_of, mean_of
from mineproof.reports.workshop import Workshop
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = ["CountedClauses", "clauses_by_round"]

MOST_POINTS = 24
FEWEST_GAMES = 8
"""A point of a line is the mean of at least this many games."""


class CountedClauses(Resolution):
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
        points = [(number, mean_of(here, 1), len(here)) for number, here in _rounds(played)]
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
        f" {_told(sizes)}"
    )
    return (Figure("004-clauses", title, svg, data, note),)


def _sizes(workshop: Workshop, board: str, given: int, games: int) -> list[list[int]]:
    """The clauses after every round of every game."""
    asked = {"board": board, "given": given, "games": games, "seed": workshop.seed}

    def work() -> list[list[int]]:
        setting = Setting.of(board, "report4", given=f"random:{given}")
        logic = CountedClauses()
        agent = LogicAgent(logic, stop)
        found = []
        for index in range(games):
            play_game(setting, agent, "resolution", workshop.seed, index)
            found.append(logic.sizes)
        return found

    found: list[list[int]] = workshop.measure("004-clauses", asked, work)
    return found


def _rounds(played: Sequence[Sequence[int]]) -> list[tuple[int, NDArray[np.int64]]]:
    """Some rounds, evenly spaced, each with the sizes in the games that got there."""
    lengths = sorted((len(sizes) for sizes in played), reverse=True)
    last = lengths[min(FEWEST_GAMES, len(lengths)) - 1]
    numbers = np.unique(np.linspace(1, last, min(MOST_POINTS, last)).round().astype(int))
    return [
        (int(number), np.array([sizes[number - 1] for sizes in played if len(sizes) >= number]))
        for number in numbers
        if number > 0
    ]


def _told(sizes: Mapping[str, Sequence[Sequence[int]]]) -> str:
    most = "; ".join(
        f"{name}: {max((max(one, default=0) for one in played), default=0):,}"
        for name, played in sizes.items()
    )
    return f"The most clauses that any game had at once: {most}."
