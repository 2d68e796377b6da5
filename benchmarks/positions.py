"""Positions to measure on: played games, and patterns that are hard for any solver."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mineproof.board import Layout, Topology, deal
from mineproof.board.layout import mine_free_cells
from mineproof.engine.exact import analyze
from mineproof.engine.session import Session
from mineproof.game.referee import Referee
from mineproof.rng import Purpose, Stream
from mineproof.rules import FirstClick, Mines, Rules
from mineproof.view import Mark, View

EXPERT = (16, 30, 99)


def game(topology: Topology, mines: int, seed: int, index: int, clues: str = "exact") -> Referee:
    """A game whose first cell, the centre, is open and an opening."""
    referee = Referee(_dealt(topology, mines, seed, index), seed, index, clues=clues)
    referee.open(topology.centre)
    return referee


def _dealt(topology: Topology, mines: int, seed: int, index: int) -> Layout:
    free = mine_free_cells(topology, FirstClick.OPENING, (topology.centre,))
    return deal(topology, Mines.number(mines), seed, index, free)


def expert_positions(games: int, seed: int = 1, clues: str = "exact") -> list[View]:
    """Mid-game Expert positions: from every game one without a safe cell and one other.

    Safe cells are opened first, all at once, then a cell of least risk, until a mine or the end.
    """
    rows, cols, mines = EXPERT
    topology = Topology.parse(f"{rows}x{cols}")
    found = []
    for index in range(games):
        found += _middle(game(topology, mines, seed, index, clues), seed, index)
    return found


def reached(games: int, clues: str, seed: int = 1) -> list[tuple[View, View]]:
    """Expert positions of games with such clues, each paired with exact clues on those cells."""
    rows, cols, mines = EXPERT
    topology = Topology.parse(f"{rows}x{cols}")
    exact = Rules.parse(f"mines={mines}")
    found = []
    for index in range(games):
        counts = _dealt(topology, mines, seed, index).counts
        for view in _middle(game(topology, mines, seed, index, clues), seed, index):
            codes = view.codes()
            for cell, _ in view.clues:
                codes[cell] = counts[cell]
            found.append((view, View.of_codes(topology, exact, codes)))
    return found


def _middle(referee: Referee, seed: int, index: int) -> list[View]:
    stream = Stream(seed, index, Purpose.SAMPLE)
    stuck: list[View] = []
    other: list[View] = []
    while not referee.over:
        analysis = analyze(referee.view)
        (other if analysis.safe else stuck).append(_alone(referee.view))
        best = analysis.least_risk
        if best is None:
            break
        for cell in list(analysis.safe) or [best.cell]:
            if referee.view.is_hidden(cell) and not referee.over:
                referee.open(cell)
    return [stream.choice(views) for views in (stuck, other) if views]


def endgames(
    topology: Topology, mines: int, games: int, seed: int = 1
) -> list[tuple[View, list[int]]]:
    """Positions with cells that are certain by the mine total and not by clues, with those cells.

    Cells that clues show to be safe are opened first, then a safe one by the total, else a random
    safe one: nobody loses, so most games come to their end.
    """
    unknown = Rules.parse("mines=~20% total=unknown")
    found = []
    for index in range(games):
        layout = _dealt(topology, mines, seed, index)
        referee = Referee(layout, seed, index)
        referee.open(topology.centre)
        stream = Stream(seed, index, Purpose.SAMPLE)
        while not referee.over:
            view = referee.view
            by_clues = analyze(view.with_rules(unknown))
            following = list(by_clues.safe)
            if not following:
                analysis = analyze(view)
                known = {*by_clues.safe, *by_clues.mines}
                certain = sorted({*analysis.safe, *analysis.mines} - known)
                if certain:
                    found.append((_alone(view), certain))
                safe = [cell for cell in view.hidden if not layout.is_mine(cell)]
                following = [stream.choice(list(analysis.safe) or safe)]
            for cell in following:
                if referee.view.is_hidden(cell) and not referee.over:
                    referee.open(cell)
    return found


def _alone(view: View) -> View:
    """The same position, sharing no memory."""
    return View.of_codes(view.topology, view.rules, view.codes())


def played(rows: int, cols: int, mines: int, share: float, seed: int = 1) -> View:
    """A game played by certain cells until this share of the safe cells is open.

    Where nothing is certain a random safe cell is opened.
    """
    topology = Topology.parse(f"{rows}x{cols}")
    free = mine_free_cells(topology, FirstClick.OPENING, (topology.centre,))
    layout = deal(topology, Mines.number(mines), seed, 0, free)
    referee = Referee(layout)
    referee.open(topology.centre)
    play_certain(referee, layout, share)
    return _alone(referee.view)


def play_certain(referee: Referee, layout: Layout, share: float) -> int:
    """Open certain cells, or a random safe one if there is none; return the number of those."""
    view = referee.view
    session = Session(view)
    wanted = share * (len(view) - layout.total)
    order = np.flatnonzero(layout.mines == 0)
    np.random.default_rng(1).shuffle(order)
    helped, places = 0, iter(order.tolist())
    while referee.view.opened_count < wanted and not referee.over:
        session.follow(referee.view)
        safe, _ = session.newly_certain()
        if not safe:
            safe = [next(cell for cell in places if referee.view.is_hidden(cell))]
            helped += 1
        for cell in safe:
            if referee.view.is_hidden(cell):
                referee.open(cell)
    return helped


def _shown(topology: Topology, layout: Layout, cells: Iterable[int]) -> View:
    codes = np.full(len(topology), Mark.HIDDEN.value, dtype=np.uint8)
    chosen = [cell for cell in cells if not layout.is_mine(cell)]
    codes[chosen] = layout.counts[chosen]
    return View.of_codes(topology, Rules.parse(f"mines={layout.total}"), codes)


def lattice(side: int, seed: int, density: float = 0.2) -> View:
    """Every cell of even row and column shown; the mines, a share of all cells, on the others."""
    topology = Topology.parse(f"{side}x{side}")
    shown = [r * side + c for r in range(0, side, 2) for c in range(0, side, 2)]
    mines = round(density * len(topology))
    return _shown(topology, deal(topology, Mines.number(mines), seed, 0, tuple(shown)), shown)


def scattered(side: int, seed: int, share: float = 0.3, density: float = 0.2) -> View:
    """A share of all cells shown, at random among the safe ones."""
    topology = Topology.parse(f"{side}x{side}")
    mines = round(density * len(topology))
    layout = deal(topology, Mines.number(mines), seed)
    safe = np.flatnonzero(layout.mines == 0)
    chosen = np.random.default_rng(seed).permutation(safe)[: round(share * len(topology))]
    return _shown(topology, layout, chosen.tolist())


def patches(side: int, apart: int, density: float = 0.2, seed: int = 1) -> View:
    """Three shown cells in a row at regular intervals: components linked only by the total."""
    topology = Topology.parse(f"{side}x{side}")
    layout = deal(topology, Mines.number(round(density * len(topology))), seed)
    starts = [r * side + c for r in range(1, side, apart) for c in range(1, side - 2, apart + 2)]
    return _shown(topology, layout, (start + step for start in starts for step in range(3)))
