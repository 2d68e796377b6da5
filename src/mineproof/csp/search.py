"""Depth-first backtracking over a static puzzle (report 3), complete for all solutions.

In the report every node places a mine and its children are the nearest cells, each tried as the
next mine. Here a cell that was tried as a mine is safe in what follows, so no set of mines is
reached twice: the nearest cell is a mine, or it is safe and the next nearest cell is tried. The
distance is measured from the last mine placed. All orders use this one search, so their nodes can
be compared:

    a node is one value tried for one cell, whether or not it is rejected at once.

`reject`: a hint beside the cell has too many mines or too few cells left, or the total has.
`accept`: all mines are placed and every hint is met. Forward checking leaves out values that a hint
has already ruled out, and turns back as soon as a cell has no value left. `children` limits how
many cells are tried from one mine; cells whose value is forced do not count. The memo holds the
remaining puzzles (cells, hints, mines) that were found to have no solution.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import islice
from typing import Any

from mineproof.board.topology import Topology
from mineproof.errors import BudgetExceeded, InputError, UnknownName
from mineproof.graphs import distances
from mineproof.view.channels import EXACT, Mark
from mineproof.view.view import View

# ----------------------------------------------------------------------------
# A static puzzle as variables and constraints.
#
# Variables are the hidden cells of a view, hints its clues; an opened mine counts towards the clues
# around it and towards the total. Flags are ignored.

_MOST_REMEMBERED = 4_000_000


@dataclass(frozen=True)
class PuzzleConstraints:
    """The constraints of a puzzle.

    `cells` are the hint cells and `missing[h]` the mines still to be placed around `cells[h]`;
    `around[h]` are its variables. `mines` is the number of mines to place, None if the total is
    unknown.
    """

    topology: Topology
    variables: tuple[int, ...]
    cells: tuple[int, ...]
    missing: tuple[int, ...]
    around: tuple[tuple[int, ...], ...]
    mines: int | None

    @classmethod
    def of(cls, view: View) -> PuzzleConstraints:
        """The puzzle of a view. Raises InputError if its clues are uncertain."""
        if view.channel is not EXACT:
            raise InputError(
                f"a puzzle needs exact clues, not {view.rules.clues}; accepted: clues=exact"
            )
        cells, missing, around = [], [], []
        for cell, clue in sorted(view.clues):
            near = view.topology.neighbours(cell)
            cells.append(cell)
            missing.append(clue - sum(view.code(other) == Mark.MINE.value for other in near))
            around.append(tuple(filter(view.is_hidden, near)))
        mines = view.total
        if mines is not None:
            mines -= len(view.opened_mines)
        return cls(
            view.topology, tuple(view.hidden), tuple(cells), tuple(missing), tuple(around), mines
        )

    def only(self, hints: Iterable[int], *, total: bool) -> PuzzleConstraints:
        """The puzzle with only these hints (by number), with or without the total."""
        kept = tuple(hints)
        return PuzzleConstraints(
            self.topology,
            self.variables,
            tuple(self.cells[hint] for hint in kept),
            tuple(self.missing[hint] for hint in kept),
            tuple(self.around[hint] for hint in kept),
            self.mines if total else None,
        )

    def name(self, hint: int) -> str:
        """The cell of a hint, as people write it."""
        return self.topology.cell_name(self.cells[hint])

    @cached_property
    def hints_of(self) -> dict[int, tuple[int, ...]]:
        """For every variable the hints around it, by number."""
        found: dict[int, list[int]] = {variable: [] for variable in self.variables}
        for hint, variables in enumerate(self.around):
            for variable in variables:
                found[variable].append(hint)
        return {variable: tuple(hints) for variable, hints in found.items()}

    @cached_property
    def linked(self) -> dict[int, tuple[int, ...]]:
        """For every variable the others that share a hint with it."""
        return {
            variable: tuple(
                sorted({other for hint in hints for other in self.around[hint]} - {variable})
            )
            for variable, hints in self.hints_of.items()
        }

    @cached_property
    def _nearest(self) -> dict[int, tuple[int, ...]]:
        return {}

    def nearest(self, origin: int) -> tuple[int, ...]:
        """All variables by their distance from a cell, then by number.

        The distance is the Manhattan distance on a lattice, and the number of steps on a graph,
        which has no coordinates.
        """
        if (known := self._nearest.get(origin)) is None:
            distance = self._distances(origin)
            known = tuple(sorted(self.variables, key=lambda cell: (distance[cell], cell)))
            # The whole table is quadratic in the board: large boards forget it and sort again.
            if len(self._nearest) * len(known) > _MOST_REMEMBERED:
                self._nearest.clear()
            self._nearest[origin] = known
        return known

    def _distances(self, origin: int) -> dict[int, int]:
        if self.topology.name != "graph":
            place = self.topology.coordinates
            here = place(origin)
            return {
                cell: sum(abs(a - b) for a, b in zip(here, place(cell), strict=True))
                for cell in self.variables
            }
        steps = distances([origin], self.topology.neighbours)
        beyond = len(self.topology)
        return {cell: steps.get(cell, beyond) for cell in self.variables}


# ----------------------------------------------------------------------------
# The order in which a search tries cells and values: report 3's heuristics, alone or together.
#
# | word | decides |
# |---|---|
# | `none` | the cell: the nearest to the current one |
# | `mrv` | the cell: the one with the fewest values left |
# | `degree` | the cell: the one that shares hints with the most unassigned cells |
# | `lcv` | the value: the one that leaves the most values to the cells that share a hint |
#
# `mrv,degree` asks `mrv` first and breaks ties by `degree`; remaining ties go to the nearest cell.
# Without `lcv` a mine is tried first, as in the report.
#
# Two more words stand alone, each for a search of its own: `report` is the search that the report's
# text describes, `listing` is its program as printed.

CELL_ORDERS = ("mrv", "degree")
VALUE_ORDERS = ("lcv",)
OWN_SEARCHES = ("report", "listing")
_ALONE = ("none", *OWN_SEARCHES)


@dataclass(frozen=True)
class SearchOrder:
    """Which heuristics choose the cell, in order, and whether `lcv` orders the values.

    `own` names a search that has an order of its own; it is empty for all others.
    """

    cells: tuple[str, ...] = ()
    lcv: bool = False
    own: str = ""

    @classmethod
    def parse(cls, text: str) -> SearchOrder:
        """Words separated by commas. Raises UnknownName, or InputError for a repeated word."""
        words = [word.strip() for word in text.split(",")]
        known = (*_ALONE, *CELL_ORDERS, *VALUE_ORDERS)
        for word in words:
            if word not in known:
                raise UnknownName("order", word, known)
            if words.count(word) > 1:
                raise InputError(f"order {word} is given twice; accepted: each word once")
            if word in _ALONE and len(words) > 1:
                raise InputError(
                    f"order {word} stands alone; accepted: {word}, or such as mrv,degree,lcv"
                )
        own = words[0] if words[0] in OWN_SEARCHES else ""
        return cls(tuple(word for word in words if word in CELL_ORDERS), "lcv" in words, own)

    @property
    def text(self) -> str:
        return self.own or ",".join((*self.cells, *(("lcv",) if self.lcv else ()))) or "none"

    def __str__(self) -> str:
        return self.text


ORDERS = tuple(
    SearchOrder.parse(text)
    for text in (
        "none",
        "mrv",
        "degree",
        "lcv",
        "mrv,degree",
        "mrv,lcv",
        "degree,lcv",
        "mrv,degree,lcv",
    )
)
"""Every combination, as the table of nodes lists them; without the searches of their own."""


# -- What all searches share: counts, a budget, and a trace of what is tried ---

MOST_NODES = 2_000_000
"""The default limit on the nodes of a search."""

_TELL_EVERY = 1024


class TrialFate(Enum):
    """What becomes of a value: it is kept and the search goes on below it, or not."""

    KEPT = "kept"
    REJECTED = "rejected"
    ACCEPTED = "accepted"
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Trial:
    """A line of the trace: a value tried for a cell, or taken back.

    `node` counts the values tried so far, `depth` the values that stand, this one included. A value
    that is rejected is taken back at once, without a line of its own. `why` may be empty.
    """

    node: int
    depth: int
    cell: int
    mine: bool
    fate: TrialFate
    why: str = ""

    @property
    def value(self) -> str:
        return "mine" if self.mine else "safe"

    def to_json(self, topology: Topology) -> dict[str, Any]:
        """The object that `puzzle --trace --json` prints for one line of the trace."""
        return {
            "node": self.node,
            "depth": self.depth,
            "cell": list(topology.coordinates(self.cell)),
            "value": self.value,
            "fate": self.fate.value,
            "why": self.why,
        }


@dataclass(frozen=True)
class SearchWatcher:
    """Callbacks of a search: for every trial, and now and then for the number of nodes."""

    trial: Callable[[Trial], None] | None = None
    nodes: Callable[[int], None] | None = None


class BacktrackingSearch(ABC):
    """Base class of searches in which values are tried, rejected, accepted and undone.

    `nodes` are the values tried, `expanded` the mines among them that were not rejected at once.
    `found` is the number of solutions so far. `cut` is set if something was left untried, so that
    solutions may have been missed.
    """

    def __init__(
        self, hints: PuzzleConstraints, budget: int, watcher: SearchWatcher | None
    ) -> None:
        self.hints = hints
        self.budget = budget
        self.nodes = 0
        self.expanded = 0
        self.found = 0
        self.cut = False
        watcher = watcher if watcher is not None else SearchWatcher()
        self._missing = list(hints.missing)
        self._on_trial = watcher.trial
        self._on_nodes = watcher.nodes

    @abstractmethod
    def solutions(self) -> Iterator[tuple[int, ...]]:
        """Every solution found, once, as its mines in ascending order. Raises BudgetExceeded."""

    def _count(self) -> None:
        """Count a value that is about to be tried. Raises BudgetExceeded."""
        if self.nodes >= self.budget:
            raise BudgetExceeded(
                f"more than {self.budget} nodes; accepted: a larger budget, forward checking"
                " or another order"
            )
        self.nodes += 1
        if self._on_nodes is not None and self.nodes % _TELL_EVERY == 0:
            self._on_nodes(self.nodes)

    def _tell(self, depth: int, cell: int, mine: bool, fate: TrialFate, why: str = "") -> None:
        if self._on_trial is not None:
            self._on_trial(Trial(self.nodes, depth, cell, mine, fate, why))

    def _tell_rejected(self, depth: int, cell: int, mine: bool) -> None:
        if self._on_trial is not None:
            self._tell(depth, cell, mine, TrialFate.REJECTED, self._why_rejected(cell))

    @abstractmethod
    def _why_rejected(self, cell: int) -> str:
        """Why the value of a cell was rejected just now, in a few words."""


# -- The search with the heuristics --------------------------------------------


@dataclass(slots=True)
class _Frame:
    """One cell of the path: the values not tried yet and where its search began."""

    cell: int
    values: list[bool]
    origin: int
    tried: int
    choice: bool
    key: tuple[int, ...] | None
    found: int
    value: bool | None = None
    kept: bool = False


class PuzzleSearch(BacktrackingSearch):
    """One search. After `solutions()` is exhausted, `nodes` is its cost."""

    def __init__(
        self,
        hints: PuzzleConstraints,
        order: SearchOrder | None = None,
        *,
        forward_checking: bool = False,
        children: int | None = None,
        memo: bool = False,
        budget: int = MOST_NODES,
        watcher: SearchWatcher | None = None,
    ) -> None:
        super().__init__(hints, budget, watcher)
        self.children = children
        self.order = order if order is not None else SearchOrder()
        self.forward_checking = forward_checking
        self._refuted: set[tuple[int, ...]] | None = set() if memo else None
        self._room = [len(variables) for variables in hints.around]
        self._owed = sum(hints.missing)
        self._left = hints.mines
        self._free = dict.fromkeys(hints.variables)
        self._mines: list[int] = []
        self._turned_back = ""
        # For the memo, the state as two numbers: one bit per free cell and one digit per hint. Each
        # assignment updates them, so that a state need not be built anew to be looked up.
        self._free_mask = 0
        self._missing_code = 0
        self._bits: dict[int, int] = {}
        self._digits: dict[int, int] = {}
        if memo:
            self._bits = {cell: 1 << place for place, cell in enumerate(hints.variables)}
            self._free_mask = sum(self._bits.values())
            self._digits = {
                cell: sum(1 << (16 * hint) for hint in near)  # 16 bits hold any clue
                for cell, near in hints.hints_of.items()
            }

    def solutions(self) -> Iterator[tuple[int, ...]]:
        if not self._possible():
            return
        stack: list[_Frame] = []
        origin = self.hints.variables[0] if self.hints.variables else 0
        if self._accept():
            yield self._solution()
            return
        if (frame := self._enter(origin, 0)) is not None:
            stack.append(frame)
        while stack:
            frame = stack[-1]
            if frame.value is not None:
                self._undo(frame.cell, frame.value)
                if frame.kept:
                    self._tell(
                        len(stack), frame.cell, frame.value, TrialFate.UNDONE, self._turned_back
                    )
                    self._turned_back = ""
                frame.value = None
                frame.kept = False
            if not frame.values:
                stack.pop()
                if (
                    self._refuted is not None
                    and frame.key is not None
                    and (frame.found == self.found)
                ):
                    self._refuted.add(frame.key)
                continue
            value = frame.values.pop()
            self._count()
            self._assign(frame.cell, value)
            frame.value = value
            if self._reject(frame.cell):
                self._tell_rejected(len(stack), frame.cell, value)
                continue
            self.expanded += value
            frame.kept = True
            if self._accept():
                self._tell(len(stack), frame.cell, value, TrialFate.ACCEPTED)
                yield self._solution()
                continue
            self._tell(len(stack), frame.cell, value, TrialFate.KEPT)
            origin = frame.cell if value else frame.origin
            tried = 0 if value else frame.tried + frame.choice
            if (below := self._enter(origin, tried)) is not None:
                stack.append(below)

    # -- the state ---------------------------------------------------------------------------

    def _possible(self) -> bool:
        """Whether the puzzle may have a solution, before the first assignment."""
        fits = all(
            0 <= missing <= room for missing, room in zip(self._missing, self._room, strict=True)
        )
        return fits and (self._left is None or 0 <= self._left <= len(self._free))

    def _assign(self, cell: int, mine: bool) -> None:
        del self._free[cell]
        self._free_mask ^= self._bits.get(cell, 0)
        near = self.hints.hints_of[cell]
        for hint in near:
            self._room[hint] -= 1
        if mine:
            for hint in near:
                self._missing[hint] -= 1
            self._owed -= len(near)
            self._missing_code += self._digits.get(cell, 0)
            self._mines.append(cell)
            if self._left is not None:
                self._left -= 1

    def _undo(self, cell: int, mine: bool) -> None:
        self._free[cell] = None
        self._free_mask ^= self._bits.get(cell, 0)
        near = self.hints.hints_of[cell]
        for hint in near:
            self._room[hint] += 1
        if mine:
            for hint in near:
                self._missing[hint] += 1
            self._owed += len(near)
            self._missing_code -= self._digits.get(cell, 0)
            self._mines.pop()
            if self._left is not None:
                self._left += 1

    def _reject(self, cell: int) -> bool:
        left, missing, room = self._left, self._missing, self._room
        if left is not None and not 0 <= left <= len(self._free):
            return True
        if any(not 0 <= missing[hint] <= room[hint] for hint in self.hints.hints_of[cell]):
            return True
        if left == 0 and self._owed:
            return True
        return self.forward_checking and any(
            not self._values(other) for other in self.hints.linked[cell] if other in self._free
        )

    def _why_rejected(self, cell: int) -> str:
        if self._left is not None and self._left < 0:
            return "no mine left"
        if self._left is not None and self._left > len(self._free):
            return "too few cells left"
        for hint in self.hints.hints_of[cell]:
            if self._missing[hint] < 0:
                return f"too many mines at {self.hints.name(hint)}"
            if self._missing[hint] > self._room[hint]:
                return f"too few cells at {self.hints.name(hint)}"
        if self._left == 0 and self._owed:
            return "no mine left for other hints"
        empty = next(
            other
            for other in self.hints.linked[cell]
            if other in self._free and not self._values(other)
        )
        return f"no value for {self.hints.topology.cell_name(empty)}"

    def _accept(self) -> bool:
        if self._owed:
            return False
        return self._left == 0 if self._left is not None else not self._free

    def _solution(self) -> tuple[int, ...]:
        self.found += 1
        return tuple(sorted(self._mines))

    # -- what to try next --------------------------------------------------------------------

    def _enter(self, origin: int, tried: int) -> _Frame | None:
        """The next cell to branch on; None if the search must backtrack."""
        if not self._free:
            return None
        key: tuple[int, ...] | None = None
        if self._refuted is not None:
            key = (self._free_mask, self._missing_code, self._left or 0)
            # With a limit on children, what is found also depends on the last mine placed.
            if self.children is not None:
                key = (*key, origin, tried)
            if key in self._refuted:
                self._turned_back = "refuted before"
                return None
        if self.children is not None and tried >= self.children:
            self.cut = True
            self._turned_back = "enough children tried"
            return None
        cell = self._choose(origin)
        values = self._values(cell) if self.forward_checking else [False, True]
        if (
            self.order.lcv
            and len(values) == 2
            and self._ruled_out(cell, True) > self._ruled_out(cell, False)
        ):
            values.reverse()
        return _Frame(cell, values, origin, tried, len(values) == 2, key, self.found)

    def _values(self, cell: int) -> list[bool]:
        """The values that no single hint rules out; the one to try first comes last."""
        missing, room = self._missing, self._room
        left = self._left
        mine = left is None or left > 0
        safe = left is None or left < len(self._free)
        for hint in self.hints.hints_of[cell]:
            mine = mine and missing[hint] > 0
            safe = safe and missing[hint] < room[hint]
        return [False] * safe + [True] * mine

    def _choose(self, origin: int) -> int:
        nearest = (cell for cell in self.hints.nearest(origin) if cell in self._free)
        if not self.order.cells:
            return next(nearest)
        candidates = list(nearest)
        for word in self.order.cells:
            if word == "mrv":
                scores = [len(self._values(cell)) for cell in candidates]
            else:
                linked = self.hints.linked
                scores = [
                    -sum(other in self._free for other in linked[cell]) for cell in candidates
                ]
            best = min(scores)
            candidates = [
                cell for cell, score in zip(candidates, scores, strict=True) if score == best
            ]
        return candidates[0]

    def _ruled_out(self, cell: int, mine: bool) -> int:
        """How many values of the cells that share a hint this value would rule out."""
        others = [other for other in self.hints.linked[cell] if other in self._free]
        before = sum(len(self._values(other)) for other in others)
        self._assign(cell, mine)
        after = sum(len(self._values(other)) for other in others)
        self._undo(cell, mine)
        return before - after


# ----------------------------------------------------------------------------
# Report 3's own search, as its text means it: a node is a mine, its children the nearest cells.
#
#     place a mine in the cell; reject it if a hint beside the cell has all its mines
#     accept it if all mines are placed and every hint is met
#     try each of the n nearest cells that hold no mine in the same way; then take the mine back
#
# The distance is Manhattan's, from the cell itself; of equally near cells the first in reading
# order comes first. Every variable is tried as the first mine, in reading order. Nothing remembers
# that a cell was tried as a mine and failed, so one set of mines is reached in many orders: this is
# the cost that `PuzzleSearch` avoids. The memo, which the report proposes, holds what was refuted:
# a set of mines, with the one placed last.

CHILDREN = 4
"""The n of the report's program: with it, the listing gives the published counts."""


