r"""The JSON form of puzzles that teach: one object a puzzle, and files of many.

    {"format": "mineproof puzzles 1", "puzzles": [{
      "id": "0c4e5f6a7b8c", "question": "certain", "asks": "Which hidden cells are certain? ...",
      "pattern": "1-2", "title": "one more mine, one more cell", "explanation": "...",
      "technique": "1-2 pattern", "level": 2,
      "position": "square 2x4 mines=unknown density=0.21\n....\n?12?\n",
      "safe": [], "mines": [[0, 3]], "best": [], "proofs": [...], "choices": [],
      "from": {"board": "16x30/99", "seed": 1, "game": 0}}]}

Proofs are as `explain --json` prints them. In a guess, `best` has the cells to open and `choices`
every hidden cell with its risk and its chance to win, as exact fractions. Files may be compressed
by gzip. What is read may be hostile: sizes are limited, and nothing is believed that
`mineproof.generation.puzzle_check` has not checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from mineproof.errors import InputError, NotationError, quoted
from mineproof.generation.pattern_catalog import PATTERNS
from mineproof.generation.teaching_puzzle import (
    LEVELS,
    Choice,
    Question,
    SourceGame,
    TeachingPuzzle,
)
from mineproof.proofs.document_json import read_json as read_proofs
from mineproof.proofs.document_json import to_json as proof_json
from mineproof.proofs.proof import Proof
from mineproof.rng import MAX_SEED
from mineproof.view.view import View

__all__ = ["FORMAT", "MOST_PUZZLES", "parse_puzzles", "puzzle_to_json", "write_puzzles"]

FORMAT = "mineproof puzzles 1"
MOST_PUZZLES = 20_000
_LONGEST_POSITION = 20_000
_LONGEST_NAME = 200
_MOST_CELLS = 2_500
_FRACTION = re.compile(r"(\d{1,300})(?:/([1-9]\d{0,299}))?", re.ASCII)
_QUESTIONS = {question.value: question for question in Question}


# -- writing ---------------------------------------------------------------------------------------


def puzzle_to_json(puzzle: TeachingPuzzle) -> dict[str, Any]:
    """The JSON form of one puzzle."""
    topology = puzzle.view.topology

    def places(cells: Iterable[int]) -> list[list[int]]:
        return [list(topology.coordinates(cell)) for cell in cells]

    source = puzzle.source
    return {
        "id": puzzle.name,
        "question": puzzle.question.value,
        "asks": puzzle.question.text,
        "pattern": puzzle.pattern.name,
        "title": puzzle.pattern.title,
        "explanation": puzzle.pattern.explanation,
        "technique": puzzle.technique,
        "level": puzzle.level,
        "position": puzzle.view.text,
        "safe": places(puzzle.safe),
        "mines": places(puzzle.mines),
        "best": places(puzzle.best),
        "proofs": [proof_json(proof) for proof in puzzle.proofs],
        "choices": [
            {
                "cell": list(topology.coordinates(choice.cell)),
                "risk": str(choice.risk),
                "win": str(choice.win),
            }
            for choice in puzzle.choices
        ],
        "from": None
        if source is None
        else {"board": source.board, "seed": source.seed, "game": source.index},
    }


def write_puzzles(puzzles: Iterable[TeachingPuzzle]) -> str:
    """The text of a file of puzzles, a line a puzzle."""
    lines = ",\n".join(json.dumps(puzzle_to_json(one)) for one in puzzles)
    return f'{{"format": "{FORMAT}", "puzzles": [\n{lines}\n]}}\n'


# -- reading ---------------------------------------------------------------------------------------


def parse_puzzles(text: str) -> list[TeachingPuzzle]:
    """The puzzles of a text in this form. Raises NotationError, which names the puzzle."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise NotationError("not JSON; accepted: what puzzles --out writes", line) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise NotationError(f"no puzzles are here; accepted: an object of the format {FORMAT!r}")
    listed = found.get("puzzles")
    if not isinstance(listed, list) or len(listed) > MOST_PUZZLES:
        raise NotationError(f"field puzzles is not a list of at most {MOST_PUZZLES}")
    puzzles = []
    for number, one in enumerate(listed, 1):
        try:
            puzzles.append(_PuzzleReader(one).puzzle())
        except InputError as error:
            plain = error.plain if isinstance(error, NotationError) else str(error)
            raise NotationError(f"puzzle {number}: {plain}") from None
        except RecursionError:  # what could be read may be too deep to be written
            raise NotationError(f"puzzle {number}: nested too deeply") from None
    return puzzles


