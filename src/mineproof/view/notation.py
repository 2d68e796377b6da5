"""The notations a position is read from and written to; `parse` knows them by their first line.

| notation | begins with |
|---|---|
| `short`: mineproof's own | `square 16x30 mines=99` |
| `board`: the `.board` text of ms-toollib | `# MINESWEEPER-BOARD v0.1` |
| `mine`: the `.mine` text of JSMinesweeper | `30x16x99` |
| `csp`: a puzzle, a line of report 3 | `P1 6 6 10 -1 2 ...`, or without the name |
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mineproof.board.lattices import LATTICES, MAX_CELLS, Coordinates, Lattice
from mineproof.board.topology import Topology, parse_coordinates
from mineproof.errors import InputError, NotationError, RulesError, quoted, text_of
from mineproof.files import parse_file
from mineproof.rules import RULE_WORDS, Mines, Rules, parse_share, share_text
from mineproof.view.channels import MAX_CLUE, Mark, channel
from mineproof.view.view import View

__all__ = ["parse", "read"]


def is_notation(text: str) -> bool:
    """Whether a text begins as one of these notations does."""
    _, line = next(numbered_lines(text), (1, ""))
    first = line.strip()
    if is_board_text(text) or is_mine_header(first) or first.split(" ", 1)[0] in LATTICES:
        return True
    if not PUZZLE_LINE.match(first):
        return False
    if text.strip() == first:
        return True
    # Rows of clues between spaces may begin as a puzzle line does: its length tells them apart.
    rows, cols, _, *rest = first.split(maxsplit=4)[0 if first[0].isdigit() else 1 :]
    cells = int(rows) * int(cols)
    return cells <= MAX_CELLS and len(" ".join(rest).split(maxsplit=cells)) == cells


def parse(text: str) -> View:
    """The view a text stands for, in any notation. Raises NotationError."""
    number, first = next(numbered_lines(text_of(text, "position")), (1, ""))
    if is_board_text(text):
        return parse_board_text(text)
    if is_mine_header(first):
        return parse_mine_text(text)
    if PUZZLE_LINE.match(first.strip()):
        return parse_puzzle_line(first.strip(), number).view
    return parse_short_text(text)


def read(path: str | Path) -> View:
    """The position of a file, or of standard input for `-`. Raises NotationError."""
    return parse_file(path, parse)


# -- Lines, and rows of characters, common to all notations: read into bytes, written from a view --

_SPACE, _WORD = re.compile(r"\s*"), re.compile(r"\S+")


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers.

    One after the other: a text of 50 MB may have 25 million, and is refused at the first that is
    too many.
    """
    start, number = 0, 1
    while (found := _SPACE.match(text, start)) is not None and found.end() < len(text):
        number += text.count("\n", start, found.end())
        start = max(start, text.rfind("\n", start, found.end()) + 1)
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        yield number, text[start:end]
        start, number = end + 1, number + 1


FLAG = 252
"""A hidden cell with a flag, while a text is read."""
NO_CELL = 251
"""A place without a cell, while a text is read."""
Marks = Mapping[str, int]


@contextmanager
def at_line(line: int) -> Iterator[None]:
    """Add this line's number to any input error raised inside."""
    try:
        yield
    except NotationError:
        raise
    except InputError as error:
        raise NotationError(str(error), line) from None


@dataclass(frozen=True)
class BoardRows:
    """The bytes of a lattice's sites, as read from a text."""

    lattice: Lattice
    codes: NDArray[np.uint8]
    lines: tuple[int, ...]

    @property
    def blocked(self) -> tuple[Coordinates, ...]:
        return tuple(map(self.lattice.coordinates, np.flatnonzero(self.codes == NO_CELL).tolist()))

    def view(self, rules: Rules, topology: Topology) -> View:
        """The view of these rows; errors name the line of the cell."""
        codes = self.codes[self.codes != NO_CELL]
        flags = np.flatnonzero(codes == FLAG)
        codes[flags] = 255
        too_large = np.flatnonzero((codes <= MAX_CLUE) & (codes > topology.degrees))
        sites = np.flatnonzero(self.codes != NO_CELL)
        line = self._line_of(int(sites[too_large[0]])) if too_large.size else self.lines[0]
        with at_line(line):
            return View.of_codes(topology, rules, codes, flags.tolist())

    def _line_of(self, site: int) -> int:
        row = np.searchsorted(np.cumsum(self.lattice.row_lengths), site, side="right")
        return self.lines[int(row)]


