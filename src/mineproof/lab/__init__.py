"""The laboratory: experiments, who plays them, what is kept, and what it says.

The columns of a game's row stand in `mineproof.game.rows`, sums over them in `results`.
A name is loaded from its home when it is first used: workers need few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.registry import lazy_exports

if TYPE_CHECKING:
    from mineproof.lab.comparison import Comparison as Comparison
    from mineproof.lab.executors import make_executor as make_executor
    from mineproof.lab.experiment import Experiment as Experiment
    from mineproof.lab.results import Results as Results
    from mineproof.lab.runner import run as run
    from mineproof.lab.store import game_of as game_of

_HOMES = {
    "mineproof.lab.comparison": ("Comparison",),
    "mineproof.lab.executors": ("make_executor",),
    "mineproof.lab.experiment": ("Experiment",),
    "mineproof.lab.results": ("Results",),
    "mineproof.lab.runner": ("run",),
    "mineproof.lab.store": ("game_of",),
}

__getattr__, __dir__, __all__ = lazy_exports(__name__, _HOMES)
