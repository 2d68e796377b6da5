"""`mineproof puzzles`: puzzles that teach, made from games, shown, written and checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mineproof.surfaces.cli.options import AsJson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mineproof.generation.teaching_puzzle import TeachingPuzzle

__all__ = ["command"]

_MADE, _TAKEN, _SHOWN = "Puzzles made from games", "Puzzles that are there", "What is shown"


def command(
    technique: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Only this pattern, such as 1-2; see --patterns."),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(metavar="N", help="Only this level: 1 (one clue) to 5 (nested cases)."),
    ] = None,
    count: Annotated[
        int | None, typer.Option(metavar="N", help="How many puzzles.  [default: 5]")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="S",
            help="The seed of the games: the same seed, the same puzzles.  [default: 0]",
            rich_help_panel=_MADE,
        ),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option(
            metavar="BOARD",
            help="The board of the games, such as expert or hex:11x11/28.  [default: eight boards]",
            rich_help_panel=_MADE,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Give up after so many games on a board.  [default: 250]",
            rich_help_panel=_MADE,
        ),
    ] = None,
    balanced: Annotated[
        bool,
        typer.Option(
            "--balanced",
            help="As many of every level, spread over all patterns and several boards.",
            rich_help_panel=_MADE,
        ),
    ] = False,
    shipped: Annotated[
        bool,
        typer.Option(
            "--shipped",
            help="Take them from the 500 that come with mineproof.",
            rich_help_panel=_TAKEN,
        ),
    ] = False,
    read: Annotated[
        str | None,
        typer.Option(
            "--read",
            metavar="FILE",
            help="Take them from a file of --out, or - for stdin.",
            rich_help_panel=_TAKEN,
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            "--check",
            metavar="FILE",
            help="Check every answer and proof of a file of --out.",
            rich_help_panel=_TAKEN,
        ),
    ] = None,
    patterns: Annotated[
        bool, typer.Option("--patterns", help="List the patterns.", rich_help_panel=_SHOWN)
    ] = False,
    ask: Annotated[
        bool,
        typer.Option("--ask", help="Show the questions without answers.", rich_help_panel=_SHOWN),
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Write the puzzles as JSON; compressed if the name ends in .gz.",
            rich_help_panel=_SHOWN,
        ),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Make puzzles that teach a pattern: positions of games, cut down to what matters.

    A puzzle asks which hidden cells are certain. Its answer has a proof for every cell. Mines that
    were found before are open; an open cell with ? is safe, and its number does not matter. The
    pattern `best guess` asks for the best cell where nothing is certain, with exact chances.

    For example: mineproof puzzles --technique 1-2-1 --count 3 --seed 7

    (`mineproof puzzle FILE` is another command: it solves static puzzles by search.) The exit
    status is 1 if --check finds a fault and 4 if the games do not have enough puzzles.
    """
    from mineproof.errors import InputError
    from mineproof.surfaces.cli import puzzles_shown
    from mineproof.surfaces.cli.outputs import Output

    made = {"--seed": seed, "--board": board, "--games": games, "--balanced": balanced or None}
    sources = {"--shipped": shipped or None, "--read": read, "--check": check}
    sources["--patterns"] = patterns or None
    chosen = [option for option, value in sources.items() if value is not None]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} exclude each other; accepted: one of them")
    for option, value in made.items():
        if chosen and value is not None:
            raise InputError(f"{option} is for puzzles made from games; accepted: no {chosen[0]}")
    if balanced and (technique, level, board) != (None, None, None):
        raise InputError("--balanced has all patterns and levels; accepted: --count and --seed")
    if patterns:
        puzzles_shown.print_patterns(as_json)
        return 0
    if check is not None:
        return puzzles_shown.print_checked(check, as_json)
    file = Output.named("--out", out)
    if shipped or read is not None:
        found = _taken(read, technique, level, count)
    elif balanced:
        found = _balanced(count, seed or 0, games)
    else:
        found = _made(technique, level, count, seed or 0, board, games)
    puzzles_shown.print_puzzles(found, as_json, ask, file)
    return 0


def _made(
    technique: str | None,
    level: int | None,
    count: int | None,
    seed: int,
    board: str | None,
    games: int | None,
) -> Sequence[TeachingPuzzle]:
    from mineproof.generation.puzzle_making import MOST_GAMES, make_puzzles
    from mineproof.surfaces.cli.waiting import Waiting

    with Waiting("looking for puzzles in games"):
        return make_puzzles(
            technique,
            count=5 if count is None else count,
            seed=seed,
            level=level,
            board=board,
            games=MOST_GAMES if games is None else games,
        )


def _balanced(count: int | None, seed: int, games: int | None) -> Sequence[TeachingPuzzle]:
    from mineproof.generation.puzzle_making import MOST_GAMES
    from mineproof.generation.puzzle_set import balanced_puzzles
    from mineproof.surfaces.cli.waiting import Waiting

    with Waiting("looking for puzzles of all kinds; a set of 500 takes minutes"):
        return balanced_puzzles(
            5 if count is None else count, seed, games=MOST_GAMES if games is None else games
        )


def _taken(
    read: str | None, technique: str | None, level: int | None, count: int | None
) -> Sequence[TeachingPuzzle]:
    """Puzzles of a file or of the shipped set, all that fit without a count."""
    from mineproof.errors import InputError
    from mineproof.generation.puzzle_files import chosen_of, read_puzzle_file, shipped_puzzles

    if count is not None and count < 1:
        raise InputError(f"--count {count}; accepted: 1 or more")
    found = shipped_puzzles() if read is None else read_puzzle_file(read)
    return chosen_of(found, technique, level)[:count]
