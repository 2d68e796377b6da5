"""How long a chain can be made: hill climbing by number of mines (report 1's question 4)."""

from __future__ import annotations

from typing import Any

from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.board.topology import Topology
from mineproof.chains import of
from mineproof.chains.long_chains import climbs, play_layout
from mineproof.chains.telling import draw_chain
from mineproof.lab.figures import Curve, Point, curves
from mineproof.lab.report import Block, Figure, Table
from mineproof.reports.chain_games import QUICK_GAMES, chain_games
from mineproof.reports.estimates import curve_of, mean_of
from mineproof.reports.workshop import Workshop

__all__ = ["long_chains"]

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
        found = [
            _climbed(workshop, f"{SIZE}/{mines}", restart, moves) for restart in range(restarts)
        ]
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


def _climbed(workshop: Workshop, board: str, restart: int, moves: int) -> Any:
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