def read_rows(
    given: Iterator[tuple[int, str]], lattice: Lattice, alphabet: Marks, accepted: str
) -> BoardRows:
    """Read numbered lines as the lattice's rows: one character per cell, or spaced words."""
    lengths = lattice.row_lengths
    lines = [(number, line.strip()) for number, line in islice(given, len(lengths))]
    last = lines[-1][0] if lines else 0
    if len(lines) < len(lengths):
        raise NotationError(f"the text ends after {len(lines)} of {len(lengths)} rows", last or 1)
    for number, _ in given:
        raise NotationError(f"more rows than the {len(lengths)} of the board", number)
    parts: list[bytes] = []
    for row, ((number, line), length) in enumerate(zip(lines, lengths, strict=True)):
        words: list[str] | str = line
        if length == 1 or len(line.split(maxsplit=1)) > 1:
            words = line.split(maxsplit=length)
        if len(words) != length:
            count = len(words) if isinstance(words, str) else sum(1 for _ in _WORD.finditer(line))
            raise NotationError(f"row {row} has {count} cells and needs {length}", number)
        try:
            parts.append(bytes([alphabet[word] for word in words]))
        except KeyError:
            parts.append(_read_words(words, alphabet, accepted, number))
    codes = np.frombuffer(b"".join(parts), dtype=np.uint8)
    return BoardRows(lattice, codes, tuple(number for number, _ in lines))


def _read_words(words: list[str] | str, alphabet: Marks, accepted: str, number: int) -> bytes:
    codes = bytearray()
    for word in words:
        code = alphabet.get(word)
        if code is None and word.isascii() and word.isdigit() and len(word) <= 3:
            code = int(word)
        if code is None or (code > MAX_CLUE and word.isdigit()):
            raise NotationError(f"unknown mark {quoted(word)}; accepted: {accepted}", number)
        codes.append(code)
    return bytes(codes)


def write_rows(view: View, alphabet: Marks) -> list[str]:
    """The rows of a view; words between spaces if a clue has two digits."""
    marks = {code: mark for mark, code in alphabet.items()}
    codes = view.codes().tolist()
    for cell in view.flags:
        codes[cell] = FLAG
    wide = any(9 < code <= MAX_CLUE for code in codes)
    lines: list[str] = []
    lattice = view.topology.lattice
    for row, cells in enumerate(view.topology.rows()):
        if row and row % lattice.rows_per_layer == 0:
            lines.append("")
        lines.append(
            (" " if wide else "").join(
                marks[NO_CELL] if cell is None else marks.get(codes[cell], str(codes[cell]))
                for cell in cells
            )
        )
    return lines


# ----------------------------------------------------------------------------
# mineproof's own notation: a header, then rows.
#
#     square 3x3 mines=2
#     1..
#     12.
#     01.
#
# `.` hidden, `F` flag, digits, `*` opened mine, `?` opened without a clue, `#` no cell. The header
# names the topology and its shape, `mines=99` or `mines=unknown density=0.2`, any rule that is not
# the default, such as `clues=optimistic`, and with `free=0,1;1,1` the hidden cells that the rules
# keep free of mines.

SHORT_MARKS = {
    ".": Mark.HIDDEN.value,
    "F": FLAG,
    "*": Mark.MINE.value,
    "?": Mark.BLANK.value,
    "#": NO_CELL,
    **{str(digit): digit for digit in range(10)},
}
_SHORT_ACCEPTED = ". hidden, F flag, 0-9, * opened mine, ? no clue, # no cell"
_SHORT_EXAMPLE = "square 16x30 mines=99"
_MOST_WORDS = len(RULE_WORDS) + 4
"""Words of a header: a topology, a shape, and each key once."""


