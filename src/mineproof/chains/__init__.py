"""Chains of influence, read from transcripts: `of` one game, `measure` many.

>>> found = mp.chains.of(mp.play("beginner", "exact", seed=1))
>>> found.length, found.reach.distance
(4, 8)
"""

from mineproof.chains.chains import Chains, MadeCertain, Opened, Origin, of
from mineproof.chains.influence import graph
from mineproof.chains.over_games import ChainRow, measure
from mineproof.chains.reach import Reach

__all__ = [
    "ChainRow",
    "Chains",
    "MadeCertain",
    "Opened",
    "Origin",
    "Reach",
    "graph",
    "measure",
    "of",
]
