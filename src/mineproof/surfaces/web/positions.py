"""The editor's half: positions come as text and nothing is kept of them."""

from __future__ import annotations

from typing import Any

from mineproof.match.referee import Referee
from mineproof.surfaces.web.analyses import clash_json
from mineproof.surfaces.web.faults import Refused
from mineproof.surfaces.web.limits import CoachLimits
from mineproof.surfaces.web.shapes import board_json, check_size, read_board, view_json
from mineproof.view import notation
from mineproof.view.view import View

__all__ = ["NOTATIONS", "export_text", "position_json", "read_position"]

NOTATIONS = ("short", "board", "mine")


def read_position(text: str, limits: CoachLimits) -> View:
    """The view of a text in any notation. Raises InputError."""
    view = notation.parse(text.replace("\r\n", "\n").replace("\r", "\n"))
    check_size(view.topology, limits)
    return view


def empty_position(board: str, limits: CoachLimits) -> View:
    """A board of which nothing is open. Raises InputError."""
    return Referee(read_board(board, limits)).view


def position_json(text: str | None, board: str | None, limits: CoachLimits) -> dict[str, Any]:
    """A position as the page shows it, and whether any layout explains it. Raises InputError."""
    if text is not None and board is None:
        view = read_position(text, limits)
    elif board is not None and text is None:
        view = empty_position(board, limits)
    else:
        raise Refused("malformed", "a position is named by text or by board; accepted: one of them")
    return {
        "board": board_json(view.topology, view.total),
        "view": view_json(view),
        **clash_json(view, limits),
    }


def export_text(text: str, to: str, limits: CoachLimits) -> str:
    """The position in another notation. Raises InputError for what that one cannot say."""
    view = read_position(text, limits)
    if to == "board":
        return notation.board.write(view)
    return notation.mine.write(view) if to == "mine" else notation.short.write(view)
