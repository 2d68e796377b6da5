"""The number of solutions of many components tied by the total, against Python's whole numbers."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from mineproof.board import Topology
from mineproof.inference.engine.exact import analyze
from mineproof.rules import Rules
from mineproof.view import Mark, View
from tests.core import needs_core

KINDS = ((1, 1), (1, 2), (2, 2), (2, 3), (1, 3), (3, 4))


def pairs(rows: int, cols: int, rules: str) -> View:
    """Two clues two apart in every 4 rows and 6 columns: components of 13 hidden cells each."""
    codes = np.full((rows, cols), Mark.HIDDEN.value, dtype=np.uint8)
    for place, (row, col) in enumerate(np.ndindex(rows // 4, cols // 6)):
        one, other = KINDS[place * place % 23 % len(KINDS)]
        codes[4 * row + 1, 6 * col + 1] = one
        codes[4 * row + 1, 6 * col + 3] = other
    return View.of_codes(Topology.parse(f"{rows}x{cols}"), Rules.parse(rules), codes.ravel())


def pairs_in(view: View) -> int:
    return len(list(view.clues)) // 2


def layouts(view: View) -> list[int]:
    """Layouts of the components, by mines: three cells see both clues of a pair, five only one."""
    clues = [code for code in view.codes().tolist() if code != Mark.HIDDEN.value]
    found = [1]
    for one, other in zip(clues[::2], clues[1::2], strict=True):
        product = [0] * (len(found) + one + other)
        for both in range(min(one, other, 3) + 1):
            ways = comb(3, both) * comb(5, one - both) * comb(5, other - both)
            for place, number in enumerate(found, one + other - both):
                product[place] += ways * number
        found = product
    return found


@needs_core
@pytest.mark.parametrize("share", [11, 15, 40])
def test_powers_of_a_few_polynomials(share: int) -> None:
    view = pairs(160, 150, "mines=1")
    mines = len(view) * share // 100
    view = view.with_rules(Rules.parse(f"mines={mines}"))
    ways = layouts(view)
    sea = len(view) - 15 * pairs_in(view)
    expected = sum(n * comb(sea, mines - i) for i, n in enumerate(ways) if i <= mines)
    assert analyze(view).solutions == expected


def test_every_total() -> None:
    view = pairs(16, 30, "mines=~20% total=unknown")
    sea = len(view) - 15 * pairs_in(view)
    assert analyze(view).solutions == sum(layouts(view)) << sea
