"""The numbers of a comparison as people read them: shares in per cent, differences in points."""

from __future__ import annotations

from mineproof.lab.bootstrap import Mean
from mineproof.lab.statistics import Paired

__all__ = ["difference_texts", "reached_texts"]


def reached_texts(reached: Mean, scored: bool) -> tuple[str, str]:
    """A value and its interval; shares of games won in per cent."""
    scale, digits = (1, 3) if scored else (100, 1)
    value, low, high = (scale * one for one in (reached.value, *reached.interval))
    return f"{value:.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"


def difference_texts(pair: Paired) -> tuple[str, str, str]:
    """The difference, its interval and its p-value; shares of games won in points."""
    found = pair if pair.scores is None else pair.scores
    scale, digits = (100, 1) if pair.scores is None else (1, 3)
    value, low, high = (scale * one for one in (found.difference, *found.interval))
    p_value = f"p = {found.p_value:.3f}" if found.p_value >= 0.001 else "p < 0.001"
    return f"{value:+.{digits}f}", f"{low:+.{digits}f} to {high:+.{digits}f}", p_value
