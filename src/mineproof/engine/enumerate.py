"""The oracle: every layout of the hidden cells, tried one by one. Never optimised.

Every logic is tested against it on small boards; it answers in exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb

from mineproof.engine.analysis import Premises, Verdict
from mineproof.errors import BudgetExceeded, InconsistentPosition
from mineproof.view.channels import Mark, is_evidence
from mineproof.view.view import View

MOST_LAYOUTS = 2_000_000


def prove_by_enumeration(view: View) -> Verdict:
    """Every certain cell, by trying every layout. Raises BudgetExceeded on large boards."""
    found = [mines for mines, _ in enumerate_layouts(view)]
    if not found:
        raise InconsistentPosition("no layout explains the position")
    always = frozenset.intersection(*found)
    ever = frozenset.union(*found)
    premises = Premises(total=view.total is not None)
    return Verdict(
        "enumerate",
        {cell: premises for cell in view.hidden if cell not in ever},
        {cell: premises for cell in view.hidden if cell in always},
        {"layouts": len(found)},
    )


def weights(view: View) -> tuple[Fraction, dict[int, Fraction]]:
    """The weight of all layouts, and for every hidden cell that of those with a mine in it."""
    total = Fraction(0)
    with_mine = dict.fromkeys(view.hidden, Fraction(0))
    for mines, weight in enumerate_layouts(view):
        total += weight
        for cell in mines:
            with_mine[cell] += weight
    return total, with_mine


def enumerate_layouts(view: View) -> Iterator[tuple[frozenset[int], Fraction]]:
    """Every set of hidden mines that agrees with the view, with its weight.

    The weight of a layout is its prior (1 if the total is known) times the likelihood of every clue
    shown. No mine lies in a cell that the rules keep free.
    """
    free = set(view.free)
    hidden = [cell for cell in view.hidden if cell not in free]
    opened_mines = frozenset(view.opened_mines)
    for mines in _candidates(view, hidden, len(opened_mines)):
        weight = _prior(view, len(mines) + len(opened_mines))
        everywhere = mines | opened_mines
        for cell in view.opened:
            code = view.code(cell)
            if not is_evidence(view.channel, code):
                continue
            near = view.topology.neighbours(cell)
            true = sum(other in everywhere for other in near)
            shown = None if code == Mark.BLANK.value else code
            weight *= view.channel.likelihood(shown, true, len(near))
        if weight:
            yield mines, weight


def _candidates(view: View, hidden: list[int], opened_mines: int) -> Iterator[frozenset[int]]:
    if view.total is not None:
        left = view.total - opened_mines
        layouts = comb(len(hidden), left) if left >= 0 else 0
    else:
        layouts = 2 ** len(hidden)
    if layouts > MOST_LAYOUTS:
        raise BudgetExceeded(
            f"{layouts} layouts of {len(hidden)} hidden cells; enumeration stops at {MOST_LAYOUTS}"
        )
    if view.total is not None:
        if left >= 0:
            yield from map(frozenset, combinations(hidden, left))
        return
    for bits in product((False, True), repeat=len(hidden)):
        yield frozenset(cell for cell, mine in zip(hidden, bits, strict=True) if mine)


def _prior(view: View, mines: int) -> Fraction:
    """The weight of one layout with this many mines in all."""
    if view.total is not None:
        return Fraction(1)
    cells = len(view)
    # `uniform`: each number of mines has the same weight, shared by its layouts.
    room = view.rules.mines.room or cells
    if view.density is not None:
        weight = view.density**mines * (1 - view.density) ** (cells - mines)
    else:
        weight = Fraction(1, comb(room, mines)) if 0 < mines <= room else Fraction(0)
    if not view.drawn:
        return weight
    # Given cells were drawn among the safe ones: each set of as many was equally likely.
    safe = cells - mines
    if view.drawn != min(view.rules.given.drawn(cells), safe):
        return Fraction(0)
    return weight / comb(safe, view.drawn)
