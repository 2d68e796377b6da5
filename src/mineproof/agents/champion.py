"""`champion`: as swift, with rollouts where cells are close.

Where several cells have nearly the same score, each is opened on the same random layouts and played
on, and the results are weighed against the scores. More layouts are tried as long as their value of
information exceeds their price. The code is `cpp/search/champion.cpp`: `rollout.cpp` plays one
layout on, `contest.cpp` decides between the cells, `sweep*` opens what is easy, `replies.cpp`
memoises the policy. It has no Python twin. `docs/champion.md` says why it is so, with measurements.
"""

from __future__ import annotations

from mineproof.agents.core_logic import CoreLogic
from mineproof.agents.swift import Swift
from mineproof.inference.logics.option import Option, Takes

__all__ = ["Champion"]


class Champion(CoreLogic):
    """The player `champion` of the core."""

    player = "champion"
    options = (
        *Swift.options,
        Option("rollouts", "layouts tried at most for one guess; 0: none", Takes.COUNT),
        Option("work", "positions worked out at most for one guess", Takes.COUNT),
        Option("candidates", "cells tried at most, including `swift`'s choice", Takes.COUNT),
        Option(
            "slack",
            "a cell is tried if its score comes this near to that of `swift`'s choice",
            Takes.SHARE,
        ),
        Option(
            "price",
            "gain in the chance to win that working out one more position must promise",
            Takes.SHARE,
        ),
        Option(
            "spread",
            "prior standard deviation of an advantage about what the scores say, as a share of the"
            " chance to win",
            Takes.SHARE,
        ),
        Option("trust", "weight of the rollouts against the scores, at most", Takes.SHARE),
        Option(
            "fresh",
            "layouts on which the gain of a changed decision is measured; 0: it is not measured",
            Takes.COUNT,
        ),
    )
