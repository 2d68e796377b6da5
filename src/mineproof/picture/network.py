"""The small network that says what one cell of a picture may show.

A cell is sampled to 24x24 pixels. What goes in is its grey and its colour as differences from the
cell's own median, scaled to the same contrast, and the colours as they are. Two convolutions that
halve the sides, and two full layers: about 82,000 weights. They stand in `network.f16` as 16-bit
floats; `python -m tools.pictures train` makes that file.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIDE = 24
KINDS = "012345678.FQ*X!-"
"""What a cell may be, in the network's order; the last is no cell of a board."""
CHANNELS = 5
SHAPES = (
    (20, CHANNELS, 3, 3), (20,), (32, 20, 3, 3), (32,),
    (64, 1152), (64,), (len(KINDS), 64), (len(KINDS),),
)  # fmt: skip
_MAGIC = b"mineproof picture network 1\n"
_LEAST_CONTRAST = 0.06
_GREY = np.array([0.3, 0.59, 0.11], dtype=np.float32)
_CELLS_AT_ONCE = 64
"""Few enough for the processor's cache."""


@cache
def weights() -> tuple[Floats, ...]:
    """The weights that are shipped."""
    data = (Path(__file__).parent / "network.f16").read_bytes()
    assert data.startswith(_MAGIC)
    values = np.frombuffer(data, dtype="<f2", offset=len(_MAGIC)).astype(np.float32)
    ends = np.cumsum([int(np.prod(shape)) for shape in SHAPES])
    return tuple(
        part.reshape(shape) for part, shape in zip(np.split(values, ends[:-1]), SHAPES, strict=True)
    )


def packed(layers: list[Floats]) -> bytes:
    """The file of these weights."""
    assert tuple(layer.shape for layer in layers) == SHAPES
    return _MAGIC + b"".join(layer.astype("<f2").tobytes() for layer in layers)


def sample(pixels: Pixels, ys: Floats, xs: Floats) -> Pixels:
    """The picture between these lines as squares of 24x24 pixels, row by row.

    `ys` and `xs` are pairs: where a row of cells begins and ends, and a column. Every pixel of a
    square is the mean over its part of the picture.
    """
    top, bottom = max(0, int(ys.min())), int(ys.max()) + 1
    left, right = max(0, int(xs.min())), int(xs.max()) + 1
    part = pixels[top:bottom, left:right]
    cells = _means(_means(part, ys - top, 0), xs - left, 1)
    height, width = len(ys), len(xs)
    shaped = cells.reshape(height, SIDE, width, SIDE, 3).transpose(0, 2, 1, 3, 4)
    return np.clip(np.rint(shaped), 0, 255).astype(np.uint8).reshape(height * width, SIDE, SIDE, 3)


def _means(pixels: NDArray[np.generic], spans: Floats, axis: int) -> NDArray[np.float64]:
    """Means over the 24 parts of every span along an axis, from sums with fractional ends."""
    length = pixels.shape[axis]
    sums = np.zeros(tuple(n + (k == axis) for k, n in enumerate(pixels.shape)), dtype=np.float64)
    np.cumsum(pixels, axis=axis, dtype=np.float64, out=sums[1:] if axis == 0 else sums[:, 1:])
    steps = np.linspace(0, 1, SIDE + 1)
    marks = spans[:, :1] + steps * (spans[:, 1:] - spans[:, :1])
    marks = np.clip(marks, 0, length)
    low = np.minimum(marks.astype(int), length - 1)
    part = marks - low
    shape = [1, 1, 1]
    shape[axis] = -1
    below = np.take(sums, low.ravel(), axis)
    above = np.take(sums, low.ravel() + 1, axis)
    at = below + (above - below) * part.reshape(shape)
    at = np.moveaxis(at, axis, 0).reshape(len(spans), SIDE + 1, -1)
    parts = np.diff(marks, axis=1)[..., None]
    mean = np.diff(at, axis=1) / np.maximum(parts, 1e-9)
    other = np.moveaxis(pixels, axis, 0).shape[1:]
    return np.moveaxis(mean.reshape(len(spans) * SIDE, *other), 0, axis)


def features(cells: Pixels) -> Floats:
    """What goes into the network: (cells, 5, 24, 24)."""
    colour = cells.astype(np.float32) / 255
    grey = colour @ _GREY
    # Every second pixel is enough for a median, and four times as fast.
    few = colour[:, ::2, ::2].reshape(len(cells), -1, 3)
    middle = np.partition(few, few.shape[1] // 2, axis=1)[:, few.shape[1] // 2, None, None, :]
    from_middle = grey - middle @ _GREY
    most = np.abs(from_middle).max(axis=(1, 2), keepdims=True)
    from_middle /= np.maximum(most, _LEAST_CONTRAST)
    apart = np.abs(colour - middle).max(axis=3)
    apart /= np.maximum(apart.max(axis=(1, 2), keepdims=True), _LEAST_CONTRAST)
    planes = [from_middle, apart, *np.moveaxis(colour - 0.5, 3, 0)]
    return np.stack(planes, axis=1).astype(np.float32)


def chances(cells: Pixels) -> Floats:
    """How likely each kind is, for every cell: (cells, 16), each row summing to 1."""
    parts = [
        _forward(features(cells[start : start + _CELLS_AT_ONCE]))
        for start in range(0, len(cells), _CELLS_AT_ONCE)
    ]
    return np.concatenate(parts) if parts else np.zeros((0, len(KINDS)), dtype=np.float32)


def _forward(planes: Floats) -> Floats:
    layers = weights()
    out = np.ascontiguousarray(planes.transpose(0, 2, 3, 1))
    for kernel, bias in zip(layers[0:4:2], layers[1:4:2], strict=True):
        out = _convolved(out, kernel, bias)
    # As the training has it: channels before rows and columns.
    flat = out.transpose(0, 3, 1, 2).reshape(len(out), -1)
    hidden = np.maximum(flat @ layers[4].T + layers[5], 0)
    scores = hidden @ layers[6].T + layers[7]
    scores -= scores.max(axis=1, keepdims=True)
    odds = np.exp(scores)
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), dtype=np.float32)


def _convolved(planes: Floats, kernel: Floats, bias: Floats) -> Floats:
    """A 3x3 convolution of every second place, negative results cut off; the margin is zeros."""
    count, height, width, depth = planes.shape
    padded = np.zeros((count, height + 2, width + 2, depth), dtype=np.float32)
    padded[:, 1:-1, 1:-1] = planes
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))[:, ::2, ::2]
    height, width = height // 2, width // 2
    out = windows.reshape(count * height * width, depth * 9) @ kernel.reshape(len(kernel), -1).T
    out += bias
    np.maximum(out, 0, out=out)
    return np.asarray(out.reshape(count, height, width, -1))
