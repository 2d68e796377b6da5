"""A puzzle that teaches: a position of a game, one question, and its answer with the proof."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from mineproof.generation.pattern_catalog import Pattern
from mineproof.proofs.proof import Proof
from mineproof.view.view import View

__all__ = ["LEVELS", "Choice", "Question", "SourceGame", "TeachingPuzzle"]

LEVELS = range(1, 6)
"""From a single premise to nested cases and many premises."""


class Question(Enum):
    """What a puzzle asks: which cells are certain, or which is the best guess."""

    CERTAIN = "certain"
    GUESS = "guess"

    @property
    def text(self) -> str:
        """The question, for people."""
        if self is Question.CERTAIN:
            return "Which hidden cells are certain? Find the safe ones and the mines."
        return "No cell is certain. Which one is best to open?"


@dataclass(frozen=True)
class Choice:
    """A cell that may be guessed: the chance of a mine, and the chance to win after opening it."""

    cell: int
    risk: Fraction
    win: Fraction


@dataclass(frozen=True)
class SourceGame:
    """The game that a puzzle was cut from: a board with its mines, a seed and an index."""

    board: str
    seed: int
    index: int


@dataclass(frozen=True)
class TeachingPuzzle:
    """A position cut from a real game, with its answer.

    Where cells are certain, `safe` and `mines` are all of them, and `proofs` has the proof of each,
    in the order of the cells. In a guess nothing is certain: `best` are the cells to open, and
    `choices` has every hidden cell, the best first. Mines that were found before are open in the
    position (`*`). An open cell without a number (`?`) is safe, and its clue does not matter.

    >>> [puzzle] = mp.make_puzzles("1-2", count=1, seed=1)
    >>> print(puzzle)
    square 4x4 mines=unknown density=0.31
    ??00
    ?11?
    ?..?
    ..2?
    Which hidden cells are certain? Find the safe ones and the mines.
    mines: 3,1
    The 1 at 1,1 puts one mine in 2,1 or 2,2. The 2 at 3,2 finds ... so 3,1 is a mine.
    """

    view: View
    question: Question
    pattern: Pattern
    technique: str
    level: int
    safe: tuple[int, ...] = ()
    mines: tuple[int, ...] = ()
    best: tuple[int, ...] = ()
    proofs: tuple[Proof, ...] = ()
    choices: tuple[Choice, ...] = ()
    source: SourceGame | None = None

    @property
    def name(self) -> str:
        """Twelve hexadecimal digits that name the position and the question."""
        told = f"{self.question.value}\n{self.view.text}"
        return hashlib.sha256(told.encode()).hexdigest()[:12]

    @property
    def answer(self) -> str:
        """The answer in a line."""
        name = self.view.topology.cell_name

        def named(cells: Iterable[int], what: str) -> list[str]:
            names = " ".join(map(name, cells))
            return [f"{what}: {names}"] if names else []

        if self.question is Question.GUESS:
            return named(self.best, "best")[0]
        return "; ".join(named(self.safe, "safe") + named(self.mines, "mines"))

    @property
    def text(self) -> str:
        """The position, the question and the answer with its proofs, for people."""
        lines = [self.view.text.rstrip("\n"), self.question.text, self.answer]
        if self.question is Question.CERTAIN:
            lines += [proof.text for proof in self.proofs]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text
