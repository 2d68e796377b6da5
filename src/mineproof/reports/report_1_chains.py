"""Chains of influence, report 1's other bonus part: their length and reach, and what they go with.

`mineproof.chains` says what a chain is. `exact` plays, the first cell is 0,0 and safe. A lost game
ends early, and for that reason alone has both a short chain and few guesses. So what the report
says about guesses is tested on games that go on after an opened mine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.board.topology import Topology
from mineproof.chains import ChainRow, measure, of
from mineproof.chains.chains import draw_chain
from mineproof.chains.search import climbs, play_layout
from mineproof.lab.figures import Curve, Point, bars, curves
from mineproof.lab.report import Block, Cell, Claims, Estimate, Figure, ReportClaim, Table, Text
from mineproof.lab.statistics import PairedWins, p_text
from mineproof.reports.estimates import (
    claim_outcome,
    common_correlation,
    curve_of,
    difference_of,
    for_correlation,
    for_difference,
    for_share,
    gap_of,
    mean_of,
    rank_correlation,
    share_of,
)
from mineproof.reports.workshop import Workshop

ChainGames: TypeAlias = Mapping[str, NDArray[Any]]
"""A column for each field of `ChainRow`, in order of the games."""

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


def chains_of_influence(workshop: Workshop) -> tuple[Block, ...]:
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
        Text(
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
        Claims("What the report says of chains", _claims(played, on)),
        *long_chains(workshop),
        *short_chains(workshop),
    )


def _won_lengths(played: _Played) -> dict[_Place, Estimate]:
    """The longest chains of the games that were won, where there are any."""
    won = {place: one["length"][one["won"].astype(bool)] for place, one in played.items()}
    return {place: mean_of(lengths, 2) for place, lengths in won.items() if len(lengths)}


def _over_density(
    name: str, title: str, y_label: str, kinds: Mapping[str, Mapping[_Place, Estimate]]
) -> Figure:
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
    table = Table(name, title, ("board", "density", *kinds), data)
    return Figure(name, title, svg, table, "Means with 95 % intervals.")


def _table(played: _Played) -> Table:
    rows: list[tuple[Cell, ...]] = []
    won = _won_lengths(played)
    for place, games in played.items():
        # A game that is lost early may have no proof.
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
    return Table(
        "001-chains",
        "Chains of influence by board and density",
        columns,
        tuple(rows),
        "Means per game. Share that rests on one cell: of a game's proofs, those that need the cell"
        " whose influence travels farthest.",
    )


def _over_length(
    name: str, title: str, y_label: str, levels: Mapping[str, ChainGames], column: str
) -> Figure:
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
    data = Table(name, title, ("level", "longest chain, mean", "games", y_label), tuple(rows))
    note = (
        "Each point is about a fifth of a level's games, by length; games of one length together."
    )
    return Figure(name, title, svg, data, note)


def _parts(lengths: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    """About equal parts by length, games of one length together."""
    # Lengths are small whole numbers: equal edges make one part instead of empty ones.
    edges = np.unique(np.quantile(lengths, np.linspace(0, 1, PARTS + 1)[1:-1]))
    part = np.searchsorted(edges, lengths, side="left")
    return [part == number for number in np.unique(part)]


def _correlations(played: _Played, on: Mapping[str, ChainGames]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    usual = [(place.board, "as usual", games) for place, games in played.items()]
    played_on = [
        (_Place(*STANDARD[level]).board, "played on", games) for level, games in on.items()
    ]
    for board, kind, games in (*usual, *played_on):
        won, length, guesses = games["won"].astype(bool), games["length"], games["guesses"]
        in_won = rank_correlation(length[won], guesses[won]) if kind == "as usual" else None
        rows.append(
            (
                board,
                kind,
                rank_correlation(length, won),
                rank_correlation(length, guesses),
                in_won,
                rank_correlation(length, games["proofs"]),
                rank_correlation(length, games["reach"]),
            )
        )
    return Table(
        "001-chains-correlations",
        "What goes with a long chain: rank correlations within a board",
        ("board", "games", "winning", "guesses", "guesses, won games", "proofs", "reach"),
        tuple(rows),
        "Spearman's correlation of a game's longest chain with each, and its 95 % interval. Played"
        " on: an opened mine does not end the game, so nothing is cut short; won is then a game"
        " without an opened mine.",
    )


def _claims(played: _Played, on: Mapping[str, ChainGames]) -> tuple[ReportClaim, ...]:
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
        ReportClaim(
            "The longer the longest chain, the fewer guesses",
            claim_outcome(
                common is not None and common.high < 0,
                fails=common is not None and common.low > -WEAK,
            ),
            f"rank correlation of length and guesses in games played on: {common} over all three"
            f" levels; {told or 'none'}. Less than {WEAK} either way counts as none",
        ),
        ReportClaim(
            "The more mines, the shorter the longest chain",
            claim_outcome(
                all(rise.high < 0 for rise in rises.values()),
                fails=any(rise.low > 0 for rise in rises.values()),
            ),
            f"from the fewest mines to where it is longest, the mean length grows by {rising}"
            f" links; it is greatest on {_longest(lengths)}; a lost game is cut short, and in won"
            f" games the longest is {_longest(_won_lengths(played))}",
        ),
    )


def _rise(lengths: Mapping[_Place, Estimate], size: tuple[int, int]) -> Estimate:
    """How far the greatest mean of a size exceeds the mean at its fewest mines."""
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


# ----------------------------------------------------------------------------
# Games with their chains of influence, in chunks that a second run takes from the folder.
#
# Every game is named by (seed, index) as in an experiment, so two agents play the same deals.

PLAYERS: Mapping[str, str] = {
    "exact": "exact",
    "all at once": "exact[at-once]",
    "short chains at ties": "exact+short-chains-at-ties",
    "short chains": "exact+short-chains",
}
"""Agents by the name they have in tables."""
RULES = {"first_click": "safe", "given": "0,0"}
QUICK_GAMES = for_share(0.1)
"""Games of a point of a curve: the share of them that is won is then known to 10 points."""
LITTLE = 0.03
"""A difference of win rates below this counts as none."""
QUICK_GAMES_PAIRED = for_difference(LITTLE, 0.22)
"""Games of each of two players to find such a difference; 5 % of them only one of the two wins."""
QUICK_GAMES_ON = for_correlation(0.11) // 3
"""Games of each of three levels whose common rank correlation tells a weak tendency from none."""
# Each chunk is a file, so a longer run takes the full chunks of a shorter one.
_CHUNK = 100
_COLUMNS = tuple(ChainRow.__dataclass_fields__)


def chain_games(
    workshop: Workshop, board: str, games: int, player: str = "exact", **rules: str
) -> ChainGames:
    """The chains of games on a board, from index 0 on; `rules` are added to `RULES`."""
    words = {**RULES, **rules}
    parts: list[dict[str, list[Any]]] = []
    for first in range(0, games, _CHUNK):
        number = min(_CHUNK, games - first)
        asked = {
            "board": board,
            "player": player,
            "first": first,
            "games": number,
            "seed": workshop.seed,
            **words,
        }

        def work(first: int = first, number: int = number) -> dict[str, list[Any]]:
            rows = list(
                measure(board, PLAYERS[player], number, workshop.seed, first=first, **words)
            )
            return {name: [getattr(row, name) for row in rows] for name in _COLUMNS}

        parts.append(workshop.measure("001-chains", asked, work))
    return {name: np.array([value for part in parts for value in part[name]]) for name in _COLUMNS}


# -- Does it help to keep chains short? The same games with other choices (report 1's question 6) --

PLAIN = "exact"
TRIED = {
    "16x16/40": ("all at once", "short chains at ties", "short chains"),
    "16x30/99": ("short chains",),
}
FULL_GAMES = {"16x16/40": 2000, "16x30/99": 1000}
GUESSING = ("short chains at ties", "short chains")
"""The players that guess otherwise; all at once wins what exact wins."""
LEFT_OUT = "16x30/99"
"""Takes too long for a quick run."""


def short_chains(workshop: Workshop) -> tuple[Block, ...]:
    """The paired table, a figure of wins, and what it says."""
    tried = dict(TRIED)
    if not workshop.scale.in_full:
        del tried[LEFT_OUT]
    played: dict[tuple[str, str], ChainGames] = {}
    for board, players in tried.items():
        games = workshop.scale.games(QUICK_GAMES_PAIRED, FULL_GAMES[board])
        for player in (PLAIN, *players):
            workshop.say(f"001-short-chains: {games} games of {player} on {board}")
            played[board, player] = chain_games(workshop, board, games, player)
    claims = tuple(
        _claim(board, player, _pair(played[board, player], played[board, PLAIN]))
        for board, players in tried.items()
        for player in players
        if player in GUESSING
    )
    return (
        _figure(played),
        Claims("Do short chains help? Each against exact, over the same deals", claims),
    )


def _pair(ours: ChainGames, plain: ChainGames) -> PairedWins:
    a, b = ours["won"].astype(bool), plain["won"].astype(bool)
    return PairedWins(
        int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum())
    )


def _claim(board: str, player: str, pair: PairedWins) -> ReportClaim:
    low, high = 100 * pair.interval.low, 100 * pair.interval.high
    none = pair.interval.low > -LITTLE and pair.interval.high < LITTLE
    answer = f"; no difference larger than {100 * LITTLE:.0f} points" if none else ""
    return ReportClaim(
        f"{player} wins more than exact on {board}",
        claim_outcome(
            pair.p_value < 0.05 and pair.difference > 0, fails=pair.interval.high < LITTLE
        ),
        f"{100 * pair.difference:+.2f} percentage points ({low:+.2f} to {high:+.2f}) over"
        f" {pair.games:,} games; won by one alone: {pair.only_a} and {pair.only_b}; McNemar"
        f" {p_text(pair.p_value)}{answer}",
    )


def _figure(played: dict[tuple[str, str], ChainGames]) -> Figure:
    players = tuple(dict.fromkeys(player for _, player in played))
    boards = tuple(dict.fromkeys(board for board, _ in played))
    title = "Wins with and without a preference for short chains"
    wins = {key: share_of(one["won"]) for key, one in played.items()}
    svg = bars(
        "001-short-chains",
        title,
        boards,
        [
            curve_of(
                player,
                (
                    (place, wins[board, player])
                    for place, board in enumerate(boards)
                    if (board, player) in wins
                ),
            )
            for player in players
        ],
        y_label="games won",
        percent=True,
        y_range=(0, 1),
    )
    rows = [_row(board, player, played, wins[board, player]) for board, player in played]
    columns = (
        "board",
        "player",
        "games",
        "won",
        "longest chain",
        "against exact",
        "guesses",
        "against exact's",
        "cells opened by themselves",
    )
    note = (
        "All play the same deals, first cell 0,0 safe. exact opens what single clues prove before"
        " it works out more; all at once opens everything that is certain before it looks again;"
        " short chains at ties guesses, of the cells of least risk, where the clues have least"
        " depth; short chains accepts up to 2 percentage points more risk for that. Differences are"
        " paired."
    )
    return Figure(
        "001-short-chains", title, svg, Table("001-short-chains", title, columns, tuple(rows)), note
    )


def _row(
    board: str, player: str, played: dict[tuple[str, str], ChainGames], won: Estimate
) -> tuple[Cell, ...]:
    ours, plain = played[board, player], played[board, PLAIN]

    def against(column: str) -> Cell:
        if player == PLAIN:
            return None
        found = difference_of(ours[column], plain[column])
        return Estimate(found.value, found.low, found.high, False, 2)

    clicks = np.asarray(ours["proofs"]) + np.asarray(ours["guesses"])
    return (
        board,
        player,
        len(clicks),
        won,
        mean_of(ours["length"], 2),
        against("length"),
        mean_of(ours["guesses"], 2),
        against("guesses"),
        mean_of(clicks, 1),
    )


# -- How long a chain can be made: hill climbing by number of mines (report 1's question 4) --

SIZE = "9x9"
QUICK_MINES = (6, 10, 20)
FULL_MINES = (6, 10, 13, 16, 20, 25, 30)


def long_chains(workshop: Workshop) -> tuple[Block, ...]:
    """The longest chain found by number of mines, beside those of dealt boards; the best drawn."""
    full = workshop.scale.in_full
    restarts, moves = workshop.scale.games(1, 4), workshop.scale.games(24, 400)
    dealt = workshop.scale.games(QUICK_GAMES, 1000)
    numbers = FULL_MINES if full else QUICK_MINES
    rows: list[tuple[Any, ...]] = []
    best: dict[str, Any] = {}
    for mines in numbers:
        workshop.say(f"001-long-chains: {restarts * moves} layouts of {SIZE}/{mines}")
        found = [_climb(workshop, f"{SIZE}/{mines}", restart, moves) for restart in range(restarts)]
        games = chain_games(workshop, f"{SIZE}/{mines}", dealt)
        top = max(found, key=lambda one: one["length"])
        best = max(best, top, key=lambda one: one.get("length", -1))
        climbed = mean_of([one["length"] for one in found], 1)
        usual = mean_of(games["length"], 2)
        rows.append((mines, usual, int(games["length"].max()), climbed, top["length"], top["won"]))
    title = f"The longest chain on {SIZE} by number of mines: dealt, and looked for"
    table = Table(
        "001-long-chains",
        title,
        (
            "mines",
            "dealt boards, mean",
            "dealt boards, longest",
            "climbs, mean",
            "climbs, longest",
            "that board is solved without a guess",
        ),
        tuple((*row[:-1], "yes" if row[-1] else "no") for row in rows),
    )
    svg = curves(
        "001-long-chains",
        title,
        [
            Curve("longest found by climbing", tuple(Point(row[0], row[4]) for row in rows)),
            curve_of("climbs, mean", ((row[0], row[3]) for row in rows)),
            Curve(f"longest of {dealt} dealt", tuple(Point(row[0], row[2]) for row in rows)),
            curve_of("dealt, mean", ((row[0], row[1]) for row in rows)),
        ],
        x_label="mines",
        y_label="links",
    )
    note = (
        f"{restarts} climbs of {moves} moves each for every number of mines: one mine is put"
        " elsewhere, and stays there where the longest chain gets no shorter. These games begin at"
        " 0,0, which the first deal keeps an opening, and stop instead of guessing; those of dealt"
        " boards guess."
    )
    return Figure("001-long-chains", title, svg, table, note), _picture(best)


def _climb(workshop: Workshop, board: str, restart: int, moves: int) -> Any:
    asked = {"board": board, "restart": restart, "moves": moves, "seed": workshop.seed}

    def work() -> dict[str, object]:
        parsed = Board.parse(board)
        (found,) = climbs(parsed, seed=workshop.seed, first=restart, restarts=1, moves=moves)
        return {
            "length": found.length,
            "won": found.chains.transcript.outcome.won,
            "topology": parsed.topology.text,
            "mines": list(found.layout.cells),
        }

    return workshop.measure("001-long-chains", asked, work)


def _picture(best: dict[str, Any]) -> Figure:
    topology = Topology.parse(best["topology"])
    layout = Layout.of(topology, best["mines"])
    svg = draw_chain(of(play_layout(layout, topology.corner)))
    title = f"The longest chain found in this run: {best['length']} links, {layout.total} mines"
    rows = tuple((row, text) for row, text in enumerate(str(layout).split("\n")))
    table = Table("001-longest-board", title, ("row", "mines and clues"), rows)
    note = "Numbers in corners count the links; dashed arrows are cascades."
    return Figure("001-longest-board", title, svg, table, note)
