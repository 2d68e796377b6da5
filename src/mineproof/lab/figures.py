"""Figures in one style: lines and bars with their intervals, as SVG text.

matplotlib is imported when the first figure is drawn.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mineproof.errors import InputError, MissingLibrary, quoted
from mineproof.game.annotate import KnowledgeSize
from mineproof.lab.comparison import Comparison
from mineproof.lab.experiment import Axis, axis_of
from mineproof.lab.statistics import Mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


__all__ = ["Curve", "Point", "bars", "check_matplotlib", "curves"]


# ----------------------------------------------------------------------------
# From a matplotlib figure to an SVG text that fits into a page.
#
# Text stays text. Colours become CSS variables with the light ones to fall back on, so that a page
# can darken them and a saved file needs no page. Ids carry the figure's name: several figures live
# in one page. The same figure gives the same text.

INK = "#1b1f24"
COLOURS = {
    "blue": "#0072b2",
    "vermillion": "#d55e00",
    "green": "#00805e",
    "purple": "#a8558a",
    "gold": "#a97400",
    "sky": "#2c88c4",
    "slate": "#59636e",
}
"""Okabe and Ito's colours, some a little darker so that they stand out from white."""

_ID = re.compile(r'(\bid="|url\(#|href="#)')
_FONT = re.compile(r"font-family: [^;\"]*")
_PROLOGUE = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_LEFT_OUT = re.compile(r"\s*<metadata>.*?</metadata>|\s*<style[^>]*>.*?</style>", re.DOTALL)
_SIZE = re.compile(r'(<svg[^>]*?) width="[\d.]+pt" height="[\d.]+pt"', re.DOTALL)
_BREAK = re.compile(r"\s*\n\s*")
_HEX = re.compile(r"#[0-9a-f]{6}\b")


def check_matplotlib() -> None:
    """Raise MissingLibrary where figures cannot be drawn."""
    if find_spec("matplotlib") is None:
        raise MissingLibrary("figures need", "matplotlib", "'mineproof[lab]'")


def svg_text(figure: Figure, name: str, title: str) -> str:
    """The `<svg>` element of a figure; `title` is read out by screen readers."""
    import matplotlib

    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        file = io.StringIO()
        figure.savefig(file, format="svg", transparent=True, metadata={"Date": None})
    text = _LEFT_OUT.sub("", _PROLOGUE.sub("", file.getvalue(), count=1))
    text = _BREAK.sub(" ", text)
    text = _ID.sub(lambda found: f"{found[1]}{name}-", text)
    text = _FONT.sub("font-family: system-ui, sans-serif", text)
    variables = {colour: f"var(--{word}, {colour})" for word, colour in COLOURS.items()}
    variables[INK] = f"var(--ink, {INK})"
    text = _HEX.sub(lambda found: variables.get(found[0], found[0]), text)
    text = _SIZE.sub(r'\1 role="img" stroke-linejoin="round"', text, count=1)
    label = title.replace("&", "&amp;").replace("<", "&lt;")
    head, close, rest = text.partition(">")
    return f"{head}{close}<title>{label}</title>{rest}"


def saved_svg(svg: str) -> str:
    """The same picture as a file of its own, on white."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg.replace(
        "<svg ", '<svg style="background:#ffffff" ', 1
    )


# -- The two kinds of figures: lines over a number, and bars over names, both with intervals --

_MARKERS = "osD^vPX"
_DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (8, 2)), (0, (1, 1)))
_WIDTH, _HEIGHT = 7.2, 4.2
_SMALL = (3.5, 2.5)
_LEGEND_MARGIN, _LEGEND_HANDLE, _LEGEND_LETTER, _LEGEND_COLUMNS = 8, 42, 5.4, 3
"""In points: what a legend leaves of the figure's width, and what a handle and a letter take."""
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
    small: bool = False,
    spans: Sequence[tuple[float, float, str]] = (),
) -> str:
    """Lines over a number, with bands for the intervals, as SVG; bars where bands are too many.

    `small` is for a card; `spans` are stretches of the horizontal axis with a name each.
    """
    with figure_style():
        figure = curves_figure(
            series,
            x_label=x_label,
            y_label=y_label,
            percent=percent,
            log=log,
            y_range=y_range,
            small=small,
        )
        axes = figure.axes[0]
        for low, high, words in spans:
            axes.axvspan(low, high, color=INK, alpha=0.06, linewidth=0)
            middle = (low + high) / 2, 0.97
            axes.text(*middle, words, transform=axes.get_xaxis_transform(), ha="center", va="top")
        return svg_text(figure, name, title)