def mines_to_place(hints: PuzzleConstraints, order: str) -> int:
    """The number of mines to place. Raises InputError if it is not known."""
    if hints.mines is None:
        raise InputError(
            f"order {order} counts mines down to 0, and their number is unknown; accepted: a"
            " puzzle with a number of mines, or another order"
        )
    return hints.mines


class ReportSearch(BacktrackingSearch):
    """One search of the report's kind, with right neighbours and the distance from the last mine.

    A solution that is reached again is not given again.
    """

    def __init__(
        self,
        hints: PuzzleConstraints,
        children: int = CHILDREN,
        *,
        memo: bool = False,
        budget: int = MOST_NODES,
        watcher: SearchWatcher | None = None,
    ) -> None:
        super().__init__(hints, budget, watcher)
        self.children = children
        self._left = mines_to_place(hints, "report")
        self._owed = sum(hints.missing)
        self._mines: dict[int, None] = {}
        self._refuted: set[tuple[frozenset[int], int]] | None = set() if memo else None
        self._known: set[tuple[int, ...]] = set()

    def solutions(self) -> Iterator[tuple[int, ...]]:
        if min(self._missing, default=0) < 0:
            return
        if self._left == 0 and self._owed == 0:
            self.found = 1
            yield ()
            return
        # Each level: the cells still to be tried below the last mine, and the solutions before it.
        hints_of = self.hints.hints_of
        levels = [(iter(self.hints.variables), 0)]
        while levels:
            untried, before = levels[-1]
            if (cell := next(untried, None)) is None:
                levels.pop()
                if self._mines:
                    self._take_back(refuted=before == self.found)
                continue
            self._count()
            if self._left == 0 or any(self._missing[hint] <= 0 for hint in hints_of[cell]):
                self._tell_rejected(len(self._mines) + 1, cell, True)
                continue
            self._place(cell)
            if self._left == 0 and self._owed == 0:
                self._tell(len(self._mines), cell, True, TrialFate.ACCEPTED)
                solution = tuple(sorted(self._mines))
                if solution not in self._known:
                    self._known.add(solution)
                    self.found += 1
                    yield solution
                self._take_back()
                continue
            self._tell(len(self._mines), cell, True, TrialFate.KEPT)
            if self._refuted is not None and (frozenset(self._mines), cell) in self._refuted:
                self._take_back("refuted before")
                continue
            near = (other for other in self.hints.nearest(cell) if other not in self._mines)
            levels.append((iter(list(islice(near, self.children))), self.found))
            self.cut = self.cut or next(near, None) is not None

    def _why_rejected(self, cell: int) -> str:
        if self._left == 0:
            return "no mine left"
        full = next(hint for hint in self.hints.hints_of[cell] if self._missing[hint] <= 0)
        return f"too many mines at {self.hints.name(full)}"

    def _place(self, cell: int) -> None:
        self.expanded += 1
        self._mines[cell] = None
        self._left -= 1
        self._count_towards(cell, -1)

    def _take_back(self, why: str = "", *, refuted: bool = False) -> None:
        """Take the last mine back; the memo keeps what was refuted."""
        cell = next(reversed(self._mines))
        if refuted and self._refuted is not None:
            self._refuted.add((frozenset(self._mines), cell))
        self._tell(len(self._mines), cell, True, TrialFate.UNDONE, why)
        del self._mines[cell]
        self._left += 1
        self._count_towards(cell, 1)

    def _count_towards(self, cell: int, change: int) -> None:
        near = self.hints.hints_of[cell]
        for hint in near:
            self._missing[hint] += change
        self._owed += change * len(near)


