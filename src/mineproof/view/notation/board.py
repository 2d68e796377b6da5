"""The `.board` text of ms-toollib (MINESWEEPER-BOARD v0.1), its `[view]` section.

Fields are `key: value` lines. Besides the format's own (`rows`, `columns`, `mines`, `game_mode`)
mineproof reads and writes `topology`, `density`, and `clues` where they differ from the plain game.
`U` unopened, digits, `F` flag, `?` a question mark on an unopened cell, `X` the mine that was
opened, `@` a mine shown at the end, `#` a flag shown as wrong at the end (no mine, no clue). A
place without a cell is written `.`, which the format does not define.
"""

from __future__ import annotations

from mineproof.board.lattices import LATTICES
from mineproof.board.topology import Topology
from mineproof.errors import NotationError, quoted
from mineproof.view.marks import Mark
from mineproof.view.notation.grid import FLAG, NO_CELL, at_line, read_rows, write_rows
from mineproof.view.notation.short import header_rules, rules_words
from mineproof.view.view import View

__all__ = ["is_header", "parse", "write"]

HEADER = "# MINESWEEPER-BOARD"
_WRITTEN = {
    "U": Mark.HIDDEN.value,
    "F": FLAG,
    "X": Mark.MINE.value,
    "#": Mark.BLANK.value,
    ".": NO_CELL,
    **{str(digit): digit for digit in range(10)},
}
_READ = {**_WRITTEN, "?": Mark.HIDDEN.value, "@": Mark.MINE.value}
_ACCEPTED = "U, digits, F, ?, X, @, #"
_OWN_FIELDS = ("density", "clues", "first-click", "on-mine", "given", "cascade", "goal")


def is_header(text: str) -> bool:
    """Whether a text is in this notation."""
    return text.lstrip().upper().startswith(HEADER) or any(
        line.strip() in ("[view]", "[real]") for line in text.split("\n")
    )


def parse(text: str) -> View:
    """The view of the `[view]` section. Raises NotationError."""
    fields: dict[str, tuple[int, str]] = {}
    sections: dict[str, list[tuple[int, str]]] = {}
    section: list[tuple[int, str]] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.strip()
        if stripped in ("[view]", "[real]"):
            if stripped in sections:
                raise NotationError(f"section {stripped} is given twice", number)
            section = sections[stripped] = []
        elif section is not None:
            section.append((number, line))
        elif stripped.startswith("#"):
            _check_render(stripped, number)
        elif stripped:
            key, colon, value = stripped.partition(":")
            if not colon:
                raise NotationError(f"{quoted(line)} is not a `key: value` line", number)
            fields[key.strip().lower()] = (number, value.strip())
    if "[view]" not in sections:
        raise NotationError("no [view] section; accepted: a position as its player sees it")
    place, topology = _topology(fields)
    words = [f"mines={fields['mines'][1]}"] if "mines" in fields else []
    words += [f"{key}={fields[key][1]}" for key in _OWN_FIELDS if key in fields]
    with at_line(fields["mines"][0] if "mines" in fields else place):
        rules = header_rules(words)
    rows = read_rows(sections["[view]"], topology.lattice, _READ, _ACCEPTED)
    with at_line(place):
        if topology.blocked and topology.blocked != rows.blocked:
            raise NotationError("topology names blocked cells that the rows do not mark `.`", place)
        topology = Topology.of(topology.name, topology.shape, rows.blocked)
    return rows.view(rules, topology)


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


def write(view: View) -> str:
    """The text that `parse` reads back to an equal view."""
    lattice = view.topology.lattice
    lines = [f"{HEADER} v0.1", "# Render: ascii", ""]
    lines += [f"rows: {len(lattice.row_lengths)}", f"columns: {max(lattice.row_lengths)}"]
    for word in rules_words(view.rules):
        key, _, value = word.partition("=")
        lines.append(f"{key}: {value}")
    lines.append("game_mode: classic")
    if view.topology.name != "square":
        lines.append(f"topology: {view.topology.name}:{view.topology.shape}")
    return "\n".join([*lines, "", "[view]", *write_rows(view, _WRITTEN)]) + "\n"
