"""Whole numbers as callers hand them over: of Python or of numpy, and nothing else."""

from __future__ import annotations

import operator
from typing import SupportsIndex

from mineproof.errors import InputError, as_given

__all__ = ["whole"]


def whole(value: SupportsIndex, name: str) -> int:
    """`value` as an int; the message names it. Raises InputError for what is no whole number.

    >>> whole(7, "seed")
    7
    """
    try:
        return int(operator.index(value))
    except TypeError:
        raise InputError(
            f"{name} {as_given(value)} is no whole number; accepted: such as 7"
        ) from None
