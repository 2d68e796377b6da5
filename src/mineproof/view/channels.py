"""A clue is a likelihood: a channel says P(shown | true count) for every cell.

| channel | what an opened cell with `true` mines among `neighbours` shows |
|---|---|
| `exact` | the true count |
| `withheld:P` | nothing with probability P, else the true count |
| `optimistic` | a number uniform on 0..true |
| `cautious` | a number uniform on true..neighbours |
| `noisy:P` | with probability P one more or one less (each half), clipped to 0..neighbours |
| `table:ROWS` | what its rows say (see `mineproof.view.clue_table`) |

Likelihoods are exact fractions; `None` stands for a cell opened without a clue.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import RulesError, quoted
from mineproof.registry import Catalog
from mineproof.rng import Stream
from mineproof.rules import parse_share, share_text
from mineproof.view.clue_table import ClueTable
from mineproof.view.marks import MAX_CLUE, UNREAD, Mark

__all__ = [
    "CHANNELS",
    "EXACT",
    "Channel",
    "bounds",
    "channel",
    "check_channel",
    "proves_zero",
    "show",
    "speaks",
    "unread",
]


class Channel(Protocol):
    """P(shown | true count), for a cell with a number of neighbours."""

    @property
    def text(self) -> str:
        """The text that `channel` reads back."""
        ...

    @property
    def tells_missing(self) -> bool:
        """Whether a missing clue is evidence: it depends on the count, or cannot be."""
        ...

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction: ...

    def __hash__(self) -> int: ...


class Exact:
    """Every clue is true."""

    text = "exact"
    tells_missing = False

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        return Fraction(shown == true)


class Withheld:
    """A clue is left out with probability `share`, and true otherwise."""

    def __init__(self, share: Fraction) -> None:
        self.share = share
        self.text = f"withheld:{share_text(share)}"
        self.tells_missing = not share

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        if shown is None:
            return self.share
        return (1 - self.share) * (shown == true)


class Optimistic:
    """A clue never says too much: uniform on 0..true."""

    text = "optimistic"
    tells_missing = False

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        return Fraction(shown is not None and 0 <= shown <= true, true + 1)


class Cautious:
    """A clue never says too little: uniform on true..neighbours."""

    text = "cautious"
    tells_missing = False

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        possible = shown is not None and true <= shown <= neighbours
        return Fraction(possible, neighbours - true + 1)


class Noisy:
    """A clue is off by one with probability `share`, up or down equally often, and clipped."""

    tells_missing = False

    def __init__(self, share: Fraction) -> None:
        self.share = share
        self.text = f"noisy:{share_text(share)}"

    def likelihood(self, shown: int | None, true: int, neighbours: int) -> Fraction:
        chance = (1 - self.share) * (shown == true)
        for other in (max(true - 1, 0), min(true + 1, neighbours)):
            chance += self.share / 2 * (shown == other)
        return chance


EXACT: Channel = Exact()

CHANNELS: Catalog[Callable[[str | None], Channel]] = Catalog("clue channel")


def _plain(name: str, made: Channel) -> None:
    def build(parameter: str | None) -> Channel:
        if parameter is not None:
            raise RulesError(f"clues {name} takes no parameter, not {quoted(parameter)}")
        return made

    CHANNELS.add(name, build)


def _with_share(name: str, kind: Callable[[Fraction], Channel]) -> None:
    def build(parameter: str | None) -> Channel:
        if parameter is None:
            raise RulesError(f"clues {name} needs a probability; accepted: such as {name}:0.3")
        return kind(parse_share(parameter, f"the probability of {name}"))

    CHANNELS.add(name, build)


_plain("exact", EXACT)
_with_share("withheld", Withheld)
_plain("optimistic", Optimistic())
_plain("cautious", Cautious())
_with_share("noisy", Noisy)
CHANNELS.add("table", ClueTable.parse)


@lru_cache(maxsize=64)
def channel(text: str) -> Channel:
    """The channel for a text such as `exact` or `withheld:0.3`. Raises RulesError, UnknownName."""
    name, colon, parameter = text.partition(":")
    return CHANNELS[name](parameter if colon else None)


def check_channel(text: str, degrees: NDArray[np.int32]) -> None:
    """Raise RulesError if a channel cannot be read, or does not serve a board's cells."""
    through = channel(text)
    if isinstance(through, ClueTable):
        through.check(np.unique(degrees).tolist())


def speaks(through: Channel, code: int) -> bool:
    """Whether what an opened cell shows, as its byte, is evidence of the mines around it."""
    return code <= MAX_CLUE or (code == Mark.BLANK.value and through.tells_missing)


def unread(through: Channel) -> int:
    """The byte of a cell that is open and safe and says nothing else."""
    return UNREAD if through.tells_missing else Mark.BLANK.value


@lru_cache(maxsize=4096)
def bounds(through: Channel, shown: int | None, neighbours: int) -> tuple[int, int]:
    """The least and the greatest true count that a shown clue leaves possible.

    (1, 0), an empty range, if it leaves none.
    """
    possible = [t for t in range(neighbours + 1) if through.likelihood(shown, t, neighbours)]
    return (possible[0], possible[-1]) if possible else (1, 0)


@lru_cache(maxsize=4096)
def proves_zero(through: Channel, neighbours: int) -> bool:
    """Whether a shown 0 proves that no neighbour is a mine."""
    return all(not through.likelihood(0, true, neighbours) for true in range(1, neighbours + 1))


def show(through: Channel, true: int, neighbours: int, stream: Stream) -> int | None:
    """Draw what a cell shows; None for no clue."""
    if through is EXACT:
        return true
    options: list[int | None] = [None, *range(neighbours + 1)]
    left = Fraction(stream.next(), 2**64)
    for option in options:
        left -= through.likelihood(option, true, neighbours)
        if left < 0:
            return option
    raise AssertionError(f"likelihoods of {through.text} do not sum to 1")
