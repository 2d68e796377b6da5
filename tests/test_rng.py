"""The generator: known numbers, no bias, independent streams."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.errors import InputError
from mineproof.rng import MAX_SEED, Purpose, Stream, check_seed

# The first numbers of SplitMix64 from state 0 are published with its reference program.
FROM_STATE_ZERO = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]

GOLDEN = {
    (0, 0, Purpose.DEAL): [7108066972471032027, 17735179542603913674],
    (3, 0, Purpose.AGENT): [15880438060830392050, 8410289903132116254],
    (MAX_SEED, MAX_SEED, Purpose.CLUES): [13843033118502199204, 12368893080761804646],
}


def test_the_sequence_is_splitmix64() -> None:
    stream = Stream(0)
    stream._state = 0
    assert [stream.next() for _ in range(3)] == FROM_STATE_ZERO


@pytest.mark.parametrize("name", GOLDEN)
def test_known_numbers(name: tuple[int, int, Purpose]) -> None:
    stream = Stream(*name)
    assert [stream.next() for _ in range(2)] == GOLDEN[name]


def test_streams_of_other_names_differ() -> None:
    names = [
        (seed, index, purpose) for seed in range(5) for index in range(5) for purpose in Purpose
    ]
    assert len({Stream(*name).next() for name in names}) == len(names)


def chi_square(counts: Counter[object], options: int) -> float:
    expected = counts.total() / options
    missing = (options - len(counts)) * expected
    return missing + sum((count - expected) ** 2 / expected for count in counts.values())


@pytest.mark.parametrize("bound", [2, 3, 7, 10])
def test_below_is_even(bound: int) -> None:
    stream = Stream(1)
    counts = Counter(stream.below(bound) for _ in range(20_000))
    assert set(counts) == set(range(bound))
    # The 0.1 % point of chi-square with 9 degrees of freedom; fewer have a lower one.
    assert chi_square(counts, bound) < 27.9


def test_below_rejects_what_would_be_biased() -> None:
    """With a bound of 2/3 of the range a plain multiply-shift would favour half of the numbers."""
    bound = 2**65 // 3
    stream = Stream(5)
    low_bits = Counter(stream.below(bound) % 2 for _ in range(20_000))
    assert chi_square(low_bits, 2) < 10.9


@given(st.integers(0, MAX_SEED), st.integers(1, MAX_SEED))
def test_below_stays_below(seed: int, bound: int) -> None:
    stream = Stream(seed)
    assert all(0 <= stream.below(bound) < bound for _ in range(5))
    assert all(0 <= stream.uniform() < 1 for _ in range(5))


def test_shuffles_are_even() -> None:
    stream = Stream(2)
    counts: Counter[object] = Counter()
    for _ in range(12_000):
        items = [0, 1, 2, 3]
        stream.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24) < 49.8


def test_uniform_has_the_mean_of_its_range() -> None:
    stream = Stream(3)
    mean = sum(Fraction(stream.uniform()) for _ in range(10_000)) / 10_000
    assert abs(mean - Fraction(1, 2)) < Fraction(1, 80)


@pytest.mark.parametrize("value", [-1, MAX_SEED + 1, 10**100])
def test_seeds_out_of_range_are_refused(value: int) -> None:
    with pytest.raises(InputError, match=r"seed .* is out of range; accepted: 0 to"):
        check_seed(value)
    with pytest.raises(InputError, match="index"):
        Stream(0, value)


@pytest.mark.parametrize("bound", [0, -1, 2**64])
def test_bounds_out_of_range_are_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        Stream(0).below(bound)
