"""The options of `mineproof solve`: what each does, and which go together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from mineproof.errors import InputError
from mineproof.surfaces.cli.options import AsJson

__all__ = ["MOST_ROWS", "SolveOptions"]

MOST_ROWS = 40


@dataclass(frozen=True)
class SolveOptions:
    """The options of `solve`, as given. Raises InputError if two do not go together."""

    as_json: AsJson = False
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the heat map into a file.")
    ] = None
    dimacs: Annotated[
        str | None,
        typer.Option("--dimacs", metavar="FILE", help="Write the clues and the total as CNF."),
    ] = None
    sentence: Annotated[
        bool,
        typer.Option(
            "--sentence", help="Print the clues and the total as a logical sentence alone."
        ),
    ] = False
    heat: Annotated[bool, typer.Option("--heat", help="Show the heat map alone.")] = False
    table: Annotated[bool, typer.Option("--table", help="Show the table alone.")] = False
    every: Annotated[
        bool, typer.Option("--all", help=f"List every cell, not only the first {MOST_ROWS}.")
    ] = False
    clues: Annotated[
        str | None,
        typer.Option(
            "--clues",
            metavar="CHANNEL",
            help="Read the clues as exact, withheld:P, optimistic, cautious, noisy:P or table:FILE."
            "  [default: what the position says, else exact]",
        ),
    ] = None
    win: Annotated[
        bool, typer.Option("--win", help="Also give each cell's chance to win the game.")
    ] = False
    samples: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="With --win: games played out for each cell before the endgame.  [default: 400]",
        ),
    ] = None
    seconds: Annotated[
        float | None,
        typer.Option(
            metavar="S", help="With --win: stop after about this time.  [default: no limit]"
        ),
    ] = None
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="With --win: the seed of the games played out.  [default: 0]"
        ),
    ] = None
    trust_flags: Annotated[
        bool, typer.Option("--trust-flags", help="Treat every flagged cell as a mine.")
    ] = False
    budget: Annotated[
        int | None,
        typer.Option(metavar="STATES", help="Give up past this many states.  [default: 400000000]"),
    ] = None
    memory: Annotated[
        int | None,
        typer.Option(metavar="MB", help="Give up past this much memory.  [default: 4096]"),
    ] = None

    def __post_init__(self) -> None:
        for option in ("samples", "seconds", "seed"):
            if getattr(self, option) is not None and not self.win:
                raise InputError(
                    f"--{option} says how --win estimates; accepted: together with --win"
                )
        if self.win and self.trust_flags:
            raise InputError(
                "--win does not count flags as evidence; accepted: without --trust-flags"
            )
        for option in ("heat", "table", "win", "svg"):
            if self.sentence and getattr(self, option):
                raise InputError(
                    f"--sentence prints what is known, not what follows; accepted: without"
                    f" --{option}"
                )
        if self.heat and self.table:
            raise InputError("--heat and --table each show one thing alone; accepted: one of them")
