"""Uncertain clues, report 1's bonus part: what it costs when clues are missing or wrong.

Three agents play the same games under every channel: `naive` believes each clue, `sat` proves what
is certain and else guesses at random, `exact` weighs every layout by the likelihood of its clues.
Where no clue lies there is nothing to be naive about: the games of `exact` are those of `naive`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.lab import report as page
from mineproof.lab.experiment import Experiment
from mineproof.lab.figures import curves
from mineproof.lab.report import Cell, Estimate
from mineproof.reports.estimates import UNIT, curve_of, difference_of, mean_of, share_of
from mineproof.reports.precision import for_share
from mineproof.reports.workshop import GameNumbers, Workshop

__all__ = ["uncertain_clues"]

AGENTS = ("naive", "sat", "exact")
SHARES = (0.1, 0.2, 0.3, 0.5, 0.7)
LYING = ("optimistic", "cautious")
LEVELS = {"Beginner": "9x9/10", "Intermediate": "16x16/40", "Expert": "16x30/99"}
DENSITIES = {"2 %": "9x9/2", "5 %": "9x9/4", "7 %": "9x9/6", "10 %": "9x9/8"}
PLACES = {**LEVELS, **DENSITIES}

_Played: TypeAlias = Mapping[str, GameNumbers]
"""The games by channel."""


def uncertain_clues(workshop: Workshop) -> tuple[page.Block, ...]:
    """The curve over p, the tables by level and density, and the performance hit."""
    games = workshop.scale.games(for_share(0.1), for_share(0.05))
    channels = ("exact", *(f"withheld:{share}" for share in SHARES), *LYING)
    played: _Played = {clues: _play(workshop, clues, games) for clues in channels}
    return (
        page.Text(
            "Uncertain clues have no published numbers: the report asks what they cost. naive"
            " believes every clue and drops the newest of clues that clash; sat proves what the"
            " bounds of each clue leave no doubt of, and guesses at random; exact weighs every"
            " layout by the likelihood of what is shown (Bayes). Where clues are exact or only"
            " withheld, naive and exact are the same agent, and play once. The score is report 2's"
            " finer one: mines of all cells still covered, 1 for a win."
            f" {games} games each, the first cell 0,0 an opening."
        ),
        _figure(played),
        *(_by_place(played, clues) for clues in ("exact", "withheld:0.3", *LYING)),
        _hit(played),
    )


def _play(workshop: Workshop, clues: str, games: int) -> GameNumbers:
    boards = list(PLACES.values())
    name = f"001-clues-{clues.replace(':', '-')}"
    return workshop.play(
        name,
        Experiment.of(
            AGENTS if clues in LYING else AGENTS[1:],
            boards=boards,
            games=games,
            seed=workshop.seed,
            clues=clues,
            first_click="opening",
            given="0,0",
        ),
    )


def _column(
    played: _Played, clues: str, name: str, agent: str, place: int
) -> NDArray[np.float64 | np.bool_]:
    """A column of an agent's games under one channel."""
    if clues not in LYING and agent == "naive":
        agent = "exact"
    found: NDArray[np.float64 | np.bool_] = played[clues].column(name, agent, place)
    return found


def _won(played: _Played, clues: str, agent: str, place: int) -> Estimate:
    return share_of(_column(played, clues, "won", agent, place))


def _score(played: _Played, clues: str, agent: str, place: int) -> Estimate:
    return mean_of(_column(played, clues, "finer", agent, place), bounds=UNIT)


def _figure(played: _Played) -> page.Figure:
    """Win rate against the share of withheld clues, on the smallest level."""
    places = list(PLACES)
    shown = ("Beginner", "5 %")
    at = {0.0: "exact", **{p: f"withheld:{p}" for p in SHARES}}
    lines = [(level, agent) for level in shown for agent in AGENTS[1:]]
    rates = {
        (level, agent, p): _won(played, clues, agent, places.index(level))
        for level, agent in lines
        for p, clues in at.items()
    }
    series = [
        curve_of(f"{agent}, {PLACES[level]}", ((p, rates[level, agent, p]) for p in at))
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
        columns += [f"{agent}, {PLACES[level]}" for agent in AGENTS[1:]]
        columns += [f"score of {agent}, {PLACES[level]}" for agent in AGENTS[1:]]
    rows: list[tuple[Cell, ...]] = []
    for p, clues in at.items():
        row: list[Cell] = [p]
        for place in range(len(places)):
            row += [_won(played, clues, agent, place) for agent in AGENTS[1:]]
            row += [_score(played, clues, agent, place) for agent in AGENTS[1:]]
        rows.append(tuple(row))
    data = page.Table("001-withheld", title, tuple(columns), tuple(rows))
    return page.Figure("001-withheld", title, svg, data, "Bands are 95 % intervals.")


def _by_place(played: _Played, clues: str) -> page.Table:
    """Win rate and score of every agent on every level and density under one channel."""
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            board,
            *(_won(played, clues, agent, place) for agent in AGENTS),
            *(_score(played, clues, agent, place) for agent in AGENTS),
        )
        for place, (name, board) in enumerate(PLACES.items())
    ]
    return page.Table(
        f"001-clues-{clues.replace(':', '-')}",
        f"Clues {clues}: games won, and score",
        ("level or density", "board", *AGENTS, *(f"score of {agent}" for agent in AGENTS)),
        tuple(rows),
    )


def _hit(played: _Played) -> page.Table:
    """What each channel costs each agent against exact clues, over the same deals."""
    rows: list[tuple[Cell, ...]] = []
    for clues in [clues for clues in played if clues != "exact"]:
        for name, board in PLACES.items():
            place = list(PLACES).index(name)
            row: list[Cell] = [clues, board]
            for column in ("won", "finer"):
                for agent in AGENTS:
                    plain = _column(played, "exact", column, agent, place)
                    found = difference_of(_column(played, clues, column, agent, place), plain)
                    row.append(found.estimate(True, 1) if column == "won" else found.estimate())
            rows.append(tuple(row))
    return page.Table(
        "001-clues-hit",
        "The performance hit against exact clues, over the same deals",
        ("clues", "board", *AGENTS, *(f"score of {agent}" for agent in AGENTS)),
        tuple(rows),
        "Differences of the win rate in percentage points and of the score, with 95 % intervals.",
    )
