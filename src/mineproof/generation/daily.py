"""The board of the day: everybody who asks on a date gets the same one."""

from __future__ import annotations

import re
from datetime import date

from mineproof.errors import InputError, quoted

__all__ = ["daily_seed", "day_of"]


def day_of(text: str) -> date:
    """The date of a text such as 2026-11-17. Raises InputError."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text, re.ASCII):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    raise InputError(f"date {quoted(text)} cannot be read; accepted: such as 2026-11-17")


def daily_seed(day: date) -> int:
    """The seed of a day: its digits, 20261117.

    >>> daily_seed(date(2026, 11, 17))
    20261117
    """
    return 10_000 * day.year + 100 * day.month + day.day
