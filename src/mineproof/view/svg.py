"""A view as an SVG picture, on any topology, with the chance of a mine in every hidden cell.

Colours run from blue (safe) to orange (mine), which people who see fewer colours tell apart, and
every cell has its number: 0 and 100 only where that is certain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import hypot, sqrt

from mineproof.board.lattices import Point
from mineproof.errors import InputError
from mineproof.text import percent, whole_percent
from mineproof.view.channels import Mark
from mineproof.view.view import View

MAX_DRAWN = 250_000
"""The most cells a picture may have: browsers give up on more."""

MAX_NOTEBOOK = 10_000
"""The most cells that a notebook draws unasked; larger boards show their text."""

_SCALE = 36.0
_MARGIN = 8.0
_SHORT = 9.0
_SAFE, _MIDDLE, _MINE = (0x56, 0xB4, 0xE9), (0xDA, 0xDA, 0xD6), (0xE6, 0x9F, 0x00)
_OPEN, _HIDDEN, _EXPLODED = "#ffffff", "#c9c9c9", "#d55e00"
# The colours of digits outside the coach's page, which has its own in web/static/css/colours.css:
# by number, the last for all larger ones, on a light ground and on the dark one of a terminal.
DIGITS = ("#767676", "#0072b2", "#00785a", "#b35900", "#a0377a", "#8a3800", "#5c5200", "#000000")
DARK_DIGITS = (
    "#5f5f5f",
    "#56b4e9",
    "#2fc79a",
    "#e69f00",
    "#cc79a7",
    "#ff7f2a",
    "#f0e442",
    "#ffffff",
    "#bdbdbd",
)
_STYLE = (
    "polygon{stroke:#555;stroke-width:1}text{font-family:sans-serif;text-anchor:middle}"
    ".mark{stroke:#000;stroke-width:3}"
)


@dataclass(frozen=True)
class CellTint:
    """A ground of its own for a cell, and a text for a hidden one, with the words that say why."""

    ground: str
    words: str
    text: str = ""


@dataclass(frozen=True)
class Arrow:
    """An arrow from one cell to another."""

    start: int
    end: int
    dashed: bool = False


def draw_svg(
    view: View,
    chances: Sequence[float] | None = None,
    marked: Iterable[int] = (),
    tints: Mapping[int, CellTint] | None = None,
    notes: Mapping[int, str] | None = None,
    arrows: Iterable[Arrow] = (),
    title: str | None = None,
) -> str:
    """The picture of a view; `chances` colour the hidden cells, `marked` cells get a thick edge.

    `tints` give cells a ground of their own, `notes` a small text in a corner. `arrows` go from
    cell to cell, above all. `title` says what the picture shows, in place of what the board is.
    Raises InputError for boards past MAX_DRAWN cells.
    """
    if len(view) > MAX_DRAWN:
        raise InputError(f"a picture of {len(view)} cells; accepted: at most {MAX_DRAWN}")
    outlines = [view.topology.polygon(cell) for cell in view.topology.cells]
    xs, ys = zip(*chain.from_iterable(outlines), strict=True)
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    # Cells of a graph may stand close or far apart: the picture is scaled to cells of one size.
    scale = _SCALE / max(_size(outlines[0]), 1e-9)
    width, height = ((b - a) * scale + 2 * _MARGIN for a, b in ((left, right), (top, bottom)))
    shift = (_MARGIN - left * scale, _MARGIN - top * scale)
    thick = frozenset(marked)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.1f} {height:.1f}"'
        f' width="{width:.0f}" height="{height:.0f}" role="img">',
        f"<title>{_escape(_caption(view) if title is None else title)}</title>",
        f"<style>{_STYLE}</style>",
        *_edges(view, outlines, scale, shift),
    ]
    order = sorted(view.topology.cells, key=thick.__contains__)
    for cell in order:
        placed = [(x * scale + shift[0], y * scale + shift[1]) for x, y in outlines[cell]]
        look = look_of(view, cell, chances, None if tints is None else tints.get(cell))
        lines.append(_cell(view, cell, placed, look, cell in thick))
    middles = [(x * scale + shift[0], y * scale + shift[1]) for x, y in map(_middle, outlines)]
    lines += _arrows(middles, list(arrows))
    for cell, note in (notes or {}).items():
        lines.append(_note(middles[cell], _size(outlines[cell]) * scale, note))
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def notebook_svg(view: View, chances: Sequence[float] | None = None) -> str | None:
    """The picture that a notebook shows of a view; None where the board is too large for it."""
    return draw_svg(view, chances) if len(view) <= MAX_NOTEBOOK else None


def _size(outline: Sequence[Point]) -> float:
    """The side of a square as large as a cell."""
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return sqrt(abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2)


def _caption(view: View) -> str:
    mines = "unknown mines" if view.total is None else f"{view.total} mines"
    return f"{view.topology.name} board, {len(view)} cells, {mines}, {view.hidden_count} hidden"


def _edges(
    view: View, outlines: Sequence[Sequence[Point]], scale: float, shift: Point
) -> Iterator[str]:
    """The edges of a graph: on other boards it is seen who touches whom."""
    if view.topology.name != "graph":
        return
    middles = [_middle(outline) for outline in outlines]
    for cell in view.topology.cells:
        for other in view.topology.neighbours(cell):
            if cell < other:
                (x1, y1), (x2, y2) = middles[cell], middles[other]
                ends = (
                    f'x1="{x1 * scale + shift[0]:.1f}" y1="{y1 * scale + shift[1]:.1f}"'
                    f' x2="{x2 * scale + shift[0]:.1f}" y2="{y2 * scale + shift[1]:.1f}"'
                )
                yield f'<line {ends} stroke="#888"/>'


def _middle(outline: Sequence[Point]) -> Point:
    return (sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline))


def _cell(
    view: View, cell: int, outline: Sequence[Point], look: tuple[str, str, str, str], marked: bool
) -> str:
    fill, text, colour, said = look
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in outline)
    mark = ' class="mark"' if marked else ""
    x, y = _middle(outline)
    size = _size(outline) * (0.5 if len(text) < 2 else 0.36)
    label = (
        f'<text x="{x:.1f}" y="{y + 0.36 * size:.1f}" font-size="{size:.0f}" fill="{colour}">'
        f"{_escape(text)}</text>"
        if text
        else ""
    )
    name = _escape(f"{view.topology.cell_name(cell)}: {said}")
    return f'<g><title>{name}</title><polygon points="{points}" fill="{fill}"{mark}/>{label}</g>'


def _note(middle: Point, size: float, text: str) -> str:
    """A small text in a corner of a cell, with a light edge so that it is read on anything."""
    x, y = middle[0] - 0.27 * size, middle[1] - 0.18 * size
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{0.27 * size:.0f}" font-weight="bold"'
        ' fill="#000000" stroke="#ffffff" stroke-width="2" paint-order="stroke">'
        f"{_escape(text)}</text>"
    )


def _arrows(middles: Sequence[Point], arrows: Sequence[Arrow]) -> Iterator[str]:
    """Lines with a head, which end short of the middle of a cell so that its clue is read."""
    if not arrows:
        return
    yield (
        '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5"'
        ' markerHeight="5" orient="auto"><path d="M0,0L8,4L0,8z" fill="#a3195b"/></marker></defs>'
    )
    for arrow in arrows:
        (x1, y1), (x2, y2) = middles[arrow.start], middles[arrow.end]
        long = max(hypot(x2 - x1, y2 - y1), 1e-9)
        dx, dy = (x2 - x1) / long, (y2 - y1) / long
        short = min(_SHORT, long / 4)
        x1, y1, x2, y2 = x1 + dx * short, y1 + dy * short, x2 - dx * short, y2 - dy * short
        dashed = ' stroke-dasharray="3 3"' if arrow.dashed else ""
        yield (
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#a3195b"'
            f' stroke-width="2.2" stroke-opacity="0.8" marker-end="url(#head)"{dashed}/>'
        )


def look_of(
    view: View, cell: int, chances: Sequence[float] | None = None, tint: CellTint | None = None
) -> tuple[str, str, str, str]:
    """The ground, the text and its colour, and the words of a cell."""
    look = _look(view, cell, chances)
    if tint is None:
        return look
    text = tint.text if view.is_hidden(cell) else look[1]
    return tint.ground, text, look[2], f"{look[3]}, {tint.words}"


def _look(view: View, cell: int, chances: Sequence[float] | None) -> tuple[str, str, str, str]:
    shown = view[cell]
    if shown is Mark.MINE:
        return _EXPLODED, "*", "#ffffff", "opened mine"
    if shown is Mark.BLANK:
        return _OPEN, "?", "#555555", "open, no clue"
    if not isinstance(shown, Mark):
        colour = DIGITS[min(shown, len(DIGITS) - 1)]
        return _OPEN, str(shown) if shown else "", colour, f"clue {shown}"
    flag = "flag, " if view.is_flagged(cell) else ""
    if chances is None:
        return _HIDDEN, "F" if flag else "", "#000000", f"{flag}hidden"
    chance = float(chances[cell])
    words = {0.0: "safe", 1.0: "a mine"}.get(chance, f"{percent(chance)} mine")
    return _ground(chance), whole_percent(chance), "#000000", f"{flag}{words}"


def _ground(chance: float) -> str:
    """From blue over grey to orange."""
    low, high, share = (
        (_SAFE, _MIDDLE, 2 * chance) if chance < 0.5 else (_MIDDLE, _MINE, 2 * chance - 1)
    )
    return "#" + "".join(
        f"{round(a + (b - a) * share):02x}" for a, b in zip(low, high, strict=True)
    )


def _escape(text: str) -> str:
    # The terminal takes its colours from here; the table of entities is for pictures alone.
    from html import escape

    return escape(text)
