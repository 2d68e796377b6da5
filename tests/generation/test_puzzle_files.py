"""Files of puzzles: they read back, and whatever is wrong with them is said in a line."""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof.errors import BudgetExceeded, InputError, NotationError
from mineproof.generation import puzzle_files
from mineproof.generation.patterns import PATTERNS
from mineproof.generation.puzzle_files import (
    FORMAT,
    check_puzzle,
    pack_puzzles,
    parse_puzzles,
    puzzle_to_json,
    read_puzzle_file,
    shipped_puzzles,
    write_puzzles,
)
from mineproof.generation.puzzles import GuessChoice, Question, TeachingPuzzle, canonical_key
from tests.core import needs_core

ONE = shipped_puzzles("1-2C")[0]
GUESS = shipped_puzzles("best guess")[0]


def told(*puzzles: dict[str, Any]) -> str:
    return json.dumps({"format": "mineproof puzzles 1", "puzzles": list(puzzles)})


# -- the shipped set -------------------------------------------------------------------------------


@pytest.mark.parametrize("level", range(1, 6))
def test_every_shipped_puzzle_is_right_in_answer_and_proof(level: int) -> None:
    puzzles = shipped_puzzles(level=level)
    assert len(puzzles) == 100
    for puzzle in puzzles:
        if puzzle.question is Question.CERTAIN:
            checked = check_puzzle(puzzle)
            assert checked, f"{puzzle.name}: {checked.reason}\n{puzzle.text}"


@needs_core
def test_every_shipped_guess_has_the_exact_chances() -> None:
    puzzles = shipped_puzzles("best guess")
    assert len(puzzles) >= 50
    for puzzle in puzzles:
        checked = check_puzzle(puzzle)
        assert checked, f"{puzzle.name}: {checked.reason}\n{puzzle.text}"


def test_the_shipped_set_is_balanced_and_has_no_puzzle_twice() -> None:
    puzzles = shipped_puzzles()
    assert len(puzzles) == 500
    assert len({canonical_key(puzzle.view) for puzzle in puzzles}) == 500
    assert len({puzzle.name for puzzle in puzzles}) == 500
    patterns = Counter(puzzle.pattern.name for puzzle in puzzles)
    assert set(patterns) == set(PATTERNS)
    assert min(patterns.values()) >= 10
    assert all(puzzle.source is not None for puzzle in puzzles)


def test_the_shipped_file_is_small_and_reads_back(tmp_path: Path) -> None:
    puzzles = shipped_puzzles()
    packed = pack_puzzles(puzzles, True)
    assert len(packed) < 200_000
    file = tmp_path / "p.json.gz"
    file.write_bytes(packed)
    assert tuple(read_puzzle_file(file)) == puzzles
    assert puzzle_files._all_shipped() == puzzles


# -- what is refused -------------------------------------------------------------------------------


def test_a_puzzle_reads_back() -> None:
    for puzzle in (ONE, GUESS):
        assert parse_puzzles(write_puzzles([puzzle])) == [puzzle]
    bare = replace(ONE, source=None)
    assert parse_puzzles(write_puzzles([bare])) == [bare]


FIELDS = {
    "position": (7, "square 3x3 mines=2\n1!.", "x" * 30_000),
    "question": ("why", 3),
    "pattern": ("1-9", None),
    "technique": (None, "x" * 500),
    "level": (0, 6, True, "2"),
    "safe": ("0,0", [[0]], [[99, 99]], [0], [[0.5, 0]]),
    "mines": (None, [["0", 0]]),
    "best": ({}, [[-1, 0]]),
    "proofs": ([{}], [3], "x", [{"position": "0", "certain": "safe"}]),
    "choices": ([{"cell": [0, 0], "risk": "2", "win": "1"}], [{"cell": [0, 0]}], ["x"]),
    "from": (3, {"board": "x", "seed": -1, "game": 0}, {"board": 1, "seed": 1, "game": 0}),
    "id": ("0" * 12, None),
}


@pytest.mark.parametrize("field", FIELDS)
def test_a_wrong_field_is_named(field: str) -> None:
    good = puzzle_to_json(ONE)
    without = {name: value for name, value in good.items() if name != field}
    with pytest.raises(NotationError, match=f"puzzle 2: field {field} is missing"):
        parse_puzzles(told(good, without))
    for wrong in FIELDS[field]:
        with pytest.raises(NotationError, match=r"^puzzle 1: ") as caught:
            parse_puzzles(told({**good, field: wrong}))
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "3", '{"format": 2}', '{"format": "mineproof puzzles 1"}', "[" * 99999]
)
def test_what_is_no_file_of_puzzles_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_puzzles(text)


