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

__all__ = [
    "Curve",
    "Point",
    "add_legend",
    "bars",
    "curves",
    "curves_figure",
    "figure_style",
    "legend_name",
    "look",
]

_MARKERS = "osD^vPX"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1)))
_WIDTH, _HEIGHT = 7.2, 4.2
_LEGEND_WIDTH, _LEGEND_HANDLE, _LEGEND_LETTER, _LEGEND_COLUMNS = 510, 42, 5.4, 3
"""In points: the room for a legend, and what a handle and a letter take of it."""
_LEGEND_ROW, _LEGEND_ROWS = 0.21, 2
"""In inches: what each row of a legend past these needs of a taller figure."""
_LONGEST_NAME = 80
_MOST_BANDS = 5
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


_MOST_MARKED = 60
"""A curve of more points is a line alone: its marks would hide it."""


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
    """Lines over a number, with bands for the intervals, as SVG; bars where bands are too many."""
    with figure_style():
        figure = curves_figure(
            series, x_label=x_label, y_label=y_label, percent=percent, log=log, y_range=y_range
        )
        return svg_text(figure, name, title)


def curves_figure(
    series: Sequence[Curve],
    *,
    x_label: str,
    y_label: str,
    percent: bool = False,
    log: bool = False,
    y_range: tuple[float, float] | None = None,
) -> Figure:
    """The same as a figure of matplotlib, to be drawn under `figure_style`."""
    figure, axes = _axes()
    ours = 0
    many = sum(not one.published for one in series)
    shade = 0.16 if many <= 3 else 0.08
    for one in series:
        if one.published:
            _hollow(axes, one)
            continue
        colour, mark, dash = look(ours)
        ours += 1
        x = [point.x for point in one.points]
        y = [point.y for point in one.points]
        low, high = _bounds(one)
        if many <= _MOST_BANDS:
            axes.fill_between(x, low, high, color=colour, alpha=shade, linewidth=0)
        else:
            axes.vlines(x, low, high, color=colour, alpha=0.5, linewidth=1.2)
        marker = mark if len(x) <= _MOST_MARKED else None
        axes.plot(x, y, color=colour, marker=marker, linestyle=dash, label=legend_name(one.name))
    if log:
        _logarithmic(axes)
    return _labelled(figure, axes, x_label, y_label, percent, y_range)


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
    with figure_style():
        figure, axes = _axes()
        ours = [one for one in series if not one.published]
        width = 0.8 / max(1, len(ours))
        for place, one in enumerate(ours):
            colour = look(place)[0]
            x = [point.x + (place - (len(ours) - 1) / 2) * width for point in one.points]
            y = [point.y for point in one.points]
            low, high = _bounds(one)
            axes.bar(x, y, width * 0.88, color=colour, label=legend_name(one.name))
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
        _labelled(figure, axes, x_label, y_label, percent, y_range)
        return svg_text(figure, name, title)


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
        label=legend_name(one.name),
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


def look(place: int) -> tuple[str, str, Any]:
    """The colour, marker and dashes of a series by its place; the first 49 differ."""
    colours = list(COLOURS.values())
    # Past the last colour, the first comes again with another mark and dash.
    turned = (place + place // len(colours)) % 7
    return colours[place % len(colours)], _MARKERS[turned], _DASHES[turned]


def figure_style() -> AbstractContextManager[None]:
    check_matplotlib()
    import matplotlib

    return matplotlib.rc_context(_STYLE)


def _axes() -> tuple[Figure, Axes]:
    # Not pyplot: it keeps figures and a display alive.
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    return figure, figure.add_subplot()


def _labelled(
    figure: Figure,
    axes: Axes,
    x_label: str,
    y_label: str,
    percent: bool,
    y_range: tuple[float, float] | None,
) -> Figure:
    if percent:
        from matplotlib.ticker import PercentFormatter

        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    if y_range is not None:
        axes.set_ylim(*y_range)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    add_legend(figure, axes)
    return figure


def add_legend(figure: Figure, axes: Axes) -> None:
    """The legend above the axes, in as many columns as its names leave room for.

    A long legend makes the figure taller, and the axes no smaller.
    """
    handles, names = axes.get_legend_handles_labels()
    longest = max(map(len, names), default=0)
    room = int(_LEGEND_WIDTH / (_LEGEND_HANDLE + _LEGEND_LETTER * longest))
    columns = min(max(room, 1), _LEGEND_COLUMNS)
    rows = -(-len(names) // columns)
    figure.set_figheight(figure.get_figheight() + _LEGEND_ROW * max(rows - _LEGEND_ROWS, 0))
    legend = figure.legend(handles, names, loc="outside upper left", ncols=columns)
    # Names are somebody's: a dollar sign in them begins no formula.
    for text in legend.get_texts():
        text.set_parse_math(False)


def legend_name(name: str) -> str:
    """A name as a legend takes it: matplotlib leaves out those that begin with an underscore."""
    short = name if len(name) <= _LONGEST_NAME else f"...{name[3 - _LONGEST_NAME :]}"
    return f" {short}" if short.startswith("_") else short
