"""Chains of influence, report 1's other bonus part: their length and reach, and what they go with.

`mineproof.chains` says what a chain is. `exact` plays, the first cell is 0,0 and safe. A lost game
ends early, and for that reason alone has both a short chain and few guesses. So what the report
says about guesses is tested on games that go on after an opened mine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mineproof.lab import report as page
from mineproof.lab.figures import Curve, curves
from mineproof.lab.report import Cell, Estimate
from mineproof.reports.chain_games import QUICK_GAMES, QUICK_GAMES_ON, ChainGames, chain_games
from mineproof.reports.chain_policy import short_chains
from mineproof.reports.chain_search import long_chains
from mineproof.reports.estimates import (
    common_correlation,
    curve_of,
    gap_of,
    held,
    mean_of,
    rank_correlation,
    share_of,
)
from mineproof.reports.workshop import Workshop

__all__ = ["chains_of_influence"]

MINES: Mapping[tuple[int, int], tuple[int, ...]] = {
    (9, 9): (6, 10, 13, 16, 20),
    (16, 16): (20, 31, 40, 51, 63),
    (16, 30): (38, 58, 77, 99, 118),
}
"""About 8, 12, 16, 20 and 24 % of each size, with the standard levels among them."""
STANDARD = {"Beginner": (9, 9, 10), "Intermediate": (16, 16, 40), "Expert": (16, 30, 99)}
WEAK = 0.05
"""A rank correlation nearer to zero than this counts as none."""
PARTS = 5
"""Games of a level are divided into this many parts by the length of their longest chain."""


@dataclass(frozen=True)
class _Place:
    rows: int
    cols: int
    mines: int

    @property
    def board(self) -> str:
        return f"{self.rows}x{self.cols}/{self.mines}"

    @property
    def density(self) -> float:
        return self.mines / (self.rows * self.cols)

    @property
    def farthest(self) -> int:
        """The steps between two corners."""
        return max(self.rows, self.cols) - 1


_Played = Mapping[_Place, ChainGames]


def chains_of_influence(workshop: Workshop) -> tuple[page.Block, ...]:
    """Length and reach by density, what they go with, the search for long ones, the policy."""
    games = workshop.scale.games(QUICK_GAMES, 1000)
    places = [_Place(*size, mines) for size, all_ in MINES.items() for mines in all_]
    games_on = workshop.scale.games(QUICK_GAMES_ON, 1000)
    workshop.say(f"001-chains: {games * len(places) + games_on * len(STANDARD):,} games")
    played = {place: chain_games(workshop, place.board, games) for place in places}
    on = {
        level: chain_games(workshop, _Place(*size).board, games_on, on_mine="continue")
        for level, size in STANDARD.items()
    }
    return (
        page.Text(
            "Chains of influence have no published numbers. A clue leads to the proofs it is a"
            " premise of, a proof to the clue of the cell it opens; the longest chain of a game is"
            " the most proofs in a row, and reach is how many steps over the board lie between a"
            f" cell and the farthest proof that rests on it. exact plays {games} games per point,"
            f" {games_on} where games are played on; the first cell is 0,0 and safe."
        ),
        _over_density(
            "001-chains-length",
            "The longest chain of a game against density",
            "links",
            {
                "all games": {place: mean_of(one["length"], 2) for place, one in played.items()},
                "won games": _won_lengths(played),
            },
        ),
        _over_density(
            "001-chains-reach",
            "How far influence travels, as a share of the board",
            "reach / steps from edge to edge",
            {
                "all games": {
                    place: mean_of(one["reach"] / place.farthest, 1, percent=True)
                    for place, one in played.items()
                }
            },
        ),
        _table(played),
        _over_length(
            "001-chains-wins",
            "Games won by the length of the longest chain",
            "games won",
            {level: played[_Place(*size)] for level, size in STANDARD.items()},
            "won",
        ),
        _over_length(
            "001-chains-guesses",
            "Guesses by the length of the longest chain, games played on to the end",
            "guesses",
            on,
            "guesses",
        ),
        _correlations(played, on),
        page.Claims("What the report says of chains", _claims(played, on)),
        *long_chains(workshop),
        *short_chains(workshop),
    )


def _won_lengths(played: _Played) -> dict[_Place, Estimate]:
    """The longest chains of the games that were won, where there are any."""
    won = {place: one["length"][one["won"].astype(bool)] for place, one in played.items()}
    return {place: mean_of(lengths, 2) for place, lengths in won.items() if len(lengths)}


def _over_density(
    name: str, title: str, y_label: str, kinds: Mapping[str, Mapping[_Place, Estimate]]
) -> page.Figure:
    """One line per size and kind of games."""
    series = [
        curve_of(
            f"{rows}x{cols}" + (f", {kind}" if len(kinds) > 1 else ""),
            (
                (place.density, one)
                for place, one in found.items()
                if (place.rows, place.cols) == (rows, cols)
            ),
        )
        for kind, found in kinds.items()
        for rows, cols in MINES
    ]
    first = next(iter(kinds.values()))
    percent = next(iter(first.values())).percent
    data = tuple(
        (place.board, place.density, *(found.get(place) for found in kinds.values()))
        for place in first
    )
    svg = curves(name, title, series, x_label="mine density", y_label=y_label, percent=percent)
    table = page.Table(name, title, ("board", "density", *kinds), data)
    return page.Figure(name, title, svg, table, "Means with 95 % intervals.")


def _table(played: _Played) -> page.Table:
    rows: list[tuple[Cell, ...]] = []
    won = _won_lengths(played)
    for place, games in played.items():
        proofs = np.maximum(games["proofs"], 1)
        rows.append(
            (
                place.board,
                place.density,
                share_of(games["won"]),
                mean_of(games["guesses"], 2),
                mean_of(games["length"], 2),
                won.get(place),
                int(games["length"].max()),
                mean_of(games["reach"], 1),
                int(games["reach"].max()),
                mean_of(games["proofs"], 1),
                mean_of(games["influenced"] / proofs, 1, percent=True),
                float(games["premises"].sum() / max(1, games["proofs"].sum())),
            )
        )
    columns = (
        "board",
        "density",
        "won",
        "guesses",
        "longest chain",
        "in won games",
        "longest of all games",
        "reach",
        "farthest of all games",
        "proofs",
        "share that rests on one cell",
        "premises a proof",
    )
    return page.Table(
        "001-chains",
        "Chains of influence by board and density",
        columns,
        tuple(rows),
        "Means per game. Share that rests on one cell: of a game's proofs, those that need the cell"
        " whose influence travels farthest.",
    )


def _over_length(
    name: str, title: str, y_label: str, levels: Mapping[str, ChainGames], column: str
) -> page.Figure:
    """A column of each level's games, by fifths of their longest chains."""
    shares = column == "won"
    series: list[Curve] = []
    rows: list[tuple[Cell, ...]] = []
    for level, games in levels.items():
        points = []
        for part in _parts(games["length"]):
            values = games[column][part]
            found = share_of(values) if shares else mean_of(values, 2)
            length = float(games["length"][part].mean())
            points.append((length, found))
            rows.append((level, length, len(values), found))
        series.append(curve_of(level, points))
    svg = curves(
        name, title, series, x_label="longest chain (links)", y_label=y_label, percent=shares
    )
    data = page.Table(name, title, ("level", "longest chain, mean", "games", y_label), tuple(rows))
    note = (
        "Each point is about a fifth of a level's games, by length; games of one length together."
    )
    return page.Figure(name, title, svg, data, note)


