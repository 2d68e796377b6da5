"""Walks over graphs: distances, connected parts, and items that the same sets hold.

A module of its own in the lowest layer, because boards, clues and boxes are all walked like this.
A graph is a function from a node to the nodes next to it. The checkers of proofs and certificates
do not use it: they share no code with what they check.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from typing import TypeVar

__all__ = ["components", "distances", "group_by_sets"]

Node = TypeVar("Node", bound=Hashable)


def distances(
    starts: Iterable[Node],
    near: Callable[[Node], Iterable[Node]],
    *,
    within: Collection[Node] | None = None,
    most: int | None = None,
    until: Iterable[Node] | None = None,
) -> dict[Node, int]:
    """Steps from the nearest start to every node that can be reached, in breadth-first order.

    With `within` only those nodes are entered. The walk ends after `most` steps, and with `until`
    as soon as all those nodes are found, with the other nodes as near as the last of them.

    >>> distances([0], {0: [1, 2], 1: [3], 2: [3], 3: [0]}.__getitem__)
    {0: 0, 1: 1, 2: 1, 3: 2}
    """
    found = dict.fromkeys(starts, 0)
    missing = None if until is None else set(until) - found.keys()
    layer, steps = list(found), 0
    while layer and (missing is None or missing) and (most is None or steps < most):
        steps += 1
        fresh: list[Node] = []
        for node in layer:
            for other in near(node):
                if other not in found and (within is None or other in within):
                    found[other] = steps
                    fresh.append(other)
        if missing:
            missing.difference_update(fresh)
        layer = fresh
    return found


def components(nodes: Iterable[Node], near: Callable[[Node], Iterable[Node]]) -> list[list[Node]]:
    """The connected parts of some nodes, each from its first node on, in breadth-first order.

    Only paths through these nodes connect.

    >>> components([3, 1, 4, 2], lambda node: (node - 1, node + 1))
    [[3, 4, 2, 1]]
    """
    members = dict.fromkeys(nodes)
    done: set[Node] = set()
    parts = []
    for start in members:
        if start not in done:
            part = list(distances([start], near, within=members))
            done.update(part)
            parts.append(part)
    return parts


def group_by_sets(sets: Sequence[Iterable[int]]) -> dict[tuple[int, ...], list[int]]:
    """Numbers that the same sets hold, in ascending order, by the places of those sets.

    Cells that the same clues touch are interchangeable, so a group counts as one variable.

    >>> group_by_sets([(0, 1, 2), (2, 3)])
    {(0,): [0, 1], (0, 1): [2], (1,): [3]}
    """
    places: dict[int, list[int]] = {}
    for place, members in enumerate(sets):
        for member in members:
            places.setdefault(member, []).append(place)
    groups: dict[tuple[int, ...], list[int]] = {}
    for member in sorted(places):
        groups.setdefault(tuple(places[member]), []).append(member)
    return groups
