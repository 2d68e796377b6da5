"""Best play: the endgame, optimal values of small boards, and the chance to win."""

from mineproof.search.endgame import Endgame, endgame
from mineproof.search.optimal import Optimal, optimal

__all__ = ["Endgame", "Optimal", "endgame", "optimal"]