def parse_short_text(text: str) -> View:
    """The view of a text in this notation. Raises NotationError."""
    lines = numbered_lines(text)
    number, header = next(lines, (0, ""))
    if not number:
        raise NotationError(
            f"the text is empty; accepted: a header such as {_SHORT_EXAMPLE}, then rows"
        )
    words = header.split(maxsplit=_MOST_WORDS)
    with at_line(number):
        if len(words) < 2 or words[0] not in LATTICES:
            names = ", ".join(LATTICES)
            raise NotationError(
                f"header {quoted(header)} names no topology and shape; accepted: such as"
                f" `{_SHORT_EXAMPLE}`, with one of {names}",
                number,
            )
        lattice = Topology.of(words[0], words[1], files=False).lattice
        free = [word for word in words[2:] if word.startswith(_FREE)]
        rules = header_rules([word for word in words[2:] if word not in free[:1]])
    rows = read_rows(lines, lattice, SHORT_MARKS, _SHORT_ACCEPTED)
    with at_line(number):
        topology = Topology.of(lattice.name, words[1], rows.blocked)
        View(topology, rules)  # mines that cannot be are the fault of the header
    view = rows.view(rules, topology)
    with at_line(number):
        return _with_free(view, free[0].removeprefix(_FREE)) if free else view


def write_short_text(view: View) -> str:
    """The text that `parse` reads back to an equal view."""
    header = [view.topology.name, view.topology.shape, *rules_words(view.rules), *free_words(view)]
    return "\n".join([" ".join(header), *write_rows(view, SHORT_MARKS)]) + "\n"


_FREE = "free="


def free_words(view: View) -> list[str]:
    """The header word of the cells that the rules keep free, if there are any."""
    return [_FREE + ";".join(view.free.names)] if view.free else []


def _with_free(view: View, cells: str) -> View:
    """The view in which the rules keep cells free; they are written `0,1;1,0`."""
    if cells.count(";") >= len(view):
        raise NotationError(f"free= names more cells than the {len(view)} of the board")
    return view.with_free(map(parse_coordinates, cells.split(";")))


def header_rules(words: list[str]) -> Rules:
    """The rules told to the player, from `mines=`, `density=` and rule words. Raises RulesError."""
    values: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or key not in (*RULE_WORDS, "density") or key in values:
            raise RulesError(
                f"header word {quoted(word)} is unknown or repeated; accepted: mines=99,"
                " mines=unknown density=0.2, clues=CHANNEL, free=CELLS"
            )
        values[key] = value
    mines, density = values.pop("mines", None), values.pop("density", None)
    if mines is None:
        raise RulesError("header names no mines; accepted: mines=99 or mines=unknown density=0.2")
    if values.pop("total", None) is not None:
        raise RulesError("total is not a header word; accepted: mines=unknown instead")
    rules = Rules.parse(" ".join(f"{key}={value}" for key, value in values.items()))
    channel(rules.clues)
    if mines == "unknown":
        if density is not None and density.startswith("uniform"):
            prior = Mines.parse(density)
        else:
            prior = Mines.independent(Fraction(1, 2) if density is None else parse_share(density))
        return rules.with_words(mines=prior.text, total="unknown")
    if density is not None:
        raise RulesError("density beside a known number of mines; accepted: one of the two")
    if not (mines.isascii() and mines.isdigit()):
        raise RulesError(f"mines {quoted(mines)} is not a number; accepted: 99 or unknown")
    return rules.with_words(mines=mines)


def rules_words(rules: Rules) -> list[str]:
    """The header words of rules told to a player; defaults are left out."""
    if rules.total_known:
        words = [f"mines={rules.mines.text}"]
    else:
        chance = rules.mines.chance
        density = rules.mines.text if chance is None else share_text(chance)
        words = ["mines=unknown", f"density={density}"]
    plain = Rules().text.split()
    words += [
        word
        for word in rules.text.split()
        if word not in plain and not word.startswith(("mines=", "total="))
    ]
    return words


