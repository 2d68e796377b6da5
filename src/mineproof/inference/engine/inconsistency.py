"""The error of a position without a solution: which clues clash, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.errors import InconsistentPosition
from mineproof.view.view import View

__all__ = ["inconsistent"]

_MOST_NAMED = 8


def _mines(total: int) -> str:
    return "the 1 mine" if total == 1 else f"the {total} mines"


def inconsistent(view: View, clues: Sequence[int], *, uses_total: bool) -> InconsistentPosition:
    """The error that names clashing clues, and the number of mines if it takes part.

    The message names a few of them; the error has them all.
    """
    names = [view.topology.cell_name(cell) for cell in sorted(clues)]
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED - 1 :] = [f"{len(names) - _MOST_NAMED + 1} more"]
    mines = _mines(view.total) if view.total is not None else f"mines={view.rules.mines}"
    if not names:
        left = f"{view.hidden_count} hidden cell{'' if view.hidden_count == 1 else 's'}"
        opened = len(view.opened_mines)
        fit = "does" if view.total == 1 else "do"
        said = f"{mines} {fit} not fit {left} and {opened} opened mine{'' if opened == 1 else 's'}"
    elif len(names) == 1 and not uses_total:
        said = f"the clue at {names[0]} cannot be met by the cells around it"
    else:
        last = f" and {names[-1]}" if len(names) > 1 else ""
        listed = " ".join(names[:-1] if last else names) + last
        said = f"the clue{'s' if last else ''} at {listed}"
        said += f" and {mines} clash" if uses_total else " clash"
    return InconsistentPosition(
        f"no layout explains the position: {said}", sorted(clues), uses_total=uses_total
    )
