"""Boards that need no guess, and puzzles that teach, made from games.

A name is loaded from its home when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.registry import lazy_exports

if TYPE_CHECKING:
    from mineproof.generation.certificate import Certificate as Certificate
    from mineproof.generation.certificate import NoGuessBoard as NoGuessBoard
    from mineproof.generation.certificate import check_certificate as check_certificate
    from mineproof.generation.no_guess import Generated as Generated
    from mineproof.generation.no_guess import generate as generate
    from mineproof.generation.puzzle_files import shipped_puzzles as shipped_puzzles
    from mineproof.generation.puzzles import TeachingPuzzle as TeachingPuzzle
    from mineproof.generation.puzzles import make_puzzles as make_puzzles
    from mineproof.generation.solvability import certify as certify

_HOMES = {
    "mineproof.generation.certificate": ("Certificate", "NoGuessBoard", "check_certificate"),
    "mineproof.generation.no_guess": ("Generated", "generate"),
    "mineproof.generation.puzzle_files": ("shipped_puzzles",),
    "mineproof.generation.puzzles": ("TeachingPuzzle", "make_puzzles"),
    "mineproof.generation.solvability": ("certify",),
}

__getattr__, __dir__, __all__ = lazy_exports(__name__, _HOMES)
