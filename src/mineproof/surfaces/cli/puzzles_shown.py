"""What `mineproof puzzles` prints: the puzzles, the list of patterns, and what a check found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import typer

from mineproof.errors import printable
from mineproof.generation.pattern_catalog import PATTERNS
from mineproof.generation.puzzle_files import pack_puzzles, read_puzzle_file
from mineproof.generation.puzzle_json import puzzle_to_json
from mineproof.generation.teaching_puzzle import Question, TeachingPuzzle
from mineproof.percentages import percent
from mineproof.surfaces.cli.console import print_paragraphs, stdout_console, writes_unicode
from mineproof.surfaces.cli.terminal import ASCII, UNICODE, Shade, board_text

if TYPE_CHECKING:
    from rich.console import Console

    from mineproof.proofs.proof import Proof
    from mineproof.surfaces.cli.outputs import Output

__all__ = ["print_checked", "print_patterns", "print_puzzles"]

_MOST_CHOICES = 6


def print_puzzles(
    puzzles: Sequence[TeachingPuzzle], as_json: bool, ask: bool, file: Output | None
) -> None:
    """Print puzzles one after the other; those written to a file are only counted."""
    if file is not None:
        file.write_data(pack_puzzles(puzzles, file.path.endswith(".gz")))
    if as_json:
        typer.echo(json.dumps({"puzzles": [puzzle_to_json(puzzle) for puzzle in puzzles]}))
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
    of_level: dict[int, int] = {}
    for puzzle in puzzles:
        of_level[puzzle.level] = of_level.get(puzzle.level, 0) + 1
    levels = ", ".join(f"{number} of level {level}" for level, number in sorted(of_level.items()))
    kinds = len({puzzle.pattern.name for puzzle in puzzles})
    return f"{len(puzzles)} puzzles of {kinds} patterns: {levels or 'none'}"


def _print_puzzle(console: Console, puzzle: TeachingPuzzle, place: str, ask: bool) -> None:
    pattern = puzzle.pattern
    told = "?" if ask else f"{pattern.name} ({pattern.title})"
    console.print(f"puzzle {place}: {told}, level {puzzle.level}", style="bold", soft_wrap=True)
    console.print(_board(console, puzzle, answered=not ask), soft_wrap=True)
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


def _board(console: Console, puzzle: TeachingPuzzle, answered: bool) -> object:
    """The position; answers say `ok` and `X`, and the best guess `ok`."""
    labels = dict.fromkeys((*puzzle.safe, *puzzle.best), "ok") | dict.fromkeys(puzzle.mines, "X")
    clues = {clue for proof in puzzle.proofs for clue in proof.clues}
    shades = dict.fromkeys(clues, Shade.PREMISE) | dict.fromkeys(labels, Shade.MOVE)
    return board_text(
        puzzle.view,
        highlight=shades if answered else {},
        symbols=UNICODE if writes_unicode(console) else ASCII,
        width=console.width,
        labels=labels if answered else {},
    )


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
        told = [
            {"pattern": one.name, "title": one.title, "explanation": one.explanation}
            for one in listed
        ]
        typer.echo(json.dumps({"patterns": told}))
        return
    console = stdout_console()
    for one in listed:
        console.print(f"{one.name}: {one.title}", style="bold", soft_wrap=True)
        print_paragraphs(console, f"  {one.explanation}")


def print_checked(path: str, as_json: bool) -> int:
    """Check the puzzles of a file; 1 if one of them has a fault."""
    from mineproof.generation.puzzle_check import check_puzzle
    from mineproof.surfaces.cli.waiting import Waiting

    with Waiting("checking the puzzles"):
        puzzles = read_puzzle_file(path)
        faults = [
            (number, puzzle, checked.reason)
            for number, puzzle in enumerate(puzzles, 1)
            if not (checked := check_puzzle(puzzle))
        ]
    if as_json:
        told = [{"puzzle": n, "id": one.name, "fault": fault} for n, one, fault in faults]
        typer.echo(json.dumps({"checked": len(puzzles), "faults": told}))
        return int(bool(faults))
    for number, one, fault in faults:
        typer.echo(f"puzzle {number} ({one.name}): {printable(fault)}")
    right = len(puzzles) - len(faults)
    typer.echo(f"{right} of {len(puzzles)} puzzles are right in answer and proof")
    return int(bool(faults))
