"""Minesweeper, proved: exact, explainable and fast inference, agents and a laboratory.

>>> import mineproof as mp
>>> game = mp.play("beginner", agent="single-point", seed=1)
>>> game.outcome.text
'won (cleared)'

Importing is cheap: a name is loaded from its home when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.registry import lazy_exports

if TYPE_CHECKING:
    from mineproof import chains as chains
    from mineproof.advice.adviser import Advice as Advice
    from mineproof.advice.adviser import advise as advise
    from mineproof.advice.adviser import win_chances as win_chances
    from mineproof.advice.game_review import Review as Review
    from mineproof.advice.game_review import review as review
    from mineproof.agents import policies as policies
    from mineproof.agents.agent import Action as Action
    from mineproof.agents.agent import Agent as Agent
    from mineproof.agents.agent import Decision as Decision
    from mineproof.agents.agent import Guessed as Guessed
    from mineproof.agents.agent import Proved as Proved
    from mineproof.board.layout import Layout as Layout
    from mineproof.board.presets import Board as Board
    from mineproof.board.topology import CellSet as CellSet
    from mineproof.board.topology import Topology as Topology
    from mineproof.engine.analysis import Analysis as Analysis
    from mineproof.engine.analysis import Budget as Budget
    from mineproof.engine.exact import analyze as analyze
    from mineproof.engine.exact import analyze_many as analyze_many
    from mineproof.engine.session import Session as Session
    from mineproof.errors import AgentFailure as AgentFailure
    from mineproof.errors import BoardError as BoardError
    from mineproof.errors import BudgetExceeded as BudgetExceeded
    from mineproof.errors import IllegalMove as IllegalMove
    from mineproof.errors import InconsistentPosition as InconsistentPosition
    from mineproof.errors import InputError as InputError
    from mineproof.errors import MineproofError as MineproofError
    from mineproof.errors import NotationError as NotationError
    from mineproof.errors import RulesError as RulesError
    from mineproof.errors import UnknownName as UnknownName
    from mineproof.game.play import Games as Games
    from mineproof.game.play import play as play
    from mineproof.game.play import play_many as play_many
    from mineproof.game.referee import Outcome as Outcome
    from mineproof.game.referee import Referee as Referee
    from mineproof.game.transcript import Transcript as Transcript
    from mineproof.generation.no_guess import generate as generate
    from mineproof.lab.comparison import Comparison as Comparison
    from mineproof.lab.comparison import compare as compare
    from mineproof.proofs.checker import check_proof as check_proof
    from mineproof.proofs.explanation import explain as explain
    from mineproof.proofs.explanation import explain_all as explain_all
    from mineproof.proofs.proof import NoProof as NoProof
    from mineproof.proofs.proof import Proof as Proof
    from mineproof.replay.record import Replay as Replay
    from mineproof.rules import FirstClick as FirstClick
    from mineproof.rules import Goal as Goal
    from mineproof.rules import Mines as Mines
    from mineproof.rules import OnMine as OnMine
    from mineproof.rules import Rules as Rules
    from mineproof.search.endgame import endgame as endgame
    from mineproof.search.optimal import optimal as optimal
    from mineproof.view.channels import Mark as Mark
    from mineproof.view.view import View as View

__version__ = "0.2.0"

_HOMES = {
    "mineproof.advice.adviser": ("Advice", "advise", "win_chances"),
    "mineproof.advice.game_review": ("Review", "review"),
    "mineproof.agents.agent": ("Action", "Agent", "Decision", "Guessed", "Proved"),
    "mineproof.agents.policies": (),
    "mineproof.board.layout": ("Layout",),
    "mineproof.board.presets": ("Board",),
    "mineproof.board.topology": ("CellSet", "Topology"),
    "mineproof.chains": (),
    "mineproof.engine.analysis": ("Analysis", "Budget"),
    "mineproof.engine.exact": ("analyze", "analyze_many"),
    "mineproof.engine.session": ("Session",),
    "mineproof.errors": (
        "AgentFailure",
        "BoardError",
        "BudgetExceeded",
        "IllegalMove",
        "InconsistentPosition",
        "InputError",
        "MineproofError",
        "NotationError",
        "RulesError",
        "UnknownName",
    ),
    "mineproof.game.play": ("Games", "play", "play_many"),
    "mineproof.game.referee": ("Outcome", "Referee"),
    "mineproof.game.transcript": ("Transcript",),
    "mineproof.generation.no_guess": ("generate",),
    "mineproof.lab.comparison": ("Comparison", "compare"),
    "mineproof.proofs.checker": ("check_proof",),
    "mineproof.proofs.explanation": ("explain", "explain_all"),
    "mineproof.proofs.proof": ("NoProof", "Proof"),
    "mineproof.replay.record": ("Replay",),
    "mineproof.rules": ("FirstClick", "Goal", "Mines", "OnMine", "Rules"),
    "mineproof.search.endgame": ("endgame",),
    "mineproof.search.optimal": ("optimal",),
    "mineproof.view.channels": ("Mark",),
    "mineproof.view.view": ("View",),
}

_MOVED = {
    "AgentTimeout": "mineproof.errors.AgentTimeout",
    "Certificate": "mineproof.generation.Certificate",
    "Generated": "mineproof.generation.Generated",
    "Given": "mineproof.rules.Given",
    "LabError": "mineproof.errors.LabError",
    "MissingLibrary": "mineproof.errors.MissingLibrary",
    "Premises": "mineproof.agents.Premises",
    "TeachingPuzzle": "mineproof.generation.TeachingPuzzle",
    "World": "mineproof.board.World",
    "certify": "mineproof.generation.certify",
    "check_certificate": "mineproof.generation.check_certificate",
    "make_puzzles": "mineproof.generation.make_puzzles",
    "shipped_puzzles": "mineproof.generation.shipped_puzzles",
    "win_chance": "mineproof.win_chances",
}
"""Old names, with where they stand now; they go with version 0.3."""

__getattr__, __dir__, __all__ = lazy_exports(__name__, _HOMES, _MOVED)
