"""Shares from 0 to 1, read and written exactly: `0.2`, `20%`, `1/5`."""

from __future__ import annotations

import re
from fractions import Fraction
from numbers import Rational, Real
from typing import SupportsFloat

from mineproof.errors import RulesError, as_given, quoted

__all__ = ["check_share", "parse_share", "share_text"]

_SHARE = re.compile(r"(\d{0,9}\.?\d{1,17})(%?)")
_FINEST = 10**17
_RATIO = re.compile(r"(\d{1,17})/(\d{1,17})")


def parse_share(text: str, name: str = "density") -> Fraction:
    """A share from 0 to 1 written `0.2`, `20%` or `1/5`, exactly."""
    share: Fraction | None = None
    if match := _SHARE.fullmatch(text):
        share = Fraction(match[1]) / (100 if match[2] else 1)
    elif (match := _RATIO.fullmatch(text)) and int(match[2]):
        share = Fraction(int(match[1]), int(match[2]))
    if share is None:
        raise RulesError(
            f"{name} {quoted(text)} is not a number; accepted: 0.2, 20% or 1/5, from 0 to 1"
        )
    if share > 1:
        raise RulesError(f"{name} {quoted(text)} is out of range; accepted: 0 to 1")
    return check_share(share, name)


def check_share(share: SupportsFloat, name: str = "density") -> Fraction:
    """Return `share` if it lies in 0..1 and has an exact text; else raise a RulesError.

    A float stands for its shortest decimal: 0.1 is a tenth.
    """
    given: object = share
    if not isinstance(given, Real):
        raise RulesError(f"{name} {as_given(share)} is no number; accepted: 0 to 1, such as 0.2")
    if given < 0 or not given <= 1:  # not a number is neither
        raise RulesError(f"{name} {quoted(given)} is out of range; accepted: 0 to 1")
    exact = Fraction(given if isinstance(given, Rational) else repr(float(given)))
    if exact.denominator > _FINEST:
        raise RulesError(f"{name} {quoted(exact)} is too fine; accepted: up to 17 decimals")
    return exact


def share_text(share: Fraction) -> str:
    """The shortest exact text of a share: a decimal where one exists, else a ratio."""
    for digits in range(18):
        if (share * 10**digits).denominator == 1:
            whole, rest = divmod(int(share * 10**digits), 10**digits)
            return f"{whole}.{rest:0{digits}d}" if digits else str(whole)
    return f"{share.numerator}/{share.denominator}"
