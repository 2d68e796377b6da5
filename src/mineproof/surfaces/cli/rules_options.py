"""The options for the rules of a game, declared once for every command that plays.

An option left out is None. The default then depends on what is played: a dealt board and a named
world have different ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

__all__ = ["FirstClickRule", "RuleOptions"]

FirstClickRule = Annotated[
    str | None,
    typer.Option(
        "--first-click",
        metavar="any|safe|opening",
        help="What the first cell may be: anything, safe, or a zero."
        "  [default: safe; any for worlds]",
    ),
]


@dataclass(frozen=True)
class RuleOptions:
    """The rules of a game as they were given."""

    first_click: FirstClickRule = None
    on_mine: Annotated[
        str | None,
        typer.Option(
            "--on-mine",
            metavar="lose|continue",
            help="What happens when a mine is opened.  [default: lose]",
        ),
    ] = None
    total: Annotated[
        str | None,
        typer.Option(
            "--total",
            metavar="known|unknown",
            help="Whether the player knows the number of mines.  [default: known]",
        ),
    ] = None
    clues: Annotated[
        str | None,
        typer.Option(
            "--clues",
            metavar="CHANNEL",
            help="exact, withheld:P, optimistic, cautious, noisy:P or table:FILE."
            "  [default: exact]",
        ),
    ] = None
    given: Annotated[
        str | None,
        typer.Option(
            "--given",
            metavar="CELLS",
            help="Cells opened at the start: none, corner+centre, random:K or cells such as"
            " '0,0;3,4'.  [default: none; corner+centre for worlds]",
        ),
    ] = None
    cascade: Annotated[
        str | None,
        typer.Option(
            "--cascade",
            metavar="on|off",
            help="Whether a zero opens its neighbours.  [default: on]",
        ),
    ] = None
    goal: Annotated[
        str | None,
        typer.Option(
            "--goal",
            metavar="clear|mark-all",
            help="What wins: every safe cell open, or every cell marked.  [default: clear]",
        ),
    ] = None

    @property
    def words(self) -> dict[str, str | None]:
        """Every rule with the word given for it, or None."""
        return dict(vars(self))
