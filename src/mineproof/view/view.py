"""What the player sees: the board's graph, the rules told to the player, and every opened cell."""

from __future__ import annotations

from abc import abstractmethod
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Flag, auto
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from mineproof.board.topology import CellSet, Place, Topology, as_topology
from mineproof.errors import InputError, as_given, as_int, check_kind
from mineproof.registry import OldName
from mineproof.rules import Rules, told_rules
from mineproof.text import many
from mineproof.view.channels import (
    EXACT,
    MAX_CLUE,
    Channel,
    Mark,
    Shown,
    channel,
    check_channel,
    code_of,
    shown_of,
)

AnyPlace = TypeVar("AnyPlace", bound=Place)

_MINE = Mark.MINE.value
_HIDDEN = Mark.HIDDEN.value


class View:
    """A position as its player sees it. Immutable; views of one game share their memory.

    `rules` are the rules as the player knows them. `total` is the number of mines, or None if it is
    unknown; `density` is then the chance of a mine in a cell. A view holds no layout.

    Beside what is shown stands what the rules guarantee: `free` are the hidden cells that the rule
    of the first click keeps free of mines. An opened cell leaves them.

    >>> view = mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")
    >>> view[1, 1], view.total, len(view.hidden), (0, 1) in view.hidden
    (2, 2, 4, True)
    """

    __slots__ = ("_flagged", "_flags", "_free", "_history", "_opened", "rules", "topology")

    def __init__(
        self, topology: Topology | str, rules: Rules | str, free: Iterable[Place] = ()
    ) -> None:
        """The board before anything is opened; `rules` are those told to the player.

        A density with a known total is told as the number that it comes to.
        """
        topology = as_topology(topology)
        if not isinstance(rules, Rules):
            rules = Rules.parse(rules)
        total = rules.mines.fixed(len(topology))
        if rules.total_known and (total is None or total > len(topology)):
            raise InputError(
                f"mines {rules.mines.text} on {len(topology)} cells; accepted: a number of mines"
                " that fits, or total=unknown"
            )
        if not rules.total_known and total is not None:
            raise InputError("an unknown total needs a density such as ~20%, not a number")
        if rules.mines.room is not None and rules.mines.room > len(topology):
            raise InputError(
                f"mines {rules.mines.text} on {len(topology)} cells; accepted: at most"
                f" uniform:{len(topology)}"
            )
        check_channel(rules.clues, topology.degrees)
        self.topology = topology
        if total is not None and not rules.mines.is_number:
            rules = told_rules(rules, len(topology), total)
        self.rules = rules
        self._history = History(len(topology))
        self._opened = self._flagged = self._flags = 0
        self._free = tuple(sorted(set(topology.cells_of(free)))) if free else ()

    @classmethod
    def parse(cls, text: str, mines: int | str | None = None) -> View:
        """Read a position in any form that `mineproof.view.notation` or `exchange` knows.

        `mines` is for texts that do not tell their number. Raises NotationError.

        >>> print(mp.View.parse("1HH\n12H", mines=2))
        1..
        12.
        """
        from mineproof.view import exchange

        return exchange.parse(text, mines)

    @classmethod
    def read(cls, path: str | Path, mines: int | str | None = None) -> View:
        """The position of a file, of standard input for `-`, or of a link. Raises NotationError."""
        from mineproof.view import exchange

        return exchange.read(path, mines)

    @classmethod
    def from_array(
        cls,
        grid: object,
        mines: int | str | None = None,
        *,
        topology: Topology | str | None = None,
        hidden: object = -1,
        flag: object = -2,
        mine: object = -3,
        blank: object = -4,
        rules: Rules | str = "",
    ) -> View:
        """The view of rows of numbers: lists of lists, or an array of any integer type.

        `hidden`, `flag`, `mine` (opened) and `blank` (opened, without a clue) are what stands for
        them. `mines` is their number, unless `rules` tell it. The board is square, unless a
        `topology` says otherwise; its cells may also be given in one row. Raises InputError.
        """
        from mineproof.view import exchange

        marks = exchange.ArrayMarks(hidden, flag, mine, blank)
        return exchange.read_array(grid, mines, topology, marks, rules)

    def to_array(
        self, *, hidden: int = -1, flag: int = -2, mine: int = -3, blank: int = -4, empty: int = -5
    ) -> NDArray[np.int64]:
        """What every cell shows, in the board's shape; `from_array` reads it back.

        `empty` stands where the board has no cell.
        """
        codes = self.codes().astype(np.int64)
        for mark, value in ((Mark.HIDDEN, hidden), (Mark.MINE, mine), (Mark.BLANK, blank)):
            codes[self.codes() == mark.value] = value
        codes[list(self.flags)] = flag
        return self.topology.grid(codes, empty)

    @classmethod
    def of_codes(
        cls,
        topology: Topology | str,
        rules: Rules | str,
        codes: NDArray[np.uint8],
        flags: Iterable[Place] = (),
        free: Iterable[Place] = (),
    ) -> View:
        """The view whose cells show these bytes. Raises InputError for impossible clues."""
        view = cls(topology, rules)
        topology = view.topology
        check_kind(codes, np.ndarray, "codes", f"an array of {len(topology)} bytes")
        if codes.shape != (len(topology),) or codes.dtype != np.uint8:
            raise InputError(f"a view of {len(topology)} cells needs as many bytes")
        strange = np.flatnonzero((codes > MAX_CLUE) & (codes < Mark.BLANK.value))
        if strange.size:
            raise InputError(f"byte {codes[strange[0]]} stands for nothing a cell can show")
        too_large = np.flatnonzero((codes <= MAX_CLUE) & (codes > topology.degrees))
        if too_large.size:
            view._check_clue(int(too_large[0]), int(codes[too_large[0]]))
        view._history = History.of_codes(codes)
        view._opened = len(view._history.log)
        return view.with_free(free).with_flags(flags)

    @property
    def text(self) -> str:
        """The position in mineproof's own notation; `parse` reads it back to an equal view."""
        from mineproof.view import notation

        return notation.write_short_text(self)

    # -- what is known -----------------------------------------------------------------------

    @property
    def total(self) -> int | None:
        return self.rules.mines.fixed(len(self.topology)) if self.rules.total_known else None

    @property
    def density(self) -> Fraction | None:
        """The chance of a mine in a cell where the total is not known; None for `uniform`."""
        return self.rules.mines.chance

    @property
    def totals(self) -> range:
        """The numbers of mines, opened ones included, that the rules alone leave possible."""
        cells = len(self.topology)
        if self.total is not None:
            return range(self.total, self.total + 1)
        if (drawn := self.drawn) < self.rules.given.drawn(cells) and self._opened:
            return range(cells - drawn, cells - drawn + 1)  # every safe cell was given
        if self.density is None:
            return range(1, (self.rules.mines.room or cells) + 1)
        if self.density in (0, 1):
            return range(1) if self.density == 0 else range(cells, cells + 1)
        return range(cells + 1)

    @property
    def channel(self) -> Channel:
        return channel(self.rules.clues)

    @property
    def drawn(self) -> int:
        """How many of the opened cells were drawn among the safe ones, as given at the start.

        That a cell was drawn says more than that it is safe: the more mines there are, the fewer
        cells it was drawn from.
        """
        drawn = self.rules.given.drawn(len(self))
        return min(drawn, self._opened - len(self.opened_mines)) if drawn else 0

    def __len__(self) -> int:
        return len(self.topology)

    def __getitem__(self, cell: Place) -> Shown:
        """What a cell shows: a number, or a `Mark`."""
        if type(cell) is not int or not 0 <= cell < len(self._history.place):
            cell = self.topology.cell(cell)
        return shown_of(self.code(cell))

    def __iter__(self) -> Iterator[Shown]:
        """What every cell shows, in the order of their numbers."""
        return map(shown_of, self.codes().tolist())

    def code(self, cell: Place) -> int:
        """What a cell shows, as its byte (see `mineproof.view.channels`)."""
        if type(cell) is not int or not 0 <= cell < len(self._history.place):
            cell = self.topology.cell(cell)
        history = self._history
        return history.codes[cell] if history.place[cell] < self._opened else _HIDDEN

    def codes(self) -> NDArray[np.uint8]:
        """The byte of every cell, as a fresh array."""
        return self._history.codes_at(self._opened)

    code_bytes = OldName(lambda view: code_bytes(view))

    def is_open(self, cell: Place) -> bool:
        if type(cell) is not int or not 0 <= cell < len(self._history.place):
            cell = self.topology.cell(cell)
        return self._history.place[cell] < self._opened

    def is_hidden(self, cell: Place) -> bool:
        if type(cell) is not int or not 0 <= cell < len(self._history.place):
            cell = self.topology.cell(cell)
        return self._history.place[cell] >= self._opened

    def is_flagged(self, cell: Place) -> bool:
        if type(cell) is not int or not 0 <= cell < len(self._history.place):
            cell = self.topology.cell(cell)
        times = self._history.flag_times.get(cell)
        return times is not None and bool(bisect_left(times, self._flagged) & 1)

    def clue(self, cell: Place) -> int | None:
        """The number a cell shows, or None."""
        code = self.code(cell)
        return code if code <= MAX_CLUE else None

    @property
    def opened(self) -> OpenedCells:
        """The opened cells, in the order they were opened."""
        return OpenedCells(self.topology, self._history, self._opened)

    @property
    def hidden(self) -> HiddenCells:
        """The cells not opened, flagged or not, in ascending order."""
        return HiddenCells(self.topology, self._history, self._opened)

    @property
    def clues(self) -> Clues:
        """Opened cells that show a number, with it: `clues[0, 1]`, or a walk over pairs."""
        return Clues(self.topology, self._history, self._opened)

    @property
    def opened_mines(self) -> OpenedMines:
        """The mines that were opened, in that order."""
        return OpenedMines(self.topology, self._history, self._opened)

    @property
    def flags(self) -> CellSet:
        log = dict.fromkeys(self._history.flag_log[: self._flagged])
        return CellSet.of(self.topology, filter(self.is_flagged, log))

    @property
    def free(self) -> CellSet:
        """The hidden cells that the rules keep free of mines, whatever is shown.

        >>> view = mp.View.parse("square 1x4 mines=1 clues=cautious free=0,1\\n1...")
        >>> view.free.names, mp.analyze(view).safe.names
        (('0,1',), ('0,1',))
        """
        return CellSet.of(self.topology, self._free)

    @property
    def opened_count(self) -> int:
        return self._opened

    @property
    def hidden_count(self) -> int:
        return len(self) - self._opened

    @property
    def flag_count(self) -> int:
        return self._flags

    def opened_since(self, earlier: View) -> tuple[int, ...] | None:
        """The cells opened between an earlier view of the same game and this one.

        None if `earlier` is not an earlier view of the same game.
        """
        check_kind(earlier, View, "earlier", "a View")
        if earlier._history is not self._history or earlier._opened > self._opened:
            return None
        return tuple(self._history.log[earlier._opened : self._opened])

    # -- what follows ------------------------------------------------------------------------

    def reveal(self, shown: Mapping[AnyPlace, Shown]) -> View:
        """The view after these cells are opened; costs what it reveals.

        Cells are numbers or coordinates. Raises InputError for a cell that is open already or a
        clue that cannot be.
        """
        if not isinstance(shown, Mapping):
            raise InputError(f"{as_given(shown)} opens no cells; accepted: such as {{(0, 1): 2}}")
        codes: dict[int, int] = {}
        for place, what in shown.items():
            cell = self.topology.cell(place)
            if self.is_open(cell) or cell in codes:
                raise InputError(f"cell {self.topology.cell_name(cell)} is open already")
            if what is Mark.HIDDEN:
                raise InputError(f"cell {self.topology.cell_name(cell)} cannot be opened as hidden")
            if what is Mark.MINE and cell in self._free:
                name = self.topology.cell_name(cell)
                raise InputError(f"cell {name} is kept free by the rules; accepted: no mine there")
            if not isinstance(what, Mark):
                self._check_clue(cell, what)
            codes[cell] = code_of(what)
        return reveal_codes(self, codes.items())

    def _check_clue(self, cell: int, clue: int) -> None:
        neighbours = self.topology.degree(cell)
        if not 0 <= as_int(clue, "clue") <= neighbours:
            raise InputError(
                f"clue {clue} at {self.topology.cell_name(cell)}, which has {neighbours}"
                f" neighbours; accepted: 0 to {neighbours}"
            )

    reveal_codes = OldName(lambda view, codes: reveal_codes(view, codes))

    def toggle_flag(self, cell: Place) -> View:
        """The view with a flag set on a hidden cell, or taken off again. Raises InputError."""
        if type(cell) is not int or not 0 <= cell < len(self._history.place):
            cell = self.topology.cell(cell)
        if self.is_open(cell):
            name = self.topology.cell_name(cell)
            raise InputError(f"cell {name} cannot be flagged; accepted: a hidden cell")
        history = self._own_history()
        history.toggle(cell)
        view = self._with(history)
        view._flagged = len(history.flag_log)
        view._flags += 1 if view.is_flagged(cell) else -1
        return view

    def with_flags(self, cells: Iterable[Place]) -> View:
        """The view with flags on all these hidden cells. Raises InputError."""
        view = self
        for cell in self.topology.cells_of(cells):
            if not view.is_flagged(cell):
                view = view.toggle_flag(cell)
        return view

    def with_free(self, cells: Iterable[Place]) -> View:
        """The view in which the rules keep these cells free too; those open already are left out.

        Raises InputError for an opened mine.
        """
        free = set(self.topology.cells_of(cells))
        for cell in sorted(free):
            if self.code(cell) == _MINE:
                name = self.topology.cell_name(cell)
                raise InputError(f"cell {name} is an opened mine; accepted: a cell without one")
        free = {*self._free, *filter(self.is_hidden, free)}
        if len(free) == len(self._free):
            return self
        view = self._with(self._history)
        view._free = tuple(sorted(free))
        return view

    def with_rules(self, rules: Rules | str) -> View:
        """The same position under other rules told to the player."""
        fresh = View(self.topology, rules)
        fresh._history, fresh._opened, fresh._free = self._history, self._opened, self._free
        fresh._flagged, fresh._flags = self._flagged, self._flags
        return fresh

    def _own_history(self) -> History:
        """The history, if this view is its end; else a copy that ends here."""
        history = self._history
        if len(history.log) == self._opened and len(history.flag_log) == self._flagged:
            return history
        return history.copy_at(self._opened, self._flagged)

    def _with(self, history: History) -> View:
        view = View.__new__(View)
        view.topology, view.rules, view._history = self.topology, self.rules, history
        view._opened, view._flagged, view._flags = self._opened, self._flagged, self._flags
        view._free = self._free
        return view

    # -- value -------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return (
            self.topology == other.topology
            and self.rules == other.rules
            and self._opened == other._opened
            and self._free == other._free
            and bool((self.codes() == other.codes()).all())
            and self.flags == other.flags
        )

    def __hash__(self) -> int:
        shown = self.codes().tobytes()
        return hash((self.topology, self.rules, shown, self.flags.mask, self._free))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"View.parse({self.text!r})"

    def svg(self, chances: Sequence[float] | None = None, marked: Iterable[Place] = ()) -> str:
        """The picture; `chances` colour hidden cells, `marked` ones get thick edges."""
        from mineproof.view.svg import draw_svg

        return draw_svg(self, chances, self.topology.cells_of(marked, "marked"))

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows."""
        from mineproof.view.svg import notebook_svg

        return notebook_svg(self)


def code_bytes(view: View) -> bytearray:
    """The byte of every cell, without a copy if this is the newest view of its game. It must be
    neither changed nor kept.
    """
    history = view._history
    if len(history.log) == view._opened:
        return history.codes
    return bytearray(history.codes_at(view._opened).tobytes())


def reveal_codes(view: View, codes: Iterable[tuple[int, int]]) -> View:
    """`reveal` for the referee: the bytes are known to be valid and are not checked."""
    history = view._own_history()
    later = view._with(history)
    for cell, code in codes:
        if later._flags and later.is_flagged(cell):
            history.toggle(cell)
            later._flagged, later._flags = len(history.flag_log), later._flags - 1
        history.open(cell, code)
    later._opened = len(history.log)
    if later._free:
        later._free = tuple(filter(later.is_hidden, later._free))
    return later


# -- What is wrong with a position, as flags: reported, never raised -----------


class Status(Flag):
    """Faults that can be seen without search; SOUND means none of them.

    A position without these faults may still have no solution: only the exact engine can tell.
    """

    SOUND = 0
    CLUE_TOO_SMALL = auto()
    """A clue is smaller than the number of opened mines around it."""
    CLUE_TOO_LARGE = auto()
    """A clue is larger than the number of mines and hidden cells around it."""
    TOO_MANY_MINES = auto()
    """More mines are open than the total."""
    TOO_FEW_HIDDEN = auto()
    """Fewer cells are hidden than mines are left."""
    TOO_MANY_FLAGS = auto()
    """There are more flags than mines left."""


def status(view: View) -> Status:
    """The faults of a view; clue faults are judged only where clues are exact."""
    found = Status.SOUND
    if view.channel is EXACT:
        for cell, clue in view.clues:
            codes = [view.code(near) for near in view.topology.neighbours(cell)]
            mines = codes.count(Mark.MINE.value)
            if clue < mines:
                found |= Status.CLUE_TOO_SMALL
            if clue > mines + codes.count(Mark.HIDDEN.value):
                found |= Status.CLUE_TOO_LARGE
    if view.total is not None:
        left = view.total - len(view.opened_mines)
        if left < 0:
            found |= Status.TOO_MANY_MINES
        if left > view.hidden_count:
            found |= Status.TOO_FEW_HIDDEN
        if view.flag_count > max(left, 0):
            found |= Status.TOO_MANY_FLAGS
    return found


# ----------------------------------------------------------------------------
# The cells of a view as collections: ask with a cell's number or its coordinates; iteration gives
# numbers.

_MOST_SHOWN = 12


class _Cells(Sequence[int]):
    """Cells of one view in a fixed order; the view is the first `opened` entries of a history."""

    __slots__ = ("_history", "_list", "_opened", "_topology")

    def __init__(self, topology: Topology, history: History, opened: int) -> None:
        self._topology, self._history, self._opened = topology, history, opened
        self._list: list[int] | None = None

    @abstractmethod
    def __iter__(self) -> Iterator[int]: ...

    @abstractmethod
    def _holds(self, cell: int) -> bool:
        """Whether a cell of the board is one of them."""

    @property
    def _all(self) -> list[int]:
        if self._list is None:
            self._list = list(iter(self))
        return self._list

    def __len__(self) -> int:
        return len(self._all)

    @overload
    def __getitem__(self, place: int) -> int: ...

    @overload
    def __getitem__(self, place: slice) -> list[int]: ...

    def __getitem__(self, place: int | slice) -> int | list[int]:
        if place == 0:
            for first in self:  # no walk over all of them
                return first
        return self._all[place]

    def __contains__(self, cell: object) -> bool:
        number = self._topology.find(cell)
        return number is not None and self._holds(number)

    def __eq__(self, other: object) -> bool:
        """Equal to the same cells in the same order, also in a list or a tuple."""
        if not isinstance(other, _Cells | list | tuple):
            return NotImplemented
        return self._all == list(other)

    def __hash__(self) -> int:
        return hash(tuple(self._all))

    def __repr__(self) -> str:
        cells = self._all
        shown = [self._topology.cell_name(cell) for cell in cells[:_MOST_SHOWN]]
        more = ["..."] * (len(cells) > _MOST_SHOWN)
        return f"<{many(len(cells), 'cell')}: {' '.join(shown + more)}>" if cells else "<no cells>"


class HiddenCells(_Cells):
    """The cells not opened, flagged or not, in ascending order."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        place, opened = self._history.place, self._opened
        return (cell for cell in self._topology.cells if place[cell] >= opened)

    def __len__(self) -> int:
        return len(self._topology) - self._opened

    def _holds(self, cell: int) -> bool:
        return self._history.place[cell] >= self._opened