def curves_figure(
    series: Sequence[Curve],
    *,
    x_label: str,
    y_label: str,
    percent: bool = False,
    log: bool = False,
    y_range: tuple[float, float] | None = None,
    small: bool = False,
) -> Figure:
    """The same as a figure of matplotlib, to be drawn under `figure_style`."""
    figure, axes = _axes(small)
    ours = 0
    many = sum(not one.published for one in series)
    shade = 0.16 if many <= 3 else 0.08
    for one in series:
        if one.published:
            _draw_published(axes, one)
            continue
        colour, mark, dash = series_style(ours)
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
    return _add_labels(figure, axes, x_label, y_label, percent, y_range)


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
    small: bool = False,
) -> str:
    """Bars with intervals: a group for each name, in it a bar for each series, as SVG.

    A point's `x` is the number of its group.
    """
    with figure_style():
        figure, axes = _axes(small)
        ours = [one for one in series if not one.published]
        width = 0.8 / max(1, len(ours))
        for place, one in enumerate(ours):
            colour = series_style(place)[0]
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
                _draw_published(axes, one)
        axes.set_xticks(range(len(groups)), groups)
        axes.grid(visible=False, axis="x")
        if log:
            _logarithmic(axes)
        _add_labels(figure, axes, x_label, y_label, percent, y_range)
        return svg_text(figure, name, title)


def _logarithmic(axes: Axes) -> None:
    from matplotlib.ticker import NullFormatter, StrMethodFormatter

    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _draw_published(axes: Axes, one: Curve) -> None:
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