class _PuzzleReader:
    """Reads one object field by field; whatever is not as it should be is named."""

    def __init__(self, found: object) -> None:
        if not isinstance(found, dict):
            raise NotationError(f"{quoted(str(found))} is no puzzle; accepted: a JSON object")
        self.found: dict[str, Any] = found

    def puzzle(self) -> TeachingPuzzle:
        position = self._text("position", _LONGEST_POSITION)
        self.view = view = View.parse(position)
        if len(view) > _MOST_CELLS:
            raise NotationError(f"a position of {len(view)} cells; accepted: at most {_MOST_CELLS}")
        question = self._text("question")
        if question not in _QUESTIONS:
            raise NotationError(
                f"field question holds {quoted(question)}; accepted: {', '.join(_QUESTIONS)}"
            )
        puzzle = TeachingPuzzle(
            view,
            _QUESTIONS[question],
            PATTERNS[self._text("pattern")],
            self._text("technique"),
            self._number("level", LEVELS[-1], LEVELS[0]),
            self._cells("safe"),
            self._cells("mines"),
            self._cells("best"),
            self._proofs(),
            tuple(map(self._choice, self._list("choices"))),
            self._origin(),
        )
        if self._text("id") != puzzle.name:
            raise NotationError(f"field id is not {puzzle.name}, the name of this position")
        return puzzle

    def _proofs(self) -> tuple[Proof, ...]:
        found = []
        for one in read_proofs(json.dumps(self._list("proofs")), self.view):
            if not isinstance(one, Proof):
                raise NotationError("field proofs holds something else than proofs")
            found.append(one)
        return tuple(found)

    def _choice(self, found: object) -> Choice:
        inner = _PuzzleReader(found)
        cell = self._cell(inner._field("cell"), "choices")
        return Choice(cell, inner._fraction("risk"), inner._fraction("win"))

    def _origin(self) -> SourceGame | None:
        if self._field("from") is None:
            return None
        inner = _PuzzleReader(self.found["from"])
        return SourceGame(
            inner._text("board"), inner._number("seed", MAX_SEED), inner._number("game", MAX_SEED)
        )

    def _fraction(self, name: str) -> Fraction:
        match = _FRACTION.fullmatch(self._text(name, 700))
        value = None if match is None else Fraction(int(match[1]), int(match[2] or 1))
        if value is None or value > 1:
            raise NotationError(f"field {name} is no chance; accepted: such as 1/3")
        return value

    def _cells(self, name: str) -> tuple[int, ...]:
        return tuple(self._cell(place, name) for place in self._list(name))

    def _cell(self, place: object, name: str) -> int:
        if not isinstance(place, list) or not all(type(number) is int for number in place):
            raise NotationError(f"field {name} holds {quoted(str(place))}; accepted: coordinates")
        return self.view.topology.cell(place)

    def _number(self, name: str, most: int, least: int = 0) -> int:
        value = self._field(name)
        if type(value) is not int or not least <= value <= most:
            raise NotationError(
                f"field {name} holds {quoted(str(value))}; accepted: {least} to {most}"
            )
        return value

    def _text(self, name: str, most: int = _LONGEST_NAME) -> str:
        value = self._field(name)
        if not isinstance(value, str) or len(value) > most:
            raise NotationError(f"field {name} is not a text of at most {most} characters")
        return value

    def _list(self, name: str) -> list[Any]:
        value = self._field(name)
        if not isinstance(value, list) or len(value) > _MOST_CELLS:
            raise NotationError(f"field {name} is not a list of at most {_MOST_CELLS}")
        return value

    def _field(self, name: str) -> Any:
        if name not in self.found:
            raise NotationError(f"field {name} is missing")
        return self.found[name]
