"""Layouts, their counts and measures, and deals: the definition, the core and its twin."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mineproof import kernel
from mineproof.board import Board, Layout, Topology, deal
from mineproof.board.layout import check_room, count_mines, measure, mine_free_cells
from mineproof.errors import BoardError, InputError, NotationError
from mineproof.rng import MAX_SEED, Purpose, Stream
from mineproof.rules import FirstClick, Mines, Rules
from mineproof.testing import strategies
from tests.core import needs_core


def naive_counts(layout: Layout) -> list[int]:
    topology = layout.topology
    return [sum(layout.is_mine(n) for n in topology.neighbours(c)) for c in topology.cells]


@given(strategies.layouts(strategies.topologies(most_cells=30)))
def test_counts_are_the_mines_around(layout: Layout) -> None:
    assert layout.counts.tolist() == naive_counts(layout)
    assert layout.total == len(layout.cells)
    assert Layout.of(layout.topology, layout.cells) == layout
    assert hash(Layout.of(layout.topology, layout.cells)) == hash(layout)
    core, kernel.core = kernel.core, None
    try:
        assert count_mines(layout.topology, layout.mines).tolist() == naive_counts(layout)
    finally:
        kernel.core = core


def test_a_layout_prints_its_mines_and_clues() -> None:
    assert str(Layout.of(Topology.parse("3x3#0,2"), [0])) == "*1#\n110\n000"
    wide = Layout.of(Topology.parse("cube:3x3x3"), [c for c in range(27) if c != 13])
    assert str(wide).splitlines()[4] == "* 26 *"


def test_a_layout_cannot_be_changed() -> None:
    mines = np.zeros(4, dtype=np.uint8)
    layout = Layout(Topology.parse("2x2"), mines)
    mines[0] = 1
    assert layout.total == 0
    for array in (layout.mines, layout.counts):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_layouts_that_do_not_fit_are_refused() -> None:
    board = Topology.parse("2x2")
    with pytest.raises(InputError):
        Layout.of(board, [4])
    with pytest.raises(InputError, match="accepted: an array of 4 bytes"):
        Layout(board, np.zeros(5, dtype=np.uint8))
    with pytest.raises(InputError, match="accepted: an array of 4 bytes"):
        Layout(board, np.zeros(4, dtype=np.int64))


# ------------------------------------------------------------------------------ layouts as texts


@given(strategies.layouts(strategies.topologies(most_cells=30)))
def test_a_layout_reads_back(layout: Layout) -> None:
    assert Layout.parse(layout.text) == layout
    as_reports_print = "\n".join(
        " ".join(
            "#" if cell is None else "-1" if layout.is_mine(cell) else str(layout.counts[cell])
            for cell in row
        )
        for row in layout.topology.rows()
    )
    header = layout.text.partition("\n")[0]
    assert Layout.parse(f"# a comment\n\n{header}\n\n{as_reports_print}") == layout


def test_rows_alone_are_a_square_board() -> None:
    texts = ("*2#\n.2*", "-1 2 #\n1 2 -1\n", "# of our own\n\n * . #\n\n . . *")
    assert set(map(Layout.parse, texts)) == {Layout.of("2x3#0,2", [0, 4])}
    assert Layout.parse("*\n.\n.").topology.text == "square:3x1"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", None, "the layout is empty"),
        ("*1\n1", 2, "a row of 1 cells; this row of square 2x2 has 2"),
        ("hex 2x2\n*1", 2, "1 rows; hex 2x2 has 2"),
        ("hex\n*1", 1, "no header of a layout"),
        ("hexes 2x2\n..\n..", 1, "unknown topology 'hexes'"),
        ("square 0x2", 1, "0x2"),
        ("square 2x2\n\n*1\n12", 4, "clue 2 at 1,1, where 1 mines touch"),
        ("*1\n1t", 2, "unknown mark 't'; accepted: \\* or -1 for a mine"),
        ("##\n##", 1, "every cell is blocked"),
        ("graph missing.txt\n..", 1, "cannot be read here"),
    ],
)
def test_broken_layouts_name_their_line(text: str, line: int | None, said: str) -> None:
    with pytest.raises(NotationError, match=said) as caught:
        Layout.parse(text)
    assert caught.value.line == line


@given(st.text(alphabet="*.#01-2 \nhexsquar:", max_size=40))
def test_any_text_is_a_layout_or_refused(text: str) -> None:
    try:
        layout = Layout.parse(text)
    except InputError:
        return
    assert Layout.parse(layout.text) == layout


# ----------------------------------------- 3BV, openings and islands, by hand and against clicking


@pytest.mark.parametrize(
    ("board", "mines", "expected"),
    [
        ("3x3", [], (1, 1, 0)),
        ("3x3", [4], (8, 0, 1)),
        ("1x5", [2], (2, 2, 0)),
        ("1x3", [1], (2, 0, 2)),
        ("2x2", [0, 1, 2, 3], (0, 0, 0)),
        # Two corners do not touch the centre and are openings; the other two stay alone.
        ("hex:3x3", [4], (4, 2, 2)),
    ],
)
def test_by_hand(board: str, mines: list[int], expected: tuple[int, int, int]) -> None:
    found = measure(Layout.of(Topology.parse(board), mines))
    assert (found.three_bv, found.openings, found.islands) == expected


@pytest.mark.parametrize("name", ["expert", "hex:9x9/15", "torus:8x8/9", "cube:4x4x4/6"])
def test_three_bv_is_the_number_of_clicks(name: str) -> None:
    """Openings are clicked first, each whole; then every safe cell that is still hidden."""
    board = Board.parse(name)
    topology = board.topology
    layout = deal(topology, board.mines, 5)
    opened: set[int] = set()
    clicks = 0
    for zeros_first in (True, False):
        for cell in topology.cells:
            if cell in opened or layout.is_mine(cell) or (zeros_first and layout.counts[cell]):
                continue
            clicks += 1
            waiting = [cell]
            while waiting:
                here = waiting.pop()
                if here not in opened:
                    opened.add(here)
                    if not layout.counts[here]:
                        waiting += topology.neighbours(here)
    assert clicks == measure(layout).three_bv


# ------------------------------------------------------------------------------------------- deals

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
    assert mine_free_cells(board, FirstClick.ANY, (4,)) == ()
    assert mine_free_cells(board, FirstClick.SAFE, (4,)) == (4,)
    assert mine_free_cells(board, FirstClick.OPENING, (0,)) == (0, 1, 3, 4)
    assert mine_free_cells(board, FirstClick.OPENING, (0, 8)) == (0, 1, 3, 4, 5, 7, 8)


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


# --------------------------------------------- the definition of deals and counts, in plain Python

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15
DEAL = 1
SEEDS = st.integers(0, MASK)


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def numbers(seed: int, index: int, purpose: int) -> Iterator[int]:
    state = 0
    for part in (seed, index, purpose):
        state = mix((state + part + GAMMA) & MASK)
    while True:
        state = (state + GAMMA) & MASK
        yield mix(state)


def below(draws: Iterator[int], bound: int) -> int:
    while True:
        high, low = divmod(next(draws) * bound, 2**64)
        if low >= (2**64 - bound) % bound:
            return high


def plain_deal_number(seed: int, index: int, excluded: list[int], count: int) -> list[int]:
    draws = numbers(seed, index, DEAL)
    order = list(range(len(excluded)))
    mines = [0] * len(excluded)
    i = 0
    while sum(mines) < count:
        j = i + below(draws, len(order) - i)
        order[i], order[j] = order[j], order[i]
        mines[order[i]] = int(not excluded[order[i]])
        i += 1
    return mines


def plain_deal_independent(seed: int, index: int, excluded: list[int], threshold: int) -> list[int]:
    draws = numbers(seed, index, DEAL)
    return [int(next(draws) < threshold and not out) for out in excluded]


def square(rows: int, cols: int) -> list[list[int]]:
    return [
        [
            r * cols + c
            for r in range(max(row - 1, 0), min(row + 2, rows))
            for c in range(max(col - 1, 0), min(col + 2, cols))
            if (r, c) != (row, col)
        ]
        for row in range(rows)
        for col in range(cols)
    ]


def packed(neighbours: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    offsets = np.cumsum([0, *map(len, neighbours)], dtype=np.int32)
    return offsets, np.array([cell for row in neighbours for cell in row], np.int32)


def array(values: list[int]) -> np.ndarray:
    return np.array(values, np.uint8)


# ------------------------------------------------------------------------------------ same results


@st.composite
def plain_deals(draw: st.DrawFn) -> tuple[int, int, list[int], int]:
    excluded = draw(st.lists(st.integers(0, 1), max_size=60))
    count = draw(st.integers(0, excluded.count(0)))
    return draw(SEEDS), draw(SEEDS), excluded, count


@needs_core
@given(plain_deals())
def test_deal_number_is_the_definition(deal: tuple[int, int, list[int], int]) -> None:
    seed, index, excluded, count = deal
    mines = kernel.core.deal_number(seed, index, array(excluded), count)
    assert mines.dtype == np.uint8
    assert mines.tolist() == plain_deal_number(seed, index, excluded, count)


@needs_core
@pytest.mark.parametrize("seed", [0, 1, 7, 2**63, MASK])
def test_expert_boards_are_the_definition(seed: int) -> None:
    excluded = [0] * 480
    excluded[0] = excluded[1] = excluded[30] = excluded[31] = 1
    for index in range(40):
        mines = kernel.core.deal_number(seed, index, array(excluded), 99)
        assert mines.tolist() == plain_deal_number(seed, index, excluded, 99)


@needs_core
def test_a_known_deal() -> None:
    """Ground truth: were this to change, every published result would."""
    mines = kernel.core.deal_number(7, 0, np.zeros(20, np.uint8), 5)
    assert np.flatnonzero(mines).tolist() == [2, 9, 10, 14, 18]


@needs_core
@given(
    SEEDS,
    SEEDS,
    st.lists(st.integers(0, 1), max_size=60),
    st.one_of(st.integers(0, 2**64), st.sampled_from([0, 1, MASK, 2**64])),
)
def test_deal_independent_is_the_definition(
    seed: int, index: int, excluded: list[int], threshold: int
) -> None:
    mines = kernel.core.deal_independent(seed, index, array(excluded), threshold)
    assert mines.tolist() == plain_deal_independent(seed, index, excluded, threshold)


@needs_core
def test_excluding_a_cell_changes_no_other_of_an_independent_deal() -> None:
    excluded = np.zeros(100, np.uint8)
    whole = kernel.core.deal_independent(3, 4, excluded, 2**62)
    excluded[50] = 1
    part = kernel.core.deal_independent(3, 4, excluded, 2**62)
    assert np.delete(whole, 50).tolist() == np.delete(part, 50).tolist()


@needs_core
@given(st.integers(1, 12), st.integers(1, 12), SEEDS)
def test_counts_are_the_definition(rows: int, cols: int, seed: int) -> None:
    neighbours = square(rows, cols)
    mines = kernel.core.deal_independent(seed, 0, np.zeros(rows * cols, np.uint8), 2**63)
    counts = kernel.core.count_mines(*packed(neighbours), mines)
    assert counts.tolist() == [sum(int(mines[c]) for c in row) for row in neighbours]


@needs_core
def test_any_byte_but_zero_is_a_mine() -> None:
    offsets, targets = packed(square(2, 2))
    counts = kernel.core.count_mines(offsets, targets, array([255, 200, 0, 0]))
    assert counts.tolist() == [1, 1, 2, 2]


@needs_core
def test_many_deals_are_single_deals() -> None:
    rows, cols, count = 5, 7, 9
    offsets, targets = packed(square(rows, cols))
    excluded = np.zeros(rows * cols, np.uint8)
    excluded[3] = 1
    mines, clues = kernel.core.deal_many(11, MASK - 1, 5, offsets, targets, excluded, count)
    assert mines.shape == clues.shape == (5, rows * cols)
    for game in range(5):
        index = (MASK - 1 + game) & MASK
        assert mines[game].tolist() == kernel.core.deal_number(11, index, excluded, count).tolist()
        single = np.ascontiguousarray(mines[game])
        assert clues[game].tolist() == kernel.core.count_mines(offsets, targets, single).tolist()


@needs_core
def test_no_games_and_no_cells() -> None:
    offsets, targets = packed(square(2, 2))
    none = np.zeros(0, np.uint8)
    assert kernel.core.deal_many(1, 0, 0, offsets, targets, np.zeros(4, np.uint8), 1)[0].size == 0
    assert kernel.core.deal_number(1, 0, none, 0).size == 0
    empty = np.zeros(1, np.int32), np.zeros(0, np.int32)
    assert kernel.core.count_mines(*empty, none).size == 0
    assert kernel.core.deal_many(1, 0, 3, *empty, none, 0)[1].size == 0


# -------------------------------------------------------------------------------------- statistics


@needs_core
def test_every_cell_and_pair_is_dealt_evenly() -> None:
    """6 cells, 2 mines: 15 layouts, each within 5 standard deviations of its share."""
    games = 30_000
    offsets, targets = packed(square(2, 3))
    mines, _ = kernel.core.deal_many(2, 0, games, offsets, targets, np.zeros(6, np.uint8), 2)
    assert (mines.sum(axis=1) == 2).all()
    layouts = np.bincount(mines @ (1 << np.arange(6)), minlength=64)
    found = layouts[layouts > 0]
    assert len(found) == 15
    expected = games / 15
    assert (abs(found - expected) < 5 * (expected * 14 / 15) ** 0.5).all()


@needs_core
def test_an_independent_deal_has_its_density() -> None:
    mines = kernel.core.deal_independent(5, 0, np.zeros(100_000, np.uint8), 2**64 // 5)
    assert abs(int(mines.sum()) - 20_000) < 5 * (100_000 * 0.2 * 0.8) ** 0.5


# --------------------------------------------------------------------------------------- bad input

FREE = np.zeros(4, np.uint8)
GRID = packed(square(2, 2))


def with_value(values: np.ndarray, place: int, value: int) -> np.ndarray:
    changed = values.copy()
    changed[place] = value
    return changed


@needs_core
@pytest.mark.parametrize(
    "excluded",
    [
        FREE.astype(float),
        FREE.astype(np.int64),
        FREE.astype(bool),
        FREE.reshape(2, 2),
        np.zeros(8, np.uint8)[::2],
        [0, 0, 0, 0],
        None,
    ],
    ids=["float", "int64", "bool", "two dimensions", "strided", "list", "None"],
)
def test_other_arrays_are_refused(excluded: object) -> None:
    for deal_in_core in (kernel.core.deal_number, kernel.core.deal_independent):
        with pytest.raises(TypeError):
            deal_in_core(1, 0, excluded, 1)  # type: ignore[arg-type]


@needs_core
@pytest.mark.parametrize("number", [-1, 2**64, 1.5, "1"])
def test_other_numbers_are_refused(number: object) -> None:
    for arguments in ((number, 0, FREE, 1), (0, number, FREE, 1), (0, 0, FREE, number)):
        with pytest.raises((TypeError, ValueError)):
            kernel.core.deal_number(*arguments)  # type: ignore[arg-type]


@needs_core
@pytest.mark.parametrize("threshold", [-1, 2**64 + 1, 2**200])
def test_thresholds_out_of_range_are_refused(threshold: int) -> None:
    with pytest.raises(ValueError, match=r"2\*\*64"):
        kernel.core.deal_independent(0, 0, FREE, threshold)


@needs_core
def test_the_core_refuses_more_mines_than_room() -> None:
    with pytest.raises(ValueError, match="5 mines do not fit into 4 free cells"):
        kernel.core.deal_number(0, 0, FREE, 5)
    with pytest.raises(ValueError, match="4 mines do not fit into 3 free cells"):
        kernel.core.deal_number(0, 0, with_value(FREE, 0, 255), 4)
    with pytest.raises(ValueError, match="do not fit"):
        kernel.core.deal_many(0, 0, 1, *GRID, FREE, MASK)


@needs_core
@pytest.mark.parametrize(
    ("offsets", "targets", "message"),
    [
        (np.zeros(0, np.int32), GRID[1], "empty"),
        (with_value(GRID[0], 0, 1), GRID[1], r"offsets\[0\]"),
        (with_value(GRID[0], 0, -1), GRID[1], r"offsets\[0\]"),
        (with_value(GRID[0], 2, 1), GRID[1], r"offsets\[2\]"),
        (with_value(GRID[0], 4, 13), GRID[1], "offsets ends at 13"),
        (with_value(GRID[0], 4, 2**31 - 1), GRID[1], "neighbours"),
        (GRID[0], GRID[1][:-1], "11 targets"),
        (GRID[0], with_value(GRID[1], 5, 4), r"targets\[5\] is 4; cells are 0 to 3"),
        (GRID[0], with_value(GRID[1], 5, -1), r"targets\[5\] is -1"),
    ],
)
def test_broken_neighbours_are_refused(
    offsets: np.ndarray, targets: np.ndarray, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        kernel.core.count_mines(offsets, targets, FREE)
    with pytest.raises(ValueError, match=message):
        kernel.core.deal_many(0, 0, 1, offsets, targets, FREE, 1)


@needs_core
def test_a_cell_with_too_many_neighbours_is_refused() -> None:
    star = [list(range(1, 257)), *([0] for _ in range(256))]
    with pytest.raises(ValueError, match="cell 0 has 256 neighbours; at most 255"):
        kernel.core.count_mines(*packed(star), np.ones(257, np.uint8))


@needs_core
def test_sizes_that_disagree_are_refused() -> None:
    with pytest.raises(ValueError, match="mines has 5 cells; expected 4"):
        kernel.core.count_mines(*GRID, np.zeros(5, np.uint8))
    with pytest.raises(ValueError, match="excluded has 3 cells; expected 4"):
        kernel.core.deal_many(0, 0, 1, *GRID, np.zeros(3, np.uint8), 1)


@needs_core
@pytest.mark.parametrize("games", [2**31, 2**62, MASK])
def test_tables_that_would_not_fit_are_refused(games: int) -> None:
    with pytest.raises(ValueError, match=r"2\*\*31"):
        kernel.core.deal_many(0, 0, games, *GRID, FREE, 1)


# -- whole boards of other programs, decoded a second way: by numbers and by slices --


def square_boards() -> st.SearchStrategy[Layout]:
    shapes = st.tuples(st.integers(1, 20), st.integers(1, 20))
    return shapes.flatmap(
        lambda shape: st.sets(st.integers(0, shape[0] * shape[1] - 1)).map(
            lambda mines: Layout.of(f"{shape[0]}x{shape[1]}", mines)
        )
    )


@given(square_boards())
def test_links_and_board_files_hold_the_layout(layout: Layout) -> None:
    height, width = layout.topology.lattice.dimensions
    size, code = layout.link.partition("?b=")[2].split("&m=")
    bits = bin(int("1" + code, 32))[2:][1:]
    # int() puts five bits to a digit as well; the leading 1 keeps the zeros.
    bits = bits.rjust(5 * len(code), "0")
    assert [at for at, bit in enumerate(bits) if bit == "1"] == list(layout.cells)
    known = {"1": (9, 9), "2": (16, 16), "3": (30, 16)}
    assert known.get(size) or (int(size[: len(size) // 2]), int(size[len(size) // 2 :])) == (
        width,
        height,
    )
    data = layout.mbf
    assert (data[0], data[1], data[2] * 256 + data[3]) == (width, height, layout.total)
    assert {(row, col) for col, row in zip(data[4::2], data[5::2], strict=True)} == {
        divmod(cell, width) for cell in layout.cells
    }
    for text in (layout.link, f"b={size}&m={code}", f"page.html?c=0&b={size}&m={code}"):
        assert Layout.parse(text) == layout
        assert Layout.read(text) == layout
    assert Layout.parse(data.hex(" ")) == layout


@pytest.mark.parametrize("name", ["board.mbf", "board.ABF"])
def test_a_board_file_is_read(tmp_path: Path, name: str) -> None:
    layout = Layout.of("16x30", range(0, 480, 5))
    (tmp_path / name).write_bytes(layout.mbf)
    assert Layout.read(tmp_path / name) == layout


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\x03\x03", "2 bytes; accepted: an MBF board file"),
        (b"\x03\x03\x00\x02\x00\x00", "3 columns, 3 rows and 2 mines, then 2 bytes"),
        (b"\x00\x03\x00\x00", "0 columns"),
        (b"\x03\x03\x00\x01\x00\x03", "a mine in row 3, column 0 of 3x3 cells"),
        (b"\x03\x03\x00\x02\x00\x00\x00\x00", "two mines in one cell"),
    ],
)
def test_a_broken_board_file_is_one_line(tmp_path: Path, data: bytes, said: str) -> None:
    file = tmp_path / "board.mbf"
    file.write_bytes(data)
    with pytest.raises(NotationError, match=said) as caught:
        Layout.read(file)
    assert str(caught.value).startswith(str(file))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("b=4&m=0", "b='4'; accepted: 1 for 9x9"),
        ("b=301&m=0", "accepted: 1 for 9x9"),
        ("b=1&m=", "accepted: b=1"),
        ("b=22&m=z", "accepted: 1 characters from 0"),
        ("b=22&m=1", "a mine past its 4 cells"),
        ("b=0909&m=0", "accepted: 17 characters"),
        ("b=00&m=0", "0x0"),
    ],
)
def test_a_broken_link_of_a_board_is_one_line(text: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        Layout.parse(text)


@pytest.mark.parametrize("board", ["hex:3x3", "square:3x3#0,0", "1x1000"])
def test_what_links_cannot_hold_is_refused(board: str) -> None:
    layout = Layout.of(board, [0])
    with pytest.raises(InputError, match="accepted: a square board without blocked cells"):
        print(layout.link)
    with pytest.raises(InputError, match="accepted: a square board without blocked cells"):
        print(layout.mbf)
