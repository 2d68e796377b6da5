"""Boards without guesses: they are, for every topology; and which of them is drawn, is fair."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

import mineproof as mp
from mineproof import kernel
from mineproof.generation import keeping, no_guess
from mineproof.generation.beginning import Beginning
from mineproof.generation.clearing import clears_all, play_certain
from mineproof.generation.keeping import keep
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
    beginning = Beginning.of(board, first_click=first_click)
    number = 60
    kept = keep(beginning, seed=5, start=10, deals=number, count=number)
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
    beginning = Beginning.of(board)
    deals = 12 if beginning.mines > 50 else 40
    by_core = keep(beginning, 3, 0, deals, 5)
    monkeypatch.setattr(kernel, "available", lambda: False)
    assert keep(beginning, 3, 0, deals, 5) == by_core


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
    beginning = Beginning.of(board, first, first_click=first_click)
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
    assert keeping.keep(made.beginning, 1, 0, 300, 1).indices == []
