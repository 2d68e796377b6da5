"""Numbers and lists as people read them: one number, one wording, on every page and picture.

A chance has one decimal wherever it is written: on the board, in a sentence, in a table. It is 0 or
100 only where that is certain. What was measured, such as a share of games won, has two.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from math import sqrt
from typing import NamedTuple

_LEAST_ERROR = 0.001


def percent(chance: float) -> str:
    """A chance for people, with its sign: 0 % and 100 % only where that is certain."""
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f} %"
    if chance < 5e-4:
        return "<0.1 %"
    return ">99.9 %" if chance >= 1 - 5e-4 else f"{_rounded(chance)} %"


def estimated_percent(chance: float, low: float, high: float) -> str:
    """An estimated chance with its error, half the width of its interval: `34.1 ± 2.3 %`."""
    error = max((high - low) / 2, _LEAST_ERROR)
    return f"{_rounded(chance)} ± {_rounded(error)} %"


def _rounded(chance: float) -> Decimal:
    """Per cent, halves up: as browsers round, so that the page and its server write the same."""
    return Decimal(100 * chance).quantize(Decimal("0.1"), ROUND_HALF_UP)


def rate_percent(rate: float) -> str:
    """A share that was measured, such as that of games won: two decimals."""
    if rate in (0.0, 1.0):
        return f"{100 * rate:.0f} %"
    if rate < 5e-5:
        return "<0.01 %"
    return ">99.99 %" if rate > 1 - 5e-5 else f"{100 * rate:.2f} %"


def whole_percent(chance: float) -> str:
    """A chance in at most three characters: whole per cent, 0 and 100 only where certain."""
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f}"
    if chance < 0.01:
        return "<1"
    return ">99" if chance > 0.99 else f"{100 * chance:.0f}"


def summed_percent(chances: float) -> str:
    """A sum of chances, which may be above 100 %."""
    return percent(chances) if chances in (0.0, 1.0) else f"{100 * chances:.1f} %"


# -- Confidence intervals, and Wilson's for a share of games -------------------

Z95 = 1.959963984540054
"""The normal distribution has 95 % of its mass within this many standard deviations."""


class Interval(NamedTuple):
    """A 95 % interval."""

    low: float
    high: float


def wilson(won: int, played: int) -> Interval:
    """Wilson's interval for a share (1927); 0 to 1 if nothing was played.

    >>> interval = wilson(0, 100)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.0, 0.037)
    """
    return wilson_share(won / played, played) if played else Interval(0.0, 1.0)


def wilson_share(share: float, trials: float) -> Interval:
    """The same for a given share; the number of trials need not be whole.

    It stays within 0 and 1 and holds the share itself, whatever rounding does.
    """
    square = Z95**2 / trials
    middle = (share + square / 2) / (1 + square)
    half = Z95 * sqrt(share * (1 - share) / trials + square / (4 * trials)) / (1 + square)
    return Interval(max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half)))


# -- Numbers and lists as sentences say them -----------------------------------

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(number: int) -> str:
    """Small numbers as words, `no` for 0."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def plural(number: int) -> str:
    """The `s` of a noun."""
    return "" if number == 1 else "s"


def range_text(low: int, high: int) -> str:
    """`2`, or `1..3` where the ends differ."""
    return str(low) if low == high else f"{low}..{high}"


def many(number: int, noun: str) -> str:
    """`1 guess`, `2 guesses`, `0 steps`."""
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('s') else 's'}"


def mines_word(count: int) -> str:
    """`one mine`, `two mines`."""
    return f"{number_word(count)} mine{plural(count)}"


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Words in a row: `a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]
