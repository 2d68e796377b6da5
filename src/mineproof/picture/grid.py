"""Where the cells of a board are in a picture: edges that repeat at one distance both ways.

1. Edges: differences between neighbouring pixels, kept only where they go on for several pixels.
2. Periods: distances at which the sums of edges along columns, and along rows, repeat.
3. For each likely period the lines: an offset and an exact distance that meet the most edges.
4. The board: the cells that have edges at their sides, and the box around them.

What is found are candidates; which of them is a board is judged by what their cells show.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float64]

LEAST_CELL, MOST_CELL = 9.0, 130.0
LEAST_SIDE, LEAST_CELLS, MOST_CELLS = 3, 16, 10_000
_MOST_PIXELS = 1_600_000
"""A larger picture is shrunk before its grid is looked for."""
_RUN = 7
"""Pixels for which an edge must go on: less than a small cell, more than most of writing."""
_CLIP = 40
_PERIODS = 5
"""How many periods are tried."""


@dataclass(frozen=True)
class Grid:
    """Rows and columns of cells, in pixels of the picture."""

    top: float
    left: float
    height: float
    width: float
    rows: int
    cols: int
    support: float = 0.0
    """How many of the cells' sides are seen, from 0 to 1."""

    @property
    def ys(self) -> NDArray[np.float32]:
        """Where every row begins and ends."""
        return _spans(self.top, self.height, self.rows)

    @property
    def xs(self) -> NDArray[np.float32]:
        """Where every column begins and ends."""
        return _spans(self.left, self.width, self.cols)

    def is_nearly(self, other: Grid) -> bool:
        """Whether the cells are the same but for a tenth of their size."""
        return (
            (self.rows, self.cols) == (other.rows, other.cols)
            and abs(self.left - other.left) < 0.1 * self.width
            and abs(self.top - other.top) < 0.1 * self.height
        )

    def overlaps(self, other: Grid) -> bool:
        """Whether the two boxes share any place."""
        return not (
            self.top + self.rows * self.height <= other.top
            or other.top + other.rows * other.height <= self.top
            or self.left + self.cols * self.width <= other.left
            or other.left + other.cols * other.width <= self.left
        )


def _spans(start: float, step: float, count: int) -> NDArray[np.float32]:
    begin = start + np.arange(count) * step
    return np.stack([begin, begin + step], axis=1).astype(np.float32)


def candidates(pixels: Pixels) -> list[Grid]:
    """The grids that may be boards, those with the most sides seen first."""
    factor = max(1, int(np.ceil(np.sqrt(pixels.shape[0] * pixels.shape[1] / _MOST_PIXELS))))
    small = _shrunk(pixels, factor)
    if min(small.shape[:2]) < LEAST_SIDE * LEAST_CELL:
        return []
    upright = _edges(small)
    level = _edges(small.transpose(1, 0, 2))
    found: list[Grid] = []
    for period in _periods(upright, level):
        for across in _lines(upright, period):
            for down in _lines(level, period):
                # Cells are square: two distances that differ are no grid of cells.
                if abs(across[1] / down[1] - 1) < 0.05:
                    found += _boards(upright, level, across, down)
    found.sort(key=lambda grid: -(grid.support**4) * np.sqrt(grid.rows * grid.cols))
    found = [
        grid
        for place, grid in enumerate(found)
        if not any(grid.is_nearly(other) for other in found[:place])
    ]
    return [
        Grid(
            (grid.top) * factor, (grid.left) * factor, grid.height * factor, grid.width * factor,
            grid.rows, grid.cols, grid.support,
        )
        for grid in found
    ]  # fmt: skip


