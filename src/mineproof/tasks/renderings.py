"""Renderings: the same position in several forms, because the form alone changes how models play.

All of them say what the view says and nothing else.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from mineproof.board.topology import Topology
from mineproof.registry import Catalog
from mineproof.view.channels import Mark
from mineproof.view.view import View

Rendering: TypeAlias = Callable[[View], str]

RENDERINGS: Catalog[Rendering] = Catalog("rendering")
PICTURE = "picture"
"""The rendering whose text only announces a picture, which goes beside it."""


def rows(view: View) -> str:
    """The board row by row, with the numbers of rows and columns."""
    topology = view.topology
    height, width = topology.lattice.dimensions[:2]
    lines = ["    " + " ".join(f"{column:>2}" for column in range(width))]
    for row in range(height):
        cells = (topology.find((row, column)) for column in range(width))
        signs = (" " if cell is None else sign(view, cell) for cell in cells)
        lines.append(f"{row:>2}  " + " ".join(f"{one:>2}" for one in signs))
    return "Rows (`.` is a hidden cell):\n" + "\n".join(lines)


def coordinates(view: View) -> str:
    """Every cell by its coordinates."""
    name = view.topology.cell_name
    shown: dict[str, list[str]] = {}
    for cell in view.topology.cells:
        what = sign(view, cell)
        shown.setdefault("hidden" if what == "." else f"shows {what}", []).append(name(cell))
    return "Cells:\n" + "\n".join(f"{what}: {' '.join(shown[what])}" for what in sorted(shown))


def constraints(view: View) -> str:
    """Every clue that touches hidden cells, as a sum, and the number of mines in all."""
    name = view.topology.cell_name
    lines = []
    for cell, clue in view.clues:
        near = [name(other) for other in view.topology.neighbours(cell) if view.is_hidden(other)]
        if near:
            lines.append(f"{name(cell)} shows {clue}: {clue} of {{{' '.join(near)}}} are mines")
    hidden = " ".join(map(name, view.hidden))
    lines.append(f"all hidden cells: {view.total} of {{{hidden}}} are mines")
    return "Constraints:\n" + "\n".join(lines)


def json_text(view: View) -> str:
    """A JSON object with the size, the number of mines and a list of rows; null is hidden."""
    topology = view.topology
    height, width = topology.lattice.dimensions[:2]
    found = [[topology.find((row, column)) for column in range(width)] for row in range(height)]
    cells = [[None if one is None else view.clue(one) for one in row] for row in found]
    return json.dumps({"rows": height, "columns": width, "mines": view.total, "cells": cells})


def picture(view: View) -> str:
    """A sentence that points to the picture beside it."""
    return "The picture shows the board. Grey cells are hidden; open cells without a number are 0."


for _name, _rendering in (
    ("rows", rows),
    ("coordinates", coordinates),
    ("constraints", constraints),
    ("json", json_text),
    (PICTURE, picture),
):
    RENDERINGS.add(_name, _rendering)


def sign(view: View, cell: int) -> str:
    """The sign of a cell: `.` hidden, a number."""
    shown = view[cell]
    if not isinstance(shown, Mark):
        return str(shown)
    return {Mark.HIDDEN: ".", Mark.MINE: "*"}.get(shown, "?")


def board_text(view: View) -> str:
    """What the board is and who touches whom, in words."""
    topology = view.topology
    height, width = topology.lattice.dimensions[:2]
    return (
        f"Minesweeper on a board of {height} rows and {width} columns with {view.total} mines:"
        f" {topology.lattice.doc}. Cells are named row,column; 0,0 is at the top left."
        f"{''.join(_examples(topology))} An open cell shows how many of the cells that it touches"
        " are mines."
    )


def _examples(topology: Topology) -> Iterator[str]:
    """Which cells two cells touch, where it is not the board that everybody knows."""
    if topology.name == "square":
        return
    centre = topology.centre
    for cell in (centre, centre + 1):
        near = " ".join(map(topology.cell_name, topology.neighbours(cell)))
        yield f" For example, {topology.cell_name(cell)} touches {near}."


# -- The picture as a PNG, the form that models with eyes take -----------------

_SCALE = 2


def png(view: View) -> bytes:
    """The board as a picture, without any text beside what the cells show."""
    from mineproof.envs.rendering import draw

    pixels = np.asarray(draw(view, "rgb_array"), dtype=np.uint8)
    pixels = pixels.repeat(_SCALE, axis=0).repeat(_SCALE, axis=1)
    height, width, _ = pixels.shape
    # Each line of a PNG begins with the number of its filter: 0 is none.
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], axis=1)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
