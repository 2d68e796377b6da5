"""The premises of a cell's proof at the moment it was opened, found while following a game.

Of all proofs of the cell in that view, the one with the fewest premises is taken. Ties are broken
in this order: a proof without the mine total, the least sum of the depths of its clues, the nearest
clues, the lowest cells. One and two plain clues are looked up in a ledger that is updated from move
to move. What needs more is searched for as `explain` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

import numpy as np

from mineproof import kernel
from mineproof.board.topology import Topology
from mineproof.engine import exact
from mineproof.engine.analysis import DEFAULT_BUDGET
from mineproof.engine.exact import analyze, core_board_of
from mineproof.kernel import core
from mineproof.proofs.premises import ClueFact, Evidence, distances_of, totals_of
from mineproof.proofs.smallest import ForcingSet, PremiseFinder
from mineproof.rules import Rules
from mineproof.view.channels import EXACT, MAX_CLUE, Mark
from mineproof.view.view import View, code_bytes

# -- What the plain clues of a game say, updated while cells are opened: no view is read again --

_MINE = Mark.MINE.value


class ClueLedger:
    """The open clues that still touch a hidden cell: those cells, and how many mines they hold.

    `opened_mines` counts the mines that were opened; they are subtracted from every clue.
    """

    def __init__(self, topology: Topology) -> None:
        self._neighbours = topology.neighbours
        self._open = bytearray(len(topology))
        self._mines: set[int] = set()
        self.hidden: dict[int, set[int]] = {}
        self.left: dict[int, int] = {}

    @property
    def opened_mines(self) -> int:
        return len(self._mines)

    def take(self, cells: Iterable[int], codes: bytearray) -> None:
        """Take in that cells were opened; `codes` are what all cells show."""
        fresh = list(cells)
        is_open, hidden, left = self._open, self.hidden, self.left
        for cell in fresh:
            is_open[cell] = 1
            if codes[cell] == _MINE:
                self._mines.add(cell)
        for cell in fresh:
            near = self._neighbours(cell)
            mine = codes[cell] == _MINE
            for clue in near:
                speaks_of = hidden.get(clue)
                if speaks_of is not None and cell in speaks_of:
                    speaks_of.discard(cell)
                    left[clue] -= mine
                    if not speaks_of:
                        del hidden[clue], left[clue]
            if codes[cell] <= MAX_CLUE:
                covered = {other for other in near if not is_open[other]}
                if covered:
                    hidden[cell] = covered
                    left[cell] = codes[cell] - sum(other in self._mines for other in near)

    def clues_at(self, cell: int) -> list[int]:
        """The clues that touch a hidden cell, in ascending order."""
        return [clue for clue in self._neighbours(cell) if clue in self.hidden]

    def around(self, cell: int, radius: int) -> set[int]:
        """The clues that touch a cell, and those linked to them by up to `radius` shared cells."""
        layer = set(self.clues_at(cell))
        found = set(layer)
        for _ in range(radius):
            cells = {here for clue in layer for here in self.hidden[clue]}
            layer = {clue for here in cells for clue in self.clues_at(here)} - found
            if not layer:
                break
            found |= layer
        return found

    def reads(self, clues: Iterable[int] | None = None) -> Iterator[ClueFact]:
        """What some or all clues say, in the form that `Evidence` takes."""
        for clue in sorted(self.hidden if clues is None else clues):
            yield clue, tuple(sorted(self.hidden[clue])), 1 << self.left[clue]

    def pairs(self, cell: int) -> list[tuple[int, int]]:
        """Every two clues that force a hidden cell to be safe, neither of which does so alone."""
        hidden, left = self.hidden, self.left
        found: list[tuple[int, int]] = []
        for one in self.clues_at(cell):
            a, of_a = hidden[one], left[one]
            beside = {clue for here in a for clue in self._neighbours(here) if clue in hidden}
            for two in beside:
                if two == one:
                    continue
                b, of_b = hidden[two], left[two]
                shared = len(a & b)
                only_a, only_b = len(a) - shared, len(b) - shared
                # One mine is in `cell`; the other shared cells may hold `least` to `most` mines.
                if cell in b:
                    if two < one:
                        continue
                    least = max(of_a - 1 - only_a, of_b - 1 - only_b)
                    most = min(shared - 1, of_a - 1, of_b - 1)
                else:
                    least = max(of_a - only_a, of_b - only_b)
                    most = min(shared, of_a - 1, of_b)
                if most < least or most < 0:
                    found.append((one, two) if one < two else (two, one))
        return found


# -- Proofs that count all mines: they ask the exact engine what follows without some clues --

_BLANK = Mark.BLANK.value
_NO_TOTAL = Rules.parse("mines=~20% total=unknown")


class CounterfactualSolver:
    """Asks the exact engine what still follows when clues or the total are taken away.

    Needs the compiled core and plain clues.
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._ground = core_board_of(view.topology)
        self._codes = bytearray(code_bytes(view))

    def forced_without_total(self, cell: int) -> bool:
        """Whether the clues alone force a cell to be safe."""
        return self._safe(cell, self._view.with_rules(_NO_TOTAL))

    def needed_clues(self, cell: int, clues: Iterable[int]) -> list[int]:
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
                self._ground.encoding(view).model,
                self._codes,
                None,
                DEFAULT_BUDGET.states,
                DEFAULT_BUDGET.memory,
            )
        except (core.Contradiction, core.OverBudget) as error:
            exact.raise_core_error(error, view, DEFAULT_BUDGET, False)
        return bool(np.frombuffer(solved.chances)[cell] == 0.0)


