"""Proofs that count all mines: they ask the exact engine what follows without some clues."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mineproof.inference.engine import native
from mineproof.inference.engine.budget import DEFAULT_BUDGET
from mineproof.inference.engine.ground import ground_of
from mineproof.kernel import core
from mineproof.rules import Rules
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["Asked"]

_BLANK = Mark.BLANK.value
_NO_TOTAL = Rules.parse("mines=~20% total=unknown")


class Asked:
    """A view from which clues are taken away; needs the compiled core and plain clues."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._ground = ground_of(view.topology)
        self._codes = bytearray(view.code_bytes())

    def forced_without_total(self, cell: int) -> bool:
        """Whether the clues alone force a cell to be safe."""
        return self._safe(cell, self._view.with_rules(_NO_TOTAL))

    def needed(self, cell: int, clues: Iterable[int]) -> list[int]:
        """Clues that, with the total, force a cell to be safe; every one of them is needed.

        Each clue is dropped in turn, in this order, if the rest still forces the cell.
        """
        left: list[int] = []
        for clue in clues:
            shown = self._codes[clue]
            self._codes[clue] = _BLANK
            if not self._safe(cell, self._view):
                self._codes[clue] = shown
                left.append(clue)
        return left

    def _safe(self, cell: int, view: View) -> bool:
        try:
            solved = core.solve(
                self._ground.board,
                self._ground.model(view),
                self._codes,
                None,
                DEFAULT_BUDGET.states,
                DEFAULT_BUDGET.memory,
            )
        except (core.Contradiction, core.OverBudget) as error:
            native.translate(error, view, DEFAULT_BUDGET, False)
        return bool(np.frombuffer(solved.chances)[cell] == 0.0)
