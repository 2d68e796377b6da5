"""`mineproof generate`: boards that can be cleared without a guess."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Annotated, Any

from mineproof.cli.console import StatusLine, echo
from mineproof.cli.declarations import Argument, Option
from mineproof.cli.options import AsJson, BoardName, OutputFile, RulesText, words_of
from mineproof.errors import InputError, quoted

if TYPE_CHECKING:
    from mineproof.generation.no_guess import Generated


_WIDTH = 79


@dataclass(frozen=True)
class RequirementOptions:
    """What is required of the boards besides needing no guess."""

    PANEL = "Required properties (boards are judged until enough are found)"

    hardest: Annotated[
        str | None,
        Option(
            metavar="T",
            help="The hardest technique that rate finds: single, pair, triple, case or total; or a"
            " range such as ..pair.",
        ),
    ] = None
    needs_total: Annotated[
        bool, Option("--needs-total", help="The clues alone are not enough.")
    ] = False
    without_total: Annotated[
        bool, Option("--without-total", help="The clues alone are enough.")
    ] = False
    three_bv: Annotated[
        str | None, Option("--3bv", metavar="A..B", help="The fewest clicks, 3BV.")
    ] = None
    openings: Annotated[str | None, Option(metavar="A..B", help="The number of openings.")] = None
    chain: Annotated[
        int | None, Option(metavar="N", help="The longest chain of influence has at least N links.")
    ] = None
    judged: Annotated[int, Option(metavar="N", help="Give up after judging this many boards.")] = (
        10_000
    )


def command(
    *,
    day: Annotated[
        str | None, Argument(metavar="[DATE]", help="With --daily: such as 2026-11-17.")
    ] = None,
    board: BoardName = None,
    no_guess: Annotated[bool, Option("--no-guess", help="Boards that need no guess.")] = False,
    daily: Annotated[
        bool,
        Option(
            "--daily",
            help="The no-guess board of a day, today (UTC) or DATE; the same for everybody.",
        ),
    ] = False,
    first: Annotated[
        str | None, Option(metavar="CELL", help="The cell opened first.  [default: the centre]")
    ] = None,
    count: Annotated[int, Option(metavar="N", help="How many boards.")] = 1,
    seed: Annotated[
        int | None, Option(metavar="N", help="The same seed makes the same boards.  [default: 0]")
    ] = None,
    method: Annotated[
        str,
        Option(
            metavar="auto|uniform|repair",
            help="uniform: every such board is equally likely. repair: deals are changed until they"
            " need no guess. auto: uniform, unless 20,000 deals hold none.",
        ),
    ] = "auto",
    deals: Annotated[int, Option(metavar="N", help="Give up after this many deals.")] = 1_000_000,
    jobs: Annotated[int, Option(metavar="N", help="Threads; the boards are the same.")] = 1,
    first_click: Annotated[
        str | None,
        Option(
            metavar="safe|opening",
            help="Whether the first cell is a zero or only safe.  [default: opening]",
        ),
    ] = None,
    rules: RulesText = None,
    required: RequirementOptions,
    as_json: AsJson = False,
    out: Annotated[
        str | None,
        Option(
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
    from mineproof.generation.no_guess import Requirements, generate
    from mineproof.view.setting import DEFAULT_BOARD

    chosen_seed = _seed(no_guess, daily, day, seed)
    asked = {name: value for name, value in vars(required).items() if name != "judged"}
    written = OutputFile.of("--out", out)
    with StatusLine() as status:
        made = generate(
            DEFAULT_BOARD if board is None else board,
            first=first,
            count=count,
            seed=chosen_seed,
            method=method,
            most_deals=deals,
            threads=jobs,
            wishes=Requirements.of(**asked),
            most_judged=required.judged,
            watch=lambda tried, found: status.update(f"{tried} deals tried, {found} boards found"),
            rules=words_of(rules, first_click=first_click),
        )
    lines = ""
    if written is not None:
        from mineproof.generation.certificate import to_line
        from mineproof.generation.solvability import certify

        with StatusLine("proving every move"):
            lines = "".join(to_line(certify(one)) + "\n" for one in made)
    if as_json:
        echo(json.dumps(_json(made)))
    else:
        echo("\n".join(_lines(made)))
    if written is not None:
        written.write(lines)
        if not as_json:
            echo(f"\nwritten with certificates: try mineproof check-certificate {out}")


def _seed(no_guess: bool, daily: bool, day: str | None, seed: int | None) -> int:
    """The seed that the options name. Raises InputError."""
    from datetime import UTC, datetime

    from mineproof.generation.no_guess import daily_seed, parse_day

    if not no_guess and not daily:
        raise InputError("choose a kind of board; accepted: --no-guess or --daily")
    if day is not None and not daily:
        raise InputError(f"{quoted(day)} is no option; accepted: a date with --daily")
    if not daily:
        return 0 if seed is None else seed
    if seed is not None:
        raise InputError("--seed is the date's with --daily; accepted: one of them")
    # The date is the seed, so that the board of a day is the same for everybody.
    return daily_seed(datetime.now(UTC).date() if day is None else parse_day(day))


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
        changes = f", {one.changes} mines moved" if one.changes else ""
        yield f"deal {one.index}{changes}; begin at {one.beginning.topology.cell_name(one.first)}"
        yield str(one.layout)
