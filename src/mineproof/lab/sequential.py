"""Is one agent stronger than another? A test that stops as soon as it can tell.

Only games that exactly one of the two wins tell them apart. If both are equally strong, each wins
half of those; `edge` is the share of them that the stronger one must win for the difference to
matter. Two of Wald's sequential probability ratio tests (1945) run side by side, for either agent
being the stronger one, with bounds that hold at any time (Ville's inequality):

- where both are equally strong, one is called stronger with chance at most `error`;
- where one wins `edge` of those games or more, anything else is said with chance at most `error`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.errors import InputError

__all__ = ["Decided", "SequentialJudge", "SequentialTest", "Stronger"]


class Stronger(Enum):
    """What a sequential test says."""

    FIRST = "the first is stronger"
    SECOND = "the second is stronger"
    NEITHER = "no difference of that size"
    OPEN = "undecided"


@dataclass(frozen=True)
class Decided:
    """What was said, after how many games, and of those how many only one agent won."""

    verdict: Stronger
    games: int
    only_a: int
    only_b: int

    def to_json(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict.value,
            "games": self.games,
            "only_a": self.only_a,
            "only_b": self.only_b,
        }


@dataclass(frozen=True)
class SequentialTest:
    """The test of this module with its two numbers. Raises InputError for impossible ones."""

    edge: float = 0.6
    error: float = 0.05

    def __post_init__(self) -> None:
        if not 0.5 < self.edge < 1:
            raise InputError(f"edge {self.edge:g}; accepted: more than 0.5 and less than 1")
        if not 0 < self.error < 0.5:
            raise InputError(f"error rate {self.error:g}; accepted: more than 0, less than 0.5")

    @property
    def promise(self) -> str:
        """The error rates, in words."""
        return (
            f"equal agents are called different in at most {self.error:.3g} of such tests; one"
            f" that wins {self.edge:.3g} of the games that only one wins is missed in at most"
            f" {self.error:.3g}"
        )

    def decide(self, won_a: NDArray[np.bool_], won_b: NDArray[np.bool_]) -> Decided:
        """What the games say, read in their order up to the decision."""
        differing = np.flatnonzero(won_a != won_b)
        for_a = won_a[differing]
        gain, loss = log(2 * self.edge), log(2 * (1 - self.edge))
        first = np.cumsum(np.where(for_a, gain, loss))
        second = np.cumsum(np.where(for_a, loss, gain))
        upper, lower = log(2 / self.error), log(self.error)
        accepted, refused = _first(first >= upper), _first(first <= lower)
        accepted_b, refused_b = _first(second >= upper), _first(second <= lower)
        # One of the tests ends for good where it first leaves its bounds.
        ends = []
        if accepted < refused:
            ends.append((accepted, Stronger.FIRST))
        if accepted_b < refused_b:
            ends.append((accepted_b, Stronger.SECOND))
        if refused < accepted and refused_b < accepted_b:
            ends.append((max(refused, refused_b), Stronger.NEITHER))
        ends = [end for end in ends if end[0] < len(differing)]
        if not ends:
            wins = int(for_a.sum())
            return Decided(Stronger.OPEN, len(won_a), wins, len(differing) - wins)
        last, verdict = min(ends, key=lambda end: end[0])
        wins = int(for_a[: last + 1].sum())
        return Decided(verdict, int(differing[last]) + 1, wins, last + 1 - wins)


class SequentialJudge:
    """Stops a run once the first agent was told from every other; see `runner.Judge`."""

    def __init__(self, test: SequentialTest) -> None:
        self.test = test
        self.decisions: tuple[Decided, ...] = ()

    def __call__(self, won: NDArray[np.bool_], /) -> bool:
        self.decisions = tuple(self.test.decide(won[0], other) for other in won[1:])
        return self.decided

    @property
    def decided(self) -> bool:
        """Whether every question has its answer."""
        open_ones = (answer.verdict is Stronger.OPEN for answer in self.decisions)
        return bool(self.decisions) and not any(open_ones)

    @property
    def games(self) -> int:
        """How many games the decisions rest on."""
        return max((decided.games for decided in self.decisions), default=0)


def _first(true: NDArray[np.bool_]) -> int:
    """The place of the first true; the length where there is none."""
    return int(true.argmax()) if true.any() else len(true)