# ----------------------------------------------------------------------------
# The `.board` text of ms-toollib (MINESWEEPER-BOARD v0.1), its `[view]` section.
#
# Fields are `key: value` lines. Besides the format's own (`rows`, `columns`, `mines`, `game_mode`)
# mineproof reads and writes `topology`, `density` and every rule that differs from the plain
# game. `U` unopened, digits, `F` flag, `?` a question mark on an unopened cell, `X` the mine that
# was opened, `@` a mine shown at the end, `#` a flag shown as wrong at the end (no mine, no clue).
# A place without a cell is written `.`, which the format does not define.

_BOARD_HEADER = "# MINESWEEPER-BOARD"
_BOARD_MARKS = {
    "U": Mark.HIDDEN.value,
    "F": FLAG,
    "X": Mark.MINE.value,
    "#": Mark.BLANK.value,
    ".": NO_CELL,
    **{str(digit): digit for digit in range(10)},
}
_BOARD_MARKS_READ = {**_BOARD_MARKS, "?": Mark.HIDDEN.value, "@": Mark.MINE.value}
_BOARD_ACCEPTED = "U, digits, F, ?, X, @, #"
_SECTION = re.compile(r"^[^\S\n]*(\[view\]|\[real\])[^\S\n]*$", re.MULTILINE)
_MOST_FIELDS = 1000
"""Lines before the first section; the format knows a dozen fields."""
_SAID_OTHERWISE = ("mines", "total", "clues")
_OWN_FIELDS = ("density", "clues", *(key for key in RULE_WORDS if key not in _SAID_OTHERWISE))


def is_board_text(text: str) -> bool:
    """Whether a text is in this notation."""
    start = text.lstrip()[: len(_BOARD_HEADER)].upper()
    return start == _BOARD_HEADER or _SECTION.search(text) is not None


def _board_lines(text: str) -> Iterator[tuple[str, int, str]]:
    """The numbered lines of a text, each with the section that it is in; none before the first."""
    section, seen = "", set()
    for number, line in numbered_lines(text):
        if (name := line.strip()) not in ("[view]", "[real]"):
            yield section, number, line
        elif name in seen:
            raise NotationError(f"section {name} is given twice", number)
        else:
            section = name
            seen.add(name)


def parse_board_text(text: str) -> View:
    """The view of the `[view]` section. Raises NotationError."""
    fields: dict[str, tuple[int, str]] = {}
    for place, (section, number, line) in enumerate(_board_lines(text)):
        stripped = line.strip()
        if section:
            break
        if place == _MOST_FIELDS:
            raise NotationError(f"no [view] after {_MOST_FIELDS} lines; accepted: fewer", number)
        if stripped.startswith("#"):
            _check_render(stripped, number)
            continue
        key, colon, value = stripped.partition(":")
        if not colon:
            raise NotationError(f"{quoted(line)} is not a `key: value` line", number)
        fields[key.strip().lower()] = (number, value.strip())
    if "[view]" not in {found[1] for found in _SECTION.finditer(text)}:
        raise NotationError("no [view] section; accepted: a position as its player sees it")
    place, topology = _topology(fields)
    words = [f"mines={fields['mines'][1]}"] if "mines" in fields else []
    words += [f"{key}={fields[key][1]}" for key in _OWN_FIELDS if key in fields]
    with at_line(fields["mines"][0] if "mines" in fields else place):
        rules = header_rules(words)
    lines = ((n, line) for section, n, line in _board_lines(text) if section == "[view]")
    rows = read_rows(lines, topology.lattice, _BOARD_MARKS_READ, _BOARD_ACCEPTED)
    with at_line(place):
        if topology.blocked and topology.blocked != rows.blocked:
            raise NotationError("topology names blocked cells that the rows do not mark `.`", place)
        topology = Topology.of(topology.name, topology.shape, rows.blocked)
    with at_line(fields["mines"][0] if "mines" in fields else place):
        View(topology, rules)
    view = rows.view(rules, topology)
    if "free" not in fields:
        return view
    with at_line(fields["free"][0]):
        return _with_free(view, fields["free"][1])


