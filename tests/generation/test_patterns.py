"""Patterns are found in proofs by the shape of their premises."""

from __future__ import annotations

import pytest

from mineproof.generation.cutting import puzzle_of
from mineproof.generation.pattern_catalog import BEST_GUESS, PATTERNS
from mineproof.generation.puzzle_files import shipped_puzzles
from mineproof.generation.teaching_puzzle import TeachingPuzzle
from mineproof.view.view import View

POSITIONS = {
    "B1": ("..?\n?2?\n000", "mines: 0,0 0,1", 1),
    "B2": ("..*\n?1?\n000", "safe: 0,0 0,1", 1),
    "1-1": ("...\n11?\n00?", "safe: 0,2", 2),
    "1-1+": (".?.?\n.11?\n.?.?", "safe: 0,0 1,0 2,0", 2),
    "hole": ("..?0\n.110\n..?0", "safe: 0,0 1,0 2,0", 2),
    "2-2": ("?2?\n...\n?2?\n...", "safe: 3,0 3,1 3,2", 2),
    "1-2": ("...\n12?\n00?", "mines: 0,2", 2),
    "1-2+": ("?1?\n..?\n?3?\n..?", "mines: 3,0 3,1", 2),
    "1-2C": ("....\n?12?\n0???", "safe: 0,0; mines: 0,3", 2),
    "1-2-1": (".....\n?121?\n?000?", "safe: 0,0 0,2 0,4; mines: 0,1 0,3", 3),
    "1-2-2-1": ("......\n?1221?\n?0000?", "safe: 0,0 0,1 0,4 0,5; mines: 0,2 0,3", 3),
    "1-1R": ("...\n22?\n*??", "safe: 0,2", 2),
    "1-2R": ("....\n?13?\n0??*", "safe: 0,0; mines: 0,3", 2),
    "1-2-1R": (".....\n?122?\n?00?*", "safe: 0,0 0,2 0,4; mines: 0,1 0,3", 3),
    "1-2-2-1R": ("......\n?1222?\n?000?*", "safe: 0,0 0,1 0,4 0,5; mines: 0,2 0,3", 3),
}


def made(rows: str, mines: str = "unknown density=0.2") -> TeachingPuzzle | None:
    lines = rows.split("\n")
    return puzzle_of(View.parse(f"square {len(lines)}x{len(lines[0])} mines={mines}\n{rows}"))


@pytest.mark.parametrize(
    ("name", "rows", "answer", "level"),
    [(name, *told) for name, told in POSITIONS.items()],
    ids=list(POSITIONS),
)
def test_a_position_shows_its_pattern(name: str, rows: str, answer: str, level: int) -> None:
    puzzle = made(rows)
    assert puzzle is not None
    assert (puzzle.pattern.name, puzzle.answer, puzzle.level) == (name, answer, level)


COUNTED = {
    "counter": ("*.\n**", "3", "safe: 0,1", 1),
    "last mines": (".1...", "1", "safe: 0,3 0,4", 2),
}


@pytest.mark.parametrize("name", COUNTED)
def test_the_number_of_mines_makes_a_pattern(name: str) -> None:
    rows, mines, answer, level = COUNTED[name]
    puzzle = made(rows, mines)
    assert puzzle is not None
    assert (puzzle.pattern.name, puzzle.answer, puzzle.level) == (name, answer, level)


def test_longer_proofs_and_cases_have_patterns_of_their_own() -> None:
    for name, least in (("triple", 3), ("4+", 4), ("what if", 3)):
        for puzzle in shipped_puzzles(name):
            assert max(len(proof.clues) for proof in puzzle.proofs) >= least
            assert not any(proof.uses_total for proof in puzzle.proofs)
            supposes = any(step.kind.assumes for p in puzzle.proofs for step in p.steps)
            assert supposes == (name == "what if")


def test_a_row_of_ones_and_a_two_is_no_1_2_1_without_its_pairs() -> None:
    puzzle = made("..?..\n.121.\n.....")
    assert puzzle is not None
    assert puzzle.pattern.name == "triple"


def test_a_position_without_certain_cells_is_no_puzzle() -> None:
    assert made("...\n.1.\n...") is None


def test_every_pattern_is_explained() -> None:
    for name in PATTERNS:
        assert PATTERNS[name].title
        assert PATTERNS[name].explanation.endswith(".")
    assert PATTERNS["guess"].name == BEST_GUESS
