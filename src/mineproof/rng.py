"""The generator behind every deal, shared bit for bit with the C++ core.

A `Stream` is named by (seed, index, purpose): game `index` of an experiment with seed `seed` draws
its mines from one stream, its clues from another and its agent's choices from a third. So nothing
an agent does can change the board it plays on. The sequence is SplitMix64 (Steele, Lea and Flood,
2014) started from a hash of the three numbers; `below` is Lemire's unbiased multiply-shift (2019).
`cpp/rng.hpp` is the same algorithm.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from enum import IntEnum
from typing import TypeVar

from mineproof.errors import InputError, as_int

__all__ = ["MAX_SEED", "Purpose", "Stream", "check_seed"]

T = TypeVar("T")

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
MAX_SEED = _MASK


class Purpose(IntEnum):
    """What a stream is for; streams of different purposes are independent."""

    DEAL = 1
    AGENT = 2
    CLUES = 3
    GIVEN = 4
    SAMPLE = 5
    NUMBER = 6
    REPAIR = 7
    GUESS = 8


def check_seed(value: int, name: str = "seed") -> int:
    """`value` as an int if it is a seed (0 to 2**64-1); else raise an InputError that names it."""
    number = as_int(value, name)
    if not 0 <= number <= MAX_SEED:
        raise InputError(f"{name} {number} is out of range; accepted: 0 to {MAX_SEED}")
    return number


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Stream:
    """A reproducible sequence of 64-bit numbers, named by (seed, index, purpose)."""

    __slots__ = ("_state",)

    def __init__(self, seed: int, index: int = 0, purpose: Purpose = Purpose.DEAL) -> None:
        state = _mix((check_seed(seed) + _GOLDEN) & _MASK)
        state = _mix((state + check_seed(index, "index") + _GOLDEN) & _MASK)
        self._state = _mix((state + purpose + _GOLDEN) & _MASK)

    def next(self) -> int:
        """The next number, uniform on 0..2**64-1."""
        self._state = (self._state + _GOLDEN) & _MASK
        return _mix(self._state)

    def below(self, bound: int) -> int:
        """A number uniform on 0..bound-1, without bias."""
        if not 0 < bound <= _MASK:
            raise ValueError(f"bound {bound} is not in 1..2**64-1")
        product = self.next() * bound
        low = product & _MASK
        # Lemire: only where the low half is below the bound can the draw be biased, so the slow
        # remainder is worked out there alone, and such a draw may be thrown away.
        if low < bound:
            threshold = ((1 << 64) - bound) % bound
            while low < threshold:
                product = self.next() * bound
                low = product & _MASK
        return product >> 64

    def uniform(self) -> float:
        """A number uniform on [0, 1), with 53 random bits."""
        # The upper bits: a double holds 53 of them exactly, so no number is rounded up to 1.
        return (self.next() >> 11) * 2.0**-53

    def choice(self, items: Sequence[T]) -> T:
        """One of `items`, each equally likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put `items` into a uniformly random order, in place."""
        for i in range(len(items) - 1):
            j = i + self.below(len(items) - i)
            items[i], items[j] = items[j], items[i]
