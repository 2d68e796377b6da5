"""Whether two premises can be met together, counted directly."""

from __future__ import annotations

from mineproof.proofs.premises import Premise

__all__ = ["both_met"]


def both_met(one: Premise, two: Premise, cell: int, mine: bool) -> bool:
    """Whether two premises can be met with a cell as a mine, or safe."""
    a, b = set(one.cells), set(two.cells)
    shared, left, right = len(a & b), len(a - b), len(b - a)
    bit = int(mine)
    add_a, add_b = bit * (cell in a), bit * (cell in b)
    if cell in a and cell in b:
        shared -= 1
    elif cell in a:
        left -= 1
    elif cell in b:
        right -= 1
    for mines in range(shared + 1):
        fits_a = (one.allowed >> (mines + add_a)) & ((2 << left) - 1)
        fits_b = (two.allowed >> (mines + add_b)) & ((2 << right) - 1)
        if fits_a and fits_b:
            return True
    return False
