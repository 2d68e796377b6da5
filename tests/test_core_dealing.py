"""The core's generator, deals and counts against a plain transcription of their definition."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import kernel
from tests.core import needs_core

pytestmark = needs_core

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15
DEAL = 1
SEEDS = st.integers(0, MASK)


# ---------------------------------------------------------------- the definition, in plain Python


def mix(z: int) -> int:
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def numbers(seed: int, index: int, purpose: int) -> Iterator[int]:
    state = 0
    for part in (seed, index, purpose):
        state = mix((state + part + GOLDEN) & MASK)
    while True:
        state = (state + GOLDEN) & MASK
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
def deals(draw: st.DrawFn) -> tuple[int, int, list[int], int]:
    excluded = draw(st.lists(st.integers(0, 1), max_size=60))
    count = draw(st.integers(0, excluded.count(0)))
    return draw(SEEDS), draw(SEEDS), excluded, count


@given(deals())
def test_deal_number_is_the_definition(deal: tuple[int, int, list[int], int]) -> None:
    seed, index, excluded, count = deal
    mines = kernel.core.deal_number(seed, index, array(excluded), count)
    assert mines.dtype == np.uint8
    assert mines.tolist() == plain_deal_number(seed, index, excluded, count)


@pytest.mark.parametrize("seed", [0, 1, 7, 2**63, MASK])
def test_expert_boards_are_the_definition(seed: int) -> None:
    excluded = [0] * 480
    excluded[0] = excluded[1] = excluded[30] = excluded[31] = 1
    for index in range(40):
        mines = kernel.core.deal_number(seed, index, array(excluded), 99)
        assert mines.tolist() == plain_deal_number(seed, index, excluded, 99)


def test_a_known_deal() -> None:
    """Ground truth: were this to change, every published result would."""
    mines = kernel.core.deal_number(7, 0, np.zeros(20, np.uint8), 5)
    assert np.flatnonzero(mines).tolist() == [2, 9, 10, 14, 18]


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


def test_excluding_a_cell_changes_no_other_of_an_independent_deal() -> None:
    excluded = np.zeros(100, np.uint8)
    whole = kernel.core.deal_independent(3, 4, excluded, 2**62)
    excluded[50] = 1
    part = kernel.core.deal_independent(3, 4, excluded, 2**62)
    assert np.delete(whole, 50).tolist() == np.delete(part, 50).tolist()


@given(st.integers(1, 12), st.integers(1, 12), SEEDS)
def test_counts_are_the_definition(rows: int, cols: int, seed: int) -> None:
    neighbours = square(rows, cols)
    mines = kernel.core.deal_independent(seed, 0, np.zeros(rows * cols, np.uint8), 2**63)
    counts = kernel.core.count_mines(*packed(neighbours), mines)
    assert counts.tolist() == [sum(int(mines[c]) for c in row) for row in neighbours]


def test_any_byte_but_zero_is_a_mine() -> None:
    offsets, targets = packed(square(2, 2))
    counts = kernel.core.count_mines(offsets, targets, array([255, 200, 0, 0]))
    assert counts.tolist() == [1, 1, 2, 2]


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


def test_no_games_and_no_cells() -> None:
    offsets, targets = packed(square(2, 2))
    none = np.zeros(0, np.uint8)
    assert kernel.core.deal_many(1, 0, 0, offsets, targets, np.zeros(4, np.uint8), 1)[0].size == 0
    assert kernel.core.deal_number(1, 0, none, 0).size == 0
    empty = np.zeros(1, np.int32), np.zeros(0, np.int32)
    assert kernel.core.count_mines(*empty, none).size == 0
    assert kernel.core.deal_many(1, 0, 3, *empty, none, 0)[1].size == 0


# -------------------------------------------------------------------------------------- statistics


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


def test_an_independent_deal_has_its_density() -> None:
    mines = kernel.core.deal_independent(5, 0, np.zeros(100_000, np.uint8), 2**64 // 5)
    assert abs(int(mines.sum()) - 20_000) < 5 * (100_000 * 0.2 * 0.8) ** 0.5


# -------------------------------------------------------------------------------------- bad input

FREE = np.zeros(4, np.uint8)
GRID = packed(square(2, 2))


def with_value(values: np.ndarray, place: int, value: int) -> np.ndarray:
    changed = values.copy()
    changed[place] = value
    return changed


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
    for deal in (kernel.core.deal_number, kernel.core.deal_independent):
        with pytest.raises(TypeError):
            deal(1, 0, excluded, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 2**64, 1.5, "1"])
def test_other_numbers_are_refused(number: object) -> None:
    for arguments in ((number, 0, FREE, 1), (0, number, FREE, 1), (0, 0, FREE, number)):
        with pytest.raises((TypeError, ValueError)):
            kernel.core.deal_number(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [-1, 2**64 + 1, 2**200])
def test_thresholds_out_of_range_are_refused(threshold: int) -> None:
    with pytest.raises(ValueError, match=r"2\*\*64"):
        kernel.core.deal_independent(0, 0, FREE, threshold)


def test_more_mines_than_room_are_refused() -> None:
    with pytest.raises(ValueError, match="5 mines do not fit into 4 free cells"):
        kernel.core.deal_number(0, 0, FREE, 5)
    with pytest.raises(ValueError, match="4 mines do not fit into 3 free cells"):
        kernel.core.deal_number(0, 0, with_value(FREE, 0, 255), 4)
    with pytest.raises(ValueError, match="do not fit"):
        kernel.core.deal_many(0, 0, 1, *GRID, FREE, MASK)


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


def test_a_cell_with_too_many_neighbours_is_refused() -> None:
    star = [list(range(1, 257)), *([0] for _ in range(256))]
    with pytest.raises(ValueError, match="cell 0 has 256 neighbours; at most 255"):
        kernel.core.count_mines(*packed(star), np.ones(257, np.uint8))


def test_sizes_that_disagree_are_refused() -> None:
    with pytest.raises(ValueError, match="mines has 5 cells; expected 4"):
        kernel.core.count_mines(*GRID, np.zeros(5, np.uint8))
    with pytest.raises(ValueError, match="excluded has 3 cells; expected 4"):
        kernel.core.deal_many(0, 0, 1, *GRID, np.zeros(3, np.uint8), 1)


@pytest.mark.parametrize("games", [2**31, 2**62, MASK])
def test_tables_that_would_not_fit_are_refused(games: int) -> None:
    with pytest.raises(ValueError, match=r"2\*\*31"):
        kernel.core.deal_many(0, 0, games, *GRID, FREE, 1)
