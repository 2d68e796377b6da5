"""Lessons as the page gets them: patterns in order, puzzles by level, and each with its answer."""

from __future__ import annotations

from typing import Any

from mineproof.errors import quoted
from mineproof.generation.pattern_catalog import PATTERNS
from mineproof.generation.puzzle_shelf import PuzzleShelf, shipped_shelf
from mineproof.generation.teaching_puzzle import LEVELS, TeachingPuzzle
from mineproof.surfaces.web.analyses import ask_why, certain_json
from mineproof.surfaces.web.faults import Refused
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.shapes import board_json, view_json
from mineproof.surfaces.web.task_doers import TaskDoers

__all__ = ["lesson_explain_json", "lessons_json", "puzzle_json"]

_OF_PATTERN = 10
"""Puzzles of a pattern's lesson."""


def lessons_json() -> dict[str, Any]:
    """The patterns, each with its first puzzles and one as a picture; then all puzzles by level."""
    shelf = shipped_shelf()
    return {
        "patterns": [_pattern_json(shelf, name) for name in PATTERNS],
        "levels": [
            {"level": level, "puzzles": [one.name for one in shelf if one.level == level]}
            for level in LEVELS
        ],
    }


def _pattern_json(shelf: PuzzleShelf, name: str) -> dict[str, Any]:
    pattern = PATTERNS[name]
    names = [one.name for one in shelf if one.pattern == name]
    return {
        "name": pattern.name,
        "title": pattern.title,
        "explanation": pattern.explanation,
        "picture": names[min(_OF_PATTERN, len(names) - 1)],
        "puzzles": names[:_OF_PATTERN],
    }


def _found(name: str) -> TeachingPuzzle:
    puzzle = shipped_shelf().find(name)
    if puzzle is None:
        raise Refused("not-found", f"there is no puzzle {quoted(name)}")
    return puzzle


def puzzle_json(name: str) -> dict[str, Any]:
    """A puzzle by its name. Raises Refused."""
    puzzle = _found(name)
    view = puzzle.view
    return {
        "puzzle": name,
        "board": board_json(view.topology, view.total),
        "view": view_json(view),
        "question": puzzle.question.value,
        "text": puzzle.question.text,
        "pattern": puzzle.pattern.name,
        "technique": puzzle.technique,
        "level": puzzle.level,
        "safe": list(puzzle.safe),
        "mines": list(puzzle.mines),
        "best": list(puzzle.best),
        "premises": sorted({clue for proof in puzzle.proofs for clue in proof.clues}),
        "choices": [
            {"cell": one.cell, "risk": float(one.risk), "win": float(one.win)}
            for one in puzzle.choices
        ],
    }


def lesson_explain_json(name: str, cell: int, limits: CoachLimits, workers: TaskDoers) -> Any:
    """The proof that comes with a puzzle; of any other cell, what Why says. Raises Refused."""
    puzzle = _found(name)
    for proof in puzzle.proofs:
        if proof.cell == cell:
            return certain_json(proof)
    return ask_why(puzzle.view, cell, limits, workers)
