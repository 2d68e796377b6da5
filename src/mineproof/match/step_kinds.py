"""The steps of a game by kind, as report 0 lists them: guessed, proved safe, proved mines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from enum import Enum

from mineproof.agents.decision import Action, Decision, Guessed, Proved

__all__ = ["MoveKind", "kind_of", "kinds_text", "ranges_text", "steps_by_kind"]


class MoveKind(Enum):
    """What a step rests on."""

    GUESSED = "guessed"
    SAFE = "proved safe"
    MINE = "proved mine"
    UNSTATED = "without a reason"


def kind_of(decision: Decision) -> MoveKind | None:
    """The kind of a step; None for one that ends the game."""
    if decision.action is Action.STOP:
        return None
    if isinstance(decision.reason, Proved):
        return MoveKind.MINE if decision.action is Action.FLAG else MoveKind.SAFE
    return MoveKind.GUESSED if isinstance(decision.reason, Guessed) else MoveKind.UNSTATED


def steps_by_kind(decisions: Iterable[Decision]) -> dict[MoveKind, list[int]]:
    """The numbers of the steps of every kind, from 1."""
    found: dict[MoveKind, list[int]] = {kind: [] for kind in MoveKind}
    for number, decision in enumerate(decisions, 1):
        kind = kind_of(decision)
        if kind is not None:
            found[kind].append(number)
    return found


def kinds_text(
    steps: Mapping[MoveKind, list[int]], unsound: Collection[int] = frozenset()
) -> list[str]:
    """A line for every kind; the last only where there is such a step.

    Steps that were called proved and are not (`unsound`) have a line of their own instead.
    """
    lines = [
        f"steps {kind.value}: {ranges_text(n for n in numbers if n not in unsound)}"
        for kind, numbers in steps.items()
        if numbers or kind is not MoveKind.UNSTATED
    ]
    called = sorted(n for numbers in steps.values() for n in numbers if n in unsound)
    return [*lines, f"steps called proved, UNSOUND: {ranges_text(called)}"] if called else lines


def ranges_text(numbers: Iterable[int]) -> str:
    """Numbers as the report lists them: `1-4, 8`.

    >>> ranges_text([1, 2, 3, 4, 8, 10, 11])
    '1-4, 8, 10-11'
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1].append(number)
        else:
            found.append([number])
    runs = (str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)
    return ", ".join(runs) or "none"
