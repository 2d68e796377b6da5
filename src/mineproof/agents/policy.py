"""What a guessing policy is, and what all of them share.

A policy is a function: a cell among the candidates with its reason, or None. It may be an object
instead, made anew for every agent, if it has to follow the game (`Follower`), or if it may guess
while other cells are still proved safe (`Eager`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from mineproof.agents.decision import Decision, Guessed
from mineproof.inference.verdict import Logic
from mineproof.rng import Stream
from mineproof.rules import FirstClick
from mineproof.view.view import View

__all__ = [
    "EXACT_DIGITS",
    "Choice",
    "Eager",
    "Follower",
    "Policy",
    "PolicySequence",
    "first_click_is_safe",
    "least_risk",
    "listed",
]

EXACT_DIGITS = 12
"""Chances are rounded to this, so that equal ones stay equal in whatever order they were summed."""
_SHOWN_CELLS = 12
"""A choice from more cells than this is not listed."""

Choice: TypeAlias = tuple[int, Guessed]


class Policy(Protocol):
    """Chooses one of the candidates. None stops the game, or passes to the next of a sequence."""

    def __call__(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None: ...


@runtime_checkable
class Follower(Protocol):
    """A policy that follows the game of its agent."""

    def begin(self, view: View) -> None:
        """Forget the last game; `view` is the first view of the next."""
        ...

    def follow(self, decision: Decision, view: View) -> None:
        """The agent's decision was carried out; `view` is what the player sees after it."""
        ...


@runtime_checkable
class Eager(Protocol):
    """A policy that is asked before every move, while cells may still be proved safe."""

    def early(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None:
        """A guess that should be made now, or None."""
        ...


class PolicySequence:
    """Policies asked one after the other, until one chooses."""

    def __init__(self, policies: Sequence[Policy]) -> None:
        self.policies = tuple(policies)
        self._followers = [policy for policy in self.policies if isinstance(policy, Follower)]
        self._eager = [policy for policy in self.policies if isinstance(policy, Eager)]

    def begin(self, view: View) -> None:
        for policy in self._followers:
            policy.begin(view)

    def follow(self, decision: Decision, view: View) -> None:
        for policy in self._followers:
            policy.follow(decision, view)

    def early(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None:
        choices = (policy.early(view, candidates, rng, logic) for policy in self._eager)
        return next(filter(None, choices), None)

    def __call__(
        self, view: View, candidates: Sequence[int], rng: Stream, logic: Logic | None = None
    ) -> Choice | None:
        choices = (policy(view, candidates, rng, logic) for policy in self.policies)
        return next(filter(None, choices), None)


def first_click_is_safe(view: View) -> bool:
    """Whether the rules keep the next cell free of mines, because it is the first."""
    return not view.opened_count and view.rules.first_click is not FirstClick.ANY


def least_risk(policy: str, risks: Mapping[int, float], rng: Stream) -> Choice:
    """One of the cells with the least risk, each equally likely."""
    risk = min(risks.values())
    cells = [cell for cell, here in risks.items() if here == risk]
    return rng.choice(cells), Guessed(policy, len(cells), risk, listed(cells))


def listed(cells: Sequence[int]) -> tuple[int, ...]:
    """The cells of a choice, where they are few enough to be listed."""
    return tuple(cells) if len(cells) <= _SHOWN_CELLS else ()
