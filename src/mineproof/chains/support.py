"""The premises of a cell's proof at the moment it was opened, found fast while a game is followed.

Of all proofs that cell has in that view, the one with the fewest premises is taken; among those
one without the mine total, then the one whose clues lie least deep in the game (the sum of their
depths), then the nearest, then that of the lowest cells. One and two plain clues are looked up in
a ledger that is kept up from move to move; what needs more is searched for as `explain` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mineproof.board.topology import Topology
from mineproof.chains.distances import distances_of
from mineproof.chains.ledger import Ledger
from mineproof.explain.premises import Evidence, totals_of
from mineproof.explain.smallest import Finder, Forcing
from mineproof.inference.exact import analyze
from mineproof.view.channels import EXACT
from mineproof.view.view import View

__all__ = ["DEFAULT_STEPS", "Support", "Supporter"]

DEFAULT_STEPS = 8_000
"""The work spent on one proof; see `mineproof.explain.smallest`."""
_STEPS_COUNTING = 200
"""A count of all mines has dozens of premises and is seldom proved smallest, however long."""
_NEARBY = (2, 3, 5, 8)
"""How far around a cell clues are looked for before the whole board is."""
_DEPTH = 1 << 18
_TOTAL = 1 << 38


@dataclass(frozen=True)
class Support:
    """The clues a proof rests on by rising cell, and whether it needs the mine total.

    `smallest` says that no fewer premises would do: elsewhere the search ran out of its budget.
    """

    clues: tuple[int, ...]
    uses_total: bool
    smallest: bool


class _Shallow(Finder):
    """Finds the fewest premises, and among those the ones that lie least deep in the game."""

    def __init__(self, evidence: Evidence, steps: int, depths: Mapping[int, int]) -> None:
        super().__init__(evidence, steps)
        self._depths = depths
        self.steps_counting = min(self.steps_counting, _STEPS_COUNTING)

    def far(self, cell: int, numbers: Iterable[int]) -> dict[int, int]:
        clues = {number: self.evidence.premises[number].clue for number in numbers}
        known = [clue for clue in clues.values() if clue is not None]
        steps = distances_of(self.evidence.topology).between(cell, known)
        return {
            number: _TOTAL if clue is None else self._depths[clue] * _DEPTH + steps[clue]
            for number, clue in clues.items()
        }


class _Local(_Shallow):
    """The same among clues that were chosen before."""

    radii = (None,)


def _support(evidence: Evidence, forcing: Forcing) -> Support:
    clues = [evidence.premises[number].clue for number in forcing.numbers]
    named = tuple(sorted(clue for clue in clues if clue is not None))
    return Support(named, len(named) < len(clues), forcing.smallest)


class Supporter:
    """Follows a game and finds what the cells it opens rest on; `depths` are kept by the caller."""

    def __init__(
        self, topology: Topology, depths: Mapping[int, int], steps: int = DEFAULT_STEPS
    ) -> None:
        self._depths, self._steps = depths, steps
        self._ledger = Ledger(topology)
        self._distances = distances_of(topology)
        self._most_near = int(topology.degrees.max(initial=0))

    def take(self, cells: Iterable[int], view: View) -> None:
        """Cells were opened, and the game now shows this view."""
        if view.channel is EXACT:
            self._ledger.take(cells, view.code_bytes())

    def safe(self, cell: int, view: View) -> Support | None:
        """What forces a hidden cell of the newest view to be safe; None where it is not certain.

        Raises BudgetExceeded as the exact engine does.
        """
        plain = view.channel is EXACT
        if plain and not self._total_matters(view, 1):
            found = self._by_few(cell)
            if found is not None:
                return Support(found, False, True)
            if analyze(view).p[cell] > 0.0:
                return None
            nearby = self._nearby(cell, view)
            if nearby is not None:
                return nearby
        elif analyze(view).p[cell] > 0.0:
            return None
        evidence = Evidence(view, self._ledger.reads() if plain else None)
        forcing = _Shallow(evidence, self._steps, self._depths).force(cell, mine=False)
        assert forcing is not None, "the exact engine and the search for premises disagree"
        return _support(evidence, forcing)

    def _nearby(self, cell: int, view: View) -> Support | None:
        """Three or more clues close to a cell; None where farther ones, or the total, may do."""
        ledger = self._ledger
        for radius in _NEARBY:
            clues = ledger.around(cell, radius)
            evidence = Evidence(view, ledger.reads(clues), total=False)
            forcing = _Local(evidence, self._steps, self._depths).force_by_three(cell, mine=False)
            if forcing is None:
                continue
            size = len(forcing.numbers)
            # A smallest proof is in one piece around the cell: it reaches no further than its size.
            if size - 1 <= radius and not self._total_matters(view, size - 2):
                return _support(evidence, forcing)
        return None

    def _total_matters(self, view: View, clues: int) -> bool:
        """Whether the total might forbid something that so many clues allow."""
        enough = self._most_near * clues + 1
        mines, hidden = self._ledger.opened_mines, view.hidden_count
        if view.total is not None:
            left = view.total - mines
            return not enough <= left <= hidden - enough
        told = totals_of(view)
        if told is None:
            return False
        allowed = (told >> mines) & ((2 << hidden) - 1)
        least = (allowed & -allowed).bit_length() - 1
        return not (enough <= allowed.bit_length() - 1 and least <= hidden - enough)

    def _by_few(self, cell: int) -> tuple[int, ...] | None:
        """One or two clues that force a cell to be safe."""
        ledger = self._ledger
        alone = [(clue,) for clue in ledger.speaking(cell) if not ledger.left[clue]]
        found: list[tuple[int, ...]] = [*alone] or [*ledger.pairs(cell)]
        if len(found) < 2:
            return found[0] if found else None
        depths = self._depths
        sums = [sum([depths[clue] for clue in clues]) for clues in found]
        least = min(sums)
        found = [clues for clues, depth in zip(found, sums, strict=True) if depth == least]
        if len(found) == 1:
            return found[0]
        far = self._distances.between(cell, {clue for clues in found for clue in clues})
        return min(found, key=lambda clues: (sum([far[clue] for clue in clues]), clues))
