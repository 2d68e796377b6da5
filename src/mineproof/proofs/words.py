"""What sentences call premises and cells."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from mineproof.proofs.mentions import Mentioned
from mineproof.proofs.numbers import listed, mines_word, number_word, plural
from mineproof.proofs.premises import Evidence, Premise, counts_of
from mineproof.proofs.regions import region
from mineproof.proofs.steps import ProofStep
from mineproof.view.marks import Mark

__all__ = ["Words"]

_MOST_NAMED = 6
"""Sets of more cells are called by a region."""
_MOST_IN_ALL = 7
"""What a sentence may name besides its clue, where it names two sets."""


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


class Words:
    """How premises and cells of a view are called; it notes what each phrase speaks of."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.view = evidence.view
        self.topology = evidence.topology
        self.mentioned = Mentioned()

    def marked(self, step: ProofStep) -> ProofStep:
        """A step with the phrases of its sentence that speak of cells."""
        spoken = (*step.cells, *step.clues)
        return replace(step, mentions=self.mentioned.within(step.sentence, spoken))

    def cell(self, cell: int) -> str:
        return self.mentioned.note(self.topology.cell_name(cell), [cell])

    def cells(self, cells: Collection[int], most: int = _MOST_NAMED) -> str:
        """Cells by name: `0,1`, `0,1 and 0,2`, `0,1 0,2 and 0,3`; names hold commas already.

        More than `most` are called by a region.
        """
        if len(cells) > most:
            return self.mentioned.note(region(self.view, cells), cells)
        names = [self.cell(cell) for cell in sorted(cells)]
        if len(names) < 2:
            return "".join(names)
        return self.mentioned.note(f"{' '.join(names[:-1])} and {names[-1]}", cells)

    def room_beside(self, cells: Collection[int]) -> int:
        """How many cells a sentence may name that names these too."""
        return _MOST_IN_ALL - (len(cells) if len(cells) <= _MOST_NAMED else 0)

    def among(self, cells: Collection[int], counts: int = 2, most: int = _MOST_NAMED) -> str:
        """`in 0,1`, `in 0,1 or 0,2` where one mine at most is there, `among 0,1 0,2 and 0,3`."""
        if len(cells) == 1:
            return f"in {self.cells(cells)}"
        if counts.bit_length() <= 2 and len(cells) <= min(3, most):
            either = " or ".join(self.cell(cell) for cell in sorted(cells))
            return f"in {self.mentioned.note(either, cells)}"
        return f"among {self.cells(cells, most)}"

    def are(self, cells: Collection[int], mine: bool) -> str:
        """`0,1 is a mine`, `0,1 and 0,2 are safe`."""
        if len(cells) == 1:
            return f"{self.cells(cells)} is {'a mine' if mine else 'safe'}"
        return f"{self.cells(cells)} are {'mines' if mine else 'safe'}"

    def amount(self, counts: int, size: int) -> str:
        """`one mine`, `at most one mine`, `one or two mines` for a mask over so many cells."""
        numbers = counts_of(counts)
        low, high = numbers[0], numbers[-1]
        if low == high:
            return mines_word(low)
        if len(numbers) == high - low + 1:
            if low == 0:
                return f"at most {mines_word(high)}"
            if high == size:
                return f"at least {mines_word(low)}"
            if len(numbers) > 2:
                return f"{number_word(low)} to {mines_word(high)}"
        return f"{listed([number_word(n) for n in numbers[:-1]], 'or')} or {mines_word(high)}"

    def premise(self, premise: Premise) -> str:
        """`the 2 at 1,1`, or how the mine total is called."""
        if premise.clue is None:
            return "the mine count"
        shown = self.view[premise.clue]
        what = "open cell" if isinstance(shown, Mark) else str(shown)
        name = f"the {what} at {self.cell(premise.clue)}"
        return self.mentioned.note(name, [premise.clue])

    def opened_mines(self, premise: Premise) -> int:
        """The opened mines beside a clue."""
        if premise.clue is None:
            return len(self.view.opened_mines)
        near = self.topology.neighbours(premise.clue)
        return sum(self.view[cell] is Mark.MINE for cell in near)

    def total_left(self) -> str:
        """`there are three mines in all`, and the like where the number is not told."""
        view, evidence = self.view, self.evidence
        assert evidence.total is not None
        premise = evidence.premises[evidence.total]
        if view.total is None:
            if view.density is None:
                return "there is at least one mine"
            return "no cell has a mine" if view.density == 0 else "every cell has a mine"
        opened = self.opened_mines(premise)
        if not premise.allowed:
            if view.total < opened:
                return (
                    f"{mines_word(opened)} {_are(opened)} open, of {number_word(view.total)} in all"
                )
            room = len(premise.cells)
            cells = f"{number_word(room)} hidden cell{plural(room)}"
            return f"{mines_word(view.total - opened)} must fit into {cells}"
        left = premise.low
        besides = " besides those that are open" if opened else " in all"
        return f"there {_are(left)} {mines_word(left)}{besides}"
