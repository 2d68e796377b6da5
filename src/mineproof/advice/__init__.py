"""Advice: the best move of a position and why; the review of a game, what each move gave away.

A name is loaded from its home when it is first used, so that `solve` loads no games.

>>> import mineproof as mp
>>> view = mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")
>>> print(mp.advise(view))
0,2 is safe in every layout that explains the position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.registry import lazy_exports

if TYPE_CHECKING:
    from mineproof.advice.adviser import Advice as Advice
    from mineproof.advice.adviser import Alternative as Alternative
    from mineproof.advice.adviser import Basis as Basis
    from mineproof.advice.adviser import Measure as Measure
    from mineproof.advice.adviser import advise as advise
    from mineproof.advice.adviser import win_chances as win_chances
    from mineproof.advice.game_review import Effort as Effort
    from mineproof.advice.game_review import Judgement as Judgement
    from mineproof.advice.game_review import Luck as Luck
    from mineproof.advice.game_review import MoveVerdict as MoveVerdict
    from mineproof.advice.game_review import Review as Review
    from mineproof.advice.game_review import review as review

_HOMES = {
    "mineproof.advice.adviser": (
        "Advice",
        "Alternative",
        "Basis",
        "Measure",
        "advise",
        "win_chances",
    ),
    "mineproof.advice.game_review": (
        "Effort",
        "Judgement",
        "Luck",
        "MoveVerdict",
        "Review",
        "review",
    ),
}

__getattr__, __dir__, __all__ = lazy_exports(__name__, _HOMES)
