"""The mine counter above a board: three red digits of seven segments on black.

A module of its own: it knows nothing of cells and grids but where the board begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mineproof.picture.grid import Grid

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]

_SEGMENTS = {
    "abcdef": 0, "bc": 1, "abged": 2, "abgcd": 3, "fgbc": 4, "afgcd": 5, "afgedc": 6, "abc": 7,
    "abcdefg": 8, "abcdfg": 9, "fabc": 7, "fgedc": 6, "abgcf": 9,
}  # fmt: skip
_NUMBERS = {frozenset(lit): number for lit, number in _SEGMENTS.items()}
# The middle of every segment, as shares of the height and the width of a digit.
_PLACES = {
    "a": (0.06, 0.5), "g": (0.5, 0.5), "d": (0.94, 0.5), "f": (0.27, 0.1), "b": (0.27, 0.9),
    "e": (0.73, 0.1), "c": (0.73, 0.9),
}  # fmt: skip


def read_counter(pixels: Pixels, grid: Grid) -> int | None:
    """The number that the left counter above a board shows; None if there is none to be read."""
    right = min(pixels.shape[1], int(grid.left + grid.cols * grid.width / 2))
    left = max(0, int(grid.left - grid.width))
    bottom = max(0, int(grid.top - 2))
    top = max(0, int(bottom - max(90, 5 * grid.height)))
    part = pixels[top:bottom, left:right].astype(np.int16)
    if part.shape[0] < 12 or part.shape[1] < 20:
        return None
    red, green, blue = part[..., 0], part[..., 1], part[..., 2]
    lit = (red > 150) & (green < 110) & (blue < 110)
    dark = np.maximum(np.maximum(red, green), blue) < 48
    black = dark | ((green < 90) & (blue < 90) & (red > green + 30))
    box = _box(black, lit)
    if box is None:
        return None
    y0, y1, x0, x1 = box
    return _number(lit[y0:y1, x0:x1], black[y0:y1, x0:x1])


def _box(black: NDArray[np.bool_], lit: NDArray[np.bool_]) -> tuple[int, int, int, int] | None:
    """The leftmost black box that holds red light."""
    if not lit.any():
        return None
    columns = np.flatnonzero(lit.any(axis=0))
    rows = np.flatnonzero(lit.any(axis=1))
    # From a light in the box outwards, as long as it is black.
    y, x = np.argwhere(lit[:, : columns[0] + 1])[0]
    y0, y1 = int(y), int(y) + 1
    x0, x1 = int(x), int(x) + 1
    height, width = black.shape
    for _ in range(4):
        while y0 > 0 and black[y0 - 1, x0:x1].mean() > 0.7:
            y0 -= 1
        while y1 < height and black[y1, x0:x1].mean() > 0.7:
            y1 += 1
        while x0 > 0 and black[y0:y1, x0 - 1].mean() > 0.7:
            x0 -= 1
        while x1 < width and black[y0:y1, x1].mean() > 0.7:
            x1 += 1
    if y1 - y0 < 10 or not 1.2 < (x1 - x0) / (y1 - y0) < 2.4 or not len(rows):
        return None
    return y0, y1, x0, x1


def _number(lit: NDArray[np.bool_], black: NDArray[np.bool_]) -> int | None:
    """The number of three digits that fill a box."""
    rows = np.flatnonzero(lit.any(axis=1))
    if len(rows) < 8:
        return None
    height = int(rows[-1] - rows[0] + 1)
    width = lit.shape[1] / 3
    value = 0
    for place in range(3):
        digit = lit[rows[0] : rows[-1] + 1, round(place * width) : round((place + 1) * width)]
        number = _digit(digit, height)
        if number is None:
            return None
        value = value * 10 + number
    return value


def _digit(lit: NDArray[np.bool_], height: int) -> int | None:
    """One digit by its seven segments."""
    wide = lit.shape[1]
    margin = max(1, round(wide * 0.08))
    inner = lit[:, margin : wide - margin]
    reach_y, reach_x = max(1, height // 10), max(1, inner.shape[1] // 7)
    on = set()
    for name, (y, x) in _PLACES.items():
        at_y, at_x = round(y * (height - 1)), round(x * (inner.shape[1] - 1))
        near = inner[
            max(0, at_y - reach_y) : at_y + reach_y + 1, max(0, at_x - reach_x) : at_x + reach_x + 1
        ]
        if near.mean() > 0.3:
            on.add(name)
    return _NUMBERS.get(frozenset(on))
