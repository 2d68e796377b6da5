"""Advice: the best move of a position and why; the review of a game, what each move gave away.

>>> import mineproof as mp
>>> view = mp.View.parse("square 3x3 mines=2\\n1..\\n12.\\n01.")
>>> print(advise(view))
0,2 is safe in every layout that explains the position.
"""

from mineproof.advice.advice import Advice, Alternative, Basis, Measure
from mineproof.advice.advising import advise, chances_to_win
from mineproof.advice.game_review import Luck, Review, review
from mineproof.advice.judging import Effort, Judgement, Kind

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
