"""Does it help to keep chains short? The same games with other choices (report 1's question 6)."""

from __future__ import annotations

import numpy as np

from mineproof.lab import report as page
from mineproof.lab.figures import bars
from mineproof.lab.report import Cell, Estimate
from mineproof.lab.statistics import Paired
from mineproof.reports.chain_games import LITTLE, QUICK_GAMES_PAIRED, ChainGames, chain_games
from mineproof.reports.estimates import curve_of, difference_of, held, mean_of, share_of
from mineproof.reports.workshop import Workshop

__all__ = ["short_chains"]

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


def short_chains(workshop: Workshop) -> tuple[page.Block, ...]:
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
        page.Claims("Do short chains help? Each against exact, over the same deals", claims),
    )


def _pair(ours: ChainGames, plain: ChainGames) -> Paired:
    a, b = ours["won"].astype(bool), plain["won"].astype(bool)
    return Paired(
        int((a & b).sum()), int((a & ~b).sum()), int((~a & b).sum()), int((~a & ~b).sum())
    )


def _claim(board: str, player: str, pair: Paired) -> page.ReportClaim:
    low, high = 100 * pair.interval.low, 100 * pair.interval.high
    p = f"p = {pair.p_value:.3f}" if pair.p_value >= 0.001 else "p < 0.001"
    none = pair.interval.low > -LITTLE and pair.interval.high < LITTLE
    answer = f"; no difference larger than {100 * LITTLE:.0f} points" if none else ""
    return page.ReportClaim(
        f"{player} wins more than exact on {board}",
        held(pair.p_value < 0.05 and pair.difference > 0, fails=pair.interval.high < LITTLE),
        f"{100 * pair.difference:+.2f} percentage points ({low:+.2f} to {high:+.2f}) over"
        f" {pair.games:,} games; won by one alone: {pair.only_a} and {pair.only_b}; McNemar {p}"
        f"{answer}",
    )


def _figure(played: dict[tuple[str, str], ChainGames]) -> page.Figure:
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
    return page.Figure(
        "001-short-chains",
        title,
        svg,
        page.Table("001-short-chains", title, columns, tuple(rows)),
        note,
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
