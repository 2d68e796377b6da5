"""A view drawn for the terminal: coordinates on the margins, colours, highlights and heat maps.

The same text reads without colours: `·` hidden, digits, `⚑` flag, `✹` an opened mine, `X` a mine
shown after the end, `!` a wrong flag, `?` opened without a clue, blank where no cell is.
Colour-blind readers can tell the colours apart: those of the digits are Okabe and Ito's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from rich.console import Console
from rich.text import Text

from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.cli.console import writes_unicode
from mineproof.view.channels import Mark
from mineproof.view.svg import DARK_DIGITS
from mineproof.view.view import View


@dataclass(frozen=True)
class Symbols:
    """What a cell without a number is drawn as."""

    hidden: str
    flag: str
    exploded: str
    mine: str = "X"
    wrong_flag: str = "!"
    blank: str = "?"
    points_up: str = ""
    points_down: str = ""


UNICODE = Symbols("·", "⚑", "✹", points_up="▴", points_down="▾")
ASCII = Symbols(".", "F", "*", points_up=".", points_down=".")


class Shade(Enum):
    """Why a cell is highlighted; the value is its style."""

    MOVE = "bold black on #f0e442"
    """The last move, or the one about to be made."""
    PREMISE = "bold black on #56b4e9"
    """A clue that a proof rests on."""
    CHOICE = "bold black on #e69f00"
    """One of the cells a guess was made from."""


def shades_of(
    move: int | None, premises: Iterable[int] = (), choice: Iterable[int] = ()
) -> dict[int, Shade]:
    """The highlights of a move: its cell above the clues it rests on, or what it chose from."""
    shades = dict.fromkeys(choice, Shade.CHOICE) | dict.fromkeys(premises, Shade.PREMISE)
    return shades if move is None else {**shades, move: Shade.MOVE}


_OPEN = "on #1c1c1c"
_HIDDEN = "#b2b2b2 on #4e4e4e"
_FLAG = "bold #f0e442 on #4e4e4e"
_MINE = "bold #ff9d6e on #4e4e4e"
_EXPLODED = "bold white on #d55e00"
_MARGIN = "dim"
_GAP = 3  # columns between boards side by side


def board_text(
    view: View,
    *,
    highlight: Mapping[int, Shade] | None = None,
    heat: Mapping[int, float] | None = None,
    truth: Layout | None = None,
    symbols: Symbols = UNICODE,
    width: int = 80,
    labels: Mapping[int, str] | None = None,
) -> Text:
    """The board as a text of several lines, without a line end.

    `highlight` highlights cells. `heat` gives hidden cells the chance of a mine: two digits of per
    cent, `ok` where it is 0, `X` where it is 1. `truth` shows the mines after the end. `labels`
    replace what cells show. Layers of a cube stand side by side as far as `width` allows, and a
    graph's cells are wrapped there.
    """
    cells = _CellPainter(view, highlight or {}, heat, truth, symbols, labels or {})
    blocks = list(_blocks(view.topology, width // cells.width))
    lines: list[Text] = []
    for beside in _shelves([cells.block(block) for block in blocks], width):
        if lines:
            lines.append(Text())
        lines += beside
    return Text("\n", no_wrap=True, overflow="crop").join(lines)


def print_board(
    console: Console,
    view: View,
    *,
    highlight: Mapping[int, Shade] | None = None,
    heat: Mapping[int, float] | None = None,
    truth: Layout | None = None,
    labels: Mapping[int, str] | None = None,
) -> None:
    """Print a board as `board_text` draws it, in symbols that the console can write."""
    drawn = board_text(
        view,
        highlight=highlight,
        heat=heat,
        truth=truth,
        symbols=symbols_for(console),
        width=console.width,
        labels=labels,
    )
    # Without wrapping: a row broken by a narrow terminal cannot be read, nor fed to a program.
    console.print(drawn, soft_wrap=True)


def symbols_for(console: Console) -> Symbols:
    """The symbols that the console can write."""
    return UNICODE if writes_unicode(console) else ASCII


@dataclass(frozen=True)
class _Row:
    """One drawn row: its label on the margin and its cells, moved by half cells."""

    label: str
    indent: int
    cells: list[int | None]


@dataclass(frozen=True)
class _Block:
    """Rows under one line of column numbers: a plane board, a layer, a part of a graph."""

    title: str
    rows: list[_Row]
    first_column: int = 0


def _blocks(topology: Topology, columns: int) -> Iterator[_Block]:
    lattice = topology.lattice
    rows = list(topology.rows())
    if len(lattice.dimensions) == 1:
        step = max(10, columns // 10 * 10)
        for start in range(0, len(rows[0]), step):
            yield _Block("", [_Row("", 0, rows[0][start : start + step])], start)
        return
    height = lattice.rows_per_layer
    layers = range(0, len(rows), height)
    margin = len(str(height - 1))
    for layer, start in enumerate(layers):
        yield _Block(
            f"layer {layer}" if len(layers) > 1 else "",
            [
                _Row(f"{row:>{margin}} ", lattice.indent(row), rows[start + row])
                for row in range(height)
            ],
        )


def _shelves(blocks: list[list[Text]], width: int) -> Iterator[list[Text]]:
    """Blocks of lines side by side, as many as fit; then the next ones below."""
    shelf: list[list[Text]] = []
    used = 0
    for block in blocks:
        wide = max(map(len, block)) + _GAP
        if shelf and (used + wide > width + _GAP or len(shelf[0]) != len(block)):
            yield _side_by_side(shelf)
            shelf, used = [], 0
        shelf.append(block)
        used += wide
    yield _side_by_side(shelf)


def _side_by_side(blocks: list[list[Text]]) -> list[Text]:
    for lines in blocks[:-1]:
        wide = max(map(len, lines)) + _GAP
        for line in lines:
            line.pad_right(wide - len(line))
    return [Text().join(lines) for lines in zip(*blocks, strict=True)]


class _CellPainter:
    def __init__(
        self,
        view: View,
        highlight: Mapping[int, Shade],
        heat: Mapping[int, float] | None,
        truth: Layout | None,
        symbols: Symbols,
        labels: Mapping[int, str],
    ) -> None:
        self.view, self.highlight, self.heat, self.truth = view, highlight, heat, truth
        self.symbols, self.labels = symbols, labels
        topology = view.topology
        # A cell of a cube has up to 26 neighbours, so its clue may have two digits.
        two_digits = heat is not None or int(topology.degrees.max()) > 9
        self.width = 3 if two_digits else 2
        self.width = max([self.width, *(len(label) + 1 for label in labels.values())])
        lattice = topology.lattice
        if any(lattice.indent(row) for row in range(lattice.rows_per_layer)):
            self.width += self.width % 2  # rows are moved by half a cell
        self.triangles = len(topology.polygon(0)) == 3

    def block(self, block: _Block) -> list[Text]:
        """The lines of a block."""
        rows = block.rows
        lines = [Text(block.title, style="bold")] if block.title else []
        lines += self._column_numbers(block)
        ragged = len({len(row.cells) for row in rows}) > 1
        for row in rows:
            line = _margin(row.label)
            line.append(" " * self._shift(row))
            self._draw(line, row.cells)
            if ragged:
                line.append(f" 0-{len(row.cells) - 1}", _MARGIN)
            lines.append(line)
        return lines

    def _shift(self, row: _Row) -> int:
        return row.indent * self.width // 2

    def _column_numbers(self, block: _Block) -> list[Text]:
        """The last digit of every column, and above it the tens where a new ten begins."""
        first = block.rows[0]
        columns = range(block.first_column, block.first_column + len(first.cells))
        start = " " * (len(first.label) + self._shift(first))
        width = self.width
        units = start + "".join(f"{column % 10:<{width}}" for column in columns)
        if columns[-1] < 10:
            return [_margin(units.rstrip())]
        tens = start
        for place, column in enumerate(columns):
            if column % 10 == 0 and column:
                tens = tens.ljust(len(start) + place * width) + str(column // 10)
        return [_margin(tens), _margin(units.rstrip())]

    def _draw(self, line: Text, cells: Iterable[int | None]) -> None:
        # Neighbours of one style become one span: a large board has millions of cells.
        run, style = "", ""
        for cell in cells:
            if cell is None:
                text, wanted = " " * self.width, ""
            else:
                symbol, wanted = self._symbol(cell)
                text = f"{symbol:<{self.width}}"
            if wanted != style:
                line.append(run, style or None)
                run, style = "", wanted
            run += text
        line.append(run, style or None)

    def _symbol(self, cell: int) -> tuple[str, str]:
        symbol, style = self._plain_symbol(cell)
        symbol = self.labels.get(cell, symbol)
        shade = self.highlight.get(cell)
        return symbol, style if shade is None else shade.value

    def _plain_symbol(self, cell: int) -> tuple[str, str]:
        shown = self.view[cell]
        if shown is Mark.MINE:
            return self.symbols.exploded, _EXPLODED
        if shown is Mark.BLANK:
            return self.symbols.blank, f"{DARK_DIGITS[-1]} {_OPEN}"
        if not isinstance(shown, Mark):
            return str(shown), f"{DARK_DIGITS[min(shown, len(DARK_DIGITS) - 1)]} {_OPEN}"
        if self.view.is_flagged(cell):
            wrong = self.truth is not None and not self.truth.is_mine(cell)
            return (self.symbols.wrong_flag, _EXPLODED) if wrong else (self.symbols.flag, _FLAG)
        if self.truth is not None and self.truth.is_mine(cell):
            return self.symbols.mine, _MINE
        if self.heat is not None and cell in self.heat:
            return _heat(self.heat[cell], self.symbols.mine)
        return self._hidden(cell), _HIDDEN

    def _hidden(self, cell: int) -> str:
        if not self.triangles:
            return self.symbols.hidden
        heights = [y for _, y in self.view.topology.polygon(cell)]
        base_below = heights.count(max(heights)) == 2
        return self.symbols.points_up if base_below else self.symbols.points_down


def _margin(text: str) -> Text:
    """A text of the margin; spaces before it have no style, which keeps their place in an SVG."""
    spaces = len(text) - len(text.lstrip())
    return Text(text[:spaces]).append(text[spaces:], _MARGIN)


def _heat(chance: float, mine: str) -> tuple[str, str]:
    """A chance in two characters, on a ground from blue (safe) to orange (mine)."""
    if chance <= 0:
        return "ok", "bold black on #56b4e9"
    if chance >= 1:
        return mine, _EXPLODED
    low, high = (0x1F, 0x4E, 0x79), (0xC4, 0x6A, 0x12)
    ground = "".join(f"{round(a + (b - a) * chance):02x}" for a, b in zip(low, high, strict=True))
    return f"{min(99, max(1, round(100 * chance))):02d}", f"white on #{ground}"
