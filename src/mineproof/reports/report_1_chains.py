"""Chains of influence, report 1's other bonus part: their length and reach, and what they go with.

`mineproof.chains` says what a chain is. `exact` plays, the first cell is 0,0 and safe. A lost game
ends early, and for that reason alone has both a short chain and few guesses. So what the report
says about guesses is tested on games that go on after an opened mine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mineproof.agents.catalog import parse_agent
from mineproof.board.layout import Layout
from mineproof.board.presets import Board, World
from mineproof.board.topology import Topology
from mineproof.chains import ChainRow, graph, measure, of
from mineproof.chains.chains import chain_lines, draw_chain
from mineproof.chains.search import climbs, play_layout
from mineproof.game.narration import dealt_layout
from mineproof.game.play import play, play_game
from mineproof.lab.figures import Curve, Point, bars, curves
from mineproof.lab.report import Agreement, Cell, Claims, Estimate, Figure, Part, ReportClaim, Table
from mineproof.lab.statistics import PairedWins, p_text
from mineproof.reports.estimates import (
    claim_outcome,
    common_correlation,
    curve_of,
    difference_of,
    for_correlation,
    for_difference,
    for_share,
    gain_outcome,
    gap_of,
    mean_of,
    rank_correlation,
    share_of,
)
from mineproof.reports.workshop import Workshop
from mineproof.text import Interval
from mineproof.view.setting import Setting

ChainGames: TypeAlias = Mapping[str, NDArray[Any]]
"""A column for each field of `ChainRow`, in order of the games."""

MINES: Mapping[tuple[int, int], tuple[int, ...]] = {
    (9, 9): (6, 10, 13, 16, 20),
    (16, 16): (20, 31, 40, 51, 63),
    (16, 30): (38, 58, 77, 99, 118),
}
"""About 8, 12, 16, 20 and 24 % of each size, with the standard levels among them."""
RULES_TEXT = "first cell 0,0 safe"
REPORT_BOARD = ((2, 4), (2, 7), (3, 1), (4, 1), (5, 2), (5, 4), (5, 5), (6, 2), (6, 3), (6, 5))
"""The mines of the 9x9 board that the report prints as its example of a long chain."""
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


def chains_of_influence(workshop: Workshop) -> Part:
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
    fewer, shorter, everywhere = _claims(played, on)
    dealt = {place.board: int(one["length"].max()) for place, one in played.items()}
    return Part(
        "Chains of influence: the report's seven questions",
        "A clue leads to the proofs it is a premise of, a proof to the clue of the cell it opens;"
        " the longest chain of a game is the most proofs in a row, and reach is how many steps over"
        " the board lie between a cell and the farthest proof that rests on it. Nothing was"
        f" published in numbers. exact plays {games} games per point, {games_on} where games are"
        f" played on; {RULES_TEXT}.",
        (
            _built(),
            _controls(played, _correlations(played, on)),
            _efficiency(on, fewer),
            long_chains(workshop, dealt, shorter),
            _reach(played, everywhere),
            short_chains(workshop),
            _hard(played, on),
        ),
    )


def _built() -> Part:
    """The report's own board: clues, facts and proofs of its game, and its longest chain."""
    topology = Topology.parse(SIZE)
    layout = Layout.of(topology, [topology.cell(mine) for mine in REPORT_BOARD])
    chains = of(play(World("report-1", layout), "exact", given="0,0"))
    kinds = Counter(node.kind for node in graph(chains).nodes)
    title = f"The board that the report prints: its longest chain, {chains.length} links"
    lines = [line.strip() for line in chain_lines(chains)]
    table = Table("001-report-board", title, ("the chain, link by link",), tuple(zip(lines)))
    note = "Numbers in corners count the links; dashed arrows are cascades."
    return Part(
        "1. How is a chain built, and what are its intermediate facts?",
        "From clues, the sets of cells that a proof derives from them, and the proofs that open"
        f" cells. On the report's own board these are {kinds['clue']} clues, {kinds['fact']}"
        f" derived sets with their numbers of mines, and {kinds['proof']} proofs. All of its"
        " influence starts at 0,0 and the game needs no guess, as the report says; but no cell is"
        f" more than {chains.length} proofs from the start.",
        (Figure("001-report-board", title, draw_chain(chains), table, note),),
    )


def _controls(played: _Played, correlations: Table) -> Part:
    with_proofs, with_premises = (
        [found for row in correlations.rows[: len(played)] if (found := row[column]) is not None]
        for column in (_PROOFS, _PREMISES)
    )
    figure = _over_density(
        "001-chains-length",
        "The longest chain of a game against density",
        "links",
        {
            "all games": {place: mean_of(one["length"], 2) for place, one in played.items()},
            "won games": _won_lengths(played),
        },
    )
    return Part(
        "2. What controls the length of the longest chain?",
        "The number of cells that need a proof: over the boards the rank correlation of length and"
        f" proofs is {_span(with_proofs)}. The report answers: how finely sets can be split. With"
        f" the premises of a proof the correlation is {_span(with_premises)}.",
        (figure, _table(played), correlations),
    )


