"""Write docs/patterns.md and its pictures from the catalog and the shipped puzzles: run this file.

Of ten puzzles, the one that is easiest to see is the picture.
"""

from __future__ import annotations

import textwrap
from pathlib import Path

from mineproof.engine.exact import analyze
from mineproof.generation.patterns import BEST_GUESS, PATTERNS, Pattern, hardest
from mineproof.generation.puzzle_files import shipped_puzzles
from mineproof.generation.puzzles import Question, TeachingPuzzle
from mineproof.proofs.explanation import cell_signs
from mineproof.text import percent
from mineproof.view.channels import Mark
from mineproof.view.svg import CellTint, draw_svg

PAGE = Path(__file__).parents[1] / "patterns.md"
HERE = Path(__file__).parent / "patterns"
BEGIN, END = "<!-- patterns -->\n", "<!-- end of patterns -->\n"
LINE = 128
MANY = 10
PREMISE, SAFE, MINE = "#a6d5f2", "#56b4e9", "#e69f00"


def main() -> None:
    """Write the pictures, and the part of the page between its two marks."""
    HERE.mkdir(exist_ok=True)
    for old in HERE.glob("*.svg"):
        old.unlink()
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(BEGIN)
    tail = rest.partition(END)[2]
    sections = "\n".join(section(PATTERNS[name]) for name in PATTERNS)
    PAGE.write_text(f"{head}{BEGIN}\n{sections}\n{END}{tail}", encoding="utf-8")


def section(pattern: Pattern) -> str:
    """The section of one pattern."""
    puzzles = shipped_puzzles(pattern.name)[:MANY]
    first = min(puzzles, key=covered)
    file = HERE / f"{pattern.name.replace(' ', '-')}.svg"
    file.write_text(picture(first), encoding="utf-8")
    lines = [
        f"### {pattern.name}: {pattern.title}",
        "",
        "\n".join(textwrap.wrap(pattern.explanation, LINE)),
        "",
        f"![{pattern.name}: {first.answer}](pictures/patterns/{file.name})",
        "",
        quotation(told(first)),
        "",
    ]
    return "\n".join(lines)


def quotation(text: str) -> str:
    """An argument as the page shows it; the page's source is broken at its width."""
    lines = (textwrap.wrap(line, LINE) for line in text.split("\n"))
    return "  \n".join("\n".join(f"> {part}" for part in parts) for parts in lines)


def covered(puzzle: TeachingPuzzle) -> float:
    """How much there is in a picture besides the pattern: the less, the easier it is to see."""
    shown = list(puzzle.view)
    besides = shown.count(Mark.BLANK) + shown.count(Mark.MINE)
    return besides / len(shown) + len(shown) / 60


def told(puzzle: TeachingPuzzle) -> str:
    """The argument of the picture."""
    if puzzle.question is Question.CERTAIN:
        return hardest(puzzle.proofs).text
    name = puzzle.view.topology.cell_name
    best = puzzle.choices[0]
    other = next(choice for choice in puzzle.choices if choice.cell not in puzzle.best)
    return (
        f"{name(best.cell)} has a {percent(float(best.risk))} chance of being a mine; after it the"
        f" game is won in {percent(float(best.win))} of cases. The next best, {name(other.cell)},"
        f" has {percent(float(other.risk))} and {percent(float(other.win))}."
    )


def picture(puzzle: TeachingPuzzle) -> str:
    """The position with its answer: needed clues blue, safe cells `ok`, mines `X`."""
    view, title = puzzle.view, f"{puzzle.pattern.name}: {puzzle.answer}"
    if puzzle.pattern.name == BEST_GUESS:
        chances = analyze(view).p.array.tolist()
        return draw_svg(view, chances=chances, marked=puzzle.best, title=title)
    clues = {clue for proof in puzzle.proofs for clue in proof.clues}
    tints = {clue: CellTint(PREMISE, "needed") for clue in clues}
    said = cell_signs(puzzle.proofs)
    for cell, text in said.items():
        tints[cell] = CellTint(MINE if text == "X" else SAFE, "proved", text)
    return draw_svg(view, marked=clues.union(said), tints=tints, title=title)


if __name__ == "__main__":
    main()
