"""Advice: the best move of a position and why; the review of a game, what each move gave away.

A name is loaded from its home when it is first used, so that `solve` loads no games.

>>> import mineproof as mp
>>> view = mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")
>>> print(mp.advise(view))
0,2 is safe in every layout that explains the position.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mineproof.advice.advice import Advice as Advice
    from mineproof.advice.advice import Alternative as Alternative
    from mineproof.advice.advice import Basis as Basis
    from mineproof.advice.advice import Measure as Measure
    from mineproof.advice.advising import advise as advise
    from mineproof.advice.advising import chances_to_win as chances_to_win
    from mineproof.advice.game_review import Luck as Luck
    from mineproof.advice.game_review import Review as Review
    from mineproof.advice.game_review import review as review
    from mineproof.advice.judging import Effort as Effort
    from mineproof.advice.judging import Judgement as Judgement
    from mineproof.advice.judging import Kind as Kind

__all__ = [
    "Advice",
    "Alternative",
    "Basis",
    "Effort",
    "Judgement",
    "Kind",
    "Luck",
    "Measure",
    "Review",
    "advise",
    "chances_to_win",
    "review",
]

_HOME = {
    "Advice": "advice",
    "Alternative": "advice",
    "Basis": "advice",
    "Effort": "judging",
    "Judgement": "judging",
    "Kind": "judging",
    "Luck": "game_review",
    "Measure": "advice",
    "Review": "game_review",
    "advise": "advising",
    "chances_to_win": "advising",
    "review": "game_review",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
