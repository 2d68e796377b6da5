"""The premises of a cell's proof at the moment it was opened, found while following a game.

Of all proofs of the cell in that view, the one with the fewest premises is taken. Ties are broken
in this order: a proof without the mine total, the least sum of the depths of its clues, the nearest
clues, the lowest cells. One and two plain clues are looked up in a ledger that is updated from move
to move. What needs more is searched for as `explain` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from mineproof import kernel
from mineproof.board.topology import Topology
from mineproof.inference.engine.exact import analyze
from mineproof.kernel import core
from mineproof.proofs.counted import Asked
from mineproof.proofs.distances import distances_of
from mineproof.proofs.ledger import Ledger
from mineproof.proofs.premises import Evidence, totals_of
from mineproof.proofs.smallest import Finder, Forcing
from mineproof.view.channels import EXACT
from mineproof.view.view import View

__all__ = ["DEFAULT_STEPS", "Support", "Supporter"]

DEFAULT_STEPS = 8_000
"""The work allowed for one proof; see `mineproof.proofs.smallest`."""
_NEARBY = (2, 3, 5, 8)
"""How far around a cell clues are searched before the whole board is."""
_FEW_CLUES = 60
"""With at most this many clues, a proof by the total is searched for as `explain` does."""
_FEW_NEEDED = 6
"""If at most this many clues are needed, the ordinary search finds a smallest proof."""
_MOST_IN_CORE = 128
_STEPS_IN_CORE = 50_000
_DEPTH = 1 << 18
_TOTAL = 1 << 38


@dataclass(frozen=True)
class Support:
    """The clues a proof rests on, in ascending order, and whether it needs the mine total.

    `smallest` says that no fewer premises would do; if False, the search ran out of budget.
    """

    clues: tuple[int, ...]
    uses_total: bool
    smallest: bool


class _Shallow(Finder):
    """Finds the fewest premises, and among those the ones of least depth in the game."""

    def __init__(self, evidence: Evidence, steps: int, depths: Mapping[int, int]) -> None:
        super().__init__(evidence, steps)
        self._depths = depths

    def far(self, cell: int, numbers: Iterable[int]) -> dict[int, int]:
        clues = {number: self.evidence.premises[number].clue for number in numbers}
        known = [clue for clue in clues.values() if clue is not None]
        steps = distances_of(self.evidence.topology).between(cell, known)
        return {
            number: _TOTAL if clue is None else self._depths[clue] * _DEPTH + steps[clue]
            for number, clue in clues.items()
        }


class _Local(_Shallow):
    """The same among given clues."""

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
        """Take in that cells were opened; any later view tells what they show, best the newest."""
        if view.channel is EXACT:
            self._ledger.take(cells, view.code_bytes())

    def safe(self, cell: int, view: View) -> Support | None:
        """What forces a hidden cell of the newest view to be safe; None if it is not certain.

        Raises BudgetExceeded as the exact engine does.
        """
        plain = view.channel is EXACT
        if plain:
            few = self._by_few(cell, view)
            if few is not None:
                return few
        if analyze(view).p[cell] > 0.0:
            return None
        if plain:
            nearby = self._nearby(cell, view) or self._counted(cell, view)
            if nearby is not None:
                return nearby
        evidence = Evidence(view, self._ledger.reads() if plain else None)
        forcing = _Shallow(evidence, self._steps, self._depths).force(cell, mine=False)
        assert forcing is not None, "the exact engine and the search for premises disagree"
        return _support(evidence, forcing)

    def _nearby(self, cell: int, view: View) -> Support | None:
        """Three or more clues close to a cell; None if farther ones, or the total, may help."""
        for radius in _NEARBY:
            clues = sorted(self._ledger.around(cell, radius))
            found = self._fewest(cell, clues)
            if found is None:
                found = self._searched(cell, view, clues)
            size = len(found.clues)
            # A smallest proof is connected around the cell: it reaches no further than its size.
            if 0 < size <= radius + 1 and not self._total_matters(view, size - 2):
                return found
        return None

    def _fewest(self, cell: int, clues: Sequence[int]) -> Support | None:
        """What the core finds among some clues; None if that is too much for it."""
        if not kernel.available() or len(clues) > _MOST_IN_CORE:
            return None
        hidden, left, depths = self._ledger.hidden, self._ledger.left, self._depths
        far = self._distances.between(cell, clues)
        places = core.fewest_clues(
            [list(hidden[clue]) for clue in clues],
            [left[clue] for clue in clues],
            [depths[clue] * _DEPTH + far[clue] for clue in clues],
            cell,
            _STEPS_IN_CORE,
        )
        if places is None:
            return None
        return Support(tuple([clues[place] for place in places]), False, True)

    def _searched(self, cell: int, view: View, clues: Sequence[int]) -> Support:
        """The same without the core; no clues if these do not force the cell."""
        evidence = Evidence(view, self._ledger.reads(clues), total=False)
        forcing = _Local(evidence, self._steps, self._depths).force_by_three(cell, mine=False)
        return Support((), False, True) if forcing is None else _support(evidence, forcing)

    def _counted(self, cell: int, view: View) -> Support | None:
        """Clues that force a cell with the total, each of them needed; None if a few suffice.

        A count of all mines on a large board has dozens of premises: whether it is smallest is not
        checked.
        """
        ledger = self._ledger
        if not kernel.available() or len(ledger.hidden) <= _FEW_CLUES:
            return None
        told = Asked(view)
        if told.forced_without_total(cell):
            return None
        far = self._distances.between(cell, ledger.hidden)
        dear = {clue: (self._depths[clue], far[clue], clue) for clue in ledger.hidden}
        needed = told.needed(cell, sorted(dear, key=dear.__getitem__, reverse=True))
        if len(needed) <= _FEW_NEEDED:
            return None
        return Support(tuple(sorted(needed)), True, False)

    def _total_matters(self, view: View, clues: int) -> bool:
        """Whether the total may rule out something that this many clues allow."""
        told, hidden = self._mines_left(view)
        if told is None:
            return False
        least, most = told
        enough = self._most_near * clues + 1
        if enough <= most and least <= hidden - enough:
            return False
        ledger = self._ledger
        mines = nlargest(clues, ledger.left.values())
        safes = nlargest(clues, [len(c) - ledger.left[clue] for clue, c in ledger.hidden.items()])
        return not (sum(mines) + 1 <= most and sum(safes) + 1 <= hidden - least)

    def _mines_left(self, view: View) -> tuple[tuple[int, int] | None, int]:
        """The least and the greatest number of mines in the hidden cells, and how many they are."""
        mines, hidden = self._ledger.opened_mines, view.hidden_count
        if view.total is not None:
            return (view.total - mines, view.total - mines), hidden
        told = totals_of(view)
        if told is None:
            return None, hidden
        allowed = (told >> mines) & ((2 << hidden) - 1)
        return ((allowed & -allowed).bit_length() - 1, allowed.bit_length() - 1), hidden

    def _by_few(self, cell: int, view: View) -> Support | None:
        """One or two clues, or the total alone, that force a cell to be safe."""
        ledger = self._ledger
        alone = [(clue,) for clue in ledger.speaking(cell) if not ledger.left[clue]]
        if alone:
            return Support(self._least(cell, alone), False, True)
        told, _ = self._mines_left(view)
        if told is not None and told[1] == 0:
            return Support((), True, True)
        pairs = ledger.pairs(cell)
        return Support(self._least(cell, pairs), False, True) if pairs else None

    def _least(self, cell: int, found: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
        """The clues of least depth, then the nearest, then the lowest."""
        if len(found) == 1:
            return found[0]
        depths = self._depths
        sums = [sum([depths[clue] for clue in clues]) for clues in found]
        least = min(sums)
        found = [clues for clues, depth in zip(found, sums, strict=True) if depth == least]
        if len(found) == 1:
            return found[0]
        far = self._distances.between(cell, {clue for clues in found for clue in clues})
        return min(found, key=lambda clues: (sum([far[clue] for clue in clues]), clues))
