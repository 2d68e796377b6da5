"""Positions in which a guess is due, from games of the exact agent."""

from __future__ import annotations

from collections.abc import Iterator

import mineproof as mp
from mineproof.inference.engine.analysis import Analysis

UNCERTAIN = "square 9x9 mines=10\n1........\n" + 8 * ".........\n"
RISK_OR_WIN = "square 5x5 mines=4\n..100\n..200\n..200\n..200\n..100\n"


def guesses(board: str, games: int, first_click: str = "safe") -> Iterator[Analysis]:
    """The positions after the first click in which nothing is certainly safe."""
    for seed in range(games):
        game = mp.play(board, agent="exact", seed=seed, first_click=first_click)
        opened = 0
        for view in game.views():
            if view.opened_count == opened or any(True for _ in view.opened_mines):
                continue
            opened = view.opened_count
            analysis = mp.analyze(view)
            least = analysis.least_risk
            if least is not None and least.p > 0:
                yield analysis
