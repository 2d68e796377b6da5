"""Positions as other programs, chats and courses write them: grids without a header, and links.

| form | for example |
|---|---|
| rows of marks | `1HH`, `1 . .`, `112#`, with `--mines` or a line `10 mines` |
| emoji, with or without the names of a chat | `1️⃣🟦🚩`, `:one::blue_square:` |
| a board of a chat whose cells are covered by spoiler marks | `||:one:||||:bomb:||` |
| numbers: CSV, lists of lists, arrays | `1,-1,-1`, `[[1, -1], [0, 1]]` |
| a link of JSMinesweeper | `...?board=9x9x10&analysis=...` |
| a whole board, of which nothing is opened | `...?b=1&m=...`, an MBF or ABF file |

What a text does not say is asked for, never guessed: the number of mines, and whether a mark means
hidden or empty where both are usual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np

from mineproof.board.lattices import LATTICES, MAX_CELLS
from mineproof.board.layout import Layout, is_board_file, is_board_link
from mineproof.board.topology import Topology
from mineproof.errors import InputError, NotationError, as_given, quoted, text_of
from mineproof.files import decode_text, read_bytes
from mineproof.rules import Rules
from mineproof.text import plural
from mineproof.view import notation
from mineproof.view.channels import Mark
from mineproof.view.notation import FLAG, BoardRows, at_line, header_rules, is_plain_square
from mineproof.view.view import View

__all__ = ["parse", "read", "write_emoji", "write_link"]


def parse(text: str, mines: int | str | None = None) -> View:
    """The view of a text in any form: a notation, a grid, a link. Raises NotationError.

    `mines` is for texts that do not tell their number; one that differs from the text's is refused.
    """
    text = text_of(text, "position")
    if is_link(text):
        view = parse_link(text)
    elif notation.is_notation(text) or (grid := read_grid(text)) is None:
        view = notation.parse(text)
    else:
        return grid.view(mines)
    if mines is not None and header_rules([f"mines={mines}"]).mines != view.rules.mines:
        raise NotationError(f"{mines} mines, but the text tells {view.rules.mines.text}")
    return view


def read(source: str | Path, mines: int | str | None = None) -> View:
    """The position of a file, of standard input for `-`, or of a link. Raises NotationError."""
    if is_link(str(source)) and not Path(source).exists():
        return parse(str(source), mines)
    if is_board_file(source):
        return unopened(Layout.read(source))
    data = read_bytes(source)
    try:
        if data.startswith(_PICTURES):
            # The reader of pictures asks the engine, which is above this package.
            reader = import_module("mineproof.picture.reader")
            view: View = reader.read_view(data, mines)
            return view
        return parse(decode_text(data, source), mines)
    except NotationError as error:
        raise error.within(str(source)) if error.source is None else error from None


_PICTURES = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"II*\0", b"MM\0*", b"%PDF", b"BM")
"""What pictures begin with; no position does."""


# ----------------------------------------------------------------------------------------- arrays


@dataclass(frozen=True)
class ArrayMarks:
    """What stands in an array for a cell that shows no number; anything that `==` compares."""

    hidden: object
    flag: object
    mine: object
    blank: object

    def codes(self, values: Sequence[object], board: Topology) -> list[int]:
        """The byte that the value of each cell stands for. Raises InputError, which names it."""
        marks = (
            (self.hidden, Mark.HIDDEN.value),
            (self.flag, FLAG),
            (self.mine, Mark.MINE.value),
            (self.blank, Mark.BLANK.value),
        )
        if len(named := dict(marks)) < len(marks):
            raise InputError("two marks of an array are the same; accepted: four different ones")
        return [self._code(value, cell, named, board) for cell, value in enumerate(values)]

    def _code(self, value: object, cell: int, named: dict[object, int], board: Topology) -> int:
        most = board.degree(cell)
        if not isinstance(value, bool):
            for mark, code in named.items():
                if value == mark:
                    return code
            if isinstance(value, int | np.integer) and 0 <= value <= most:
                return int(value)
        raise InputError(
            f"value {as_given(value)} at {board.cell_name(cell)}, which has {most} neighbour"
            f"{plural(most)}; accepted: 0 to {most}, {self.hidden} hidden, {self.flag} a flag,"
            f" {self.mine} an opened mine, {self.blank} opened without a clue"
        )


def read_array(
    grid: object,
    mines: int | str | None,
    topology: Topology | str | None,
    marks: ArrayMarks,
    rules: Rules | str,
) -> View:
    """The view of an array, in the board's shape or in one row. Raises InputError."""
    # As objects: no number is rounded or wraps, and None stays None.
    try:
        array = np.array(np.asarray(grid, dtype=object).tolist(), dtype=object)
    except (TypeError, ValueError):
        array = np.array(None, dtype=object)
    if isinstance(topology, str):
        # A kind of board, such as torus, has the array's shape.
        sized = f"{topology}:{_by(array.shape)}" if topology in LATTICES else topology
        board = Topology.parse(sized)
    elif topology is None:
        if array.ndim != 2 or any(isinstance(row, list | tuple) for row in array.flat):
            raise InputError(
                "the array has not two dimensions; accepted: rows of one length, or a topology"
            )
        board = Topology.parse(_by(array.shape))
    else:
        board = topology
    if array.shape == board.lattice.dimensions:
        values = [array[board.coordinates(cell)] for cell in board.cells]
    elif array.shape == (len(board),):
        values = list(array)
    else:
        raise InputError(
            f"an array of {_by(array.shape) or 'no'} values for the board {board.text}; accepted:"
            f" {_by(board.lattice.dimensions)}, or {len(board)} in one row"
        )
    said = rules if isinstance(rules, Rules) else Rules.parse(rules)
    if mines is not None:
        said = said.with_words(mines=mines)
    elif said.mines == Rules().mines:
        raise InputError("nothing tells how many mines there are; accepted: such as mines=10")
    codes = marks.codes(values, board)
    flags = [cell for cell, code in enumerate(codes) if code == FLAG]
    shown = np.array([_HIDDEN if code == FLAG else code for code in codes], dtype=np.uint8)
    return View.of_codes(board, said, shown, flags)


