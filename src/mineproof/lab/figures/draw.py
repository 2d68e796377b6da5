"""The two kinds of figures: lines over a number, and bars over names, both with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof.lab.figures.svg import COLOURS, INK, check_matplotlib, svg_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Curve", "Point", "bars", "curves"]

_MARKERS = "osD^vPX"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1)))
_WIDTH, _HEIGHT = 7.2, 4.2
_STYLE: dict[Any, Any] = {
    "font.size": 11,
    "axes.labelsize": 11,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": INK,
    "grid.alpha": 0.13,
    "grid.linewidth": 0.8,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 10,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
}


@dataclass(frozen=True)
class Point:
    """A measured value at a place, with its interval where there is one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Curve:
    """Points under one name. Published values are drawn hollow and without a line."""

    name: str
    points: tuple[Point, ...]
    published: bool = False


def curves(
    name: str,
    title: str,
    series: Sequence[Curve],
    *,
    x_label: str,
    y_label: str,
    percent: bool = False,
    log: bool = False,
    y_range: tuple[float, float] | None = None,
) -> str:
    """Lines over a number, with bands for the intervals, as SVG."""
    with _style():
        figure, axes = _axes()
        ours = 0
        shade = 0.16 if sum(not one.published for one in series) <= 3 else 0.08
        for one in series:
            if one.published:
                _hollow(axes, one)
                continue
            colour, mark, dash = _look(ours)
            ours += 1
            x = [point.x for point in one.points]
            y = [point.y for point in one.points]
            low, high = _bounds(one)
            axes.fill_between(x, low, high, color=colour, alpha=shade, linewidth=0)
            axes.plot(x, y, color=colour, marker=mark, linestyle=dash, label=one.name)
        if log:
            _logarithmic(axes)
        return _finished(figure, axes, name, title, x_label, y_label, percent, y_range)


def bars(
    name: str,
    title: str,
    groups: Sequence[str],
    series: Sequence[Curve],
    *,
    y_label: str,
    x_label: str = "",
    percent: bool = False,
    log: bool = False,
    y_range: tuple[float, float] | None = None,
) -> str:
    """Bars with intervals: a group for each name, in it a bar for each series, as SVG.

    A point's `x` is the number of its group.
    """
    with _style():
        figure, axes = _axes()
        ours = [one for one in series if not one.published]
        width = 0.8 / max(1, len(ours))
        for place, one in enumerate(ours):
            colour = _look(place)[0]
            x = [point.x + (place - (len(ours) - 1) / 2) * width for point in one.points]
            y = [point.y for point in one.points]
            low, high = _bounds(one)
            axes.bar(x, y, width * 0.88, color=colour, label=one.name)
            spread = [
                [max(0.0, middle - end) for middle, end in zip(y, low, strict=True)],
                [max(0.0, end - middle) for middle, end in zip(y, high, strict=True)],
            ]
            axes.errorbar(x, y, spread, fmt="none", ecolor=INK, elinewidth=1.1, capsize=3)
        for one in series:
            if one.published:
                _hollow(axes, one)
        axes.set_xticks(range(len(groups)), groups)
        axes.grid(visible=False, axis="x")
        if log:
            _logarithmic(axes)
        return _finished(figure, axes, name, title, x_label, y_label, percent, y_range)


def _logarithmic(axes: Axes) -> None:
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _hollow(axes: Axes, one: Curve) -> None:
    x = [point.x for point in one.points]
    y = [point.y for point in one.points]
    axes.plot(
        x,
        y,
        linestyle="none",
        marker="o",
        markersize=9,
        markerfacecolor="none",
        markeredgecolor=INK,
        markeredgewidth=1.6,
        label=one.name,
        zorder=5,
        clip_on=False,
    )
    if any(point.low is not None for point in one.points):
        low, high = _bounds(one)
        axes.vlines(x, low, high, color=INK, linewidth=1.1, zorder=4)


def _bounds(one: Curve) -> tuple[list[float], list[float]]:
    low = [point.y if point.low is None else point.low for point in one.points]
    high = [point.y if point.high is None else point.high for point in one.points]
    return low, high


def _look(place: int) -> tuple[str, str, Any]:
    colours = list(COLOURS.values())
    return colours[place % len(colours)], _MARKERS[place % 7], _DASHES[place % 7]


def _style() -> AbstractContextManager[None]:
    check_matplotlib()
    import matplotlib

    return matplotlib.rc_context(_STYLE)


def _axes() -> tuple[Figure, Axes]:
    # Not pyplot: it keeps figures and a display alive.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    return figure, figure.add_subplot()


def _finished(
    figure: Figure,
    axes: Axes,
    name: str,
    title: str,
    x_label: str,
    y_label: str,
    percent: bool,
    y_range: tuple[float, float] | None,
) -> str:
    if percent:
        from matplotlib.ticker import PercentFormatter

        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    if y_range is not None:
        axes.set_ylim(*y_range)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    figure.legend(loc="outside upper left", ncols=3)
    return svg_text(figure, name, title)