def series_style(place: int) -> tuple[str, str, Any]:
    """The colour, marker and dashes of a series by its place; the first 49 differ."""
    colours = list(COLOURS.values())
    # Past the last colour, the first comes again with another mark and dash.
    turned = (place + place // len(colours)) % 7
    return colours[place % len(colours)], _MARKERS[turned], _DASHES[turned]


def figure_style() -> AbstractContextManager[None]:
    check_matplotlib()
    import matplotlib

    return matplotlib.rc_context(_STYLE)


def _axes(small: bool = False) -> tuple[Figure, Axes]:
    # Not pyplot: it keeps figures and a display alive.
    from matplotlib.figure import Figure

    size = _SMALL if small else (_WIDTH, _HEIGHT)
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.add_subplot()


def _add_labels(
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
    width = 72 * figure.get_figwidth() - _LEGEND_MARGIN
    room = int(width / (_LEGEND_HANDLE + _LEGEND_LETTER * longest))
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


# ----------------------------------------------------------------------------
# A comparison as a picture, with 95 % intervals.
#
# Over a range of mines it is a curve for each agent; on several other boards, dots for each board;
# on one board, a line for each agent.

FORMATS = (".svg", ".png", ".pdf")
_LABELS = {"won": "games won", "score": "mean score"}
_WHOLE = (-0.02, 1.02)
_TALLEST = 60.0
_LONGEST_TITLE = 80
_MOST_TICKS = 12
_BAND = 0.7
"""The part of a board's band that its dots take."""


def plot_comparison(comparison: Comparison, path: str | Path) -> None:
    """Draw a comparison into a file, by its ending: by score where agents are compared by it.

    Raises InputError.
    """
    place = Path(path)
    if place.suffix.lower() not in FORMATS:
        raise InputError(
            f"plot {quoted(str(path))}; accepted: a file ending in {', '.join(FORMATS)}"
        )
    with figure_style():
        figure = comparison_figure(comparison)
        try:
            figure.savefig(place, dpi=150)
        except OSError as error:
            raise InputError(
                f"{str(path)!a} cannot be written: {error.strerror}; accepted: a writable file"
            ) from None


def comparison_figure(comparison: Comparison) -> Figure:
    """The picture of a comparison, to be drawn under `figure_style`."""
    axis = places_axis(comparison)
    figure = _dots(comparison) if axis is None else _curves(comparison, axis)
    axes = figure.axes[0]
    if len(comparison.board) <= _LONGEST_TITLE:
        axes.set_title(comparison.board, fontsize="medium", parse_math=False)
    return figure


def places_axis(comparison: Comparison) -> Axis | None:
    """What distinguishes the boards of a comparison, where that is their mines alone."""
    if any(place.world is not None for place in comparison.places):
        return None
    return axis_of(list(dict.fromkeys(place.board for place in comparison.places)))


def _curves(comparison: Comparison, axis: Axis) -> Figure:
    order = sorted(zip(axis.values, axis.boards, strict=True))
    reached = {(place.agent, place.board): place.reached for place in comparison.places}
    series = [
        Curve(
            result.agent,
            tuple(
                Point(float(value), found.value, *found.interval)
                for value, board in order
                if (found := reached.get((result.agent, board))) is not None
            ),
        )
        for result in comparison.results
    ]
    figure = curves_figure(
        series,
        x_label=axis.label,
        y_label=_label(comparison),
        percent=comparison.by == "won",
        y_range=_WHOLE,
    )
    values = [value for value, _ in order]
    steps = {after - before for before, after in pairwise(values)}
    if len(steps) == 1 and len(values) <= _MOST_TICKS:
        figure.axes[0].set_xticks([float(value) for value in values])
    elif axis.label == "mines":
        from matplotlib.ticker import MaxNLocator

        figure.axes[0].xaxis.set_major_locator(MaxNLocator(integer=True))
    return figure


def _dots(comparison: Comparison) -> Figure:
    """Dots with their intervals: a band for each board, or for each agent where there is one."""
    results = comparison.results
    if not comparison.places:
        return _bands(comparison, {one.agent: {0: one.reached} for one in results}, ())
    numbers = {result.agent: number for number, result in enumerate(results)}
    bands: dict[str, dict[int, Mean]] = {}
    for place in comparison.places:
        bands.setdefault(place.name, {})[numbers[place.agent]] = place.reached
    return _bands(comparison, bands, tuple(numbers))


def _bands(
    comparison: Comparison, bands: Mapping[str, Mapping[int, Mean]], series: Sequence[str]
) -> Figure:
    """Bands by name from the top down, each with dots by the number of their series."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import PercentFormatter

    across = max(len(series), 1)
    height = 1.4 + len(bands) * max(0.35, 0.16 * across)
    figure = Figure(figsize=(7.2, min(height, _TALLEST)), layout="constrained")
    axes = figure.add_subplot()
    for number in range(across):
        colour, marker, _ = series_style(number)
        shift = _BAND * ((number + 0.5) / across - 0.5)
        at = [-band - shift for band, dots in enumerate(bands.values()) if number in dots]
        means = [dots[number] for dots in bands.values() if number in dots]
        values = [mean.value for mean in means]
        spread = [
            [max(0.0, mean.value - mean.interval.low) for mean in means],
            [max(0.0, mean.interval.high - mean.value) for mean in means],
        ]
        name = legend_name(series[number]) if series else ""
        axes.errorbar(
            values,
            at,
            xerr=spread,
            fmt=marker,
            color=colour,
            capsize=2.5,
            elinewidth=1.2,
            label=name,
        )
    names = [legend_name(band) for band in bands]
    axes.set_yticks([-band for band in range(len(names))], names, parse_math=False)
    axes.set_ylim(-len(names) + 0.4, 0.6)
    axes.grid(visible=False, axis="y")
    axes.set_xlim(*_WHOLE)
    if comparison.by == "won":
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    axes.set_xlabel(_label(comparison))
    if series:
        add_legend(figure, axes)
    return figure


def _label(comparison: Comparison) -> str:
    return f"{_LABELS[comparison.by]} (95 % intervals)"


# -- The figure of a game's knowledge: how much was known at every step --------


def knowledge_figure(title: str, sizes: Sequence[KnowledgeSize]) -> str:
    """The statements in the knowledge base step by step, as SVG. Needs matplotlib.

    An agent that tells nothing is measured by the clues it has yet to use: those at hidden cells.
    """
    if any(size.statements for size in sizes):
        name = "statements in the knowledge base"
        points = [Point(size.step, size.statements or 0) for size in sizes]
    else:
        name = "clues at hidden cells"
        points = [Point(size.step, size.open_clues) for size in sizes]
    series = [Curve(name, tuple(points))]
    with figure_style():  # it says so where matplotlib is missing
        from matplotlib.ticker import MaxNLocator

        figure = curves_figure(series, x_label="step", y_label=name)
        for axis in (figure.axes[0].xaxis, figure.axes[0].yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        return saved_svg(svg_text(figure, "knowledge", title))
