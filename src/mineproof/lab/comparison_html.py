"""A comparison as a notebook shows it: a row an agent with its interval drawn, and the pairs.

Colours come from the page, so that it reads on light and dark grounds; nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from mineproof.lab.bootstrap import Mean
from mineproof.lab.comparison import Comparison
from mineproof.lab.comparison_numbers import difference_texts, reached_texts

__all__ = ["comparison_html"]

_MOST_ROWS = 200
_WIDTH, _HEIGHT = 160, 14
_BLUE = "#2c88c4"


def comparison_html(comparison: Comparison) -> str:
    """The tables of a comparison, as HTML that stands alone."""
    scored = comparison.by == "score"
    what = "mean score" if scored else "games won, %"
    places = [
        (place.name, place.agent, place.played, place.reached) for place in comparison.places
    ] or [("", one.agent, one.played, one.reached) for one in comparison.results]
    several = bool(comparison.places)
    heads = [*(["board"] if several else []), "agent", "games", what, "95 % interval", ""]
    rows = []
    for board, agent, played, reached in places[:_MOST_ROWS]:
        value, interval = reached_texts(reached, scored)
        words = [*([board] if several else []), agent, str(played), value, interval]
        rows.append([*map(escape, words), _bar(reached)])
    parts = [_table(heads, rows)]
    if (more := len(places) - _MOST_ROWS) > 0:
        parts.append(f"<p>and {more} rows more</p>")
    if comparison.paired:
        pairs = [
            [escape(f"{a} - {b}"), *map(escape, difference_texts(pair))]
            for a, b, pair in comparison.paired[:_MOST_ROWS]
        ]
        unit = "difference" if scored else "difference, points"
        parts.append(_table(["paired", unit, "95 % interval", ""], pairs))
    unfinished = "" if comparison.finished else " Not all games were played."
    told = f"{comparison.board}, {comparison.games} games, seed {comparison.seed}.{unfinished}"
    return f"<div>{''.join(parts)}<p>{escape(told)}</p></div>"


def _bar(reached: Mean) -> str:
    """The interval as a line and the value as a dot, on a scale from 0 to 1."""
    low, high, at = (
        round(min(max(one, 0.0), 1.0) * _WIDTH, 1) for one in (*reached.interval, reached.value)
    )
    middle = _HEIGHT / 2
    return (
        f'<svg width="{_WIDTH + 8}" height="{_HEIGHT}" viewBox="-4 0 {_WIDTH + 8} {_HEIGHT}"'
        ' aria-hidden="true">'
        f'<line x1="0" x2="{_WIDTH}" y1="{middle}" y2="{middle}" stroke="currentColor"'
        ' stroke-opacity="0.25"/>'
        f'<line x1="{low}" x2="{high}" y1="{middle}" y2="{middle}" stroke="{_BLUE}"'
        ' stroke-width="4"/>'
        f'<circle cx="{at}" cy="{middle}" r="4" fill="{_BLUE}"/></svg>'
    )


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
