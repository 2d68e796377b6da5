"""A mine layout, how it is dealt, and how hard it is to clear.

A layout is the truth of a board. During a game only the referee holds it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
from numpy.typing import NDArray

from mineproof import kernel
from mineproof.board.topology import CellSet, Place, Topology, as_topology
from mineproof.errors import BoardError, InputError, NotationError, check_kind, quoted, text_of
from mineproof.files import parse_file, read_bytes
from mineproof.graphs import components
from mineproof.rng import Purpose, Stream
from mineproof.rules import FirstClick, Given, Mines, Rules

_BYTE = re.compile(r"[0-9A-Fa-f]{2}")
_CODE = "0123456789abcdefghijklmnopqrstuv"


class Layout:
    """Where the mines are. Immutable.

    >>> layout = mp.Layout.of("2x3", [(0, 0), 5])
    >>> layout.total, layout.is_mine((0, 0)), layout.cells.names
    (2, True, ('0,0', '1,2'))
    """

    def __init__(self, topology: Topology, mines: NDArray[np.uint8]) -> None:
        check_kind(topology, Topology, "topology", "a Topology")
        self.topology = topology
        bytes_of_cells = f"an array of {len(topology)} bytes, 1 for a mine and 0 for none"
        check_kind(mines, np.ndarray, "mines", bytes_of_cells)
        if mines.shape != (len(topology),) or mines.dtype != np.uint8:
            raise InputError(
                f"mines of {topology.text} are {mines.dtype}{mines.shape}; accepted:"
                f" {bytes_of_cells}"
            )
        self.mines = mines.copy() if mines.flags.writeable else mines
        self.mines.flags.writeable = False

    @classmethod
    def of(cls, topology: Topology | str, cells: Iterable[Place]) -> Layout:
        """The layout with mines in these cells, each a number or coordinates.

        >>> print(Layout.of("2x3", [(0, 0), 5]))
        *21
        12*
        """
        topology = as_topology(topology)
        mines = np.zeros(len(topology), dtype=np.uint8)
        mines[list(CellSet.of(topology, cells))] = 1
        return cls(topology, mines)

    @cached_property
    def total(self) -> int:
        return int(self.mines.sum())

    @cached_property
    def counts(self) -> NDArray[np.uint8]:
        """The number of mines around every cell, mines included."""
        counts = count_mines(self.topology, self.mines)
        counts.flags.writeable = False
        return counts

    @property
    def cells(self) -> CellSet:
        return CellSet.of(self.topology, np.flatnonzero(self.mines).tolist())

    def is_mine(self, cell: Place) -> bool:
        if type(cell) is not int or not 0 <= cell < len(self.mines):
            cell = self.topology.cell(cell)
        return bool(self.mines[cell])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return self.topology == other.topology and bool((self.mines == other.mines).all())

    def __hash__(self) -> int:
        return hash((self.topology, self.mines.tobytes()))

    @property
    def code(self) -> str:
        """The mines in a few characters for an address: five cells each, as other sites write them.

        >>> Layout.of("2x3", [(0, 0), 5]).code
        'gg'
        """
        bits = "".join(map(str, self.mines.tolist()))
        return "".join(
            _CODE[int(bits[at : at + 5].ljust(5, "0"), 2)] for at in range(0, len(bits), 5)
        )

    @classmethod
    def of_code(cls, topology: Topology | str, code: str) -> Layout:
        """The layout that `code` writes. Raises InputError.

        >>> Layout.of_code("2x3", "gg").cells.names
        ('0,0', '1,2')
        """
        topology = as_topology(topology)
        cells = len(topology)
        characters = -(-cells // 5)
        if len(code) != characters or not set(code) <= set(_CODE):
            raise InputError(
                f"layout {quoted(code)} of {cells} cells; accepted: {characters} characters from 0"
                " to 9 and a to v"
            )
        bits = "".join(f"{_CODE.index(mark):05b}" for mark in code)
        if "1" in bits[cells:]:
            raise InputError(f"layout {quoted(code)} has a mine past its {cells} cells")
        return cls(topology, np.array([bit == "1" for bit in bits[:cells]], dtype=np.uint8))

    @classmethod
    def parse(cls, text: str) -> Layout:
        """The layout that a text draws: a header such as `hex 3x3`, then rows.

        A mine is `*` or -1, a safe cell its clue or `.`, a place without a cell `#`. Clues are
        checked. Rows without a header are a square board's. A line that begins with `#` and has a
        word in it is a comment. Links with `b=` and `m=`, as JSMinesweeper, PTTA and LlamaSweeper
        write them, and the bytes of MBF files in hexadecimal are read too. Raises NotationError.

        >>> Layout.parse("hex 2x3\\n*2.\\n.2*") == Layout.of("hex:2x3", [0, 5])
        True
        """
        text = text_of(text, "layout")
        if is_board_link(text):
            return _parse_board_link(text)
        data = _hexadecimal_mbf(text)
        return _parse_layout(text) if data is None else _parse_mbf(data)

    @classmethod
    def read(cls, path: str | Path) -> Layout:
        """The layout of a text file, an MBF or ABF file, a link or, for `-`, standard input.

        Raises NotationError.
        """
        if is_board_link(str(path)) and not Path(path).exists():
            return cls.parse(str(path))
        if not is_board_file(path):
            return parse_file(path, cls.parse)
        try:
            return _parse_mbf(read_bytes(path, _LONGEST_MBF))
        except NotationError as error:
            raise error.within(str(path)) if error.source is None else error from None

    @property
    def text(self) -> str:
        """The text that `parse` reads back.

        >>> print(Layout.of("2x3", [(0, 0), 5]).text, end="")
        square 2x3
        *21
        12*
        """
        return f"{self.topology.name} {self.topology.shape}\n{self}\n"

    @property
    def link(self) -> str:
        """The address at which LlamaSweeper shows this square board. Raises InputError.

        >>> Layout.of("2x3", [(0, 0), 5]).link.partition("?")[2]
        'b=32&m=gg'
        """
        width, height = self._plain_size("a link", 999)
        size = next((key for key, one in _LINK_SIZES.items() if one == (width, height)), None)
        digits = max(len(str(width)), len(str(height)))
        size = size or f"{width:0{digits}}{height:0{digits}}"
        return f"{_LINK_PAGE}?b={size}&m={self.code}"

    @property
    def mbf(self) -> bytes:
        """The bytes of an MBF board file with this square board. Raises InputError.

        >>> Layout.of("2x3", [(0, 0), 5]).mbf.hex(" ")
        '03 02 00 02 00 00 02 01'
        """
        width, height = self._plain_size("an MBF file", 255)
        places = bytes(at for cell in self.cells for at in reversed(divmod(cell, width)))
        return bytes((width, height)) + self.total.to_bytes(2, "big") + places

    def _plain_size(self, holder: str, most: int) -> tuple[int, int]:
        """The width and the height of a square board without blocked cells."""
        dimensions = self.topology.lattice.dimensions
        if self.topology != Topology.of("square", self.topology.shape) or max(dimensions) > most:
            raise InputError(
                f"{holder} cannot hold {self.topology.text}; accepted: a square board without"
                f" blocked cells, at most {most}x{most}"
            )
        height, width = dimensions
        return width, height

    def __str__(self) -> str:
        """Rows of `*` for mines and clues elsewhere; spaces between where a clue has two digits."""
        wide = bool((self.counts > 9).any())
        counts, mines = self.counts.tolist(), self.mines.tolist()
        return "\n".join(
            (" " if wide else "").join(
                "#" if cell is None else "*" if mines[cell] else str(counts[cell]) for cell in row
            )
            for row in self.topology.rows()
        )

    def __repr__(self) -> str:
        return f"Layout.of({self.topology!r}, {list(self.cells)})"


def count_mines(topology: Topology, mines: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """How many neighbours of each cell are mines; without the core, its twin below counts."""
    if kernel.available():
        counts: NDArray[np.uint8] = kernel.core.count_mines(
            topology.offsets, topology.targets, mines
        )
        return counts
    sums = np.concatenate([[0], np.cumsum(mines[topology.targets], dtype=np.int64)])
    around = sums[topology.offsets[1:]] - sums[topology.offsets[:-1]]
    return np.asarray(around, dtype=np.uint8)


# -- Layouts as texts: a header, then rows -------------------------------------

_WORD = re.compile(r"[*.#]|-1|\d{1,3}")
_COMMENT = re.compile(r"#.*[^\W\d_]{2}")
_MARKS = "* or -1 for a mine, . or its clue for a safe cell, # for no cell"


def _parse_layout(text: str) -> Layout:
    lines = [
        (number, line.split())
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not _COMMENT.match(line.strip())
    ]
    if not lines:
        raise NotationError(f"the layout is empty; accepted: rows of {_MARKS}")
    started, header = lines[0]
    rows = lines[1:]
    if not header[0][0].isalpha():
        name, rows = "square", lines
        shape = f"{len(rows)}x{max(len(_marks(words)) for _, words in rows)}"
    elif len(header) == 2:
        name, shape = header
    else:
        raise NotationError(
            f"{quoted(' '.join(header))} is no header of a layout; accepted: a topology and its"
            " shape, such as hex 7x7",
            started,
        )
    try:
        lattice = Topology.of(name, shape, files=False).lattice
    except NotationError:
        raise
    except InputError as error:
        raise NotationError(str(error), started) from None
    lengths = lattice.row_lengths
    if len(rows) != len(lengths):
        last = rows[-1][0] if rows else started
        raise NotationError(f"{len(rows)} rows; {name} {shape} has {len(lengths)}", last)
    words: list[str] = []
    places: list[int] = []
    for (number, parts), length in zip(rows, lengths, strict=True):
        marks = parts if length == 1 else _marks(parts)
        if len(marks) != length:
            raise NotationError(
                f"a row of {len(marks)} cells; this row of {name} {shape} has {length}", number
            )
        for mark in marks:
            if not _WORD.fullmatch(mark):
                raise NotationError(f"unknown mark {quoted(mark)}; accepted: {_MARKS}", number)
        words += marks
        places += [number] * length
    holes = [lattice.coordinates(site) for site, word in enumerate(words) if word == "#"]
    if len(holes) == len(words):
        raise NotationError("every cell is blocked; accepted: at least one cell", rows[0][0])
    kept = [(word, number) for word, number in zip(words, places, strict=True) if word != "#"]
    layout = Layout.of(
        Topology.of(name, shape, holes),
        [cell for cell, (word, _) in enumerate(kept) if word in ("*", "-1")],
    )
    wrong = wrong_clue(layout, [word for word, _ in kept])
    if wrong is not None:
        word, number = kept[wrong]
        raise NotationError(
            f"clue {word} at {layout.topology.cell_name(wrong)}, where {layout.counts[wrong]} mines"
            " touch",
            number,
        )
    return layout


def _marks(words: list[str]) -> Sequence[str]:
    """The marks of a row: words between spaces, or characters side by side."""
    return words if len(words) > 1 else words[0]


def wrong_clue(layout: Layout, words: Sequence[str]) -> int | None:
    """The first cell whose word is a number and not the count of mines around it."""
    counts = layout.counts.tolist()
    return next(
        (
            cell
            for cell, (word, count) in enumerate(zip(words, counts, strict=True))
            if word.isdigit() and int(word) != count
        ),
        None,
    )


# -- Whole boards of other programs: links and board files ----------------------
#
# A link has the size in `b` (1 to 3 for the usual boards, else the digits of the width and as many
# of the height) and in `m` the mines as `Layout.code` writes them. MBF is the board file of
# Minesweeper Clone, which Arbiter's ABF repeats: a byte for the width, one for the height, two for
# the number of mines, then the column and the row of each.

_LINK_SIZES = {"1": (9, 9), "2": (16, 16), "3": (30, 16)}
_LINK_PAGE = "https://llamasweeper.com/#/game/zini-explorer"
_BOARD_LINK = re.compile(r"(?:\S*[?&])?b=\S+")
_LONGEST_LINK = 100_000
_LONGEST_MBF = 4 + 2 * 255 * 255


def is_board_file(path: str | Path) -> bool:
    """Whether a file holds a whole board in bytes, by its name."""
    return str(path).lower().endswith((".mbf", ".abf"))


def is_board_link(text: str) -> bool:
    """Whether a text is a link that holds a whole board, or the values of one."""
    return len(text) < _LONGEST_LINK and bool(_BOARD_LINK.fullmatch(text.strip())) and "m=" in text


def _parse_board_link(text: str) -> Layout:
    try:
        values = parse_qs(text.strip().rpartition("?")[2], max_num_fields=20)
        size, code = values["b"][-1], values["m"][-1]
    except (KeyError, ValueError):
        raise NotationError("a link of a board; accepted: b=1 (or 2, 3, 3016) and m=") from None
    if size in _LINK_SIZES:
        width, height = _LINK_SIZES[size]
    elif re.fullmatch(r"(?:\d\d){1,3}", size, re.ASCII):
        width, height = int(size[: len(size) // 2]), int(size[len(size) // 2 :])
    else:
        raise NotationError(
            f"b={quoted(size)}; accepted: 1 for 9x9, 2 for 16x16, 3 for 30x16, or the digits of"
            " the width and as many of the height, such as 3016"
        )
    try:
        return Layout.of_code(Topology.of("square", f"{height}x{width}"), code)
    except InputError as error:
        raise NotationError(str(error)) from None


def _hexadecimal_mbf(text: str) -> bytes | None:
    """The bytes that a text writes in hexadecimal, where they can be an MBF file; else None."""
    words = text.split()
    if not 4 <= len(words) <= _LONGEST_MBF or not all(map(_BYTE.fullmatch, words)):
        return None
    data = bytes.fromhex("".join(words))
    return data if len(data) == 4 + 2 * int.from_bytes(data[2:4], "big") else None


def _parse_mbf(data: bytes) -> Layout:
    if len(data) < 4:
        raise NotationError(f"{len(data)} bytes; accepted: an MBF board file, which begins with 4")
    width, height, mines = data[0], data[1], int.from_bytes(data[2:4], "big")
    places = data[4:]
    if not width or not height or len(places) != 2 * mines:
        raise NotationError(
            f"{width} columns, {height} rows and {mines} mines, then {len(places)} bytes; accepted:"
            " an MBF board file, with two bytes for each mine"
        )
    cells = []
    for column, row in zip(places[::2], places[1::2], strict=True):
        if column >= width or row >= height:
            raise NotationError(f"a mine in row {row}, column {column} of {height}x{width} cells")
        cells.append(row * width + column)
    if len(set(cells)) != mines:
        raise NotationError("two mines in one cell; accepted: an MBF board file")
    return Layout.of(Topology.of("square", f"{height}x{width}"), cells)


# ----------------------------------------------------------------------------
# Dealing mines: the same (seed, index) gives the same layout in Python, in C++ and on every run.
#
# A deal is a shuffled order of all cells. The mines are the first k of them that the first-click
# rule does not keep free. So each layout that the rule allows is equally likely, and two agents
# that begin in different cells still play on almost the same board.


def deal(
    topology: Topology, mines: Mines, seed: int, index: int = 0, free: tuple[int, ...] = ()
) -> Layout:
    """The layout of game `index` under `seed`, with no mine in `free`. Raises BoardError."""
    excluded = np.zeros(len(topology), dtype=np.uint8)
    excluded[list(free)] = 1
    room = len(topology) - int(excluded.sum())
    if mines.is_uniform:
        # The number has a stream of its own, so the deal is the same as for a fixed number.
        if not room:
            raise BoardError("no cell is left for a mine; accepted: a larger board")
        number = 1 + Stream(seed, index, Purpose.NUMBER).below(room)
        return Layout(topology, _deal_number(seed, index, excluded, number))
    count = mines.fixed(len(topology))
    if count is None:
        return Layout(topology, _deal_independent(seed, index, excluded, mines.value))
    if count > room:
        raise BoardError(
            f"{count} mines do not fit on {len(topology)} cells beside {len(topology) - room} kept"
            f" free; accepted: at most {room}"
        )
    return Layout(topology, _deal_number(seed, index, excluded, count))


def _deal_number(
    seed: int, index: int, excluded: NDArray[np.uint8], count: int
) -> NDArray[np.uint8]:
    if kernel.available():
        return kernel.core.deal_number(seed, index, excluded, count)
    stream = Stream(seed, index, Purpose.DEAL)
    cells = list(range(len(excluded)))
    mines = np.zeros(len(excluded), dtype=np.uint8)
    laid = place = 0
    while laid < count:
        other = place + stream.below(len(cells) - place)
        cells[place], cells[other] = cells[other], cells[place]
        if not excluded[cells[place]]:
            mines[cells[place]] = 1
            laid += 1
        place += 1
    return mines


def _deal_independent(
    seed: int, index: int, excluded: NDArray[np.uint8], share: Fraction
) -> NDArray[np.uint8]:
    """Every cell draws one number, free or not: it is a mine if that is below share * 2**64."""
    threshold = int(share * 2**64)
    if kernel.available():
        laid: NDArray[np.uint8] = kernel.core.deal_independent(seed, index, excluded, threshold)
        return laid
    stream = Stream(seed, index, Purpose.DEAL)
    draws = [stream.next() < threshold for _ in range(len(excluded))]
    mines = np.array(draws, dtype=np.uint8)
    mines[excluded != 0] = 0
    return mines


def mine_free_cells(
    topology: Topology, rule: FirstClick, first: tuple[int, ...]
) -> tuple[int, ...]:
    """The cells that a first click (or the cells given at the start) keeps free of mines."""
    if rule is FirstClick.ANY:
        return ()
    free = set(first)
    if rule is FirstClick.OPENING:
        for cell in first:
            free.update(topology.neighbours(cell))
    return tuple(sorted(free))


def mine_free_given_cells(topology: Topology, rules: Rules) -> tuple[int, ...]:
    """The cells that a deal keeps free of mines for those given by name.

    Corner and centre are known safe cells, as those of a world are, whatever the first click.
    """
    places = given_cells(topology, rules.given)
    free = set(mine_free_cells(topology, rules.first_click, places))
    if rules.given.corner_centre:
        free.update(places)
    return tuple(sorted(free))


def given_cells(topology: Topology, given: Given) -> tuple[int, ...]:
    """The cells that are given by name, in the order they are opened; drawn ones are not here.

    Raises InputError for a cell off the board.
    """
    if given.corner_centre:
        return tuple(dict.fromkeys((topology.corner, topology.centre)))
    return tuple(dict.fromkeys(map(topology.cell, given.cells)))


def check_room(topology: Topology, rules: Rules, first: tuple[int, ...] | None = None) -> None:
    """Refuse rules whose mines do not fit beside the free cells.

    Without `first` the check is for the first cell that keeps the fewest cells free.
    """
    mines = 1 if rules.mines.is_uniform else rules.mines.fixed(len(topology))
    if mines is None:
        return
    if first is not None:
        free = len(mine_free_cells(topology, rules.first_click, first))
    elif rules.first_click is FirstClick.OPENING:
        free = 1 + int(topology.degrees.min())
    else:
        free = int(rules.first_click is FirstClick.SAFE)
    room = len(topology) - free
    if mines > room:
        where = f" beside {free} kept free by first click {rules.first_click.value}" if free else ""
        raise BoardError(
            f"{mines} mines do not fit on {len(topology)} cells{where}; accepted: at most {room}"
        )


# -- The players' measures of a board: 3BV, openings and islands ---------------


@dataclass(frozen=True)
class Measures:
    """What it takes to clear a layout by opening cells alone.

    `openings` are the areas of zeros. `three_bv` is the fewest clicks that open every safe cell:
    one for each opening, and one for every safe cell that no opening uncovers. `islands` are the
    areas that those cells form.
    """

    three_bv: int
    openings: int
    islands: int


def measure(layout: Layout) -> Measures:
    """The measures of a layout, on any topology.

    >>> measure(Layout.of(Topology.parse("1x5"), [2]))
    Measures(three_bv=2, openings=2, islands=0)
    """
    topology = layout.topology
    counts, mines = layout.counts.tolist(), layout.mines.tolist()
    zeros = {cell for cell in topology.cells if not mines[cell] and not counts[cell]}
    uncovered = {near for cell in zeros for near in topology.neighbours(cell)} | zeros
    alone = {cell for cell in topology.cells if not mines[cell] and cell not in uncovered}
    openings = len(components(zeros, topology.neighbours))
    islands = len(components(alone, topology.neighbours))
    return Measures(openings + len(alone), openings, islands)
