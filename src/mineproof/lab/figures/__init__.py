"""Figures in one style: lines and bars with their intervals, as SVG text.

matplotlib is imported when the first figure is drawn.
"""

from mineproof.lab.figures.draw import Curve, Point, bars, curves
from mineproof.lab.figures.svg import check_matplotlib

__all__ = ["Curve", "Point", "bars", "check_matplotlib", "curves"]
