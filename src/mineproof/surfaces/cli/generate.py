"""`mineproof generate`: boards that can be cleared without a guess."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

import typer

from mineproof.surfaces.cli.lines import echo
from mineproof.surfaces.cli.options import AsJson, BoardName, takes_groups
from mineproof.surfaces.cli.rules_options import RulesText, words_of

if TYPE_CHECKING:
    from mineproof.generation.generated import Generated, NoGuessBoard

__all__ = ["command"]

_WIDTH = 79


WISHES = "What you want of it (boards are judged until enough are found)"


@dataclass(frozen=True)
class WishOptions:
    """What the boards must be beside free of guesses."""

    hardest: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="The hardest technique that rate finds: single, pair, triple, case or total; or a"
            " range such as ..pair.",
            rich_help_panel=WISHES,
        ),
    ] = None
    needs_total: Annotated[
        bool,
        typer.Option(
            "--needs-total", help="The clues alone are not enough.", rich_help_panel=WISHES
        ),
    ] = False
    without_total: Annotated[
        bool,
        typer.Option("--without-total", help="The clues alone are enough.", rich_help_panel=WISHES),
    ] = False
    three_bv: Annotated[
        str | None,
        typer.Option(
            "--3bv", metavar="A..B", help="The fewest clicks, 3BV.", rich_help_panel=WISHES
        ),
    ] = None
    openings: Annotated[
        str | None,
        typer.Option(metavar="A..B", help="The number of openings.", rich_help_panel=WISHES),
    ] = None
    chain: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The longest chain of influence has at least N links.",
            rich_help_panel=WISHES,
        ),
    ] = None
    judged: Annotated[
        int,
        typer.Option(
            metavar="N",
            help="Give up after judging this many boards.",
            rich_help_panel=WISHES,
        ),
    ] = 10_000


@takes_groups
def command(
    *,
    day: Annotated[
        str | None, typer.Argument(metavar="[DATE]", help="With --daily: such as 2026-11-17.")
    ] = None,
    board: BoardName = None,
    no_guess: Annotated[
        bool, typer.Option("--no-guess", help="Boards that need no guess.")
    ] = False,
    daily: Annotated[
        bool,
        typer.Option(
            "--daily",
            help="The board without guesses of a day, today (UTC) or DATE; for everybody the same.",
        ),
    ] = False,
    first: Annotated[
        str | None,
        typer.Option(metavar="CELL", help="The cell opened first.  [default: the centre]"),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", help="How many boards.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", help="The same seed makes the same boards.  [default: 0]"),
    ] = None,
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
    first_click: Annotated[
        str | None,
        typer.Option(
            "--first-click",
            metavar="safe|opening",
            help="Whether the first cell is a zero or only safe.  [default: opening]",
        ),
    ] = None,
    rules: RulesText = None,
    wishes: WishOptions,
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
    from mineproof.generation.no_guess import generate
    from mineproof.generation.wishes import Wishes
    from mineproof.surfaces.cli.counting_up import CountingUp
    from mineproof.surfaces.cli.outputs import Output
    from mineproof.view.setting import DEFAULT_BOARD

    chosen_seed = _seed(no_guess, daily, day, seed)
    asked = {name: value for name, value in vars(wishes).items() if name != "judged"}
    written = Output.named("--out", out)
    with CountingUp() as counting:
        made = generate(
            DEFAULT_BOARD if board is None else board,
            first=first,
            count=count,
            seed=chosen_seed,
            method=method,
            most_deals=deals,
            threads=jobs,
            wishes=Wishes.of(**asked),
            most_judged=wishes.judged,
            watch=counting.tell,
            rules=words_of(rules, first_click=first_click),
        )
    lines = None if written is None else _certified(made)
    if as_json:
        echo(json.dumps(_json(made)))
    else:
        echo("\n".join(_lines(made)))
    if written is not None and lines is not None:
        written.write(lines)
        if not as_json:
            echo(f"\nwritten with certificates: try mineproof check-certificate {out}")


def _seed(no_guess: bool, daily: bool, day: str | None, seed: int | None) -> int:
    """The seed that is meant. Raises InputError."""
    from datetime import UTC, datetime

    from mineproof.errors import InputError, quoted
    from mineproof.generation.daily import daily_seed, day_of

    if not no_guess and not daily:
        raise InputError("which kind of board is not said; accepted: --no-guess or --daily")
    if day is not None and not daily:
        raise InputError(f"{quoted(day)} is no option; accepted: a date with --daily")
    if not daily:
        return 0 if seed is None else seed
    if seed is not None:
        raise InputError("--seed is the date's with --daily; accepted: one of them")
    return daily_seed(datetime.now(UTC).date() if day is None else day_of(day))


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
        "wishes": made.wishes.text,
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
    yield from wrap(made.text, _WIDTH)
    for one in made:
        yield ""
        yield _named(one)
        yield str(one.layout)


def _named(one: NoGuessBoard) -> str:
    changes = f", {one.changes} mines moved" if one.changes else ""
    return f"deal {one.index}{changes}; begin at {one.beginning.topology.cell_name(one.first)}"
