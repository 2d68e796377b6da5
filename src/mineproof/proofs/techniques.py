"""Techniques: the names that players give to arguments, each with its rung on a ladder.

`mineproof.proofs.sentences` picks the name when it writes an argument; the rating of difficulty
and the checker read the rung.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from mineproof.errors import InputError, quoted

if TYPE_CHECKING:
    from mineproof.proofs.premises import Premise


class Ladder(IntEnum):
    """The rungs, from the simplest."""

    SINGLE_CLUE = 1
    TWO_CLUES = 2
    SEVERAL_CLUES = 3
    CASE_SPLIT = 4
    MINE_COUNT = 5


_NAMES = {
    "single clue": Ladder.SINGLE_CLUE,
    "subset": Ladder.TWO_CLUES,
    "1-1 pattern": Ladder.TWO_CLUES,
    "1-2 pattern": Ladder.TWO_CLUES,
    "two clues": Ladder.TWO_CLUES,
    "case split": Ladder.CASE_SPLIT,
    "mine count": Ladder.MINE_COUNT,
    "first click": Ladder.SINGLE_CLUE,
}
_SEVERAL = re.compile(r"([1-9]\d{0,8}) clues")


@dataclass(frozen=True)
class Technique:
    """A technique by its name, such as `1-2 pattern` or `4 clues`, and its rung."""

    name: str
    rung: Ladder

    @classmethod
    def parse(cls, name: str) -> Technique:
        """The technique of a name. Raises InputError."""
        if name in _NAMES:
            return cls(name, _NAMES[name])
        if _SEVERAL.fullmatch(name):
            return cls(name, Ladder.SEVERAL_CLUES)
        raise InputError(
            f"technique {quoted(name)} is unknown; accepted: {', '.join(_NAMES)}, 3 clues"
        )

    def __str__(self) -> str:
        return self.name


def pattern_name(one: Premise, two: Premise, cell: int, mine: bool) -> str:
    """What players call an argument from two clues that forces a cell."""
    for small, large in ((one, two), (two, one)):
        a, b = set(small.cells), set(large.cells)
        if cell in a or cell not in b:
            continue
        if small.high == 0 or small.low == len(a):
            return "two clues"
        exact = small.low == small.high and large.low == large.high
        counts = (small.low, large.low)
        if exact and mine and counts == (1, 2) and len(b - a) == 1:
            return "1-2 pattern"
        if a < b:
            return "1-1 pattern" if exact and not mine and counts == (1, 1) else "subset"
    return "two clues"