# -- The support of an opened cell: the premises of its proof ------------------

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


class _ShallowFinder(PremiseFinder):
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


class _LocalFinder(_ShallowFinder):
    """The same among given clues."""

    radii = (None,)


def _support(evidence: Evidence, forcing: ForcingSet) -> Support:
    clues = [evidence.premises[number].clue for number in forcing.numbers]
    named = tuple(sorted(clue for clue in clues if clue is not None))
    return Support(named, len(named) < len(clues), forcing.smallest)


class SupportFinder:
    """Follows a game and finds what the cells it opens rest on; `depths` are kept by the caller."""

    def __init__(
        self, topology: Topology, depths: Mapping[int, int], steps: int = DEFAULT_STEPS
    ) -> None:
        self._depths, self._steps = depths, steps
        self._ledger = ClueLedger(topology)
        self._distances = distances_of(topology)
        self._most_near = int(topology.degrees.max(initial=0))

    def take(self, cells: Iterable[int], view: View) -> None:
        """Take in that cells were opened; any later view tells what they show, best the newest."""
        if view.channel is EXACT:
            self._ledger.take(cells, code_bytes(view))

    def safe(self, cell: int, view: View) -> Support | None:
        """What forces a hidden cell of the newest view to be safe; None if it is not certain.

        Raises BudgetExceeded as the exact engine does.
        """
        plain = view.channel is EXACT and not view.free
        if plain:
            few = self._by_few(cell, view)
            if few is not None:
                return few
        if analyze(view).p[cell] > 0.0:
            return None
        if plain:
            nearby = self._nearby(cell, view) or self._by_counting(cell, view)
            if nearby is not None:
                return nearby
        evidence = Evidence(view, self._ledger.reads() if plain else None)
        forcing = _ShallowFinder(evidence, self._steps, self._depths).force(cell, mine=False)
        assert forcing is not None, "the exact engine and the search for premises disagree"
        return _support(evidence, forcing)

    def _nearby(self, cell: int, view: View) -> Support | None:
        """Three or more clues close to a cell; None if farther ones, or the total, may help."""
        for radius in _NEARBY:
            clues = sorted(self._ledger.around(cell, radius))
            found = self._fewest(cell, clues)
            if found is None:
                found = self._by_search(cell, view, clues)
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

    def _by_search(self, cell: int, view: View, clues: Sequence[int]) -> Support:
        """The same without the core; no clues if these do not force the cell."""
        evidence = Evidence(view, self._ledger.reads(clues), total=False)
        forcing = _LocalFinder(evidence, self._steps, self._depths).force_by_three(cell, mine=False)
        return Support((), False, True) if forcing is None else _support(evidence, forcing)

    def _by_counting(self, cell: int, view: View) -> Support | None:
        """Clues that force a cell with the total, each of them needed; None if a few suffice.

        A count of all mines on a large board has dozens of premises: whether it is smallest is not
        checked.
        """
        ledger = self._ledger
        if not kernel.available() or len(ledger.hidden) <= _FEW_CLUES:
            return None
        told = CounterfactualSolver(view)
        if told.forced_without_total(cell):
            return None
        far = self._distances.between(cell, ledger.hidden)
        dear = {clue: (self._depths[clue], far[clue], clue) for clue in ledger.hidden}
        needed = told.needed_clues(cell, sorted(dear, key=dear.__getitem__, reverse=True))
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
        alone = [(clue,) for clue in ledger.clues_at(cell) if not ledger.left[clue]]
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
