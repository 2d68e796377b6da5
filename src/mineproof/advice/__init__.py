"""Advice: the best move of a position and why; the review of a game, what each move gave away.

A name is loaded from its home when it is first used, so that `solve` loads no games.

>>> import mineproof as mp
>>> view = mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")
>>> print(mp.advise(view))
0,2 is safe in every layout that explains the position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.exports import exports

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

_HOMES = {
    "mineproof.advice.advice": ("Advice", "Alternative", "Basis", "Measure"),
    "mineproof.advice.advising": ("advise", "chances_to_win"),
    "mineproof.advice.game_review": ("Luck", "Review", "review"),
    "mineproof.advice.judging": ("Effort", "Judgement", "Kind"),
}
__getattr__, __dir__ = exports(__name__, _HOMES)
