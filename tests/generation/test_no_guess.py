"""Boards without guesses: they are, for every topology; and which of them is drawn, is fair."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import pytest

import mineproof as mp
from mineproof import chains, kernel
from mineproof.board.layout import measure
from mineproof.chains.search import play_layout
from mineproof.game.difficulty import rate_layout
from mineproof.generation import no_guess
from mineproof.generation.certificate import GenerationMethod, NoGuessBoard, StartPosition
from mineproof.generation.no_guess import (
    HARDEST,
    IntRange,
    Requirements,
    find_no_guess,
    repair_deals,
)
from mineproof.generation.solvability import clears_all, play_certain
from mineproof.view.setting import Setting
from tests.core import needs_core

BOARDS = [
    "6x7/8",
    "torus:5x6/6",
    "hex:6x6/7",
    "square4:5x5/4",
    "triangle:4x6/5",
    "cube:4x3x3/3",
    "square:6x6#0,0;3,3;5,1/6",
    "graph:0-1,1-2,2-3,3-4,4-5,5-0,0-6,3-7,6-7/2",
]


def proved_all(layout: mp.Layout, first: int) -> bool:
    """Whether analyses from scratch, cell by cell, clear a layout: slow, and plain."""
    referee = mp.Referee(layout)
    view = referee.open(first)
    while not referee.over:
        safe = [cell for cell in mp.analyze(view).safe if view.is_hidden(cell)]
        if not safe:
            return False
        view = referee.open(safe[0])
    return referee.outcome.won


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("first_click", ["safe", "opening"])
def test_a_deal_is_kept_exactly_where_it_needs_no_guess(board: str, first_click: str) -> None:
    beginning = StartPosition.of(board, first_click=first_click)
    number = 60
    kept = find_no_guess(beginning, seed=5, begin=10, deals=number, count=number)
    wanted = [
        index
        for index in range(10, 10 + number)
        if proved_all(beginning.deal(5, index), beginning.first)
    ]
    assert kept.indices == wanted
    assert kept.tried == number


@needs_core
@pytest.mark.parametrize("board", [*BOARDS, "16x30/99", "9x9/10"])
def test_core_and_twin_keep_the_same_deals(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    beginning = StartPosition.of(board)
    deals = 12 if beginning.mines > 50 else 40
    by_core = find_no_guess(beginning, 3, 0, deals, 5)
    monkeypatch.setattr(kernel, "available", lambda: False)
    assert find_no_guess(beginning, 3, 0, deals, 5) == by_core


@needs_core
@pytest.mark.parametrize("count", [1, 7, 40])
def test_the_number_of_threads_changes_nothing(count: int) -> None:
    one = mp.generate("9x9/16", count=count, seed=2)
    assert mp.generate("9x9/16", count=count, seed=2, threads=5) == one
    assert len(one) == count


def test_a_longer_run_begins_with_the_boards_of_a_shorter_one() -> None:
    few, many = (mp.generate("6x6/6", count=count, seed=9) for count in (3, 8))
    assert few.boards == many.boards[:3]
    assert many.tried == many[-1].index + 1


def test_the_total_is_left_out_where_only_clues_are_to_count() -> None:
    """A mine alone in a corner that no clue tells from a safe cell: the number of mines does."""
    layout = mp.Layout.of("1x5", [(0, 3)])
    assert play_certain(layout, 0).hidden_count == 1
    assert play_certain(layout, 0, total=False).hidden_count == 2
    assert clears_all([layout], 0) == [True]
    assert clears_all([layout], 0, total=False) == [False]


# ------------------------------------------------------------------------------------ fairness

SMALL = [
    ("4x4/3", "safe", (0, 0)),
    ("4x5/3", "opening", (1, 2)),
    ("hex:4x4/3", "safe", (1, 1)),
    ("torus:4x4/3", "safe", (0, 0)),
    ("square:4x4#1,1/3", "safe", (0, 0)),
    ("triangle:3x5/3", "safe", (1, 2)),
]


@pytest.mark.parametrize(("board", "first_click", "first"), SMALL)
def test_every_board_without_guesses_is_equally_likely(
    board: str, first_click: str, first: tuple[int, int]
) -> None:
    """Chi-square against all of them, by enumeration."""
    beginning = StartPosition.of(board, first, first_click=first_click)
    room = [cell for cell in beginning.topology.cells if cell not in beginning.free]
    assert beginning.layouts == comb(len(room), beginning.mines)
    every = [mp.Layout.of(beginning.topology, c) for c in combinations(room, beginning.mines)]
    fair = {
        layout
        for layout, clears in zip(every, clears_all(every, beginning.first), strict=True)
        if clears
    }
    assert 5 < len(fair) < len(every)
    drawn = (20 if kernel.available() else 4) * len(fair)
    made = mp.generate(board, first=first, first_click=first_click, count=drawn, seed=1)
    counts = Counter(one.layout for one in made)
    assert set(counts) <= fair
    expected = drawn / len(fair)
    chi = sum((counts[layout] - expected) ** 2 / expected for layout in fair)
    freedom = len(fair) - 1
    # Wilson and Hilferty: the cube root is nearly normal.
    z = ((chi / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)) ** 0.5
    assert abs(z) < 3.3
    low, high = made.interval
    assert low - 0.02 <= len(fair) / len(every) <= high + 0.02


# ----------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("board", "words", "message"),
    [
        ("9x9/10", {"clues": "withheld:0.1"}, "clues=withheld:0.1 has no boards without guesses"),
        ("9x9/10", {"clues": "optimistic"}, "accepted: exact"),
        ("9x9/10", {"first_click": "any"}, "accepted: safe or opening"),
        ("9x9/10", {"total": "unknown"}, "accepted: total=known"),
        ("9x9/10", {"given": "corner+centre"}, "given=corner+centre has no boards"),
        ("9x9/10", {"on_mine": "continue"}, "accepted: lose"),
        ("9x9/10", {"first": "9,0"}, "9,0"),
        ("9x9/10", {"count": 0}, "accepted: 1 to"),
        ("9x9/10", {"method": "unifrom"}, "did you mean uniform"),
        ("9x9/~20%", {}, "accepted: such as 16x30/99"),
        ("3x3/1", {}, "accepted: at most 0"),
        ("3x3/9", {"first_click": "safe"}, "accepted: at most 8"),
        ("2x2/1", {"first_click": "safe"}, "all 3 were tried"),
        ("2x2/1", {"first_click": "safe", "method": "repair"}, "all 3 were tried"),
    ],
)
def test_what_cannot_be_made_is_refused_in_a_line(
    board: str, words: dict[str, object], message: str
) -> None:
    with pytest.raises(mp.InputError) as refused:
        mp.generate(board, **words)  # type: ignore[arg-type]
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@needs_core
def test_a_budget_that_is_spent_says_how_many_deals_were_tried() -> None:
    with pytest.raises(mp.BudgetExceeded) as spent:
        mp.generate("24x30/220", method="uniform", most_deals=300)
    assert "no board without guesses among 300 deals of square:24x30/220" in str(spent.value)


@needs_core
def test_auto_repairs_where_the_first_deals_hold_no_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_guess, "_PILOT", 300)
    told: list[tuple[int, int]] = []
    made = mp.generate("24x30/220", seed=1, watch=lambda *numbers: told.append(numbers))
    assert made.method.value == "repaired"
    assert "not every such board is equally likely" in made.text
    assert clears_all([made[0].layout], made[0].first) == [True]
    assert (300, 0) in told
    assert no_guess.find_no_guess(made.beginning, 1, 0, 300, 1).indices == []


# ----------------------------------------------------------------------------
# Repaired boards: free of guesses, the same in core and twin, and not uniform.


REPAIRED_BOARDS = ["6x7/12", "hex:6x6/12", "torus:5x6/9", "square:6x6#0,0;3,3/10", "triangle:4x6/7"]


@pytest.mark.parametrize("board", REPAIRED_BOARDS)
def test_a_repaired_board_needs_no_guess_and_keeps_its_mines(board: str) -> None:
    made = mp.generate(board, count=5, seed=2, method="repair", first_click="safe")
    assert made.method is GenerationMethod.REPAIRED
    assert all(clears_all([one.layout for one in made], made.beginning.first))
    assert {one.layout.total for one in made} == {made.beginning.mines}
    assert not any(one.layout.is_mine(cell) for one in made for cell in made.beginning.free)
    assert any(one.changes for one in made)


@needs_core
@pytest.mark.parametrize("board", [*REPAIRED_BOARDS, "12x12/34"])
def test_core_and_twin_make_the_same_changes(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    beginning = StartPosition.of(board, first_click="safe")
    deals = 2 if board == "12x12/34" else 6
    by_core = repair_deals(beginning, 4, 0, deals, deals)
    assert by_core == repair_deals(beginning, 4, 0, deals, deals, threads=3)
    monkeypatch.setattr(kernel, "available", lambda: False)
    assert repair_deals(beginning, 4, 0, deals, deals) == by_core


@needs_core
def test_a_deal_that_needs_no_guess_is_left_as_it_is() -> None:
    beginning = StartPosition.of("9x9/10")
    made = repair_deals(beginning, 1, 0, 20, 20)
    kept = mp.generate("9x9/10", count=5, seed=1)
    unchanged = {one.index: one.layout for one in made.boards if not one.changes}
    assert all(unchanged[one.index] == one.layout for one in kept if one.index < 20)


@needs_core
def test_mines_do_not_end_up_in_heaps() -> None:
    """Mines with nothing but mines around them are rare, as they are in deals."""
    made = mp.generate("24x30/200", count=20, seed=1, method="repair")
    topology = made.beginning.topology
    buried = [
        cell
        for one in made
        for cell in one.layout.cells
        if all(map(one.layout.is_mine, topology.neighbours(cell)))
    ]
    assert len(buried) < 3 * len(made)


@needs_core
def test_how_far_from_uniform_repaired_boards_are() -> None:
    """On 4x5/4 from a corner: all boards without guesses come up, but by no means equally often."""
    beginning = StartPosition.of("4x5/4", (0, 0), first_click="safe")
    room = [cell for cell in beginning.topology.cells if cell not in beginning.free]
    every = [mp.Layout.of(beginning.topology, c) for c in combinations(room, beginning.mines)]
    fair = [
        layout
        for layout, good in zip(every, clears_all(every, beginning.first), strict=True)
        if good
    ]
    drawn = 40 * len(fair)
    distances = {}
    for method in ("uniform", "repair"):
        made = mp.generate(
            "4x5/4", first=(0, 0), first_click="safe", count=drawn, seed=3, method=method
        )
        counts = Counter(one.layout for one in made)
        assert set(counts) <= set(fair)
        # Half the sum of the differences of the shares: 0 is uniform, 1 is all on one board.
        distances[method] = sum(abs(counts[one] / drawn - 1 / len(fair)) for one in fair) / 2
        if method == "repair":
            assert len(counts) > 0.95 * len(fair)
    noise = distances["uniform"]
    assert noise < 0.08
    assert 1.5 * noise < distances["repair"] < 0.3


# ----------------------------------------------------------------------------
# Requirements: every board that comes out is as wished, and what was thrown away was not.


BOARD = "7x7/9"


def rung(board: NoGuessBoard) -> int:
    hardest = rate_layout(Setting.of(board.layout), board.first).rating.hardest
    return 0 if hardest is None else int(hardest.rung)


def clues_suffice(board: NoGuessBoard) -> bool:
    view = play_certain(board.layout, board.first, total=False)
    return view.hidden_count == board.layout.total


def chain(board: NoGuessBoard) -> int:
    return chains.of(play_layout(board.layout, board.first)).length


CASES: list[tuple[dict[str, Any], Any]] = [
    ({"hardest": "single"}, lambda one: rung(one) == 1),
    ({"hardest": "..pair"}, lambda one: rung(one) <= 2),
    ({"hardest": "triple.."}, lambda one: rung(one) >= 3),
    ({"needs_total": True}, lambda one: not clues_suffice(one)),
    ({"without_total": True}, clues_suffice),
    ({"three_bv": "16..20"}, lambda one: 16 <= measure(one.layout).three_bv <= 20),
    ({"openings": 3}, lambda one: measure(one.layout).openings == 3),
    ({"chain": 4}, lambda one: chain(one) >= 4),
    (
        {"three_bv": "..20", "without_total": True},
        lambda one: measure(one.layout).three_bv <= 20 and clues_suffice(one),
    ),
]


@pytest.mark.parametrize(("wishes", "holds"), CASES, ids=[str(wishes) for wishes, _ in CASES])
def test_boards_are_as_wished_and_no_other_was_thrown_away(
    wishes: dict[str, Any], holds: Any
) -> None:
    made = mp.generate(BOARD, count=4, seed=6, wishes=wishes)
    assert len(made) == 4
    every = mp.generate(BOARD, count=made.kept, seed=6)
    assert every.tried == made.tried
    assert [one for one in every if holds(one)] == list(made)
    assert Requirements.of(**wishes).text in made.text


def test_what_is_not_found_is_said_with_the_counts() -> None:
    with pytest.raises(mp.BudgetExceeded) as spent:
        mp.generate(BOARD, seed=1, wishes={"three_bv": "200.."}, most_judged=20)
    assert "no board with 3bv=200.. among 20 without guesses, of " in str(spent.value)


@pytest.mark.parametrize(
    ("wishes", "message"),
    [
        ({"hardest": "luck"}, "accepted: single, pair, triple, case, total"),
        ({"three_bv": "9..3"}, "is empty"),
        ({"three_bv": ".."}, "accepted: such as 160"),
        ({"openings": "many"}, "openings 'many' cannot be read"),
        ({"chain": -1}, "accepted: 0 or more"),
        ({"openigs": 3}, "did you mean openings"),
        ({"needs_total": True, "without_total": True}, "cannot both"),
    ],
)
def test_wishes_that_cannot_be_read_are_refused(wishes: dict[str, Any], message: str) -> None:
    with pytest.raises(mp.InputError) as refused:
        mp.generate(BOARD, wishes=wishes)
    assert message in str(refused.value)


@pytest.mark.parametrize("text", ["7", "3..9", "3..", "..9", "0"])
def test_ranges_read_back(text: str) -> None:
    assert IntRange.parse(text, "3BV").text == text


@pytest.mark.parametrize("text", [*HARDEST, "..pair", "pair..case", "case.."])
def test_techniques_read_back(text: str) -> None:
    assert Requirements.of(hardest=text).text == f"hardest={text}"


# ----------------------------------------------------------------------------
# The tables of docs/no-guess.md: what a stronger logic clears is never less.


ROOT = Path(__file__).parents[2]


def rows(*words: str) -> list[list[str]]:
    done = subprocess.run(
        [sys.executable, "tools/no_guess_table.py", *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return [line.strip("| ").split(" | ") for line in done.stdout.splitlines()]


def shares(row: list[str]) -> list[float]:
    found = [re.match(r"([\d.]+) % \(([\d.]+) to ([\d.]+)\)$", cell) for cell in row[1:]]
    assert all(found)
    for one in found:
        assert one is not None
        assert float(one[2]) <= float(one[1]) <= float(one[3])
    return [float(one[1]) for one in found if one is not None]


@needs_core
def test_stronger_logics_clear_more() -> None:
    head, _, *boards = rows("logics", "--deals", "24", "--played", "24")
    assert head[1:] == [
        "single-point", "pairs", "partition", "resolution", "full", "full with total"
    ]  # fmt: skip
    assert len(boards) == 6
    for row in boards:
        single, pairs, partition, resolution, full, with_total = shares(row)
        assert single <= pairs <= full <= with_total
        assert single <= partition <= full
        assert single <= resolution <= full


@needs_core
def test_denser_boards_are_rarer() -> None:
    _, _, *boards = rows("sizes", "--deals", "200")
    assert len(boards) == 24
    for first, last in zip(boards[::6], boards[5::6], strict=True):
        assert all(a > b for a, b in zip(shares(first), shares(last), strict=True))
