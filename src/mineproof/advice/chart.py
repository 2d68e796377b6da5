"""The picture of a review: the chance to win, the risk and what was given away, move by move."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from mineproof.advice.game_review import Review
from mineproof.advice.judging import Judgement
from mineproof.percentages import percent

__all__ = ["draw_review"]

_LEFT, _TOP, _HEIGHT, _BOTTOM, _RIGHT = 52.0, 66.0, 220.0, 44.0, 24.0
_WIDEST, _NARROWEST = 900.0, 360.0
_STEP = 18.0
"""The width of a move, where all fit."""
_RISK, _LOST, _WIN, _BAND = "#b9b9b4", "#d55e00", "#0072b2", "#a6d5f2"
_STYLE = (
    "text{font-family:sans-serif;font-size:12px;fill:#222}.small{font-size:11px;fill:#555}"
    ".right{text-anchor:end}.middle{text-anchor:middle}.title{font-size:14px;font-weight:bold}"
)


def draw_review(review: Review, title: str) -> str:
    """A review as an SVG picture.

    Bars are the risk of each move; what it gave away is the dark part of them. The line is the
    chance to win before each move, where it is known, with its interval if it is an estimate.
    """
    moves = review.moves
    plot = min(max(_STEP * len(moves), _NARROWEST), _WIDEST)
    width, height = _LEFT + plot + _RIGHT, _TOP + _HEIGHT + _BOTTOM
    step = plot / max(len(moves), 1)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}" role="img">',
        f"<title>{escape(title)}: risk, chance lost and chance to win of every move</title>",
        f"<style>{_STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height:.0f}" fill="#ffffff"/>',
        f'<text class="title" x="{_LEFT:.0f}" y="22">{escape(_cut(title, plot))}</text>',
        *_legend(any(move.win is not None for move in moves)),
        *_axes(plot, step, len(moves)),
        *_bars(moves, step),
        *_worst(review, step),
        *_line(moves, step),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _y(chance: float) -> float:
    return _TOP + _HEIGHT * (1 - chance)


def _x(number: int, step: float) -> float:
    """The middle of a move."""
    return _LEFT + (number - 0.5) * step


def _cut(title: str, width: float) -> str:
    most = int(width / 8)
    return title if len(title) <= most else f"{title[: most - 1]}\u2026"


def _legend(with_line: bool) -> Iterator[str]:
    entries = [(_RISK, "risk"), (_LOST, "chance lost")]
    if with_line:
        entries.append((_WIN, "chance to win"))
    x = _LEFT
    for colour, words in entries:
        yield f'<rect x="{x:.0f}" y="37" width="12" height="12" fill="{colour}"/>'
        yield f'<text x="{x + 17:.0f}" y="47">{words}</text>'
        x += 40 + 7 * len(words)


def _axes(plot: float, step: float, moves: int) -> Iterator[str]:
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        yield (
            f'<line x1="{_LEFT:.1f}" y1="{y:.1f}" x2="{_LEFT + plot:.1f}" y2="{y:.1f}"'
            f' stroke="{"#555555" if share == 0 else "#dddddd"}"/>'
        )
        yield f'<text class="small right" x="{_LEFT - 6:.1f}" y="{y + 4:.1f}">{share:.0%}</text>'
    # Every, every fifth, tenth, ... move is numbered: as many as leave room between them.
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if n * step >= 28)
    for number in sorted({1, *range(every, moves + 1, every)} if moves else ()):
        at = f'x="{_x(number, step):.1f}" y="{_y(0) + 16:.1f}"'
        if number == 1 or _x(number, step) - _x(1, step) >= 24:
            yield f'<text class="small middle" {at}>{number}</text>'
    yield (
        f'<text class="small middle" x="{_LEFT + plot / 2:.1f}" y="{_y(0) + 34:.1f}">move</text>'
    )


def _bars(moves: tuple[Judgement, ...], step: float) -> Iterator[str]:
    wide = max(min(0.7 * step, 14.0), 1.0)
    for number, move in enumerate(moves, 1):
        if not move.risk and not move.lost:
            continue
        risk, lost = move.risk or 0.0, move.lost or 0.0
        x = _x(number, step) - wide / 2
        said = f"move {number}: {move.text}"
        if lost:
            said += f" Lost: {percent(min(lost, 1.0))}."
        yield f"<g><title>{escape(said)}</title>"
        for share, colour in ((risk, _RISK), (lost, _LOST)):
            if share:
                yield (
                    f'<rect x="{x:.1f}" y="{_y(share):.1f}" width="{wide:.1f}"'
                    f' height="{_HEIGHT * share:.1f}" fill="{colour}"/>'
                )
        yield "</g>"


def _worst(review: Review, step: float) -> Iterator[str]:
    """The numbers of the worst moves, above their bars and beside each other."""
    placed: list[tuple[float, float]] = []
    for number in sorted(review.worst):
        move = review.moves[number - 1]
        x, y = _x(number, step), _y(max(move.risk or 0.0, move.lost or 0.0)) - 5
        while any(abs(x - other) < 30 and abs(y - above) < 13 for other, above in placed):
            y -= 1
        placed.append((x, y))
        yield (f'<text class="middle" font-weight="bold" x="{x:.1f}" y="{y:.1f}">{number}</text>')


def _line(moves: tuple[Judgement, ...], step: float) -> Iterator[str]:
    """The chance to win, as lines through moves that follow each other."""
    runs: list[list[tuple[int, Judgement]]] = [[]]
    for number, move in enumerate(moves, 1):
        if move.win is not None:
            runs[-1].append((number, move))
        elif move.risk is not None and runs[-1]:
            runs.append([])
    for run in runs:
        wins = [(_x(number, step), move.win) for number, move in run if move.win is not None]
        if any(not win.exact for _, win in wins):
            edge = [(x, win.high) for x, win in wins] + [(x, win.low) for x, win in wins[::-1]]
            points = " ".join(f"{x:.1f},{_y(chance):.1f}" for x, chance in edge)
            yield f'<polygon points="{points}" fill="{_BAND}" fill-opacity="0.6"/>'
        if wins:
            points = " ".join(f"{x:.1f},{_y(win.chance):.1f}" for x, win in wins)
            yield f'<polyline points="{points}" fill="none" stroke="{_WIN}" stroke-width="2"/>'
        for (number, _), (x, win) in zip(run, wins, strict=True):
            said = f"move {number}: {win.text} to win"
            yield (
                f'<circle cx="{x:.1f}" cy="{_y(win.chance):.1f}" r="2.2" fill="{_WIN}">'
                f"<title>{said}</title></circle>"
            )