def _span(found: Sequence[Cell]) -> str:
    values = [one.value for one in found if isinstance(one, Estimate)]
    return f"{min(values):.2f} to {max(values):.2f}" if values else "unknown"


def _efficiency(on: Mapping[str, ChainGames], fewer: ReportClaim) -> Part:
    answers = {
        Agreement.HOLDS: "A longer chain goes with fewer guesses, as the report says, but weakly",
        Agreement.FAILS: "A longer chain goes with more guesses, against what the report says",
        Agreement.NOTHING: "It hardly matters for the number of guesses",
    }
    return Part(
        "3. How does the length influence the efficiency of the solver?",
        f"{answers.get(fewer.outcome, 'This run leaves open whether guesses get fewer')}:"
        f" {fewer.evidence.partition(';')[0]}. Only games that are played on after an opened mine"
        " can tell: a lost game ends early, and so has a short chain and few guesses.",
        (
            _over_length(
                "001-chains-guesses",
                "Guesses by the length of the longest chain, games played on to the end",
                "guesses",
                on,
                "guesses",
            ),
            Claims("What the report says", (fewer,)),
        ),
    )


def _reach(played: _Played, everywhere: ReportClaim) -> Part:
    figure = _over_density(
        "001-chains-reach",
        "How far influence travels, as a share of the board",
        "reach / steps from edge to edge",
        {
            "all games": {
                place: mean_of(one["reach"] / place.farthest, 1, percent=True)
                for place, one in played.items()
            }
        },
    )
    return Part(
        "5. How far can the influence of a cell travel?",
        f"{'To the other end of the board' if everywhere.outcome.good else 'Not that far'}:"
        f" {everywhere.evidence}.",
        (figure, Claims("What the report says", (everywhere,))),
    )


def _hard(played: _Played, on: Mapping[str, ChainGames]) -> Part:
    levels = {level: played[_Place(*size)] for level, size in STANDARD.items()}
    told = [
        common_correlation(
            [
                (found, len(one["length"]))
                for one in games.values()
                if (found := rank_correlation(one["length"], one["won"])) is not None
            ]
        )
        for games in (levels, on)
    ]
    return Part(
        "7. Is Minesweeper hard?",
        "The report: boards with short chains are. Games with longer chains are won more often, at"
        f" first sight: the rank correlation of length and winning is {told[0]} over the three"
        " levels. But a game that is lost is cut short. Where an opened mine does not end it, the"
        f" correlation with opening none is {told[1]}: that is what length itself can say.",
        (
            _over_length(
                "001-chains-wins",
                "Games won by the length of the longest chain",
                "games won",
                levels,
                "won",
            ),
        ),
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


_CORRELATED = (
    *("board", "games", "winning", "guesses", "guesses, won games"),
    *("proofs", "premises a proof", "reach"),
)
_PROOFS, _PREMISES = _CORRELATED.index("proofs"), _CORRELATED.index("premises a proof")


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
                rank_correlation(length, games["premises"] / np.maximum(games["proofs"], 1)),
                rank_correlation(length, games["reach"]),
            )
        )
    return Table(
        "001-chains-correlations",
        "What goes with a long chain: rank correlations within a board",
        _CORRELATED,
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
    most = [(place, played[place]) for place in (_Place(*size) for size in STANDARD.values())]
    rising = ", ".join(f"{rows}x{cols} {rise}" for (rows, cols), rise in rises.items())
    return (
        ReportClaim(
            "The longer the longest chain, the fewer guesses",
            Agreement.OPEN if common is None else gain_outcome(_less(common), WEAK),
            f"rank correlation of length and guesses in games played on: {common} over all three"
            f" levels; {told or 'none'}. Less than {WEAK} either way counts as none",
            f"9x9/10, 16x16/40, 16x30/99, exact, {RULES_TEXT}, play goes on after a mine",
            str(WEAK),
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
            f"9x9, 16x16 and 16x30 at five densities, exact, {RULES_TEXT}",
        ),
        ReportClaim(
            "Chains of influence can spread to the whole board",
            claim_outcome(all(int(one["reach"].max()) == place.farthest for place, one in most)),
            "influence travels from edge to edge in "
            + ", ".join(
                f"{100 * float((one['reach'] == place.farthest).mean()):.0f} % of the games on"
                f" {place.board}"
                for place, one in most
            ),
            f"9x9/10, 16x16/40, 16x30/99, exact, {RULES_TEXT}",
        ),
    )


def _less(found: Estimate) -> Interval:
    """The interval of how far a number lies below zero."""
    return Interval(-found.high, -found.low)


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


def short_chains(workshop: Workshop) -> Part:
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
    told = "; ".join(f"{one.said}: {one.line.verdict}" for one in claims)
    return Part(
        "6. Does it help to keep chains short?",
        "The report says that its solver does so already. Here are policies that prefer short"
        f" chains when they must guess, over the same deals as exact. {told}.",
        (_figure(played), Claims("Each against exact, over the same deals", claims)),
    )


def _pair(ours: ChainGames, plain: ChainGames) -> PairedWins:
    a, b = ours["won"].astype(bool), plain["won"].astype(bool)
    return PairedWins(
        int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum())
    )


