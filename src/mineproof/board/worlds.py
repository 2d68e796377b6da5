"""World files of report 2: named hexagonal layouts, written with their clues.

    M5
    0 1 2
    2 t 1
    t 2 0

A name stands alone on its line. Rows of clues follow, with `t` for a tornado. An empty line or the
end of the file ends a world. `#` begins a comment. The clues are checked against the tornadoes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from mineproof.board.layout import Layout
from mineproof.board.topology import Topology
from mineproof.errors import InputError, NotationError, UnknownName, quoted
from mineproof.files import parse_file

__all__ = ["World", "choose_worlds", "find_world", "format_worlds", "parse_worlds", "read_worlds"]

_ASKED_FOR_BY_NAME = "TEST"

_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9_-]{2,40}")
_WORD = re.compile(r"t|\d{1,2}")


@dataclass(frozen=True)
class World:
    """A named layout on a rhombus of hexagons.

    >>> world = mp.World("M5", mp.Layout.of("hex:3x3", [(1, 1), (2, 0)]))
    >>> mp.play(world).world
    'M5'
    """

    name: str
    layout: Layout


def read_worlds(path: str | Path) -> tuple[World, ...]:
    """The worlds of a file. Raises NotationError."""
    return parse_file(path, parse_worlds)


def find_world(worlds: tuple[World, ...], name: str) -> World:
    """The world of that name. Raises UnknownName."""
    for world in worlds:
        if world.name == name:
            return world
    raise UnknownName("world", name, [world.name for world in worlds])


def choose_worlds(worlds: tuple[World, ...], name: str | None = None) -> tuple[World, ...]:
    """The one world of that name, or all but those that must be asked for by name."""
    if name is not None:
        return (find_world(worlds, name),)
    chosen = tuple(w for w in worlds if not w.name.startswith(_ASKED_FOR_BY_NAME))
    if not chosen:
        raise InputError("only TEST worlds are there; accepted: one of them by its name")
    return chosen


def parse_worlds(text: str) -> tuple[World, ...]:
    """The worlds of a text. Raises NotationError with the line."""
    worlds: dict[str, World] = {}
    name: str | None = None
    started = 0
    rows: list[list[str]] = []

    def close() -> None:
        nonlocal name, rows
        if name is not None:
            worlds[name] = World(name, _layout(name, rows, started))
        name, rows = None, []

    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].split()
        if not words:
            if rows:
                close()
        elif name is None:
            if len(words) != 1 or not _NAME.fullmatch(words[0]):
                raise NotationError(f"{quoted(line)} is not a world's name, such as M5", number)
            if words[0] in worlds:
                raise NotationError(f"world {words[0]} is defined twice", number)
            name, started = words[0], number
        else:
            for word in words:
                if not _WORD.fullmatch(word):
                    raise NotationError(
                        f"{quoted(word)} in world {name}; accepted: t or a clue", number
                    )
            rows.append(words)
    close()
    if not worlds:
        raise NotationError("no world found; accepted: a name, then rows of clues and t")
    return tuple(worlds.values())


def _layout(name: str, rows: list[list[str]], line: int) -> Layout:
    if not rows:
        raise NotationError(f"world {name} has no rows", line)
    for below, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise NotationError(
                f"world {name} has {len(row)} cells in this row and {len(rows[0])} in its first",
                line + 1 + below,
            )
    topology = Topology.of("hex", f"{len(rows)}x{len(rows[0])}")
    words = [word for row in rows for word in row]
    layout = Layout.of(topology, [cell for cell, word in enumerate(words) if word == "t"])
    for cell, (word, count) in enumerate(zip(words, layout.counts.tolist(), strict=True)):
        if word not in ("t", str(count)):
            row_number = topology.coordinates(cell)[0]
            raise NotationError(
                f"world {name} shows {word} at {topology.cell_name(cell)}, where {count} tornadoes"
                " touch",
                line + 1 + row_number,
            )
    return layout


def format_worlds(worlds: tuple[World, ...]) -> str:
    """The text that `parse_worlds` reads back."""
    blocks = []
    for world in worlds:
        counts, mines = world.layout.counts.tolist(), world.layout.mines.tolist()
        rows = [
            " ".join("t" if mines[cell] else str(counts[cell]) for cell in row if cell is not None)
            for row in world.layout.topology.rows()
        ]
        blocks.append("\n".join([world.name, *rows]))
    return "\n\n".join(blocks) + "\n"
