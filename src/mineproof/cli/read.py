"""`mineproof read`: the board of a picture as a position, with what is doubtful in it."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson, OutputFile

if TYPE_CHECKING:
    from mineproof.picture.reader import Reading


def command(
    picture: Annotated[
        str,
        Argument(
            metavar="PICTURE", help="A PNG, JPEG or WebP of one square board, or - for stdin."
        ),
    ],
    mines: Annotated[
        int | None,
        Option(
            metavar="M",
            help="How many mines there are.  [default: read from a counter of red segments]",
        ),
    ] = None,
    as_json: AsJson = False,
    svg: Annotated[
        str | None, Option(metavar="FILE", help="Draw the board as it was read.")
    ] = None,
) -> None:
    """Read a board from a picture, in any look, and print the position.

    Doubtful cells are named on stderr, and single changes that would give a position without a
    solution one; none is made. The output is what solve, explain and rate read:

    mineproof read shot.png --mines 40 | mineproof solve -
    """
    from mineproof.cli.console import StatusLine
    from mineproof.picture.reader import read

    drawing = OutputFile.of("--svg", svg)
    with StatusLine("reading the picture"):
        reading = read(picture, mines)
    if drawing is not None:
        drawing.write(reading.svg())
    if as_json:
        print(json.dumps(reading.to_json()))
        return
    if reading.mines is None:
        print("\n".join(row.replace(".", "H") for row in reading.rows))
    else:
        print(reading.view().text.rstrip("\n"))
    for line in _remarks(reading):
        print(f"mineproof: {line}", file=sys.stderr)


def _remarks(reading: Reading) -> list[str]:
    """What to know of a reading, a line each."""
    lines = []
    if reading.mines is None:
        lines.append("the number of mines is not seen; say it with --mines")
    if reading.doubtful:
        cells = ", ".join(f"{r},{c} as {reading.rows[r][c]}" for r, c in reading.doubtful[:8])
        more = len(reading.doubtful) - 8
        lines.append(f"doubtful: {cells}" + (f" and {more} more" if more > 0 else ""))
    if not reading.consistent:
        lines.append("the position has no solution")
    for change in reading.proposed:
        made = " and ".join(f"{r},{c} is {mark}" for r, c, mark in change)
        lines.append(f"it would have one if {made}")
    return lines