# ----------------------------------------------------------------------------
# Report 3's program as it is printed, faults included: with 4 children, the published counts.
#
# What the listing does, where it differs from the report's text (`ReportSearch`):
#
# - `reject` looks at five of the eight neighbours: not above, not below, not below to the right;
# - the nearest cell is measured from the first cell of the deque, which is at distance 0 from
#   itself: so the children are taken from the front of the deque, whatever the distance;
# - a child that failed goes to the end of the deque before the next one is taken;
# - `accept` comes before the cell is made a mine, so a solution is noticed at the next cell that is
#   not rejected, and only if there is one;
# - nothing ends a path with more mines than there are.
#
# What is not printed is taken to be the simplest: the deque holds the variables in reading order;
# the search begins at the first of them, only there, and leaves it in the deque, so the first cell
# may be made a mine twice; the hints around a new mine are counted with the right neighbours.
#
# Where the deque is empty the program takes a null pointer and reads through it later. Here, the
# children of that cell end. A board that the program accepts with a cell made a mine twice, or with
# too many mines, is no solution; the search ends there, as the program does.

_LOOKED_AT = ((0, -1), (-1, -1), (1, -1), (0, 1), (-1, 1))
"""The offsets of the printed `reject` in rows and columns, each once."""


class ListingSearch(BacktrackingSearch):
    """One run of the printed program. It ends at the first board that it accepts."""

    def __init__(
        self,
        hints: PuzzleConstraints,
        children: int = CHILDREN,
        *,
        budget: int = MOST_NODES,
        watcher: SearchWatcher | None = None,
    ) -> None:
        super().__init__(hints, budget, watcher)
        self.children = children
        if hints.topology.name != "square":
            raise InputError(
                f"order listing is for square boards, not {hints.topology.name}; accepted: report"
            )
        self.cut = True
        self._left = mines_to_place(hints, "listing")
        self._owed = sum(map(bool, hints.missing))
        self._path: list[int] = []
        self._looked_at = self._neighbours_looked_at()

    def solutions(self) -> Iterator[tuple[int, ...]]:
        if not self.hints.variables:
            return
        waiting = deque(self.hints.variables)
        left_of: list[int] = []
        cell = waiting[0]
        while True:
            self._count()
            if any(self._missing[hint] <= 0 for hint in self._looked_at[cell]):
                self._tell_rejected(len(self._path) + 1, cell, True)
            elif self._left <= 0 and not self._owed:
                why = "before it is made a mine"
                self._tell(len(self._path) + 1, cell, True, TrialFate.ACCEPTED, why)
                if self._left == 0 and len(set(self._path)) == len(self._path):
                    self.found = 1
                    yield tuple(sorted(self._path))
                return
            else:
                self.expanded += 1
                self._path.append(cell)
                self._change(cell, -1)
                self._tell(len(self._path), cell, True, TrialFate.KEPT)
                left_of.append(self.children)
                if waiting:
                    cell = waiting.popleft()
                    continue
                left_of[-1] = 0
            # The cell failed: give it back, and every mine above it that has no child left.
            while left_of:
                if left_of[-1]:
                    waiting.append(cell)
                    left_of[-1] -= 1
                    if left_of[-1]:
                        break
                left_of.pop()
                cell = self._path.pop()
                self._change(cell, 1)
                self._tell(len(self._path) + 1, cell, True, TrialFate.UNDONE)
            else:
                return
            cell = waiting.popleft()

    def _neighbours_looked_at(self) -> dict[int, tuple[int, ...]]:
        """For every variable the hints that the printed `reject` looks at, by number."""
        topology = self.hints.topology
        number = {cell: hint for hint, cell in enumerate(self.hints.cells)}
        place = {topology.coordinates(cell): cell for cell in topology.cells}
        found = {}
        for cell in self.hints.variables:
            row, column = topology.coordinates(cell)
            near = (place.get((row + down, column + right)) for down, right in _LOOKED_AT)
            found[cell] = tuple(number[other] for other in near if other in number)
        return found

    def _why_rejected(self, cell: int) -> str:
        full = next(hint for hint in self._looked_at[cell] if self._missing[hint] <= 0)
        return f"too many mines at {self.hints.name(full)}"

    def _change(self, cell: int, change: int) -> None:
        """Count a mine towards the hints around it, or take it back."""
        self._left += change
        for hint in self.hints.hints_of[cell]:
            before = self._missing[hint]
            self._missing[hint] = before + change
            self._owed += bool(before + change) - bool(before)
