"""Deals: the shuffled order, the first-click rules, evenness, and the core against its twin."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from math import comb
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof import kernel
from mineproof.board import Board, Layout, Topology, deal
from mineproof.board.deal import check_room, kept_free
from mineproof.errors import BoardError
from mineproof.rng import MAX_SEED, Purpose, Stream
from mineproof.rules import FirstClick, Mines, Rules
from mineproof.testing import strategies

GOLDEN = Path(__file__).parent / "deals.txt"


@st.composite
def deals(draw: st.DrawFn) -> tuple[Topology, Mines, int, int, tuple[int, ...]]:
    topology = draw(strategies.topologies(most_cells=30))
    free = draw(st.sets(st.sampled_from(topology.cells), max_size=len(topology) - 1))
    room = len(topology) - len(free)
    mines = draw(
        st.one_of(
            st.integers(0, room).map(Mines.number),
            strategies.shares().map(Mines.independent),
            st.just(Mines.uniform()),
        )
    )
    seeds = st.integers(0, MAX_SEED)
    return topology, mines, draw(seeds), draw(seeds), tuple(sorted(free))


@settings(max_examples=150)
@given(deals())
def test_the_core_and_its_twin_deal_the_same(arguments) -> None:
    layout = deal(*arguments)
    core, kernel.core = kernel.core, None
    try:
        assert deal(*arguments) == layout
    finally:
        kernel.core = core
    assert not any(layout.is_mine(cell) for cell in arguments[-1])


@settings(max_examples=100)
@given(deals())
def test_mines_are_the_first_of_a_shuffled_order_outside_the_free_cells(arguments) -> None:
    topology, mines, seed, index, free = arguments
    layout = deal(*arguments)
    if mines.chance is not None:
        return
    order = list(topology.cells)
    Stream(seed, index, Purpose.DEAL).shuffle(order)
    allowed = [cell for cell in order if cell not in free]
    assert set(layout.cells) == set(allowed[: layout.total])
    assert mines == Mines.uniform() or layout.total == mines.fixed(len(topology))


@settings(max_examples=50)
@given(deals())
def test_an_independent_deal_asks_every_cell_on_its_own(arguments) -> None:
    topology, _, seed, index, free = arguments
    mines = Mines.independent(Fraction(1, 3))
    everywhere = deal(topology, mines, seed, index)
    beside = deal(topology, mines, seed, index, free)
    assert set(beside.cells) == set(everywhere.cells) - set(free)


def test_independent_deals_at_the_ends() -> None:
    board = Topology.parse("5x5")
    assert deal(board, Mines.independent(0), 1).total == 0
    assert deal(board, Mines.independent(1), 1).total == 25


def test_every_layout_is_equally_likely() -> None:
    board, mines = Topology.parse("2x4"), Mines.number(3)
    free = (2,)
    counts = Counter(tuple(deal(board, mines, 7, index, free).cells) for index in range(3500))
    layouts = comb(7, 3)
    assert len(counts) == layouts
    expected = 3500 / layouts
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 65.2  # the 0.1 % point with 34 degrees of freedom


def test_a_uniform_number_is_uniform() -> None:
    board = Topology.parse("2x4")
    counts = Counter(deal(board, Mines.uniform(), 3, index).total for index in range(4000))
    assert set(counts) == set(range(1, 9))
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 24.3


def test_an_independent_number_has_its_mean_and_spread() -> None:
    board = Topology.parse("4x5")
    totals = [deal(board, Mines.parse("~30%"), 3, index).total for index in range(3000)]
    mean = sum(totals) / 3000
    spread = sum((total - mean) ** 2 for total in totals) / 3000
    assert abs(mean - 6) < 0.15
    assert abs(spread - 4.2) < 0.4


def test_what_the_first_click_keeps_free() -> None:
    board = Topology.parse("3x3")
    assert kept_free(board, FirstClick.ANY, (4,)) == ()
    assert kept_free(board, FirstClick.SAFE, (4,)) == (4,)
    assert kept_free(board, FirstClick.OPENING, (0,)) == (0, 1, 3, 4)
    assert kept_free(board, FirstClick.OPENING, (0, 8)) == (0, 1, 3, 4, 5, 7, 8)


@pytest.mark.parametrize(
    ("board", "rule", "most"),
    [
        ("3x3", "any", 9),
        ("3x3", "safe", 8),
        ("3x3", "opening", 5),
        ("torus:3x3", "opening", 0),
        ("graph:0-1,2", "opening", 2),
    ],
)
def test_mines_need_room_beside_the_first_click(board: str, rule: str, most: int) -> None:
    topology = Topology.parse(board)
    check_room(topology, Rules.parse(f"mines={most} first-click={rule}"))
    with pytest.raises(BoardError, match=f"accepted: at most {most}"):
        check_room(topology, Rules.parse(f"mines={most + 1} first-click={rule}"))


def test_more_mines_than_room_are_refused() -> None:
    board = Topology.parse("2x2")
    with pytest.raises(BoardError, match="4 mines do not fit on 4 cells beside 1 kept free"):
        deal(board, Mines.number(4), 1, 0, (0,))
    with pytest.raises(BoardError, match="no cell is left"):
        deal(board, Mines.uniform(), 1, 0, (0, 1, 2, 3))


def golden_text() -> str:
    """Deals as a person reads them: board, seed, index, the cells kept free, then the mines."""
    blocks = []
    for name, seed, index, free in [
        ("beginner", 1, 0, ()),
        ("beginner", 1, 1, ()),
        ("beginner", 1, 0, (3, 11)),
        ("9x9/~20%", 1, 0, ()),
        ("5x5/uniform", 4, 2, ()),
        ("hex:7x7/10", 3, 0, ()),
        ("hexagon:3/5", 3, 0, ()),
        ("triangle:4x8/6", 3, 0, ()),
        ("square:4x4#1,1;2,2/4", 3, 0, ()),
    ]:
        board = Board.parse(name)
        layout: Layout = deal(board.topology, board.mines, seed, index, free)
        kept = f" free {' '.join(map(board.topology.cell_name, free))}" if free else ""
        blocks.append(f"{board.text} seed {seed} index {index}{kept}\n{layout}\n")
    return "\n".join(blocks)


def test_known_deals() -> None:
    assert golden_text() == GOLDEN.read_text()


def test_the_twins_alone_deal_the_known_deals() -> None:
    """A fresh interpreter without the core, as on a machine without a compiler."""
    program = (
        "import runpy; from mineproof import kernel; assert not kernel.available();"
        f"print(runpy.run_path({str(Path(__file__))!r})['golden_text'](), end='')"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "MINEPROOF_CORE": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout == GOLDEN.read_text()