def test_nesting_of_any_depth_is_refused_in_a_line() -> None:
    written = json.dumps(puzzle_to_json(shipped_puzzles()[0]))
    for depth in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit() + 10):
        nested = f"{'[' * depth}{']' * depth}"
        for one in (nested, written.replace('"safe": [', f'"safe": [{nested}, ', 1)):
            with pytest.raises(NotationError):
                parse_puzzles(f'{{"format": "{FORMAT}", "puzzles": [{one}]}}')


def test_a_board_of_a_file_is_not_opened() -> None:
    position = "graph /etc/passwd mines=1\n.\n"
    with pytest.raises(NotationError, match="cannot be read here"):
        parse_puzzles(told({**puzzle_to_json(ONE), "position": position}))


def test_large_and_damaged_files_are_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(b" " * (65 * 2**20), 9))
    with pytest.raises(NotationError, match="holds more than"):
        read_puzzle_file(bomb)
    good = pack_puzzles([ONE], True)
    for damaged in (good[:-9], good[:40] + b"xxxx" + good[44:], b"\x1f\x8b"):
        file = tmp_path / "damaged.gz"
        file.write_bytes(damaged)
        with pytest.raises(NotationError):
            read_puzzle_file(file)
    with pytest.raises(NotationError, match="cannot be read"):
        read_puzzle_file(tmp_path / "absent")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_spoilt_file_is_refused_or_read(data: st.DataObject) -> None:
    text = write_puzzles([ONE])
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 40, len(text))))
    piece = data.draw(st.sampled_from(["", "0", "[", "null", '"', "-1", "{}", "é"]))
    with suppress(InputError, BudgetExceeded):
        for puzzle in parse_puzzles(text[:start] + piece + text[end:]):
            check_puzzle(puzzle)


# -- the check -------------------------------------------------------------------------------------

Change = Callable[[TeachingPuzzle], TeachingPuzzle]
FAULTS: dict[str, tuple[TeachingPuzzle, Change]] = {
    "the safe cells are not": (ONE, lambda p: replace(p, safe=())),
    "the mines are not": (ONE, lambda p: replace(p, mines=p.safe)),
    "a guess is listed": (ONE, lambda p: replace(p, best=p.safe)),
    "the proofs are not those": (ONE, lambda p: replace(p, proofs=p.proofs[:1])),
    "has no steps": (
        ONE,
        lambda p: replace(p, proofs=(replace(p.proofs[0], steps=()), *p.proofs[1:])),
    ),
    "the proof of": (
        ONE,
        lambda p: replace(p, proofs=(replace(p.proofs[0], premises=()), *p.proofs[1:])),
    ),
    "the technique is": (ONE, lambda p: replace(p, technique="4 clues")),
    "the pattern is 1-2C": (ONE, lambda p: replace(p, pattern=PATTERNS["1-1"])),
    "the level is 2": (ONE, lambda p: replace(p, level=3)),
    "certain cells are listed": (GUESS, lambda p: replace(p, safe=p.best)),
    "the chances are not": (
        GUESS,
        lambda p: replace(p, choices=(replace(p.choices[0], win=Fraction(0)), *p.choices[1:])),
    ),
    "a choice is listed twice": (GUESS, lambda p: replace(p, choices=(*p.choices, p.choices[0]))),
    "the best cells are others": (
        GUESS,
        lambda p: replace(p, best=(next(c.cell for c in p.choices if c.cell not in p.best),)),
    ),
    "the pattern is best guess": (GUESS, lambda p: replace(p, technique="single clue")),
    "the level is": (GUESS, lambda p: replace(p, level=1)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(fault: str) -> None:
    puzzle, change = FAULTS[fault]
    checked = check_puzzle(change(puzzle))
    assert not checked
    assert checked.reason.startswith(fault) or fault in checked.reason


def test_a_choice_is_exact() -> None:
    assert all(isinstance(choice, GuessChoice) for choice in GUESS.choices)
    assert sum(choice.risk for choice in GUESS.choices).denominator == 1
