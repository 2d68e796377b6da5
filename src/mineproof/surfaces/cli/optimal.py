"""`mineproof optimal`: the chance to win of best play on a small board."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mineproof.surfaces.cli.options import AsJson

__all__ = ["command"]


def command(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", help="A small board such as 4x4/4 or hex:3x4/3.")
    ],
    first_click: Annotated[
        str,
        typer.Option(
            "--first-click",
            metavar="any|safe|opening",
            help="What the first cell may be: anything, safe, or a zero.",
        ),
    ] = "safe",
    as_json: AsJson = False,
    budget: Annotated[
        int | None,
        typer.Option(
            metavar="ROWS", help="Give up past this many rows of work.  [default: 4000000000]"
        ),
    ] = None,
) -> None:
    """Give the exact chance to win of best play from the empty board, and the best first cells.

    It takes any topology, with a fixed number of mines and exact clues; a mine loses. The exit
    status is 4 if the board has too many layouts or takes more work than the budget allows.
    """
    from mineproof.board.presets import Board
    from mineproof.search.optimal_value import MOST_WORK, optimal

    asked = Board.parse(board)
    found = optimal(asked, first_click, work=MOST_WORK if budget is None else budget)
    topology = asked.topology
    if as_json:
        best = [list(topology.coordinates(cell)) for cell in found.best]
        typer.echo(json.dumps({"wins": found.wins, "total": found.total, "best": best}))
        return
    typer.echo(
        f"{asked.text}, first click {first_click}: best play wins {found.wins} of {found.total}"
        f" layouts"
    )
    typer.echo(f"chance to win: {found.chance}, or {float(found.chance):.10f}")
    names = " ".join(topology.cell_name(cell) for cell in found.best)
    typer.echo(f"best first cells: {names}")
