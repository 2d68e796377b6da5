"""A comparison as a picture, with 95 % intervals.

Over a range of mines it is a curve for each agent; on several other boards, dots for each board;
on one board, a line for each agent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from mineproof.errors import InputError, quoted
from mineproof.lab.board_range import Axis, axis_of
from mineproof.lab.bootstrap import Mean
from mineproof.lab.comparison import Comparison
from mineproof.lab.figures.draw import (
    Curve,
    Point,
    add_legend,
    curves_figure,
    figure_style,
    legend_name,
    look,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "comparison_figure", "places_axis", "plot_comparison"]

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
        colour, marker, _ = look(number)
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
