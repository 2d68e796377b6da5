"""How hard a dealt board is: played by a player who always takes the easiest step.

A module of its own: it deals a board and opens it by its layout, which `mineproof.proofs` must not
see, and what plays or narrates a game needs no rating.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mineproof.board.layout import Layout, Measures, measure
from mineproof.engine.exact import analyze
from mineproof.errors import InputError
from mineproof.game.referee import Referee
from mineproof.proofs.difficulty import BoardDifficulty, rate_board
from mineproof.rules import Given
from mineproof.view.setting import Setting
from mineproof.view.view import View


@dataclass(frozen=True)
class RatedBoard:
    """What a board demands from a first cell on, and the measures that players use."""

    layout: Layout
    first: int
    rating: BoardDifficulty
    measures: Measures


def rate_deal(setting: Setting, seed: int, index: int, first: int) -> RatedBoard:
    """The rating of the board that a game deals when this cell is opened first.

    Raises IllegalMove if the cell cannot be first, InputError if it is a mine or others are given,
    and BudgetExceeded.
    """
    if setting.rules.given != Given():
        raise InputError(
            f"a board is rated from one first cell, not from given={setting.rules.given.text};"
            " accepted: given=none"
        )
    dealer = Referee(setting, seed, index)
    dealer.open(first)
    dealer.stop()
    assert dealer.layout is not None
    return rate_layout(replace(setting, layout=dealer.layout), first)


def rate_layout(setting: Setting, first: int) -> RatedBoard:
    """The rating of a setting's layout when this cell is opened first.

    Where nothing is certain, the cell of least risk that has no mine is opened (the lowest of
    several); that counts as a guess. Raises InputError if the first cell is a mine, and
    BudgetExceeded.
    """
    layout, topology = setting.layout, setting.board.topology
    assert layout is not None, "only set mines are rated"
    if layout.is_mine(first):
        raise InputError(f"cell {topology.cell_name(first)} is a mine; accepted: a safe first cell")
    referee = Referee(setting)
    referee.open(first)

    def open_cell(cell: int) -> View:
        return referee.open(cell)

    def least_risk(view: View) -> int | None:
        chances = analyze(view).p
        safe = [cell for cell in view.hidden if not layout.is_mine(cell)]
        return min(safe, key=lambda cell: (chances[cell], cell), default=None)

    return RatedBoard(
        layout, first, rate_board(referee.view, open_cell, least_risk), measure(layout)
    )
