"""When two positions are the same puzzle: turned, mirrored or moved, on any topology.

Colours are refined over the graph of the cells until they stay, as in the Weisfeiler-Leman test.
Symmetric positions get the same key. Two that differ may share one, which is rare and costs a
puzzle, never a duplicate.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from mineproof.generation.recognition import readings
from mineproof.generation.teaching_puzzle import Question, TeachingPuzzle
from mineproof.view.view import View

__all__ = ["core_key", "same_key"]

_ROUNDS = 12


def same_key(view: View) -> str:
    """A key that is the same for positions that a symmetry maps onto each other."""
    shown = dict(enumerate(map(str, view.codes().tolist())))
    return _refined(view, shown, "" if view.total is None else str(view.total))


def core_key(puzzle: TeachingPuzzle) -> str:
    """The same for puzzles with the same argument: the clues of the proofs and their cells alone.

    A clue counts as what it needs besides known mines. A guess is its whole position.
    """
    if puzzle.question is Question.GUESS:
        return same_key(puzzle.view)
    read = readings(puzzle.view)
    clues = {clue for proof in puzzle.proofs for clue in proof.clues}
    shown = {cell: "." for clue in clues for cell in read[clue].cells}
    shown |= {clue: str(read[clue].low) for clue in clues}
    if any(proof.uses_total for proof in puzzle.proofs):
        shown = dict.fromkeys(puzzle.view.hidden, ".") | shown
        left = (puzzle.view.total or 0) - len(puzzle.view.opened_mines)
        return _refined(puzzle.view, shown, str(left))
    return _refined(puzzle.view, shown, "")


def _refined(view: View, shown: Mapping[int, str], told: str) -> str:
    near = view.topology.neighbours
    colours = {cell: _hashed(mark) for cell, mark in shown.items()}
    for _ in range(_ROUNDS):
        fresh = {
            cell: _hashed(colour + "".join(sorted(colours[n] for n in near(cell) if n in colours)))
            for cell, colour in colours.items()
        }
        stable = len(set(fresh.values())) == len(set(colours.values()))
        colours = fresh
        if stable:
            break
    return _hashed(f"{view.topology.name} {told} {' '.join(sorted(colours.values()))}")


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