class OpenedCells(_Cells):
    """The opened cells, in the order they were opened."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        return islice(self._history.log, self._opened)

    def __len__(self) -> int:
        return self._opened

    def _holds(self, cell: int) -> bool:
        return self._history.place[cell] < self._opened


class OpenedMines(OpenedCells):
    """The mines that were opened, in that order; there are some only where a game goes on."""

    __slots__ = ()

    def __iter__(self) -> Iterator[int]:
        codes = self._history.codes
        return (cell for cell in islice(self._history.log, self._opened) if codes[cell] == _MINE)

    def __len__(self) -> int:
        return len(self._all)

    def _holds(self, cell: int) -> bool:
        return super()._holds(cell) and self._history.codes[cell] == _MINE


class Clues(Collection[tuple[int, int]]):
    """The numbers shown: `clues[cell]`, `cell in clues`, and a walk over pairs of cell and number.

    The pairs come in the order in which the cells were opened; `dict` takes them.
    """

    __slots__ = ("_history", "_opened", "_topology")

    def __init__(self, topology: Topology, history: History, opened: int) -> None:
        self._topology, self._history, self._opened = topology, history, opened

    def __iter__(self) -> Iterator[tuple[int, int]]:
        codes = self._history.codes
        opened = islice(self._history.log, self._opened)
        return ((cell, codes[cell]) for cell in opened if codes[cell] <= MAX_CLUE)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __contains__(self, cell: object) -> bool:
        number = self._topology.find(cell)
        return number is not None and self._shows(number)

    def __getitem__(self, cell: Place) -> int:
        """The number that a cell shows. Raises InputError where it shows none."""
        number = self._topology.cell(cell)
        if not self._shows(number):
            name = self._topology.cell_name(number)
            raise InputError(f"cell {name} shows no number; accepted: a cell of `view.clues`")
        return self._history.codes[number]

    def __eq__(self, other: object) -> bool:
        """Equal to the same numbers in the same cells, also in a dict."""
        if not isinstance(other, Clues | dict):
            return NotImplemented
        return dict(self) == dict(other)

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def _shows(self, cell: int) -> bool:
        history = self._history
        return history.place[cell] < self._opened and history.codes[cell] <= MAX_CLUE

    def __repr__(self) -> str:
        name = self._topology.cell_name
        shown = [f"{name(cell)}={number}" for cell, number in islice(self, _MOST_SHOWN)]
        more = ["..."] * (len(self) > _MOST_SHOWN)
        return f"<{many(len(self), 'clue')}: {' '.join(shown + more)}>" if shown else "<no clues>"


# ----------------------------------------------------------------------------
# The memory that the views of one game share.
#
# Cells are opened and never closed, so a game is a growing log of opened cells. A view is a prefix
# of that log, given by its length: a cell is open in it if its place in the log is before that
# length. Opening therefore costs only what it reveals, and older views stay valid. Flags come and
# go, so they have a log of their own. Continuing from an older view copies the log.

_NEVER = 2**31 - 1


class History:
    """What was opened and flagged, in order."""

    __slots__ = ("codes", "flag_log", "flag_times", "log", "place")

    def __init__(self, cells: int) -> None:
        self.codes = bytearray([Mark.HIDDEN.value]) * cells
        self.place = array("i", [_NEVER]) * cells
        self.log: list[int] = []
        self.flag_log: list[int] = []
        self.flag_times: dict[int, list[int]] = {}

    @classmethod
    def of_codes(cls, codes: NDArray[np.uint8]) -> History:
        """The history in which the cells that show something were opened in ascending order."""
        history = cls(0)
        opened = np.flatnonzero(codes != Mark.HIDDEN.value)
        places = np.full(len(codes), _NEVER, dtype=np.int32)
        places[opened] = np.arange(len(opened), dtype=np.int32)
        history.codes = bytearray(codes.tobytes())
        history.place = array("i", places.tobytes())
        history.log = opened.tolist()
        return history

    def open(self, cell: int, code: int) -> None:
        self.codes[cell] = code
        self.place[cell] = len(self.log)
        self.log.append(cell)

    def toggle(self, cell: int) -> None:
        self.flag_times.setdefault(cell, []).append(len(self.flag_log))
        self.flag_log.append(cell)

    def codes_at(self, length: int) -> NDArray[np.uint8]:
        """The bytes of the board when the log had this length; a fresh array."""
        codes = np.frombuffer(self.codes, dtype=np.uint8).copy()
        if length < len(self.log):
            codes[self.log[length:]] = Mark.HIDDEN.value
        return codes

    def copy_at(self, length: int, flags: int) -> History:
        """A separate history that begins as this one did."""
        other = History(len(self.codes))
        for cell in self.log[:length]:
            other.open(cell, self.codes[cell])
        for cell in self.flag_log[:flags]:
            other.toggle(cell)
        return other
