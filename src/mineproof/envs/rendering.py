"""Pictures of positions for `render`: a text, an SVG, or an array of pixels, on any board."""

from __future__ import annotations

from functools import lru_cache
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mineproof.board.topology import Topology
from mineproof.errors import InputError
from mineproof.view.channels import Mark
from mineproof.view.svg import DIGITS, draw_svg
from mineproof.view.view import View

__all__ = ["MODES", "draw"]

MODES = ("ansi", "rgb_array", "svg")

_SIDE = 20.0
"""Pixels of a square as large as a cell."""
_MOST_PIXELS = 50_000_000
_EDGE, _HIDDEN, _OPEN, _MINE, _INK = (85,) * 3, (201,) * 3, (255,) * 3, (213, 94, 0), (0, 0, 0)
_DIGITS = [tuple(bytes.fromhex(colour.removeprefix("#"))) for colour in DIGITS]
# Three columns and five rows of bits for each sign.
_GLYPHS = {
    "0": "111101101101111",
    "1": "010110010010111",
    "2": "111001111100111",
    "3": "111001111001111",
    "4": "101101111001001",
    "5": "111100111001111",
    "6": "111100111101111",
    "7": "111001001001001",
    "8": "111101111101111",
    "9": "111101111001111",
    "F": "111100110100100",
    "*": "101010111010101",
    "?": "111001011000010",
}
_DOT = 2


def draw(view: View, mode: str) -> Any:
    """The position as `ansi` text, `svg` text or `rgb_array` pixels."""
    if mode == "ansi":
        return view.text
    return draw_svg(view) if mode == "svg" else _pixels(view)


def _pixels(view: View) -> NDArray[np.uint8]:
    cell_at, middles = _places(view.topology)
    grounds = np.full((len(view) + 1, 3), _EDGE, dtype=np.uint8)
    signs: list[tuple[int, str, tuple[int, ...]]] = []
    for cell, shown in enumerate(view):
        grounds[cell] = _HIDDEN if shown is Mark.HIDDEN else _OPEN
        if shown is Mark.MINE:
            grounds[cell] = _MINE
            signs.append((cell, "*", _INK))
        elif shown is Mark.BLANK:
            signs.append((cell, "?", _INK))
        elif not isinstance(shown, Mark) and shown:
            signs.append((cell, str(shown), _DIGITS[min(shown, len(_DIGITS) - 1)]))
        elif view.is_flagged(cell):
            signs.append((cell, "F", _INK))
    picture = grounds[cell_at]
    for cell, text, ink in signs:
        _write(picture, middles[cell], text, ink)
    return picture


def _write(
    picture: NDArray[np.uint8], middle: tuple[int, int], text: str, ink: tuple[int, ...]
) -> None:
    """Write signs around a point."""
    rows = ["0".join(_GLYPHS[sign][3 * row : 3 * row + 3] for sign in text) for row in range(5)]
    bits = np.array([[bit == "1" for bit in row] for row in rows])
    bits = bits.repeat(_DOT, axis=0).repeat(_DOT, axis=1)
    top, left = middle[0] - bits.shape[0] // 2, middle[1] - bits.shape[1] // 2
    height, width = picture.shape[:2]
    for row, column in np.argwhere(bits).tolist():
        if 0 <= top + row < height and 0 <= left + column < width:
            picture[top + row, left + column] = ink


@lru_cache(maxsize=4)
def _places(topology: Topology) -> tuple[NDArray[np.int32], list[tuple[int, int]]]:
    """The cell at every pixel (-1 for none), and the pixel in the middle of every cell."""
    outlines = [np.array(topology.polygon(cell)) for cell in topology.cells]
    low = np.min([outline.min(axis=0) for outline in outlines], axis=0)
    high = np.max([outline.max(axis=0) for outline in outlines], axis=0)
    scale = _SIDE / max(_side(outlines[0]), 1e-9)
    width, height = (max(ceil(size), 1) for size in ((high - low) * scale + 1).tolist())
    if width * height > _MOST_PIXELS:
        raise InputError(f"a picture of {width} x {height} pixels; accepted: a smaller board")
    cell_at = np.full((height, width), -1, dtype=np.int32)
    middles = []
    for cell, outline in enumerate(outlines):
        placed = (outline - low) * scale
        _fill(cell_at, placed, cell)
        x, y = placed.mean(axis=0)
        middles.append((int(y), int(x)))
    return cell_at, middles


def _side(outline: NDArray[np.float64]) -> float:
    x, y = outline[:, 0], outline[:, 1]
    return float(np.sqrt(abs(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)) / 2))


def _fill(cell_at: NDArray[np.int32], outline: NDArray[np.float64], cell: int) -> None:
    """Give a cell the pixels well inside its outline, so that an edge is left around it."""
    middle = outline.mean(axis=0)
    inner = middle + (outline - middle) * (1 - 2 / _SIDE)
    left, top = np.floor(inner.min(axis=0)).astype(int).tolist()
    right, bottom = np.ceil(inner.max(axis=0)).astype(int).tolist()
    x, y = np.meshgrid(np.arange(left, right + 1) + 0.5, np.arange(top, bottom + 1) + 0.5)
    inside = np.zeros(x.shape, dtype=np.bool_)
    for (x1, y1), (x2, y2) in zip(inner, np.roll(inner, -1, axis=0), strict=True):
        if y1 == y2:
            continue
        crosses = (y1 > y) != (y2 > y)
        inside ^= crosses & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    part = cell_at[top : bottom + 1, left : right + 1]
    part[inside[: part.shape[0], : part.shape[1]]] = cell