def write_board_text(view: View) -> str:
    """The text that `parse` reads back to an equal view."""
    lattice = view.topology.lattice
    lines = [f"{_BOARD_HEADER} v0.1", "# Render: ascii", ""]
    lines += [f"rows: {len(lattice.row_lengths)}", f"columns: {max(lattice.row_lengths)}"]
    for word in (*rules_words(view.rules), *free_words(view)):
        key, _, value = word.partition("=")
        lines.append(f"{key}: {value}")
    lines.append("game_mode: classic")
    if view.topology.name != "square":
        lines.append(f"topology: {view.topology.name}:{view.topology.shape}")
    return "\n".join([*lines, "", "[view]", *write_rows(view, _BOARD_MARKS)]) + "\n"


def _check_render(comment: str, number: int) -> None:
    key, colon, value = comment.lstrip("# ").partition(":")
    if colon and key.strip().lower() == "render" and value.strip().lower() != "ascii":
        raise NotationError(f"render {quoted(value.strip())}; accepted: ascii", number)


def _topology(fields: dict[str, tuple[int, str]]) -> tuple[int, Topology]:
    sizes = []
    for key in ("rows", "columns"):
        number, value = fields.get(key, (1, ""))
        if not (value.isascii() and value.isdigit()) or len(value) > 9:
            raise NotationError(f"{key} {quoted(value)} is missing or not a number", number)
        sizes.append(int(value))
    number, name = fields.get("topology", fields["rows"])
    with at_line(number):
        if "topology" not in fields:
            name = "square"
        if name in LATTICES:
            return number, Topology.of(name, f"{sizes[0]}x{sizes[1]}")
        topology = Topology.parse(name, files=False)
    lengths = topology.lattice.row_lengths
    if sizes != [len(lengths), max(lengths)]:
        raise NotationError(
            f"topology {quoted(name)} has {len(lengths)} rows and {max(lengths)} columns", number
        )
    return number, topology


# -- The `.mine` text of JSMinesweeper: `WIDTHxHEIGHTxMINES`, then rows of `H`, `F` and digits --

_MINE_MARKS = {"H": Mark.HIDDEN.value, "F": FLAG, **{str(digit): digit for digit in range(9)}}


def is_mine_header(line: str) -> bool:
    """Whether a text that begins with this line is in this notation."""
    return re.fullmatch(r"\d+x\d+x\d+", line.strip(), re.IGNORECASE) is not None


def parse_mine_text(text: str) -> View:
    """The view of a text in this notation. Raises NotationError."""
    lines = numbered_lines(text)
    number, header = next(lines, (1, ""))
    if not is_mine_header(header):
        raise NotationError(f"header {quoted(header)}; accepted: such as 30x16x99", number)
    width, height, mines = header.strip().lower().split("x")
    with at_line(number):
        topology = Topology.of("square", f"{height}x{width}")
        rules = Rules(mines=Mines.parse(mines))
    rows = read_rows(lines, topology.lattice, _MINE_MARKS, "H hidden, F flag, 0-8")
    with at_line(number):
        View(topology, rules)
    return rows.view(rules, topology)


def write_mine_text(view: View) -> str:
    """The text of a plain square position; NotationError for what this notation cannot say."""
    if not is_plain_square(view):
        raise NotationError(
            "the .mine notation holds plain square boards with a known total; use the short one"
        )
    height, width = view.topology.lattice.dimensions
    if view.free:
        raise NotationError("the .mine notation has no cells that the rules keep free")
    if any(code in (Mark.MINE.value, Mark.BLANK.value) for code in view.codes().tolist()):
        raise NotationError("the .mine notation has no opened mines and no cells without a clue")
    return "\n".join([f"{width}x{height}x{view.total}", *write_rows(view, _MINE_MARKS)]) + "\n"


