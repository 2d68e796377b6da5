"""Numbers and lists as sentences say them."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["listed", "mines_word", "number_word", "plural", "upper_first"]

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(number: int) -> str:
    """Small numbers as words, `no` for 0."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def plural(number: int) -> str:
    """The `s` of a noun."""
    return "" if number == 1 else "s"


def mines_word(count: int) -> str:
    """`one mine`, `two mines`."""
    return f"{number_word(count)} mine{plural(count)}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Words in a row: `a`, `a and b`, `a, b and c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]
