"""`mineproof optimal`: the chance to win of best play on a small board."""

from __future__ import annotations

import json
from typing import Annotated

import click

from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson, FirstClickRule, RulesText, words_of


def command(
    board: Annotated[
        str, Argument(metavar="BOARD", help="A small board such as 4x4/4 or hex:3x4/3.")
    ],
    rules: RulesText = None,
    first_click: FirstClickRule = None,
    as_json: AsJson = False,
    budget: Annotated[
        int | None,
        Option(metavar="ROWS", help="Give up past this many rows of work.  [default: 4000000000]"),
    ] = None,
) -> None:
    """Give the exact chance to win of best play from the empty board, and the best first cells.

    It takes any topology, with a fixed number of mines and exact clues; a mine loses. The exit
    status is 4 if the board has too many layouts or takes more work than the budget allows.
    """
    from mineproof.cli.console import StatusLine
    from mineproof.search.optimal import MOST_WORK, optimal
    from mineproof.view.setting import Setting

    asked = Setting.of(board, words_of(rules, first_click=first_click))
    with StatusLine("looking through every layout"):
        found = optimal(asked, work=MOST_WORK if budget is None else budget)
    topology = asked.board.topology
    if as_json:
        best = [list(topology.coordinates(cell)) for cell in found.best]
        click.echo(json.dumps({"wins": found.wins, "total": found.total, "best": best}))
        return
    click.echo(
        f"{asked.board.text}, first click {asked.rules.first_click.value}: best play wins"
        f" {found.wins} of {found.total} layouts"
    )
    click.echo(f"chance to win: {found.chance}, or {float(found.chance):.10f}")
    names = " ".join(topology.cell_name(cell) for cell in found.best)
    click.echo(f"best first cells: {names}")
