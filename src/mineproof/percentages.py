"""Chances as people read them: one number, one wording, in every sentence and picture."""

from __future__ import annotations

__all__ = ["percent", "summed_percent", "whole_percent"]


def percent(chance: float) -> str:
    """A chance for people, with its sign: 0 % and 100 % only where that is certain."""
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f} %"
    if chance < 5e-5:
        return "<0.01 %"
    if chance > 1 - 5e-5:
        return ">99.99 %"
    return f"{100 * chance:.2f} %"


def whole_percent(chance: float) -> str:
    """A chance in at most three characters: whole per cent, 0 and 100 only where certain."""
    if chance in (0.0, 1.0):
        return f"{100 * chance:.0f}"
    if chance < 0.01:
        return "<1"
    return ">99" if chance > 0.99 else f"{100 * chance:.0f}"


def summed_percent(chances: float) -> str:
    """A sum of chances, which may be above 100 %."""
    return f"{100 * chances:.2f} %" if chances else "0 %"
