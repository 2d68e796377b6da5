"""`mineproof generate`: boards that can be cleared without a guess."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mineproof.surfaces.cli.lines import echo
from mineproof.surfaces.cli.options import AsJson, BoardName
from mineproof.surfaces.cli.rules_options import RulesText, words_of

if TYPE_CHECKING:
    from mineproof.generation.no_guess import Generated, NoGuessBoard

__all__ = ["command"]


def command(
    board: BoardName = None,
    no_guess: Annotated[
        bool, typer.Option("--no-guess", help="Boards that need no guess, with proof of it.")
    ] = False,
    first: Annotated[
        str | None,
        typer.Option(metavar="CELL", help="The cell opened first.  [default: the centre]"),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", help="How many boards.")] = 1,
    seed: Annotated[
        int, typer.Option(metavar="N", help="The same seed makes the same boards.")
    ] = 0,
    method: Annotated[
        str,
        typer.Option(
            metavar="auto|uniform|repair",
            help="uniform: every such board is equally likely. repair: deals are changed until they"
            " need no guess. auto: uniform, unless 20,000 deals hold none.",
        ),
    ] = "auto",
    deals: Annotated[
        int, typer.Option(metavar="N", help="Give up after this many deals.")
    ] = 1_000_000,
    jobs: Annotated[int, typer.Option(metavar="N", help="Threads; the boards are the same.")] = 1,
    rules: RulesText = None,
    first_click: Annotated[
        str | None,
        typer.Option(
            "--first-click",
            metavar="safe|opening",
            help="Whether the first cell is a zero or only safe.  [default: opening]",
        ),
    ] = None,
    as_json: AsJson = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="Write each board with its certificate, for check-certificate."
        ),
    ] = None,
) -> None:
    """Make boards that can be cleared from the first cell on without a guess.

    Deals are drawn and played by the exact engine, which opens only what clues and the number of
    mines prove safe. A deal that needs a guess is thrown away. So every board without guesses of
    this size, number of mines and first cell is equally likely; the share of deals that were kept
    is printed. Try: mineproof generate --board expert --no-guess --seed 7

    The exit status is 4 if the deals run out, and 2 for a board that cannot be made.
    """
    from mineproof.errors import InputError
    from mineproof.generation.no_guess import generate
    from mineproof.surfaces.cli.counting_up import CountingUp
    from mineproof.surfaces.cli.outputs import Output
    from mineproof.view.setting import DEFAULT_BOARD

    if not no_guess:
        raise InputError("which kind of board is not said; accepted: --no-guess")
    written = Output.named("--out", out)
    words = words_of(rules, first_click=first_click)
    with CountingUp() as counting:
        made = generate(
            DEFAULT_BOARD if board is None else board,
            first=first,
            count=count,
            seed=seed,
            method=method,
            most_deals=deals,
            threads=jobs,
            watch=counting.tell,
            rules=words,
        )
    if as_json:
        echo(json.dumps(_json(made)))
    else:
        echo("\n".join(_lines(made)))
    if written is not None:
        lines = _certified(made)
        written.write(lines)
        if not as_json:
            echo(f"\n{len(made)} with certificate in {out}: mineproof check-certificate {out}")


def _certified(made: Generated) -> str:
    """A line with the certificate of every board."""
    from mineproof.generation.certificate_file import to_line
    from mineproof.generation.certifying import certify
    from mineproof.surfaces.cli.waiting import Waiting

    with Waiting("proving every move"):
        return "".join(to_line(certify(one)) + "\n" for one in made)


def _json(made: Generated) -> dict[str, Any]:
    beginning, topology = made.beginning, made.beginning.topology
    low, high = made.interval
    return {
        "board": beginning.board.text,
        "rules": beginning.rules.text,
        "first": list(topology.coordinates(beginning.first)),
        "seed": made.seed,
        "method": made.method.value,
        "tried": made.tried,
        "kept": made.kept,
        "share": made.share,
        "low": low,
        "high": high,
        "boards": [
            {
                "index": one.index,
                "changes": one.changes,
                "mines": [list(topology.coordinates(cell)) for cell in one.layout.cells],
            }
            for one in made
        ],
    }


def _lines(made: Generated) -> Iterator[str]:
    yield f"{made.beginning.text}, seed {made.seed}"
    yield made.text
    for one in made:
        yield ""
        yield _named(one)
        yield str(one.layout)


def _named(one: NoGuessBoard) -> str:
    changes = f", {one.changes} mines moved" if one.changes else ""
    return f"deal {one.index}{changes}; begin at {one.beginning.topology.cell_name(one.first)}"
