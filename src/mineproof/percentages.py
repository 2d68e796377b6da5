"""Chances as people read them: one number, one wording, in every sentence, page and picture.

A chance has one decimal wherever it is written: on the board, in a sentence, in a table. It is 0 or
100 only where that is certain. What was measured, such as a share of games won, has two.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

__all__ = ["estimated_percent", "percent", "rate_percent", "summed_percent", "whole_percent"]

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