def _shrunk(pixels: Pixels, factor: int) -> Pixels:
    if factor == 1:
        return pixels
    height, width = pixels.shape[0] // factor * factor, pixels.shape[1] // factor * factor
    part = pixels[:height, :width].reshape(height // factor, factor, width // factor, factor, 3)
    mean: Pixels = part.mean(axis=(1, 3), dtype=np.float32).astype(np.uint8)
    return mean


def _edges(pixels: Pixels) -> Pixels:
    """Edges between a column and the next, where they go on for `_RUN` rows."""
    signed = pixels.astype(np.int16)
    change = signed[:, 1:] - signed[:, :-1]
    change[1:-1] = (change[:-2] + change[1:-1] + change[2:]) // 3  # less noise
    step = np.abs(change).max(axis=2)
    # A smooth edge, as of a scaled picture, is spread over two pixels or three.
    edges = np.minimum(np.maximum(step - 2, 0), _CLIP).astype(np.uint8)
    low: Pixels = edges
    for shift in (1, 2, 3):  # the least of 7 rows
        low = np.minimum(low[shift:], low[:-shift])
    full: Pixels = np.zeros(edges.shape, dtype=np.uint8)
    rows = low.shape[0]
    for shift in range(_RUN):
        np.maximum(full[shift : shift + rows], low, out=full[shift : shift + rows])
    return full


def _profile(edges: Pixels) -> Floats:
    """The sum of edges over each column, single high ones cut down to what repeats."""
    sums: Floats = edges.sum(axis=0, dtype=np.float64)
    if not sums.any():
        return sums
    few = np.sort(sums)[-max(3, len(sums) // 40)]
    return np.asarray(np.minimum(sums, few * 1.5 + 1))


def _smooth(values: Floats, width: float) -> Floats:
    """Values spread by a triangle of this half width."""
    reach = max(1, int(np.ceil(width)))
    kernel = np.maximum(0, 1 - np.abs(np.arange(-reach, reach + 1)) / (width + 1e-9))
    full = np.convolve(values, kernel / kernel.sum())
    return np.asarray(full[reach : reach + len(values)])


def _repeats(profile: Floats) -> Floats:
    """How well a profile fits itself at every distance."""
    centred = _smooth(profile, 1.5) - _smooth(profile, 40)
    size = 1 << (2 * len(centred)).bit_length()
    spectrum = np.fft.rfft(centred, size)
    found = np.fft.irfft(np.abs(spectrum) ** 2, size)[: len(centred)]
    return np.asarray(found / max(found[0], 1e-9))


def _periods(upright: Pixels, level: Pixels) -> Iterator[float]:
    """The likeliest sizes of a cell, with fractions."""
    across, down = _repeats(_profile(upright)), _repeats(_profile(level))
    steps = np.exp(np.arange(np.log(LEAST_CELL), np.log(MOST_CELL), 0.006))
    scores = np.zeros(len(steps))
    for found in (across, down):
        times = np.arange(1, 6)
        at = np.multiply.outer(steps, times)
        inside = at < len(found) - 1
        at = np.minimum(at, len(found) - 2)
        low = at.astype(int)
        value = found[low] + (found[low + 1] - found[low]) * (at - low)
        value = np.where(inside, value, 0)
        scores += value.sum(axis=1) / np.maximum(inside.sum(axis=1), 3)
    for _ in range(_PERIODS):
        best = int(scores.argmax())
        if scores[best] <= 0.05:
            return
        yield float(steps[best])
        scores[np.abs(np.log(steps / steps[best])) < 0.045] = 0


def _lines(edges: Pixels, period: float) -> Iterator[tuple[float, float]]:
    """Offsets and distances of lines that meet many edges, at most two of them."""
    profile = _smooth(_profile(edges), max(1.0, period * 0.06))
    length = len(profile)
    if length < LEAST_SIDE * period:
        return
    best, found = -1.0, None
    places = np.arange(length)
    for step in period * np.linspace(0.988, 1.012, 33):
        count = max(6, int(step * 2))
        bins = np.minimum((places % step / step * count).astype(int), count - 1)
        folded = np.bincount(bins, profile, count)
        # Lines that all meet edges: squares reward a few sharp peaks over many weak ones.
        value = float((folded**2).sum()) * count
        if value > best:
            best, found = value, (step, count, folded)
    assert found is not None
    step, count, folded = found
    # A border may be two edges, those of a gap or a bevel: the middle of the cluster around them.
    reach = max(1, round(count * 0.2))
    spread = np.convolve(np.tile(folded, 3), np.hanning(2 * reach + 3)[1:-1], mode="same")
    spread = spread[count : 2 * count]
    for _ in range(2):
        centre = int(spread.argmax())
        # An edge between columns x and x + 1 is the line x + 1.
        yield (centre + 0.5) / count * step + 0.5, float(step)
        spread[(centre + np.arange(-reach, reach + 1)) % count] = 0


def _boards(
    upright: Pixels, level: Pixels, across: tuple[float, float], down: tuple[float, float]
) -> Iterator[Grid]:
    """The boxes of cells whose sides are seen, on these lines."""
    height, width = level.shape[1] + 1, upright.shape[1] + 1
    (x0, step_x), (y0, step_y) = across, down
    x0, y0 = x0 % step_x, y0 % step_y
    # Half a cell may be missing at the picture's border by a pixel or two.
    x0 -= step_x if x0 > step_x - 2.5 else 0
    y0 -= step_y if y0 > step_y - 2.5 else 0
    cols, rows = int((width + 2.5 - x0) / step_x), int((height + 2.5 - y0) / step_y)
    if cols < LEAST_SIDE or rows < LEAST_SIDE:
        return
    sides_x = _sides(upright, x0, step_x, cols, y0, step_y, rows)
    sides_y = _sides(level, y0, step_y, rows, x0, step_x, cols)
    uprights = sides_x[:, :-1] + sides_x[:, 1:]
    levels = (sides_y[:, :-1] + sides_y[:, 1:]).T
    for box in _boxes(uprights + levels >= 2.9):
        top, bottom, left, right = _trimmed(uprights, levels, box)
        count = (bottom - top) * (right - left)
        if min(bottom - top, right - left) < LEAST_SIDE or not LEAST_CELLS <= count <= MOST_CELLS:
            continue
        part = (uprights + levels)[top:bottom, left:right]
        begin_x, end_x = x0 + left * step_x, x0 + right * step_x
        begin_y, end_y = y0 + top * step_y, y0 + bottom * step_y
        fit_x = _fitted(upright, begin_x, step_x, right - left, begin_y, end_y)
        fit_y = _fitted(level, begin_y, step_y, bottom - top, begin_x, end_x)
        yield Grid(
            fit_y[0], fit_x[0], fit_y[1], fit_x[1], bottom - top, right - left,
            float(part.mean() / 4),
        )  # fmt: skip


def _fitted(
    edges: Pixels, start: float, step: float, count: int, low: float, high: float
) -> tuple[float, float]:
    """The offset and distance that fit the edges near these lines best, within the board alone."""
    part = edges[max(0, round(low)) : max(1, round(high))].sum(axis=0, dtype=np.float64)
    if not part.any():
        return start, step
    part = np.minimum(part, np.sort(part)[-max(1, min(len(part), count // 2))])
    reach = max(2.0, step * 0.2)
    for _ in range(3):
        marks, middles, weights = [], [], []
        for line in range(count + 1):
            at = start + line * step
            near = np.arange(max(0, int(at - reach)), min(len(part), int(at + reach) + 1))
            if not len(near):
                continue
            weight = part[near] ** 2
            if (total := weight.sum()) > 0:
                marks.append(line)
                middles.append(float((weight * (near + 1)).sum() / total))
                weights.append(float(np.sqrt(total)))
        if len(marks) < 3:
            return start, step
        slope, offset = np.polyfit(marks, middles, 1, w=np.sqrt(weights))
        if abs(slope / step - 1) > 0.03 or abs(offset - start) > reach:
            return start, step
        start, step = float(offset), float(slope)
        reach = max(1.5, reach * 0.8)
    return start, step


def _sides(
    edges: Pixels, start: float, step: float, count: int, other: float, by: float, cells: int
) -> Floats:
    """For every row of cells and every line the share of the side along which an edge is seen."""
    reach = max(1, round(step * 0.12))
    length = edges.shape[1]
    near = np.zeros((edges.shape[0], count + 1), dtype=np.uint8)
    for line in range(count + 1):
        at = round(start + line * step) - 1
        low, high = max(0, at - reach), min(length, at + reach + 1)
        if low < high:
            near[:, line] = edges[:, low:high].max(axis=1)
        else:
            near[:, line] = _CLIP  # the border of the picture
    seen = (near > 0).astype(np.float64)
    sums = np.concatenate([np.zeros((1, count + 1)), seen.cumsum(axis=0)])
    begin = np.clip(np.rint(other + (np.arange(cells) + 0.18) * by).astype(int), 0, len(seen))
    end = np.clip(np.rint(other + (np.arange(cells) + 0.82) * by).astype(int), 0, len(seen))
    share = (sums[end] - sums[begin]) / np.maximum(end - begin, 1)[:, None]
    return np.where(share > 0.75, 1.0, np.where(share > 0.4, 0.5, 0.0))


def _boxes(plausible: NDArray[np.bool_]) -> list[tuple[int, int, int, int]]:
    """Boxes around groups of plausible cells that are at most two cells apart, largest first."""
    left = plausible.copy()
    found: list[tuple[int, tuple[int, int, int, int]]] = []
    while left.any() and len(found) < 6:
        group = np.zeros_like(left)
        group.flat[int(left.argmax())] = True
        count = 0
        while count != (count := int(group.sum())):
            grown = np.pad(group, 2)
            grown = grown[:-2] | grown[1:-1] | grown[2:]
            grown = grown[:-2] | grown[1:-1] | grown[2:]
            grown = grown[:, :-2] | grown[:, 1:-1] | grown[:, 2:]
            grown = grown[:, :-2] | grown[:, 1:-1] | grown[:, 2:]
            group = grown & left
        left &= ~group
        if count >= LEAST_CELLS * 0.6:
            ys, xs = np.nonzero(group)
            box = int(ys.min()), int(ys.max()) + 1, int(xs.min()), int(xs.max()) + 1
            found.append((count, box))
    return [box for _, box in sorted(found, reverse=True)[:4]]


def _trimmed(
    uprights: Floats, levels: Floats, box: tuple[int, int, int, int]
) -> tuple[int, int, int, int]:
    """The box without rows and columns at its borders that have few sides."""
    top, bottom, left, right = box
    while bottom - top > LEAST_SIDE and right - left > LEAST_SIDE:
        here = slice(top, bottom), slice(left, right)
        across, down = uprights[here], levels[here]
        by_row = _worth(across.mean(axis=1), down.mean(axis=1))
        by_col = _worth(down.mean(axis=0), across.mean(axis=0))
        ends = {
            "top": by_row[0], "bottom": by_row[-1], "left": by_col[0], "right": by_col[-1],
        }  # fmt: skip
        worst = min(ends, key=lambda end: ends[end])
        if ends[worst] >= 1:
            break
        match worst:
            case "top":
                top += 1
            case "bottom":
                bottom -= 1
            case "left":
                left += 1
            case _:
                right -= 1
    return top, bottom, left, right


def _worth(between: Floats, along: Floats) -> Floats:
    """How much rows have of the sides that a row needs, 1 being enough."""
    usual, all_sides = np.median(between), np.median(between + along)
    return np.asarray(
        np.minimum(
            between / max(0.4 * usual, 1e-9), (between + along) / max(0.55 * all_sides, 1e-9)
        )
    )
