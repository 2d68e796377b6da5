"""A tiny count of what some premises allow, over their own cells and nothing else.

The proof checker rests on this file alone: it imports no engine. Cells that the same premises speak
of form a box, boxes are filled one after another, and only the running sums of the premises that
are not yet complete are remembered.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TypeAlias

from mineproof.errors import BudgetExceeded

__all__ = ["MOST_STATES", "Sums", "possible_counts"]

Sums: TypeAlias = Sequence[tuple[Collection[int], int]]
"""Cells, and the numbers of mines they may hold as a mask: bit `n` stands for `n`."""

MOST_STATES = 400_000


def possible_counts(
    sums: Sums,
    fixed: Mapping[int, bool] | None = None,
    counted: Collection[int] = (),
    most_states: int = MOST_STATES,
) -> int:
    """The numbers of mines among `counted` cells over all ways to meet the sums, as a mask.

    0 where they cannot be met; 1 (the number 0) where they can and nothing is counted. `fixed`
    cells are mines or safe. Raises BudgetExceeded past so many states.
    """
    boxes = _boxes(sums, fixed or {}, frozenset(counted))
    allowed = [mask for _, mask in sums]
    left = [0] * len(sums)
    for members, size, _, _ in boxes:
        for member in members:
            left[member] += size
    if any(
        not mask or not mask & ((2 << room) - 1) for mask, room in zip(allowed, left, strict=True)
    ):
        return 0
    lows = [(mask & -mask).bit_length() - 1 for mask in allowed]
    highs = [mask.bit_length() - 1 for mask in allowed]
    states: dict[tuple[int, ...], int] = {(0,) * len(sums): 1}
    work = 0
    # A state of many sums takes more memory and time than one of few.
    weight = 1 + len(sums) // 16
    for members, size, value, is_counted in boxes:
        for member in members:
            left[member] -= size
        following: dict[tuple[int, ...], int] = {}
        for state, counts in states.items():
            first, last = (0, size) if value is None else (size * value, size * value)
            for member in members:
                first = max(first, lows[member] - state[member] - left[member])
                last = min(last, highs[member] - state[member])
            for mines in range(first, last + 1):
                work += weight
                sums_now = list(state)
                for member in members:
                    sums_now[member] += mines
                    if not left[member]:
                        if not allowed[member] >> sums_now[member] & 1:
                            break
                        # A complete sum is the same for all states that meet it.
                        sums_now[member] = 0
                else:
                    key = tuple(sums_now)
                    following[key] = following.get(key, 0) | counts << mines * is_counted
            if work > most_states:
                raise BudgetExceeded(
                    f"more than {most_states} states in the count over {len(sums)} premises"
                )
        states = following
    return next(iter(states.values()), 0)


def _boxes(
    sums: Sums, fixed: Mapping[int, bool], counted: frozenset[int]
) -> list[tuple[tuple[int, ...], int, bool | None, bool]]:
    """(members, size, value where it is fixed, whether counted) of every box, in a good order."""
    members: dict[int, list[int]] = {cell: [] for cell in counted}
    for number, (cells, _) in enumerate(sums):
        for cell in cells:
            members.setdefault(cell, []).append(number)
    sizes: dict[tuple[tuple[int, ...], bool | None, bool], int] = {}
    for cell in sorted(members):
        key = (tuple(members[cell]), fixed.get(cell), cell in counted)
        sizes[key] = sizes.get(key, 0) + 1
    # Sums are completed one after another: each time that with the fewest boxes still open.
    waiting = dict(sizes)
    ordered: list[tuple[tuple[int, ...], int, bool | None, bool]] = []
    while waiting:
        open_boxes: dict[int, int] = {}
        for numbers, _, _ in waiting:
            for number in numbers:
                open_boxes[number] = open_boxes.get(number, 0) + 1
        begun = {number for numbers, _, _, _ in ordered for number in numbers}
        chosen = min(open_boxes, key=lambda n: (open_boxes[n], n not in begun, n), default=None)
        taken = [key for key in waiting if chosen is None or chosen in key[0]]
        ordered += [(key[0], waiting.pop(key), key[1], key[2]) for key in taken]
    return ordered
