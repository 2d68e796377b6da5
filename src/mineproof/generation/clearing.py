"""Whether a board needs no guess: plays what is certain on a layout, and stops where nothing is.

The readable twin of `cpp/generation/clearing.cpp`. Which cells are open in the end does not depend
on the order of the moves, for what is certain stays certain.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from mineproof import kernel
from mineproof.board.layout import Layout
from mineproof.board.presets import Board
from mineproof.errors import BudgetExceeded
from mineproof.inference.engine.ground import ground_of
from mineproof.inference.engine.session import Session
from mineproof.kernel import core
from mineproof.match.referee import Referee
from mineproof.rules import FirstClick, Mines, Rules
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = ["clears_all", "play_certain"]

_ANY_NUMBER = Mines.independent(Fraction(1, 2))
"""Told to a player who is to know nothing of the number of mines: it forbids none."""


def play_certain(layout: Layout, first: int, *, total: bool = True) -> View:
    """What is open when nothing more is certain; without `total` by the clues alone.

    Raises BudgetExceeded.
    """
    told = Rules(
        Mines.number(layout.total) if total else _ANY_NUMBER, FirstClick.ANY, total_known=total
    )
    board = Board(layout.topology, told.mines)
    referee = Referee(Setting(board, told, layout=layout))
    referee.open(first)
    session = Session(referee.view)
    while not referee.over:
        safe, mines = session.newly_certain()
        if not safe and not mines:
            break
        for cell in safe:
            if referee.view.is_hidden(cell):
                referee.open(cell)
        session.follow(referee.view)
    return referee.view


def clears_all(
    layouts: Sequence[Layout], first: int, *, total: bool = True, threads: int = 1
) -> list[bool]:
    """Of every layout of one board: whether all its safe cells can be opened without a guess.

    Raises BudgetExceeded.
    """
    if not layouts:
        return []
    topology, mines = layouts[0].topology, layouts[0].total
    if not kernel.available():
        return [
            play_certain(layout, first, total=total).hidden_count == mines for layout in layouts
        ]
    table = np.stack([layout.mines for layout in layouts])
    try:
        return core.clear_many(
            ground_of(topology).board, mines, first, "total" if total else "clues", table, threads
        )
    except core.OverBudget as error:
        raise BudgetExceeded(f"a position is too hard for the exact engine; {error}") from None