def _parts(lengths: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """About equal parts by length, games of one length together."""
    edges = np.unique(np.quantile(lengths, np.linspace(0, 1, PARTS + 1)[1:-1]))
    part = np.searchsorted(edges, lengths, side="left")
    return [part == number for number in np.unique(part)]


def _correlations(played: _Played, on: Mapping[str, ChainGames]) -> page.Table:
    rows: list[tuple[Cell, ...]] = []
    for place, games in played.items():
        won = games["won"].astype(bool)
        length = games["length"]
        rows.append(
            (
                place.board,
                "as usual",
                rank_correlation(length, won),
                rank_correlation(length, games["guesses"]),
                rank_correlation(length[won], games["guesses"][won]),
                rank_correlation(length, games["proofs"]),
                rank_correlation(length, games["reach"]),
            )
        )
    for level, games in on.items():
        length = games["length"]
        rows.append(
            (
                _Place(*STANDARD[level]).board,
                "played on",
                rank_correlation(length, games["won"]),
                rank_correlation(length, games["guesses"]),
                None,
                rank_correlation(length, games["proofs"]),
                rank_correlation(length, games["reach"]),
            )
        )
    return page.Table(
        "001-chains-correlations",
        "What goes with a long chain: rank correlations within a board",
        ("board", "games", "winning", "guesses", "guesses, won games", "proofs", "reach"),
        tuple(rows),
        "Spearman's correlation of a game's longest chain with each, and its 95 % interval. Played"
        " on: an opened mine does not end the game, so nothing is cut short; won is then a game"
        " without an opened mine.",
    )


def _claims(played: _Played, on: Mapping[str, ChainGames]) -> tuple[page.ReportClaim, ...]:
    fewer = {
        level: (found, len(one["length"]))
        for level, one in on.items()
        if (found := rank_correlation(one["length"], one["guesses"])) is not None
    }
    told = ", ".join(f"{level} {found}" for level, (found, _) in fewer.items())
    common = common_correlation(list(fewer.values()))
    lengths = {place: mean_of(games["length"], 2) for place, games in played.items()}
    rises = {size: _rise(lengths, size) for size in MINES}
    rising = ", ".join(f"{rows}x{cols} {rise}" for (rows, cols), rise in rises.items())
    return (
        page.ReportClaim(
            "The longer the longest chain, the fewer guesses",
            held(
                common is not None and common.high < 0,
                fails=common is not None and common.low > -WEAK,
            ),
            f"rank correlation of length and guesses in games played on: {common} over all three"
            f" levels; {told or 'none'}. Less than {WEAK} either way counts as none",
        ),
        page.ReportClaim(
            "The more mines, the shorter the longest chain",
            held(
                all(rise.high < 0 for rise in rises.values()),
                fails=any(rise.low > 0 for rise in rises.values()),
            ),
            f"from the fewest mines to where it is longest, the mean length grows by {rising}"
            f" links; it is greatest on {_longest(lengths)}; a lost game is cut short, and in won"
            f" games the longest is {_longest(_won_lengths(played))}",
        ),
    )


def _rise(lengths: Mapping[_Place, Estimate], size: tuple[int, int]) -> Estimate:
    """What the longest mean of a size exceeds that of its fewest mines by."""
    first, *more = (one for place, one in lengths.items() if (place.rows, place.cols) == size)
    return gap_of(max(more, key=lambda one: one.value), first)


def _longest(found: Mapping[_Place, Estimate]) -> str:
    """Where the mean is greatest, for every size."""
    tops = []
    for size in MINES:
        here = {place: one for place, one in found.items() if (place.rows, place.cols) == size}
        if here:
            place, top = max(here.items(), key=lambda one: one[1].value)
            tops.append(f"{place.board} with {top}")
    return ", ".join(tops) or "unknown: none was won"
