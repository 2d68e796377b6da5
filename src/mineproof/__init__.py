"""Minesweeper, proved: exact, explainable and fast inference, agents and a laboratory.

>>> import mineproof as mp
>>> game = mp.play("beginner", agent="single-point", seed=1)
>>> game.outcome.text
'won (cleared)'

Importing is cheap: a name is loaded from its home when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.exports import exports

if TYPE_CHECKING:
    from mineproof import chains as chains
    from mineproof.advice.advice import Advice as Advice
    from mineproof.advice.advising import advise as advise
    from mineproof.advice.game_review import Review as Review
    from mineproof.advice.game_review import review as review
    from mineproof.agents import policies as policies
    from mineproof.agents.agent import Agent as Agent
    from mineproof.agents.decision import Action as Action
    from mineproof.agents.decision import Decision as Decision
    from mineproof.agents.decision import Guessed as Guessed
    from mineproof.agents.decision import Proved as Proved
    from mineproof.board.cells import CellSet as CellSet
    from mineproof.board.layout import Layout as Layout
    from mineproof.board.presets import Board as Board
    from mineproof.board.topology import Topology as Topology
    from mineproof.board.worlds import World as World
    from mineproof.errors import AgentFailure as AgentFailure
    from mineproof.errors import AgentTimeout as AgentTimeout
    from mineproof.errors import BoardError as BoardError
    from mineproof.errors import BudgetExceeded as BudgetExceeded
    from mineproof.errors import IllegalMove as IllegalMove
    from mineproof.errors import InconsistentPosition as InconsistentPosition
    from mineproof.errors import InputError as InputError
    from mineproof.errors import LabError as LabError
    from mineproof.errors import MineproofError as MineproofError
    from mineproof.errors import MissingLibrary as MissingLibrary
    from mineproof.errors import NotationError as NotationError
    from mineproof.errors import RulesError as RulesError
    from mineproof.errors import UnknownName as UnknownName
    from mineproof.generation.certificate import Certificate as Certificate
    from mineproof.generation.certificate_check import check_certificate as check_certificate
    from mineproof.generation.certifying import certify as certify
    from mineproof.generation.generated import Generated as Generated
    from mineproof.generation.no_guess import generate as generate
    from mineproof.generation.puzzle_files import shipped_puzzles as shipped_puzzles
    from mineproof.generation.puzzle_making import make_puzzles as make_puzzles
    from mineproof.generation.teaching_puzzle import TeachingPuzzle as TeachingPuzzle
    from mineproof.inference.engine.analysis import Analysis as Analysis
    from mineproof.inference.engine.budget import Budget as Budget
    from mineproof.inference.engine.exact import analyze as analyze
    from mineproof.inference.engine.exact import analyze_many as analyze_many
    from mineproof.inference.engine.session import Session as Session
    from mineproof.inference.verdict import Premises as Premises
    from mineproof.lab.comparison import Comparison as Comparison
    from mineproof.lab.comparison import compare as compare
    from mineproof.match.game import play as play
    from mineproof.match.outcome import Outcome as Outcome
    from mineproof.match.play_many import Games as Games
    from mineproof.match.play_many import play_many as play_many
    from mineproof.match.referee import Referee as Referee
    from mineproof.match.transcript import Transcript as Transcript
    from mineproof.proofs.checker import check_proof as check_proof
    from mineproof.proofs.explainer import explain as explain
    from mineproof.proofs.explainer import explain_all as explain_all
    from mineproof.proofs.proof import NoProof as NoProof
    from mineproof.proofs.proof import Proof as Proof
    from mineproof.rules import FirstClick as FirstClick
    from mineproof.rules import Given as Given
    from mineproof.rules import Goal as Goal
    from mineproof.rules import Mines as Mines
    from mineproof.rules import OnMine as OnMine
    from mineproof.rules import Rules as Rules
    from mineproof.search.endgame import endgame as endgame
    from mineproof.search.optimal_value import optimal as optimal
    from mineproof.search.win import win_chance as win_chance
    from mineproof.view.marks import Mark as Mark
    from mineproof.view.view import View as View

__version__ = "0.2.0"

__all__ = [
    "Action",
    "Advice",
    "Agent",
    "AgentFailure",
    "AgentTimeout",
    "Analysis",
    "Board",
    "BoardError",
    "Budget",
    "BudgetExceeded",
    "CellSet",
    "Certificate",
    "Comparison",
    "Decision",
    "FirstClick",
    "Games",
    "Generated",
    "Given",
    "Goal",
    "Guessed",
    "IllegalMove",
    "InconsistentPosition",
    "InputError",
    "LabError",
    "Layout",
    "Mark",
    "MineproofError",
    "Mines",
    "MissingLibrary",
    "NoProof",
    "NotationError",
    "OnMine",
    "Outcome",
    "Premises",
    "Proof",
    "Proved",
    "Referee",
    "Review",
    "Rules",
    "RulesError",
    "Session",
    "TeachingPuzzle",
    "Topology",
    "Transcript",
    "UnknownName",
    "View",
    "World",
    "advise",
    "analyze",
    "analyze_many",
    "certify",
    "chains",
    "check_certificate",
    "check_proof",
    "compare",
    "endgame",
    "explain",
    "explain_all",
    "generate",
    "make_puzzles",
    "optimal",
    "play",
    "play_many",
    "policies",
    "review",
    "shipped_puzzles",
    "win_chance",
]

_HOMES = {
    "mineproof.advice.advice": ("Advice",),
    "mineproof.advice.advising": ("advise",),
    "mineproof.advice.game_review": (
        "Review",
        "review",
    ),
    "mineproof.agents.agent": ("Agent",),
    "mineproof.agents.decision": (
        "Action",
        "Decision",
        "Guessed",
        "Proved",
    ),
    "mineproof.board.cells": ("CellSet",),
    "mineproof.board.layout": ("Layout",),
    "mineproof.board.presets": ("Board",),
    "mineproof.board.topology": ("Topology",),
    "mineproof.board.worlds": ("World",),
    "mineproof.errors": (
        "AgentFailure",
        "AgentTimeout",
        "BoardError",
        "BudgetExceeded",
        "IllegalMove",
        "InconsistentPosition",
        "InputError",
        "LabError",
        "MineproofError",
        "MissingLibrary",
        "NotationError",
        "RulesError",
        "UnknownName",
    ),
    "mineproof.generation.certificate": ("Certificate",),
    "mineproof.generation.certificate_check": ("check_certificate",),
    "mineproof.generation.certifying": ("certify",),
    "mineproof.generation.generated": ("Generated",),
    "mineproof.generation.no_guess": ("generate",),
    "mineproof.generation.puzzle_files": ("shipped_puzzles",),
    "mineproof.generation.puzzle_making": ("make_puzzles",),
    "mineproof.generation.teaching_puzzle": ("TeachingPuzzle",),
    "mineproof.inference.engine.analysis": ("Analysis",),
    "mineproof.inference.engine.budget": ("Budget",),
    "mineproof.inference.engine.exact": (
        "analyze",
        "analyze_many",
    ),
    "mineproof.inference.engine.session": ("Session",),
    "mineproof.inference.verdict": ("Premises",),
    "mineproof.lab.comparison": (
        "Comparison",
        "compare",
    ),
    "mineproof.match.game": ("play",),
    "mineproof.match.outcome": ("Outcome",),
    "mineproof.match.play_many": (
        "Games",
        "play_many",
    ),
    "mineproof.match.referee": ("Referee",),
    "mineproof.match.transcript": ("Transcript",),
    "mineproof.proofs.checker": ("check_proof",),
    "mineproof.proofs.explainer": (
        "explain",
        "explain_all",
    ),
    "mineproof.proofs.proof": (
        "NoProof",
        "Proof",
    ),
    "mineproof.rules": (
        "FirstClick",
        "Given",
        "Goal",
        "Mines",
        "OnMine",
        "Rules",
    ),
    "mineproof.search.endgame": ("endgame",),
    "mineproof.search.optimal_value": ("optimal",),
    "mineproof.search.win": ("win_chance",),
    "mineproof.view.marks": ("Mark",),
    "mineproof.view.view": ("View",),
    "mineproof.chains": (),
    "mineproof.agents.policies": (),
}
__getattr__, __dir__ = exports(__name__, _HOMES)