def _by(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


# ------------------------------------------------------------------------------------------ marks

_HIDDEN, _MINE, _BLANK = Mark.HIDDEN.value, Mark.MINE.value, Mark.BLANK.value
_KEYCAP = "\N{COMBINING ENCLOSING KEYCAP}"
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight")

MARKS: dict[str, int] = {
    **{str(number): number for number in range(9)},
    **{f"{number}{_KEYCAP}": number for number in range(9)},
    **{chr(ord("\N{FULLWIDTH DIGIT ZERO}") + number): number for number in range(9)},
    **{f":{word}:": number for number, word in enumerate(_WORDS)},
    **dict.fromkeys("HhUuQq?", _HIDDEN),
    **dict.fromkeys((":question:", ":grey_question:", "❓", "❔", "None", "null", "nan"), _HIDDEN),
    **dict.fromkeys("FfPp⚑⚐🚩🏳🏴", FLAG),
    **dict.fromkeys((":triangular_flag_on_post:", ":flag:"), FLAG),
    **dict.fromkeys("*XxMm@💣💥☀", _MINE),
    **dict.fromkeys((":bomb:", ":boom:"), _MINE),
    "!": _BLANK,  # a wrong flag at the end of a game: no mine, and no number is shown
}

# Each of these is a hidden cell for some programs and an opened one without mines around it for
# others. Where the text has a zero as well, they are hidden.
_COVERS = ".#_-~■□█▓▒░▢◻◼▪▫⬛⬜🔲🔳🟥🟧🟨🟩🟦🟪🟫·•"
_COVER_NAMES = re.compile(
    r":(?:(?:white|black)_(?:large|medium|small)_square|[a-z]+_square|(?:black|white)_square_button):"
)
_ACCEPTED = "a hidden cell as . or H, a flag as F, 0-8, a mine as *"

# A keycap, a name of a chat, or any other character; variation selectors were taken out before.
_CELL = re.compile(rf"\d{_KEYCAP}|:\w+:|\S")
_SIZE = re.compile(r"\d+x\d", re.IGNORECASE)  # a board's name, and no row
_SPOILER = re.compile(r"\|\|(.+?)\|\|")
_SELECTORS = str.maketrans(
    "", "", "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}\N{ZERO WIDTH SPACE}"
)
_TOTAL = re.compile(
    r"\W{0,9}(?:total |number of )?(?:mines|bombs)\W{0,9}(\d{1,6})\W{0,9}"
    r"|\W{0,9}(\d{1,6}) (?:mine|bomb)s?\W{0,9}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Grid:
    """Rows of marks as a text has them, with the numbers of their lines."""

    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    total: int | None = None
    """The mines, where the text tells their number."""

    def view(self, mines: int | str | None) -> View:
        """The position, on a square board with this many mines. Raises NotationError."""
        width = len(self.rows[0])
        for place, (row, line) in enumerate(zip(self.rows, self.lines, strict=True)):
            if len(row) != width:
                raise NotationError(
                    f"row {place} has {len(row)} cells and row 0 has {width}; accepted: rows of one"
                    " length",
                    line,
                )
        if len(self.rows) * width > MAX_CELLS:
            raise NotationError(f"{len(self.rows)}x{width} cells; accepted: at most {MAX_CELLS}")
        topology = Topology.of("square", f"{len(self.rows)}x{width}")
        codes = np.array(list(self._codes()), dtype=np.uint8)
        if mines is None:
            mines = self.total
        elif self.total is not None and str(mines) != str(self.total):
            raise NotationError(f"{mines} mines, but the text tells {self.total}")
        if mines is None:
            raise NotationError(
                f"a board of {len(self.rows)} rows and {width} columns, but nothing tells how many"
                f" mines it has; accepted: --mines 10 (in Python mines=10), or a first line such as"
                f" `square {topology.shape} mines=10`"
            )
        with at_line(self.lines[0]):
            rules = header_rules([f"mines={mines}"])
            View(topology, rules)  # refuses a number that does not fit
        return BoardRows(topology.lattice, codes, self.lines).view(rules, topology)

    def _codes(self) -> Iterator[int]:
        used = dict.fromkeys(mark for row in self.rows for mark in row if is_cover(mark))
        if len(used) > 1 and not any(MARKS.get(mark) == 0 for row in self.rows for mark in row):
            line = next(
                n for n, row in zip(self.lines, self.rows, strict=True) if len({*row} & {*used})
            )
            raise NotationError(
                f"each of {' and '.join(used)} may mean a hidden cell or one without mines around"
                " it; accepted: 0 for the latter",
                line,
            )
        for row, line in zip(self.rows, self.lines, strict=True):
            for mark in row:
                code = _HIDDEN if mark in used else MARKS.get(mark)
                if code is None:
                    raise NotationError(f"unknown mark {quoted(mark)}; accepted: {_ACCEPTED}", line)
                yield code


def is_cover(mark: str) -> bool:
    """Whether a mark is a hidden cell for some programs and an empty one for others."""
    return mark in _COVERS or bool(_COVER_NAMES.fullmatch(mark))


# ------------------------------------------------------------------------------------------ grids


def read_grid(text: str) -> Grid | None:
    """The rows of marks of a text, or None if its first row is none. Raises NotationError."""
    if len(text) > 2 * MAX_CELLS:
        return None
    total = None
    rest = text.translate(_SELECTORS).split("\n")
    for place, line in enumerate(rest):
        if len(line) < 60 and (told := _TOTAL.fullmatch(line)):
            total, rest[place] = int(told[1] or told[2]), ""
    body = "\n".join(rest)
    if body.lstrip().startswith(("[", "(", "array(")):
        rows, lines = _read_lists(body)
        return Grid(_without_hidden_numbers(rows), tuple(lines), total) if rows else None
    rows, lines = [], []
    inside = 0  # mines below spoiler marks: a chat's board tells every cell
    for number, line in enumerate(rest, 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("```") or _is_border(stripped):
            continue
        covered = _SPOILER.findall(stripped)
        if covered:
            inside += sum(MARKS.get(mark.strip()) == _MINE for mark in covered)
            stripped = _SPOILER.sub("H", stripped)
        marks = _marks(stripped)
        if not rows and (_SIZE.match(stripped) or not all(map(_is_mark, marks))):
            return None
        rows.append(tuple(map(_number_mark, marks)))
        lines.append(number)
    if inside and total is None:
        total = inside + sum(MARKS.get(mark) in (_MINE, FLAG) for row in rows for mark in row)
    return Grid(_without_hidden_numbers(rows), tuple(lines), total) if rows else None


def _is_mark(word: str) -> bool:
    return word in MARKS or is_cover(word) or _number_mark(word) in MARKS or word in ("-1", "-2")


def _is_border(line: str) -> bool:
    """Whether a line only frames the board, such as `+---+---+`."""
    return len(line) > 2 and line[0] in "+┌├└╔╠╚" and not re.search(r"\w", line)


def _marks(line: str) -> Sequence[str]:
    """The marks of a row: between commas, semicolons, tabs, bars or spaces, or side by side."""
    line = line.strip("|│ ")
    for separator in (",", ";", "\t", "|", "│"):
        parts = line.split(separator)
        if len(parts) > 1 and any(part.strip(separator) for part in parts):
            return [part.strip().strip("'\"") or "." for part in parts]
    words = line.split()
    if len(words) > 1 and all(word in MARKS or len(word) == 1 or _number(word) for word in words):
        return words
    return _CELL.findall(line)


def _read_lists(text: str) -> tuple[list[tuple[str, ...]], list[int]]:
    """Rows between brackets, as Python, JSON and numpy print lists of lists; with their lines."""
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    for found in re.finditer(r"[\[(]([^\[\]()]*)[\])]", text):
        if found[1].strip():
            marks = re.findall(r"'([^']*)'|\"([^\"]*)\"|([^,\s'\"]+)", found[1])
            rows.append(tuple(_number_mark("".join(mark).strip() or ".") for mark in marks))
            lines.append(text.count("\n", 0, found.start()) + 1)
    return rows, lines


def _number(mark: str) -> bool:
    return re.fullmatch(r"-?\d{1,3}(\.0*)?", mark) is not None


def _number_mark(mark: str) -> str:
    """`1.0` as arrays of floats print it is 1."""
    return mark.partition(".")[0] if "." in mark and mark != "." and _number(mark) else mark


def _without_hidden_numbers(rows: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Students print a hidden cell as -1 or -2; of the two, -1 is hidden and -2 a flag."""
    flat = {mark for row in rows for mark in row}
    if not flat & {"-1", "-2"}:
        return tuple(rows)
    names = {"-1": "H", "-2": "F" if "-1" in flat else "H"}
    return tuple(tuple(names.get(mark, mark) for mark in row) for row in rows)


def _check_plain(view: View) -> None:
    """Raise NotationError for what neither a chat nor a link can say."""
    strange = {_MINE, _BLANK} & {*view.codes().tolist()}
    if not is_plain_square(view) or view.free or strange:
        raise NotationError(
            "emoji and links hold square boards with exact clues, a known number of mines and no"
            " opened mine; accepted: the short notation"
        )


def write_emoji(view: View) -> str:
    """Rows of emoji for a chat, after a line with the mines; `parse` reads them back."""
    _check_plain(view)
    codes = view.codes().tolist()
    flags = set(view.flags)
    rows = [
        "".join(
            "🚩"
            if cell in flags
            else "🟦"
            if codes[cell] == _HIDDEN
            else f"{codes[cell]}\N{VARIATION SELECTOR-16}{_KEYCAP}"
            for cell in row
            if cell is not None
        )
        for row in view.topology.rows()
    ]
    return "\n".join([f"{view.total} mines", *rows]) + "\n"


# ------------------------------------------------------------------------------------------ links
#
# JSMinesweeper writes an analysis into the address of its page: two digits of base 62 for the
# width, two for the height, four for the mines, then runs of equal cells. Each kind of cell has
# digits of its own (10 for 0, 7 for 1, ...), so a run's length is a number in that base and no
# separator is needed. Clues are written less the flags (`F`) and known mines (`I`) beside them;
# `O` is a flag that no clue was lowered for.

_BASE62 = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_DIGITS_OF = {"0": 10, "1": 7, "2": 5, "3": 5, "4": 4, "5": 3, "6": 3, "7": 1, "8": 1, "I": 4,
              "H": 10, "F": 8, "O": 1}  # fmt: skip
_RUNS: dict[str, tuple[str, int, int]] = {}
"""For every digit the cell it stands for, its value, and the base."""
_RUN_START: dict[str, str] = {}
"""For every cell its digit of value 0."""
_start = 0
for _cell, _base in _DIGITS_OF.items():
    for _value in range(_base):
        _RUNS[_BASE62[_start + _value]] = _cell, _value, _base
    _RUN_START[_cell] = _BASE62[_start]
    _start += _base

_LINK = re.compile(r"(?:\S*\?\S*|b)=\S+")
_PAGE = "https://davidnhill.github.io/JSMinesweeper/index.html"


def is_link(text: str) -> bool:
    """Whether a text is an address with values."""
    return len(text) < 100_000 and _LINK.fullmatch(text.strip()) is not None


def parse_link(text: str) -> View:
    """The position of a link of JSMinesweeper, or of a board before the first click.

    Raises NotationError.
    """
    # The values may stand behind the `#` of a page with views of its own.
    parts = urlsplit(text.strip().replace("#", "", 1))
    try:
        values = parse_qs(parts.query, max_num_fields=20)
    except ValueError:
        raise NotationError(
            "the link has more than 20 values; accepted: board=, analysis="
        ) from None
    if "analysis" in values:
        return _parse_analysis(values["analysis"][-1])
    if is_board_link(text):
        return unopened(Layout.parse(text))
    if "board" in values:
        size = re.fullmatch(r"(\d{1,6})x(\d{1,6})x(\d{1,6})", values["board"][-1])
        if size:
            topology = Topology.of("square", f"{size[2]}x{size[1]}")
            return View(topology, header_rules([f"mines={size[3]}"]))
    raise NotationError(
        f"the link has {', '.join(map(quoted, values)) or 'no values'}; accepted: a link of"
        " JSMinesweeper with analysis= or board=30x16x99"
    )


def unopened(layout: Layout) -> View:
    """A whole board as its player meets it: with its number of mines, and nothing opened."""
    return View(layout.topology, header_rules([f"mines={layout.total}"]))


def _parse_analysis(code: str) -> View:
    strange = next((mark for mark in code if mark not in _BASE62), None)
    if strange is not None or len(code) < 8:
        raise NotationError(
            f"analysis= with {quoted(strange)}" if strange else "analysis= is cut off"
        )
    width, height, mines = (_number62(code[a:b]) for a, b in ((0, 2), (2, 4), (4, 8)))
    topology = Topology.of("square", f"{height}x{width}")
    cells = _parse_runs(code[8:], len(topology))
    if len(cells) != len(topology):
        raise NotationError(
            f"analysis= holds {len(cells)} cells and its board of {height}x{width} has"
            f" {len(topology)}"
        )
    codes = np.full(len(topology), _HIDDEN, dtype=np.uint8)
    for cell, mark in enumerate(cells):
        if mark.isdigit():
            lowered = sum(cells[near] in "FI" for near in topology.neighbours(cell))
            codes[cell] = int(mark) + lowered
    flags = [cell for cell, mark in enumerate(cells) if mark in "FO"]
    return View.of_codes(topology, header_rules([f"mines={mines}"]), codes, flags)


def _number62(digits: str) -> int:
    value = 0
    for digit in digits:
        value = value * 62 + _BASE62.index(digit)
    return value


def _parse_runs(code: str, most: int) -> str:
    runs: list[tuple[str, int]] = []
    total = 0
    for digit in code:
        cell, value, base = _RUNS[digit]
        if runs and runs[-1][0] == cell:
            length = runs.pop()[1]
            total -= length
        else:
            length = 0
        length = length + 1 if base == 1 else length * base + value
        total += length
        if total > most:  # a run of 40 digits would be longer than any memory
            raise NotationError(f"analysis= holds more cells than the {most} of its board")
        runs.append((cell, length))
    return "".join(cell * length for cell, length in runs)


def write_link(view: View) -> str:
    """The address at which JSMinesweeper analyses this position. Raises NotationError."""
    _check_plain(view)
    codes = view.codes().tolist()
    height, width = view.topology.lattice.dimensions
    assert view.total is not None
    flags = set(view.flags)
    cells = [
        "O" if cell in flags else "H" if code == _HIDDEN else str(code)
        for cell, code in enumerate(codes)
    ]
    runs = "".join(
        _write_run(found[0][0], len(found[0])) for found in re.finditer(r"(.)\1*", "".join(cells))
    )
    if cells[0] == "O":
        # That page loses a first cell that has a single digit; an empty run before it does not.
        runs = _RUN_START["H"] + runs
    size = _write62(width, 2) + _write62(height, 2) + _write62(view.total, 4)
    return f"{_PAGE}?board={width}x{height}x{view.total}&analysis={size}{runs}"


def _write_run(cell: str, length: int) -> str:
    digits = [digit for digit, run in _RUNS.items() if run[0] == cell]
    if len(digits) == 1:
        return digits[0] * length
    written = ""
    while length:
        length, value = divmod(length, len(digits))
        written = digits[value] + written
    return written


def _write62(number: int, size: int) -> str:
    if number >= 62**size:
        raise NotationError(f"links of JSMinesweeper hold numbers below {62**size}, not {number}")
    return "".join(_BASE62[number // 62**place % 62] for place in reversed(range(size)))
