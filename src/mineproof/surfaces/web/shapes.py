"""Boards and views as the page gets them. Every cell is its number; the board translates."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, TypeAlias

from mineproof.agents.decision import Action, Decision
from mineproof.board.lattices import LATTICES
from mineproof.board.presets import PRESETS, Board
from mineproof.board.topology import Topology
from mineproof.errors import BoardError, quoted
from mineproof.rules import Rules
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.view.channels import check_channel
from mineproof.view.marks import Mark
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = [
    "Shown",
    "board_json",
    "boards_json",
    "changed_cells",
    "changed_json",
    "check_size",
    "mines_left",
    "own_copy",
    "read_board",
    "read_setting",
    "shown_json",
    "view_json",
]

Shown: TypeAlias = int | str | None

_MARKS: dict[int, Shown] = {
    Mark.HIDDEN.value: None,
    Mark.MINE.value: "*",
    Mark.BLANK.value: "?",
}
_LONGEST_NAME = 4_000


def read_board(text: str, limits: CoachLimits) -> Board:
    """The board of a name; no file is opened for it. Raises InputError."""
    if len(text) > _LONGEST_NAME:
        raise BoardError(f"board {quoted(text)} is longer than {_LONGEST_NAME} characters")
    board = Board.parse(text, files=False)
    check_size(board.topology, limits)
    return board


def read_setting(
    board: str, first_click: str | None, clues: str | None, limits: CoachLimits
) -> Setting:
    """What is played, as a request names it; no file is opened for it. Raises InputError."""
    chosen = read_board(board, limits)
    # Words of rules may name a file, a value of rules cannot.
    rules = Rules().with_words(first_click=first_click, clues=clues)
    setting = Setting.of(chosen, rules)
    check_channel(setting.rules.clues, setting.board.topology.degrees)
    return setting


def check_size(topology: Topology, limits: CoachLimits) -> None:
    """Refuse boards past the limit. Raises BoardError."""
    if len(topology) > limits.cells:
        raise BoardError(
            f"the board has {len(topology)} cells; the coach accepts at most {limits.cells}"
        )


@lru_cache(maxsize=32)
def _topology_json(topology: Topology) -> dict[str, Any]:
    lattice = topology.lattice
    outlines = [topology.polygon(cell) for cell in topology.cells]
    # A board drawn around a circle or to the left of 0 is moved to begin at 0,0.
    left = min(x for outline in outlines for x, _ in outline)
    top = min(y for outline in outlines for _, y in outline)
    polygons = [[[round(x - left, 4), round(y - top, 4)] for x, y in o] for o in outlines]
    plain = topology.name in ("square", "square4", "torus") and not topology.blocked
    return {
        "topology": topology.name,
        "rows": len(lattice.row_lengths),
        "cols": max(lattice.row_lengths),
        "shape": topology.shape,
        "cells": len(topology),
        "coordinates": [list(topology.coordinates(cell)) for cell in topology.cells],
        "names": [topology.cell_name(cell) for cell in topology.cells],
        "polygons": None if plain else polygons,
        "centres": None if plain else [_centre(polygon) for polygon in polygons],
        "neighbours": [list(topology.neighbours(cell)) for cell in topology.cells],
        "size": [
            max(x for polygon in polygons for x, _ in polygon),
            max(y for polygon in polygons for _, y in polygon),
        ],
    }


def _centre(polygon: list[list[float]]) -> list[float]:
    return [round(sum(at[axis] for at in polygon) / len(polygon), 4) for axis in (0, 1)]


def board_json(topology: Topology, mines: int | None, name: str | None = None) -> dict[str, Any]:
    """The description of a board; `name` is what it is called, else what its topology is."""
    return {"name": name or topology.text, "mines": mines, **_topology_json(topology)}


def boards_json(limits: CoachLimits) -> dict[str, Any]:
    """The presets, the topologies with an example, and the limits of a board."""
    return {
        "presets": [{"name": name, "board": PRESETS[name]} for name in PRESETS],
        "topologies": [
            {"name": name, "doc": LATTICES[name].doc, "example": LATTICES[name].example}
            for name in LATTICES
        ],
        "limits": {"cells": limits.cells, "watch_cells": limits.watch_cells},
    }


def shown_json(view: View, cell: int) -> Shown:
    """What one cell shows."""
    code = view.code(cell)
    if code == Mark.HIDDEN.value and view.is_flagged(cell):
        return "F"
    return _MARKS.get(code, code)


def changed_cells(before: View, after: View, decision: Decision) -> tuple[int, ...]:
    """The cells whose appearance a decision changed."""
    if decision.cell is not None and decision.action in (Action.FLAG, Action.UNFLAG):
        return (decision.cell,)
    opened = after.opened_since(before)
    if opened is None:  # the total was told with the first click, in a view of its own
        opened = tuple(after.opened)
    return opened


def changed_json(view: View, cells: Iterable[int]) -> list[list[Shown]]:
    """Cells with what they show now."""
    return [[cell, shown_json(view, cell)] for cell in cells]


def mines_left(view: View) -> int | None:
    """The mines that are neither flagged nor open; None if the total is unknown."""
    if view.total is None:
        return None
    opened = int((view.codes() == Mark.MINE.value).sum())
    return view.total - view.flag_count - opened


def view_json(view: View) -> dict[str, Any]:
    """A whole view."""
    shown: list[Shown] = [_MARKS.get(code, code) for code in view.codes().tolist()]
    for cell in view.flags:
        shown[cell] = "F"
    return {
        "shown": shown,
        "mines_left": mines_left(view),
        "rules": view.rules.text,
        "short": view.text,
    }


def own_copy(view: View) -> View:
    """The same position, sharing no memory, for work beside a running game."""
    return View.of_codes(view.topology, view.rules, view.codes(), view.flags)
