"""Win rates with their intervals as a picture: one line an agent."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mineproof.errors import InputError, quoted
from mineproof.lab.summary import Result

__all__ = ["FORMATS", "plot_results"]

FORMATS = (".svg", ".png", ".pdf")
_BLUE = "#0072B2"  # of the palette of Okabe and Ito, told apart by all eyes


def plot_results(results: Sequence[Result], title: str, path: str | Path) -> None:
    """Draw the results into a file, by its ending. Raises InputError."""
    place = Path(path)
    if place.suffix.lower() not in FORMATS:
        raise InputError(f"plot {quoted(str(path))}; accepted: a file ending in {_listed()}")
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise InputError(
            "a plot needs matplotlib, which is not installed; accepted: after"
            " pip install 'mineproof[lab]'"
        ) from None
    figure = Figure(figsize=(7, 1.2 + 0.35 * len(results)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    for place_from_top, result in enumerate(results):
        rate = 100 * result.rate
        low, high = 100 * result.interval.low, 100 * result.interval.high
        axes.errorbar(
            [rate],
            [-place_from_top],
            xerr=[[max(0.0, rate - low)], [max(0.0, high - rate)]],
            fmt="o",
            color=_BLUE,
            capsize=3,
        )
    # Names are somebody's: a dollar sign in them begins no formula.
    axes.set_yticks(
        [-number for number in range(len(results))],
        [result.agent for result in results],
        parse_math=False,
    )
    axes.set_xlim(-2, 102)
    axes.set_ylim(-len(results) + 0.4, 0.6)
    axes.set_xlabel("games won, % (with 95 % intervals)")
    axes.set_title(title, fontsize="medium", parse_math=False)
    axes.grid(axis="x", alpha=0.3)
    try:
        figure.savefig(place)
    except OSError as error:
        raise InputError(
            f"{str(path)!a} cannot be written: {error.strerror}; accepted: a writable file"
        ) from None


def _listed() -> str:
    return ", ".join(FORMATS)
