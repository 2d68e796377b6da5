"""Minesweeper, proved: exact, explainable and fast inference, agents and a laboratory.

>>> import mineproof as mp
>>> game = mp.play("beginner", agent="single-point", seed=1)
>>> game.outcome.text
'won (cleared)'

Importing is cheap: a name is loaded from its home when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mineproof import chains as chains
    from mineproof.advice.advice import Advice as Advice
    from mineproof.advice.advising import advise as advise
    from mineproof.advice.game_review import Review as Review
    from mineproof.advice.game_review import review as review
    from mineproof.agents.agent import Agent as Agent
    from mineproof.agents.decision import Action as Action
    from mineproof.agents.decision import Decision as Decision
    from mineproof.agents.decision import Guessed as Guessed
    from mineproof.agents.decision import Proved as Proved
    from mineproof.board.cells import CellSet as CellSet
    from mineproof.board.layout import Layout as Layout
    from mineproof.board.presets import Board as Board
    from mineproof.board.topology import Topology as Topology
    from mineproof.errors import MineproofError as MineproofError
    from mineproof.inference.engine.analysis import Analysis as Analysis
    from mineproof.inference.engine.budget import Budget as Budget
    from mineproof.inference.engine.exact import analyze as analyze
    from mineproof.inference.engine.exact import analyze_many as analyze_many
    from mineproof.inference.engine.session import Session as Session
    from mineproof.lab.comparison import compare as compare
    from mineproof.match.game import play as play
    from mineproof.match.outcome import Outcome as Outcome
    from mineproof.match.play_many import play_many as play_many
    from mineproof.match.transcript import Transcript as Transcript
    from mineproof.proofs.explainer import explain as explain
    from mineproof.rules import Rules as Rules
    from mineproof.search.win import win_chance as win_chance
    from mineproof.view.marks import Mark as Mark
    from mineproof.view.view import View as View

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Advice",
    "Agent",
    "Analysis",
    "Board",
    "Budget",
    "CellSet",
    "Decision",
    "Guessed",
    "Layout",
    "Mark",
    "MineproofError",
    "Outcome",
    "Proved",
    "Review",
    "Rules",
    "Session",
    "Topology",
    "Transcript",
    "View",
    "advise",
    "analyze",
    "analyze_many",
    "chains",
    "compare",
    "explain",
    "play",
    "play_many",
    "review",
    "win_chance",
]

_HOMES = {
    "mineproof.advice.advice": ("Advice",),
    "mineproof.advice.advising": ("advise",),
    "mineproof.advice.game_review": ("Review", "review"),
    "mineproof.agents.agent": ("Agent",),
    "mineproof.agents.decision": ("Action", "Decision", "Guessed", "Proved"),
    "mineproof.board.cells": ("CellSet",),
    "mineproof.board.layout": ("Layout",),
    "mineproof.board.presets": ("Board",),
    "mineproof.board.topology": ("Topology",),
    "mineproof.errors": ("MineproofError",),
    "mineproof.proofs.explainer": ("explain",),
    "mineproof.inference.engine.analysis": ("Analysis",),
    "mineproof.inference.engine.budget": ("Budget",),
    "mineproof.inference.engine.exact": ("analyze", "analyze_many"),
    "mineproof.inference.engine.session": ("Session",),
    "mineproof.lab.comparison": ("compare",),
    "mineproof.match.game": ("play",),
    "mineproof.match.play_many": ("play_many",),
    "mineproof.match.outcome": ("Outcome",),
    "mineproof.match.transcript": ("Transcript",),
    "mineproof.rules": ("Rules",),
    "mineproof.search.win": ("win_chance",),
    "mineproof.view.marks": ("Mark",),
    "mineproof.view.view": ("View",),
}
_PACKAGES = ("chains",)
"""Names that stand for a whole package."""
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_HOME |= dict.fromkeys(_PACKAGES, "mineproof")


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return importlib.import_module(f"mineproof.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'mineproof' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
