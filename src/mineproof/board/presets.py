"""Boards by name: `expert`, `hex:11x11/28` (TOPOLOGY:SHAPE/MINES), and the worlds of report 2."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from mineproof.board.layout import Layout, wrong_clue
from mineproof.board.topology import Topology, as_topology
from mineproof.errors import BoardError, InputError, NotationError, UnknownName, quoted, text_of
from mineproof.files import parse_file
from mineproof.registry import Catalog
from mineproof.rules import Mines

_SIDES = re.compile(r"(\d{1,3}) ?(?:by|\*|X|\u00d7|,|-| ) ?(\d{1,3})", re.ASCII)
"""Two sides as people write them, without a number of mines."""
_EDGES = re.compile(r"graph:[\d,;#-]+")


@dataclass(frozen=True, init=False)
class Board:
    """A topology and how many mines are dealt on it. Raises InputError where they do not fit.

    >>> mp.Board("9x9", 10) == mp.Board(mp.Topology.parse("9x9"), "10") == mp.Board.parse("9x9/10")
    True
    """

    topology: Topology
    mines: Mines

    def __init__(self, topology: Topology | str, mines: Mines | int | str) -> None:
        """The board of a topology or its text; mines are a number, a text or a value."""
        graph = as_topology(topology)
        object.__setattr__(self, "topology", graph)
        object.__setattr__(self, "mines", Mines.of(mines))
        if self.mines.room is not None:
            raise BoardError(f"mines {self.mines.text} is told to a player; accepted: uniform")
        fixed = self.mines.fixed(len(graph))
        if fixed is not None and fixed > len(graph):
            raise BoardError(f"{fixed} mines on {len(graph)} cells; accepted: at most one per cell")

    @classmethod
    def parse(cls, text: str, *, files: bool = True) -> Board:
        """A preset's name, or `SHAPE/MINES` with an optional `TOPOLOGY:` before it.

        Without `files` a graph must be written out: a text from elsewhere opens no file here.

        >>> Board.parse("expert").text
        'square:16x30/99'
        """
        if text_of(text, "board") in PRESETS:
            return cls.parse(PRESETS[text])
        # A density may be a ratio, `9x9/1/3`, and the path of a graph's file may hold slashes.
        shape, slash, mines = text.partition("/")
        if shape.startswith("graph:") and not _EDGES.fullmatch(shape):
            shape, slash, mines = text.rpartition("/")
        if not slash:
            if sides := _SIDES.fullmatch(text):
                rows, columns = map(int, sides.groups())
                raise BoardError(
                    f"unknown board {quoted(text)}; did you mean"
                    f" {rows}x{columns}/{max(rows * columns // 8, 1)}?"
                )
            if not re.search(r":|\dx", text):
                raise UnknownName("board", text, PRESETS)
            raise BoardError(
                f"board {quoted(text)} names no mines; accepted: such as expert, 16x30/99,"
                " 9x9/20% or hex:11x11/28"
            )
        return cls(Topology.parse(shape, files=files), Mines.parse(mines))

    @property
    def text(self) -> str:
        return f"{self.topology.text}/{self.mines.text}"

    def __str__(self) -> str:
        return self.text


PRESETS: Catalog[str] = Catalog("board")
PRESETS.add("beginner", "square:9x9/10")
PRESETS.add("beginner8", "square:8x8/10")
PRESETS.add("intermediate", "square:16x16/40")
PRESETS.add("expert", "square:16x30/99")


# ----------------------------------------------------------------------------
# World files of report 2 and its sister assignment: named layouts, written with their clues.
#
#     M5
#     0 1 2
#     2 t 1
#     t 2 0
#
# A name stands alone on its line. Rows of clues follow, with `t` for a tornado or mine, `b` for a
# blocked cell. An empty line or the end of the file ends a world. Worlds are rhombi of hexagons; a
# line `square:` begins square ones, `hex:` hexagons again. `#` begins a comment. The clues are
# checked against the mines.

_ASKED_FOR_BY_NAME = "TEST"

_NAME = re.compile(r"(?=.*[A-Za-z])[A-Za-z0-9_-]{2,40}")
_WORD = re.compile(r"[tb]|\d{1,2}")
WORLD_LATTICES = ("hex", "square")
"""The lattices that a world file can hold, the usual one first."""


@dataclass(frozen=True)
class World:
    """A named layout, mostly on a rhombus of hexagons.

    >>> from mineproof.board import World
    >>> world = World("M5", mp.Layout.of("hex:3x3", [(1, 1), (2, 0)]))
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
    lattice = WORLD_LATTICES[0]

    def close() -> None:
        nonlocal name, rows
        if name is not None:
            worlds[name] = World(name, _layout(name, lattice, rows, started))
        name, rows = None, []

    for number, line in enumerate(text.split("\n"), 1):
        words = line.partition("#")[0].split()
        if not words:
            if rows:
                close()
        elif name is None and words[0].removesuffix(":") in WORLD_LATTICES and ":" in words[0]:
            lattice = words[0].removesuffix(":")
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
                        f"{quoted(word)} in world {name}; accepted: t, b or a clue", number
                    )
            rows.append(words)
    close()
    if not worlds:
        raise NotationError("no world found; accepted: a name, then rows of clues and t")
    return tuple(worlds.values())


def _layout(name: str, lattice: str, rows: list[list[str]], line: int) -> Layout:
    if not rows:
        raise NotationError(f"world {name} has no rows", line)
    for below, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise NotationError(
                f"world {name} has {len(row)} cells in this row and {len(rows[0])} in its first",
                line + 1 + below,
            )
    blocked = [(r, c) for r, row in enumerate(rows) for c, word in enumerate(row) if word == "b"]
    if len(blocked) == len(rows) * len(rows[0]):
        raise NotationError(f"every cell of world {name} is blocked", line)
    shape = f"{len(rows)}x{len(rows[0])}"
    words = [word for row in rows for word in row if word != "b"]
    tornadoes = [cell for cell, word in enumerate(words) if word == "t"]
    layout = Layout.of(Topology.of(lattice, shape, blocked), tornadoes)
    wrong = wrong_clue(layout, words)
    if wrong is None:
        return layout
    topology = layout.topology
    fitting = [
        other
        for other in WORLD_LATTICES
        if wrong_clue(Layout.of(Topology.of(other, shape, blocked), tornadoes), words) is None
    ]
    # A file of the other lattice without its line: its clues fit there, all of them.
    hint = f"; all its clues fit on a {fitting[0]} board" if fitting else ""
    accepted = f"; accepted: a line `{fitting[0]}:` before it" if fitting else ""
    raise NotationError(
        f"world {name} shows {words[wrong]} at {topology.cell_name(wrong)}, where"
        f" {layout.counts[wrong]} tornadoes touch on a {lattice} board{hint}{accepted}",
        line + 1 + topology.coordinates(wrong)[0],
    )


def format_worlds(worlds: tuple[World, ...]) -> str:
    """The text that `parse_worlds` reads back."""
    blocks, lattice = [], WORLD_LATTICES[0]
    for world in worlds:
        own = world.layout.topology.name
        if own != lattice:
            lattice = own
            blocks.append(f"{own}:")
        counts, mines = world.layout.counts.tolist(), world.layout.mines.tolist()
        rows = [
            " ".join(
                "b" if cell is None else "t" if mines[cell] else str(counts[cell]) for cell in row
            )
            for row in world.layout.topology.rows()
        ]
        blocks.append("\n".join([world.name, *rows]))
    return "\n\n".join(blocks) + "\n"
