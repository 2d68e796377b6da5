"""Puzzles are cut from real games, keep their proofs, and come once up to symmetry."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mineproof.engine.exact import analyze
from mineproof.errors import BoardError, BudgetExceeded, InputError, UnknownName
from mineproof.game.referee import Referee
from mineproof.generation.patterns import BEST_GUESS, PATTERNS
from mineproof.generation.puzzle_files import check_puzzle, shipped_puzzles
from mineproof.generation.puzzles import (
    CLEARLY,
    LEVELS,
    Question,
    TeachingPuzzle,
    argument_key,
    balanced_puzzles,
    canonical_key,
    game_positions,
    guess_of,
    make_puzzles,
    puzzle_of,
    puzzles_of_games,
    window_around,
)
from mineproof.view.channels import Mark
from mineproof.view.setting import Setting
from mineproof.view.view import View
from tests.core import needs_core

BOARDS = [
    "8x8/12",
    "hex:8x8/12",
    "square4:7x7/8",
    "torus:8x8/10",
    "triangle:6x9/7",
    "hexagon:4/8",
    "cube:4x4x4/6",
    "square:8x8#3,3;0,0/10",
]


@pytest.mark.parametrize("board", BOARDS)
def test_puzzles_of_any_board_are_right(board: str) -> None:
    found = list(puzzles_of_games([board], 3, 6))
    assert found
    for puzzle in found:
        checked = check_puzzle(puzzle)
        assert checked, f"{checked.reason}\n{puzzle.text}"
        assert puzzle.source is not None
        assert puzzle.source.seed == 3


def test_a_puzzle_is_the_game_it_names() -> None:
    """The mines of an answer are mines of the deal, and the cells that are safe are safe there."""
    setting = Setting.of("9x9/14", first_click="opening")
    for puzzle in puzzles_of_games(["9x9/14"], 5, 8):
        assert puzzle.source is not None
        referee = Referee(setting, 5, puzzle.source.index)
        referee.open(setting.board.topology.centre)
        referee.stop()
        assert referee.layout is not None
        mines = referee.layout.mines.reshape(9, 9)
        if puzzle.view.topology.name == "square":
            assert _fits_somewhere(puzzle.view, puzzle.safe, puzzle.mines, mines)


def _fits_somewhere(
    view: View, safe: tuple[int, ...], sure: tuple[int, ...], mines: NDArray[Any]
) -> bool:
    rows, cols = view.topology.lattice.dimensions
    codes = view.codes().reshape(rows, cols)
    known = np.full(codes.shape, -1)
    known[codes < Mark.HIDDEN.value] = 0
    known[codes == Mark.BLANK.value] = 0
    known[codes == Mark.MINE.value] = 1
    flat = known.reshape(-1)
    flat[list(safe)], flat[list(sure)] = 0, 1
    for row in range(mines.shape[0] - rows + 1):
        for col in range(mines.shape[1] - cols + 1):
            part = mines[row : row + rows, col : col + cols]
            if ((known < 0) | (known == part)).all():
                return True
    return False


def test_no_clue_can_be_left_out_and_no_row_or_column() -> None:
    """The window is smallest: each of its edges holds something that a premise touches."""
    for puzzle in make_puzzles("1-2C", count=5, seed=2):
        topology = puzzle.view.topology
        rows, cols = topology.lattice.dimensions
        clues = {clue for proof in puzzle.proofs for clue in proof.clues}
        near = {cell for clue in clues for cell in topology.neighbours(clue)} | clues
        places = [topology.coordinates(cell) for cell in near]
        assert {0, rows - 1} <= {row for row, _ in places}
        assert {0, cols - 1} <= {col for _, col in places}


def test_the_same_seed_gives_the_same_puzzles() -> None:
    one = make_puzzles("1-1", count=4, seed=9, board="9x9/14")
    assert one == make_puzzles("1-1", count=4, seed=9, board="9x9/14")
    assert one != make_puzzles("1-1", count=4, seed=10, board="9x9/14")
    assert {puzzle.pattern.name for puzzle in one} == {"1-1"}


def test_a_level_is_kept() -> None:
    assert {puzzle.level for puzzle in make_puzzles(count=6, level=3, seed=1)} == {3}


def test_puzzles_differ_up_to_symmetry() -> None:
    found = list(puzzles_of_games(["9x9/14"], 1, 12))
    keys = {canonical_key(puzzle.view) for puzzle in found}
    assert len(keys) == len(found)
    for puzzle in found[:40]:
        codes = puzzle.view.codes().reshape(puzzle.view.topology.lattice.dimensions)
        for turned in (np.rot90(codes), codes[::-1], codes.T, codes[:, ::-1]):
            shape = "x".join(map(str, turned.shape))
            topology = View(f"square:{shape}", puzzle.view.rules).topology
            view = View.of_codes(topology, puzzle.view.rules, turned.copy().reshape(-1))
            assert canonical_key(view) == canonical_key(puzzle.view)


def test_different_positions_have_different_keys() -> None:
    texts = ["....\n?12?", "....\n?21?", "....\n?22?", "...\n12?", "....\n?1??"]
    views = [
        View.parse(f"square 2x{len(text.split()[0])} mines=unknown density=0.2\n{text}")
        for text in texts
    ]
    keys = [canonical_key(view) for view in views]
    assert keys[0] == keys[1], "mirrored"
    assert len(set(keys)) == 4


def test_the_core_of_a_puzzle_is_its_argument() -> None:
    header = "square 3x5 mines=unknown density=0.2\n"
    plain = puzzle_of(View.parse(f"{header}?....\n??12?\n?????"))
    context = puzzle_of(View.parse(f"{header}?....\n??12?\n?000?"))
    assert plain is not None
    assert context is not None
    assert argument_key(plain) == argument_key(context)
    assert canonical_key(plain.view) != canonical_key(context.view)


def test_a_window_keeps_who_touches_whom() -> None:
    view = View("triangle:8x8", "mines=5")
    topology = view.topology
    cells = [topology.cell((3, 4)), topology.cell((4, 5))]
    window = window_around(topology, cells)
    assert len(window.topology) < len(topology)
    for one, new in window.cells.items():
        near = {window.cells[other] for other in topology.neighbours(one) if other in window.cells}
        assert near == set(window.topology.neighbours(new))
    whole = window_around(View("graph:0-1,1-2,2-3", "mines=1").topology, [0, 1])
    assert len(whole.topology) == 4


# -- games and guesses -----------------------------------------------------------------------------


def test_the_stages_of_a_game_never_open_a_mine() -> None:
    setting = Setting.of("9x9/12", first_click="opening")
    found = list(game_positions(setting, 2, 0))
    assert found
    for stage in found:
        certain = analyze(stage.view)
        for proof in stage.proofs:
            assert proof.cell in (*certain.safe, *certain.mines)


@needs_core
def test_a_guess_has_exact_chances_and_a_clear_best() -> None:
    for puzzle in make_puzzles("best guess", count=3, seed=4, board="8x8/14"):
        assert puzzle.question is Question.GUESS
        assert check_puzzle(puzzle)
        best = max(choice.win for choice in puzzle.choices)
        others = [choice.win for choice in puzzle.choices if choice.cell not in puzzle.best]
        assert best - max(others) >= CLEARLY
        assert not analyze(puzzle.view).safe


def test_a_guess_without_a_clear_best_is_no_puzzle() -> None:
    assert guess_of(View.parse("square 1x2 mines=1\n..")) is None
    assert guess_of(View.parse("square 1x3 mines=1\n1..")) is None, "a cell is certain"


def test_proofs_may_be_left_out_of_the_same_game() -> None:
    setting = Setting.of("9x9/14", first_click="opening")
    every = list(game_positions(setting, 4, 1))
    pairs = list(game_positions(setting, 4, 1, singles=False, longer=False))
    assert [stage.view for stage in pairs] == [stage.view for stage in every]
    for one, other in zip(pairs, every, strict=True):
        assert one.guess == other.guess
        assert one.proofs == tuple(proof for proof in other.proofs if proof.size == 2)


def test_a_guess_lists_every_choice() -> None:
    guess = guess_of(View.parse("square 2x3 mines=2\n1..\n.2."))
    assert guess is not None
    assert (guess.best, guess.level) == ((2, 5), 4)
    told = [(choice.cell, choice.risk, choice.win) for choice in guess.choices]
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert told == [(2, half, half), (5, half, half), (1, half, quarter), (3, half, quarter)]


# -- sets, and what is refused ---------------------------------------------------------------------


@needs_core
def test_a_balanced_set_has_as_many_of_every_level() -> None:
    found = balanced_puzzles(20, 3, boards=("9x9/14", "16x16/45", "7x7/14"), games=80)
    assert [puzzle.level for puzzle in found] == [level for level in LEVELS for _ in range(4)]
    assert len({puzzle.pattern.name for puzzle in found}) >= 12
    assert all(map(check_puzzle, found))


def test_bad_numbers_are_refused_in_one_line() -> None:
    with pytest.raises(UnknownName, match="did you mean 1-2"):
        make_puzzles("1-2x")
    with pytest.raises(InputError, match="count 0; accepted: 1 to"):
        make_puzzles(count=0)
    with pytest.raises(InputError, match="level 6; accepted: 1 to 5"):
        make_puzzles(level=6)
    with pytest.raises(InputError, match="games 0; accepted: 1 or more"):
        make_puzzles(games=0)
    with pytest.raises(InputError, match="seed -1"):
        make_puzzles(seed=-1)
    with pytest.raises(BoardError, match="known number of mines"):
        make_puzzles(board="9x9/~20%")
    with pytest.raises(BoardError, match="mines do not fit"):
        make_puzzles(board="2x2/4")
    with pytest.raises(InputError, match="a multiple of 5"):
        balanced_puzzles(7)
    with pytest.raises(BudgetExceeded, match="2 games have 0 1-2-2-1 puzzles, not 3"):
        make_puzzles("1-2-2-1", count=3, board="3x3/1", games=2)
    with pytest.raises(BudgetExceeded, match="for a balanced set of 100"):
        balanced_puzzles(100, boards=("3x3/1",), games=1)


# ----------------------------------------------------------------------------
# Patterns are found in proofs by the shape of their premises.


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