def _claim(board: str, player: str, pair: PairedWins) -> ReportClaim:
    low, high = 100 * pair.interval.low, 100 * pair.interval.high
    return ReportClaim(
        f"{player} wins more than exact on {board}",
        gain_outcome(pair.interval, LITTLE, surely=pair.p_value < 0.05),
        f"{100 * pair.difference:+.2f} percentage points ({low:+.2f} to {high:+.2f}); over"
        f" {pair.games:,} games, won by one alone: {pair.only_a} and {pair.only_b}, McNemar"
        f" {p_text(pair.p_value)}",
        f"{board}, {RULES_TEXT}, {PLAYERS[player]} and exact",
        f"{100 * LITTLE:.0f} points",
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


def long_chains(workshop: Workshop, dealt: Mapping[str, int], shorter: ReportClaim) -> Part:
    """The longest chain found by number of mines, beside those of dealt boards; the best drawn.

    `dealt` has the longest chain of the games on each board.
    """
    full = workshop.scale.in_full
    restarts, moves = workshop.scale.games(1, 4), workshop.scale.games(24, 400)
    many = workshop.scale.games(QUICK_GAMES, 1000)
    numbers = FULL_MINES if full else QUICK_MINES
    rows: list[tuple[Any, ...]] = []
    best: dict[str, Any] = {}
    for mines in numbers:
        board = f"{SIZE}/{mines}"
        workshop.say(f"001-long-chains: {restarts * moves} layouts of {board}")
        found = [_climb(workshop, board, restart, moves) for restart in range(restarts)]
        games = chain_games(workshop, board, many)
        top = max(found, key=lambda one: one["length"])
        longest = int(games["length"].max())
        first = int(games["index"][int(games["length"].argmax())])
        for one in (top, {"length": longest, "board": board, "index": first}):
            best = max(best, one, key=lambda one: one.get("length", -1))
        climbed = mean_of([one["length"] for one in found], 1)
        usual = mean_of(games["length"], 2)
        rows.append((mines, usual, longest, climbed, top["length"], top["won"]))
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
            Curve(f"longest of {many} dealt", tuple(Point(row[0], row[2]) for row in rows)),
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
    top_board = max(dealt, key=lambda board: dealt[board])
    turned = {Agreement.FAILS: "More mines do not make it shorter, they make it longer"}
    return Part(
        "4. Which boards yield long chains, and how does this vary with the mines?",
        f"{turned.get(shorter.outcome, f'The more mines, the shorter: {shorter.line.verdict}')},"
        " until most games are lost early. The longest chain of the dealt games has"
        f" {dealt[top_board]} links, on {top_board}; on {SIZE} this run's longest has"
        f" {best['length']}. Moving single mines where the chain gets no shorter finds far longer"
        " ones than dealing, the more moves the longer: 19 links on 9x9/10 with the thousands of"
        " moves of mineproof long-chain.",
        (
            Figure("001-long-chains", title, svg, table, note),
            _picture(workshop, best),
            Claims("What the report says", (shorter,)),
        ),
    )


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


def _picture(workshop: Workshop, best: dict[str, Any]) -> Figure:
    """The longest chain on this size, of a climb or of a dealt game."""
    if "index" in best:
        setting = Setting.of(best["board"], **RULES)
        agent = parse_agent(PLAYERS[PLAIN]).make()
        game = play_game(setting, agent, PLAIN, workshop.seed, best["index"])
        origin = "a dealt board"
    else:
        topology = Topology.parse(best["topology"])
        game = play_layout(Layout.of(topology, best["mines"]), topology.corner)
        origin = "found by climbing"
    chains = of(game)
    layout = dealt_layout(game)
    assert layout is not None  # it was played
    title = (
        f"The longest chain on {SIZE} in this run: {chains.length} links, {layout.total} mines,"
        f" {origin}"
    )
    rows = tuple((row, text) for row, text in enumerate(str(layout).split("\n")))
    table = Table("001-longest-board", title, ("row", "mines and clues"), rows)
    note = "Numbers in corners count the links; dashed arrows are cascades."
    return Figure("001-longest-board", title, draw_chain(chains), table, note)
