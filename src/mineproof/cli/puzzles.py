"""`mineproof puzzles`: puzzles that teach, made from games, shown, written and checked."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import click

from mineproof.cli.console import StatusLine, print_paragraphs, stdout_console
from mineproof.cli.declarations import Option
from mineproof.cli.options import AsJson, OutputFile
from mineproof.cli.terminal import Shade, print_board
from mineproof.errors import InputError, printable
from mineproof.generation.patterns import PATTERNS
from mineproof.generation.puzzle_files import (
    check_puzzle,
    pack_puzzles,
    puzzle_to_json,
    read_puzzle_file,
    select_puzzles,
    shipped_puzzles,
)
from mineproof.generation.puzzles import (
    MOST_GAMES,
    Question,
    TeachingPuzzle,
    balanced_puzzles,
    make_puzzles,
)
from mineproof.text import percent

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.proofs.proof import Proof


# -- The options of `mineproof puzzles`, in groups -----------------------------


@dataclass(frozen=True)
class MakeOptions:
    """Where new puzzles come from; None is the default."""

    PANEL = "Puzzles made from games"

    seed: Annotated[
        int | None,
        Option(
            metavar="S",
            help="The seed of the games: the same seed, the same puzzles.  [default: 0]",
        ),
    ] = None
    board: Annotated[
        str | None,
        Option(
            metavar="BOARD",
            help="The board of the games, such as expert or hex:11x11/28.  [default: eight boards]",
        ),
    ] = None
    games: Annotated[
        int | None,
        Option(metavar="N", help="Give up after so many games on a board.  [default: 250]"),
    ] = None
    balanced: Annotated[
        bool,
        Option(
            "--balanced",
            help="As many of every level, spread over all patterns and several boards.",
        ),
    ] = False


@dataclass(frozen=True)
class SourceOptions:
    """Which puzzles are there already."""

    PANEL = "Puzzles that are there"

    shipped: Annotated[
        bool, Option("--shipped", help="Take them from the 500 that come with mineproof.")
    ] = False
    read: Annotated[
        str | None, Option(metavar="FILE", help="Take them from a file of --out, or - for stdin.")
    ] = None
    check: Annotated[
        str | None, Option(metavar="FILE", help="Check every answer and proof of a file of --out.")
    ] = None


@dataclass(frozen=True)
class PrintOptions:
    """What is printed and written."""

    PANEL = "What is shown"

    patterns: Annotated[bool, Option("--patterns", help="List the patterns.")] = False
    ask: Annotated[bool, Option("--ask", help="Show the questions without answers.")] = False
    out: Annotated[
        str | None,
        Option(
            metavar="FILE", help="Write the puzzles as JSON; compressed if the name ends in .gz."
        ),
    ] = None


# -- The command ---------------------------------------------------------------


def command(
    *,
    technique: Annotated[
        str | None, Option(metavar="NAME", help="Only this pattern, such as 1-2; see --patterns.")
    ] = None,
    level: Annotated[
        int | None, Option(metavar="N", help="Only this level: 1 (one clue) to 5 (nested cases).")
    ] = None,
    count: Annotated[
        int | None, Option(metavar="N", help="How many puzzles.  [default: 5]")
    ] = None,
    making: MakeOptions,
    source: SourceOptions,
    shown: PrintOptions,
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
    sources = {
        "--shipped": source.shipped or None,
        "--read": source.read,
        "--check": source.check,
        "--patterns": shown.patterns or None,
    }
    chosen = [option for option, value in sources.items() if value is not None]
    if len(chosen) > 1:
        raise InputError(f"{' and '.join(chosen)} exclude each other; accepted: one of them")
    for name, value in vars(making).items():
        if chosen and value is not None and value is not False:
            raise InputError(f"--{name} is for puzzles made from games; accepted: no {chosen[0]}")
    if making.balanced and (technique, level, making.board) != (None, None, None):
        raise InputError("--balanced has all patterns and levels; accepted: --count and --seed")
    if shown.patterns:
        print_patterns(as_json)
        return 0
    if source.check is not None:
        return check_file(source.check, as_json)
    file = OutputFile.of("--out", shown.out)
    if source.shipped or source.read is not None:
        found = _select(source.read, technique, level, count)
    else:
        found = _make(making, technique, level, 5 if count is None else count)
    print_puzzles(found, as_json, shown.ask, file)
    return 0


def _make(
    making: MakeOptions, technique: str | None, level: int | None, count: int
) -> Sequence[TeachingPuzzle]:
    seed = making.seed or 0
    games = MOST_GAMES if making.games is None else making.games
    if making.balanced:
        with StatusLine("looking for puzzles of all kinds; a set of 500 takes minutes"):
            return balanced_puzzles(count, seed, games=games)
    with StatusLine("looking for puzzles in games"):
        return make_puzzles(
            technique, count=count, seed=seed, level=level, board=making.board, games=games
        )


def _select(
    read: str | None, technique: str | None, level: int | None, count: int | None
) -> Sequence[TeachingPuzzle]:
    """Puzzles of a file or of the shipped set, all that fit without a count."""
    if count is not None and count < 1:
        raise InputError(f"--count {count}; accepted: 1 or more")
    found = shipped_puzzles() if read is None else read_puzzle_file(read)
    return select_puzzles(found, technique, level)[:count]


# -- What `mineproof puzzles` prints: the puzzles, the list of patterns, and what a check found --

_MOST_CHOICES = 6


def print_puzzles(
    puzzles: Sequence[TeachingPuzzle], as_json: bool, ask: bool, file: OutputFile | None
) -> None:
    """Print puzzles one after the other; those written to a file are only counted."""
    if file is not None:
        file.write(pack_puzzles(puzzles, file.path.endswith(".gz")))
    if as_json:
        click.echo(json.dumps({"puzzles": [puzzle_to_json(puzzle) for puzzle in puzzles]}))
        return
    console = stdout_console()
    if file is not None:
        console.print(_counts(puzzles), soft_wrap=True)
        return
    for number, puzzle in enumerate(puzzles, 1):
        if number > 1:
            console.print()
        _print_puzzle(console, puzzle, f"{number} of {len(puzzles)}", ask)


def _counts(puzzles: Sequence[TeachingPuzzle]) -> str:
    of_level = Counter(puzzle.level for puzzle in puzzles)
    levels = ", ".join(f"{number} of level {level}" for level, number in sorted(of_level.items()))
    kinds = len({puzzle.pattern.name for puzzle in puzzles})
    return f"{len(puzzles)} puzzles of {kinds} patterns: {levels or 'none'}"


def _print_puzzle(console: Console, puzzle: TeachingPuzzle, place: str, ask: bool) -> None:
    pattern = puzzle.pattern
    told = "?" if ask else f"{pattern.name} ({pattern.title})"
    console.print(f"puzzle {place}: {told}, level {puzzle.level}", style="bold", soft_wrap=True)
    _print_board(console, puzzle, answered=not ask)
    if puzzle.view.total is not None:
        left = puzzle.view.total - len(puzzle.view.opened_mines)
        console.print(f"mines left: {left}", soft_wrap=True)
    print_paragraphs(console, puzzle.question.text)
    if ask:
        return
    console.print(puzzle.answer, style="bold", soft_wrap=True)
    lines = _choices(puzzle) if puzzle.question is Question.GUESS else _proofs(puzzle)
    for line in lines:
        print_paragraphs(console, line)


def _print_board(console: Console, puzzle: TeachingPuzzle, answered: bool) -> None:
    """Print the position; answers say `ok` and `X`, and the best guess `ok`."""
    if not answered:
        print_board(console, puzzle.view)
        return
    labels = dict.fromkeys((*puzzle.safe, *puzzle.best), "ok") | dict.fromkeys(puzzle.mines, "X")
    clues = {clue for proof in puzzle.proofs for clue in proof.clues}
    shades = dict.fromkeys(clues, Shade.PREMISE) | dict.fromkeys(labels, Shade.MOVE)
    print_board(console, puzzle.view, highlight=shades, labels=labels)


def _proofs(puzzle: TeachingPuzzle) -> Iterator[str]:
    """Every argument once, with the other cells that the same premises prove."""
    name = puzzle.view.topology.cell_name
    alike: dict[tuple[object, ...], list[Proof]] = {}
    for proof in puzzle.proofs:
        alike.setdefault((proof.clues, proof.told, proof.claim), []).append(proof)
    for first, *others in alike.values():
        cells = " ".join(name(proof.cell) for proof in others if proof.cell is not None)
        yield f"{first.text} The same for {cells}." if others else first.text


def _choices(puzzle: TeachingPuzzle) -> Iterator[str]:
    name = puzzle.view.topology.cell_name
    for choice in puzzle.choices[:_MOST_CHOICES]:
        yield (
            f"{name(choice.cell)}: wins with {percent(float(choice.win))}, a mine with"
            f" {percent(float(choice.risk))}"
        )
    if len(puzzle.choices) > _MOST_CHOICES:
        rest = puzzle.choices[_MOST_CHOICES:]
        others = "1 other wins" if len(rest) == 1 else f"{len(rest)} others win"
        yield f"{others} with {percent(float(rest[0].win))} or less"


def print_patterns(as_json: bool) -> None:
    """The catalog of patterns."""
    listed = [PATTERNS[name] for name in PATTERNS]
    if as_json:
        catalog = [
            {"pattern": one.name, "title": one.title, "explanation": one.explanation}
            for one in listed
        ]
        click.echo(json.dumps({"patterns": catalog}))
        return
    console = stdout_console()
    for one in listed:
        console.print(f"{one.name}: {one.title}", style="bold", soft_wrap=True)
        print_paragraphs(console, f"  {one.explanation}")


def check_file(path: str, as_json: bool) -> int:
    """Check the puzzles of a file; 1 if one of them has a fault."""
    with StatusLine("checking the puzzles"):
        puzzles = read_puzzle_file(path)
        faults = [
            (number, puzzle, checked.reason)
            for number, puzzle in enumerate(puzzles, 1)
            if not (checked := check_puzzle(puzzle))
        ]
    if as_json:
        told = [{"puzzle": n, "id": one.name, "fault": fault} for n, one, fault in faults]
        click.echo(json.dumps({"checked": len(puzzles), "faults": told}))
        return int(bool(faults))
    for number, one, fault in faults:
        click.echo(f"puzzle {number} ({one.name}): {printable(fault)}")
    right = len(puzzles) - len(faults)
    click.echo(f"{right} of {len(puzzles)} puzzles are right in answer and proof")
    return int(bool(faults))
