"""`swift`: looks one clue ahead, and plays best at the end.

A guess is scored by the expected safety of the next move, over every clue that its cell may show,
plus a share for guesses that cannot be avoided anyway. The cell with the highest score is opened.
Where few enough solutions are left, the endgame plays best. The code is `cpp/search/swift.cpp`,
with the lookahead, sealed pairs and endgame beside it; it has no Python twin. `docs/champion.md`
says why it is so.
"""

from __future__ import annotations

from mineproof.agents.core_logic import CoreLogic
from mineproof.inference.logics.option import Option, Takes

__all__ = ["Swift"]


class Swift(CoreLogic):
    """The player `swift` of the core."""

    player = "swift"
    options = (
        Option("endgame", "best play where a region has at most this many solutions", Takes.COUNT),
        Option("influence", "weight of the influence of sealed pairs", Takes.SHARE),
        Option(
            "second",
            "weight of the second-best safety in the score; the best has the rest",
            Takes.SHARE,
        ),
        Option(
            "window",
            "candidates are at least this share as safe as the safest cell",
            Takes.SHARE,
        ),
        Option("zero", "bonus for showing a 0, as long as none is open", Takes.SHARE),
    )
