"""`mineproof solve`: every cell's chance of a mine, the certain cells, the number of solutions."""

from __future__ import annotations

from mineproof.surfaces.cli.options import PositionFile, takes_groups
from mineproof.surfaces.cli.solve_options import SolveOptions

__all__ = ["command"]


@takes_groups
def command(position: PositionFile, options: SolveOptions) -> None:
    """Give the exact chance of a mine in every hidden cell.

    The best move comes with its reason: it is certain, or by best play, look-ahead or least risk.
    If clues are unreliable, also give the chance of each true count. With --win, also give each
    cell's chance to win: exact in the endgame, before it an estimate from games played out, with a
    95 % interval. In the picture it is the small number. The exit status is 3 if the position has
    no solution, with the clues that clash, and 4 if it takes more work than the budget allows.
    """
    from mineproof.surfaces.cli.solve_answer import solve_and_show

    solve_and_show(position, options)
