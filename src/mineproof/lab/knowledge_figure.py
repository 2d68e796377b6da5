"""The figure of a game's knowledge: how much was known at every step."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.lab.figures.draw import Curve, Point, curves_figure, figure_style
from mineproof.lab.figures.svg import saved_svg, svg_text
from mineproof.match.knowledge_log import KnowledgeSize

__all__ = ["knowledge_figure"]


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
