"""The certificate of a board: a layout, a first cell, and the moves, each with what proves it.

A move's proof is its premises: the opened cells whose clues force the cell to be safe, and whether
the number of mines is needed too. No more is kept, for the clues follow from the layout.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.board.layout import Layout
from mineproof.generation.beginning import Beginning
from mineproof.proofs.techniques import Technique
from mineproof.view.marks import Shown
from mineproof.view.view import View

__all__ = ["Certificate", "CertifiedMove", "Truth"]


@dataclass(frozen=True)
class CertifiedMove:
    """A cell that is opened, and the premises that prove it safe in the position before.

    `smallest` says that no fewer premises would do.
    """

    cell: int
    clues: tuple[int, ...]
    uses_total: bool
    technique: Technique
    smallest: bool = True

    @property
    def size(self) -> int:
        """The number of premises."""
        return len(self.clues) + self.uses_total


@dataclass(frozen=True)
class Certificate:
    """The proof that a board needs no guess, from its first cell to its last.

    >>> certificate = mp.certify(mp.generate("9x9/10", seed=1)[0])
    >>> bool(mp.check_certificate(certificate))
    True
    """

    beginning: Beginning
    layout: Layout
    moves: tuple[CertifiedMove, ...]

    @property
    def hardest(self) -> Technique | None:
        """The hardest technique among the moves."""
        hardest = max(self.moves, key=lambda move: (move.technique.rung, move.size), default=None)
        return None if hardest is None else hardest.technique

    @property
    def needs_total(self) -> bool:
        """Whether some move rests on the number of mines."""
        return any(move.uses_total for move in self.moves)


class Truth:
    """A layout as a game shows it. It counts mines itself: no core and no engine takes part."""

    def __init__(self, beginning: Beginning, layout: Layout) -> None:
        self.beginning, self.layout = beginning, layout
        self._mines = frozenset(layout.cells)

    @property
    def start(self) -> View:
        """The position before the first move."""
        cells = len(self.beginning.topology)
        return View(self.beginning.topology, self.beginning.rules.told(cells, self.beginning.mines))

    @property
    def safe_cells(self) -> int:
        return len(self.beginning.topology) - len(self._mines)

    def is_mine(self, cell: int) -> bool:
        return cell in self._mines

    def clue(self, cell: int) -> int:
        """How many neighbours of a cell are mines."""
        return sum(near in self._mines for near in self.beginning.topology.neighbours(cell))

    def open(self, view: View, cell: int) -> View:
        """The position after a hidden safe cell is opened, with what its zero opens around it."""
        shown: dict[int, Shown] = {}
        waiting = [cell]
        while waiting:
            here = waiting.pop()
            if here in shown:
                continue
            shown[here] = clue = self.clue(here)
            if clue == 0 and self.beginning.rules.cascade:
                near = self.beginning.topology.neighbours(here)
                waiting += [other for other in near if view.is_hidden(other)]
        return view.reveal(shown)
