"""From a matplotlib figure to an SVG text that fits into a page.

Text stays text. Colours become CSS variables with the light ones to fall back on, so that a page
can darken them and a saved file needs no page. Ids carry the figure's name: several figures live
in one page. The same figure gives the same text.
"""

from __future__ import annotations

import io
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

from mineproof.errors import MissingLibrary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["COLOURS", "INK", "check_matplotlib", "saved_svg", "svg_text"]

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