def is_plain_square(view: View) -> bool:
    """Whether a position is one of the plain game: squares, exact clues, a known total."""
    plain = view.total is not None and view.rules == Rules(mines=Mines.number(view.total))
    return plain and view.topology == Topology.of("square", view.topology.shape)


# ----------------------------------------------------------------------------
# The puzzle lines of report 3: `NAME ROWS COLS MINES`, then a number per cell, -1 if unknown. The
# name may be left out: the third puzzle of a text is then called `puzzle-3`.

PUZZLE_LINE = re.compile(r"([A-Za-z]\S{0,39}\s+)?\d{1,9}\s+\d{1,9}\s+\d{1,9}(\s|$)")
_NUMBER = re.compile(r"-1|\d{1,3}")


@dataclass(frozen=True)
class Puzzle:
    """A named static puzzle: its hints are the clues of a view."""

    name: str
    view: View


def parse_puzzles(text: str) -> tuple[Puzzle, ...]:
    """Every puzzle of a text, one per line; `#` begins a comment line. Raises NotationError."""
    puzzles: dict[str, Puzzle] = {}
    for number, line in numbered_lines(text):
        if line.lstrip().startswith("#"):
            continue
        puzzle = parse_puzzle_line(line, number, place=len(puzzles) + 1)
        if puzzle.name in puzzles:
            raise NotationError(f"puzzle {puzzle.name} is defined twice", number)
        puzzles[puzzle.name] = puzzle
    if not puzzles:
        raise NotationError(
            "no puzzle found; accepted: lines of [NAME] ROWS COLS MINES and numbers"
        )
    return tuple(puzzles.values())


def parse_puzzle_line(line: str, number: int = 1, place: int = 1) -> Puzzle:
    """One puzzle; without a name it is named by its place. Raises NotationError."""
    if not PUZZLE_LINE.match(line.strip()):
        raise NotationError(
            f"{quoted(line)} is not a puzzle; accepted: [NAME] ROWS COLS MINES, then numbers, one"
            " per cell",
            number,
        )
    start, rest = line.split(maxsplit=1)
    name = f"puzzle-{place}" if start.isdigit() else start
    if not name.isprintable():
        raise NotationError(f"name {quoted(name)}; accepted: printable characters", number)
    rows, cols, mines, *numbers = (line if start.isdigit() else rest).split(maxsplit=3)
    with at_line(number):
        topology = Topology.of("square", f"{rows}x{cols}")
        words = " ".join(numbers).split(maxsplit=len(topology))
        if len(words) != len(topology):
            count = sum(1 for _ in _WORD.finditer(" ".join(numbers)))
            raise NotationError(
                f"puzzle {quoted(name)} has {count} numbers for {len(topology)} cells", number
            )
        for word in words:
            if not _NUMBER.fullmatch(word) or int(word) > 8:
                raise NotationError(
                    f"{quoted(word)} in puzzle {quoted(name)}; accepted: -1 or a hint 0 to 8",
                    number,
                )
        codes = [Mark.HIDDEN.value if word == "-1" else int(word) for word in words]
        rules = Rules(mines=Mines.parse(mines))
        return Puzzle(name, View.of_codes(topology, rules, np.array(codes, dtype=np.uint8)))


def write_puzzle_line(puzzle: Puzzle) -> str:
    """The line that `parse_puzzle_line` reads back; NotationError for what it cannot say."""
    view = puzzle.view
    if not is_plain_square(view):
        raise NotationError("puzzle lines hold plain square boards with a known number of mines")
    if view.free or view.flag_count or any(view.clue(cell) is None for cell in view.opened):
        raise NotationError("puzzle lines hold hints and variables, no flags and no opened mines")
    rows, cols = view.topology.lattice.dimensions
    numbers = [-1 if code == Mark.HIDDEN.value else code for code in view.codes().tolist()]
    return " ".join(map(str, [puzzle.name, rows, cols, view.total, *numbers]))
