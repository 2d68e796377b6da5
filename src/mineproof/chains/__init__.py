"""Chains of influence, read from transcripts: `of` one game, `measure` many.

>>> found = mp.chains.of(mp.play("beginner", "exact", seed=1))
>>> found.length, found.reach.distance
(4, 8)
"""

from mineproof.chains.chains import Chains, MadeCertain, Opened, Origin, Reach, graph, of
from mineproof.chains.search import ChainRow, measure

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
