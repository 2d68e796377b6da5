"""Several boards in one text: a range of mines, by number or by density.

    16x30/50..100:10          50, 60, ... 100 mines
    10x10/0.05..0.5:0.05      5 %, 10 %, ... 50 % of the cells
    10x10/5%..50%:5%          the same
    hex:7x7/~10%..30%:10%     each cell on its own

Both ends are included; a step that does not meet the end stops before it. Steps are exact.

>>> boards_in("hex:7x7/5..15:5")
('hex:7x7/5', 'hex:7x7/10', 'hex:7x7/15')
>>> range_text(("hex:7x7/5", "hex:7x7/10", "hex:7x7/15"))
'hex:7x7/5..15:5'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from mineproof.board.presets import Board
from mineproof.errors import BoardError, quoted
from mineproof.rules import Mines, share_text
from mineproof.view.setting import AnyBoard

__all__ = ["MOST_BOARDS", "Axis", "axis_of", "boards_in", "expanded", "range_text"]

MOST_BOARDS = 500
"""So many boards a range may have."""

_NUMBER = r"\d{1,9}(?:\.\d{1,9})?%?|\.\d{1,9}%?"
_RANGE = re.compile(rf"(~?)({_NUMBER})\.\.({_NUMBER}):({_NUMBER})")
_ACCEPTED = "accepted: such as 16x30/50..100:10 or 10x10/0.05..0.5:0.05"


def boards_in(text: str) -> tuple[str, ...]:
    """The boards that a text names: those of a range, or the text itself. Raises BoardError."""
    shape, slash, mines = text.rpartition("/")
    if not slash or ".." not in mines:
        return (text,)
    match = _RANGE.fullmatch(mines)
    if match is None:
        raise BoardError(f"board {quoted(text)} has no range that can be read; {_ACCEPTED}")
    alone, *ends = match.groups()
    density = bool(alone) or any("." in end or "%" in end for end in ends)
    first, last, step = (_value(end) for end in ends)
    if density and not alone and any(_value(end) > 1 for end in ends):
        raise BoardError(f"board {quoted(text)} has no whole number of mines; {_ACCEPTED}")
    if not step:
        raise BoardError(f"board {quoted(text)} has a step of 0; {_ACCEPTED}")
    if last < first:
        raise BoardError(f"board {quoted(text)} ends before it begins; {_ACCEPTED}")
    count = int((last - first) / step) + 1
    if count > MOST_BOARDS:
        raise BoardError(f"board {quoted(text)} is {count} boards; accepted: at most {MOST_BOARDS}")
    values = [first + number * step for number in range(count)]
    return tuple(f"{shape}/{alone}{_text(value, density)}" for value in values)


def expanded(boards: Iterable[AnyBoard]) -> list[AnyBoard]:
    """Boards with every range in its place spread out. Raises BoardError."""
    found: list[AnyBoard] = []
    for board in boards:
        found += boards_in(board) if isinstance(board, str) else (board,)
    return found


def _value(text: str) -> Fraction:
    return Fraction(text.removesuffix("%")) / (100 if text.endswith("%") else 1)


def _text(value: Fraction, density: bool) -> str:
    return f"{share_text(100 * value)}%" if density else str(value)


@dataclass(frozen=True)
class Axis:
    """What distinguishes boards of one shape: their mines, by number or by density."""

    shape: str
    label: str
    boards: tuple[str, ...]
    texts: tuple[str, ...]
    values: tuple[Fraction, ...]
    """The number of mines, or the density as a share."""


def axis_of(boards: Sequence[str]) -> Axis | None:
    """What distinguishes boards, if they are one shape with different mines; else None."""
    read = [Board.parse(board, files=False) for board in boards]
    shapes = {board.topology.text for board in read}
    kinds = {board.mines.kind for board in read}
    if len(read) < 2 or len(shapes) > 1 or len(kinds) > 1:
        return None
    mines = [board.mines for board in read]
    if mines[0] == Mines.uniform():
        return None
    return Axis(
        shapes.pop(),
        "mines" if mines[0].is_number else "density",
        tuple(boards),
        tuple(one.text for one in mines),
        tuple(one.value for one in mines),
    )


def range_text(boards: Sequence[str]) -> str:
    """Boards in one text: as a range where they are one, else as a list."""
    axis = axis_of(boards)
    if axis is not None and len(boards) > 2:
        step = axis.values[1] - axis.values[0]
        ends = (axis.values[0], axis.values[-1], step)
        alone = "~" * axis.texts[0].startswith("~")
        low, high, between = (_text(end, axis.label == "density") for end in ends)
        text = f"{axis.shape}/{alone}{low}..{high}:{between}"
        # Only what reads back to these boards says so.
        readable = step > 0 and _RANGE.fullmatch(text.rpartition("/")[2])
        if readable and list(map(Board.parse, boards_in(text))) == list(map(Board.parse, boards)):
            return text
    return ", ".join(boards)
