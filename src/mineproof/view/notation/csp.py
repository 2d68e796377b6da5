"""The puzzle lines of report 3: `NAME ROWS COLS MINES`, then a number per cell, -1 if unknown.

The name may be left out: the third puzzle of a text is then called `puzzle-3`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from mineproof.board.topology import Topology
from mineproof.errors import NotationError, quoted
from mineproof.rules import Mines, Rules
from mineproof.view.marks import Mark
from mineproof.view.notation.grid import at_line
from mineproof.view.view import View

__all__ = ["LINE", "Puzzle", "parse", "parse_line", "write"]

LINE = re.compile(r"([A-Za-z]\S{0,39}\s+)?\d{1,9}\s+\d{1,9}\s+\d{1,9}(\s|$)")
_NUMBER = re.compile(r"-1|\d{1,3}")


@dataclass(frozen=True)
class Puzzle:
    """A named static puzzle: its hints are the clues of a view."""

    name: str
    view: View


def parse(text: str) -> tuple[Puzzle, ...]:
    """Every puzzle of a text, one per line; `#` begins a comment line. Raises NotationError."""
    puzzles: dict[str, Puzzle] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        puzzle = parse_line(line, number, place=len(puzzles) + 1)
        if puzzle.name in puzzles:
            raise NotationError(f"puzzle {puzzle.name} is defined twice", number)
        puzzles[puzzle.name] = puzzle
    if not puzzles:
        raise NotationError(
            "no puzzle found; accepted: lines of [NAME] ROWS COLS MINES and numbers"
        )
    return tuple(puzzles.values())


def parse_line(line: str, number: int = 1, place: int = 1) -> Puzzle:
    """One puzzle; without a name it is named by its place. Raises NotationError."""
    if not LINE.match(line.strip()):
        raise NotationError(
            f"{quoted(line)} is not a puzzle; accepted: [NAME] ROWS COLS MINES, then numbers, one"
            " per cell",
            number,
        )
    words = line.split()
    name = f"puzzle-{place}" if words[0].isdigit() else words.pop(0)
    if not name.isprintable():
        raise NotationError(f"name {quoted(name)}; accepted: printable characters", number)
    rows, cols, mines, *words = words
    with at_line(number):
        topology = Topology.of("square", f"{rows}x{cols}")
        if len(words) != len(topology):
            raise NotationError(
                f"puzzle {quoted(name)} has {len(words)} numbers for {len(topology)} cells", number
            )
        for word in words:
            if not _NUMBER.fullmatch(word) or int(word) > 8:
                raise NotationError(
                    f"{quoted(word)} in puzzle {quoted(name)}; accepted: -1 or a hint 0 to 8",
                    number,
                )
        codes = [Mark.HIDDEN.value if word == "-1" else int(word) for word in words]
        rules = Rules(mines=Mines.parse(mines))
        return Puzzle(name, View.of_codes(topology, rules, np.array(codes, dtype=np.uint8)))


def write(puzzle: Puzzle) -> str:
    """The line that `parse_line` reads back; NotationError for what it cannot say."""
    view = puzzle.view
    plain = view.total is not None and view.rules == Rules(mines=Mines.number(view.total))
    if not plain or view.topology != Topology.of("square", view.topology.shape):
        raise NotationError("puzzle lines hold plain square boards with a known number of mines")
    if view.flag_count or any(view.clue(cell) is None for cell in view.opened):
        raise NotationError("puzzle lines hold hints and variables, no flags and no opened mines")
    rows, cols = view.topology.lattice.dimensions
    numbers = [-1 if code == Mark.HIDDEN.value else code for code in view.codes().tolist()]
    return " ".join(map(str, [puzzle.name, rows, cols, view.total, *numbers]))
