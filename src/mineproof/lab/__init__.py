"""The laboratory: experiments, who plays them, what is kept, and what it says.

A name is loaded from its home when it is first used: workers need few of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mineproof.lab.comparison import Comparison as Comparison
    from mineproof.lab.executors import make_executor as make_executor
    from mineproof.lab.experiment import Experiment as Experiment
    from mineproof.lab.results import Results as Results
    from mineproof.lab.runner import run as run
    from mineproof.lab.transcripts import game_of as game_of

__all__ = ["Comparison", "Experiment", "Results", "game_of", "make_executor", "run"]

_HOMES = {
    "Comparison": "comparison",
    "Experiment": "experiment",
    "Results": "results",
    "game_of": "transcripts",
    "make_executor": "executors",
    "run": "runner",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'mineproof.lab' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"mineproof.lab.{_HOMES[name]}"), name)
    globals()[name] = value
    return value
