"""The moves of a game as its page keeps them, so that a server that forgot it can take it up again.

A letter and the number of a cell for every move: `o12` opens, `f3` flags, `u3` takes the flag off,
`c12` opens around a clue. Moves follow each other with nothing in between: `o12f3c12`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from mineproof.agents.decision import Action, Decision
from mineproof.errors import quoted
from mineproof.surfaces.web.faults import Refused

__all__ = ["KeptMoves"]

_ACTIONS = {"o": Action.OPEN, "f": Action.FLAG, "u": Action.UNFLAG, "c": Action.CHORD}
_MOVE = re.compile(r"([oufc])([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True)
class KeptMoves:
    """What was played so far, how long it took, and whether moves were taken back."""

    moves: tuple[Decision, ...]
    elapsed_ms: int = 0
    practice: bool = False

    @classmethod
    def parse(cls, text: str, most: int, elapsed_ms: int = 0, practice: bool = False) -> KeptMoves:
        """Read the text of at most `most` moves. Raises Refused."""
        moves: list[Decision] = []
        at = 0
        while at < len(text):
            found = _MOVE.match(text, at)
            if found is None:
                raise Refused(
                    "malformed",
                    f"move {len(moves) + 1} is {quoted(text[at : at + 12])}; "
                    "accepted: o, f, u or c and the number of a cell, such as o12",
                )
            if len(moves) == most:
                raise Refused("malformed", f"there are more than {most} moves")
            moves.append(Decision(_ACTIONS[found[1]], int(found[2])))
            at = found.end()
        return cls(tuple(moves), elapsed_ms, practice)
