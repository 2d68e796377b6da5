"""The check of a puzzle: its answer by the exact engine, its proofs by the checker without one."""

from __future__ import annotations

from mineproof.errors import InconsistentPosition, InputError
from mineproof.generation.best_guess import CLEARLY, guess_level
from mineproof.generation.pattern_catalog import BEST_GUESS
from mineproof.generation.recognition import hardest, level_of, pattern_of_proofs
from mineproof.generation.teaching_puzzle import Question, TeachingPuzzle
from mineproof.inference.engine.exact import analyze
from mineproof.proofs.checker import Checked, check_proof
from mineproof.proofs.proof import Claim
from mineproof.search.endgame import endgame

__all__ = ["check_puzzle"]


def check_puzzle(puzzle: TeachingPuzzle) -> Checked:
    """Whether a puzzle's answer, proofs, pattern and level are right, and the first fault if not.

    The certain cells are found anew by the exact engine; each proof is checked without any engine.
    In a guess every risk and chance to win is computed anew. Raises BudgetExceeded.

    >>> [puzzle] = mp.make_puzzles("1-1", count=1, seed=1)
    >>> from mineproof.generation.puzzle_check import check_puzzle
    >>> check_puzzle(puzzle).accepted
    True
    """
    try:
        if puzzle.question is Question.GUESS:
            fault = _guess_fault(puzzle)
        else:
            fault = _certain_fault(puzzle)
    except InconsistentPosition as error:
        fault = f"the position has no solution: {error}"
    except InputError as error:
        fault = str(error)
    return Checked(fault is None, fault or "the answer is right, and every proof holds")


def _certain_fault(puzzle: TeachingPuzzle) -> str | None:
    view, proofs = puzzle.view, puzzle.proofs
    if view.rules.clues != "exact":
        return f"the clues are {view.rules.clues}, not exact"
    found = analyze(view)
    if puzzle.safe != tuple(found.safe):
        return "the safe cells are not those of the position"
    if puzzle.mines != tuple(found.mines):
        return "the mines are not those that are certain in the position"
    if not puzzle.safe and not puzzle.mines:
        return "nothing is certain"
    if puzzle.best or puzzle.choices:
        return "a guess is listed where cells are certain"
    claimed = {proof.cell: proof.claim for proof in proofs}
    wanted = dict.fromkeys(puzzle.safe, Claim.SAFE) | dict.fromkeys(puzzle.mines, Claim.MINE)
    if claimed != wanted or [proof.cell for proof in proofs] != sorted(wanted):
        return "the proofs are not those of the answer's cells, in their order"
    for proof in proofs:
        checked = check_proof(proof, view)
        if not checked:
            return f"the proof of {view.topology.cell_name(proof.cell or 0)}: {checked.reason}"
        if not proof.steps:
            return f"the proof of {view.topology.cell_name(proof.cell or 0)} has no steps"
    if puzzle.technique != hardest(proofs).technique.name:
        return f"the technique is {hardest(proofs).technique}, not {puzzle.technique}"
    pattern = pattern_of_proofs(view, proofs)
    if puzzle.pattern != pattern:
        return f"the pattern is {pattern.name}, not {puzzle.pattern.name}"
    if puzzle.level != level_of(proofs):
        return f"the level is {level_of(proofs)}, not {puzzle.level}"
    return None


def _guess_fault(puzzle: TeachingPuzzle) -> str | None:
    view = puzzle.view
    if puzzle.safe or puzzle.mines or puzzle.proofs:
        return "certain cells are listed in a guess"
    risks = analyze(view).fractions()
    if any(risks[cell] in (0, 1) for cell in view.hidden):
        return "a cell is certain"
    wins = endgame(view)
    listed = {choice.cell: (choice.risk, choice.win) for choice in puzzle.choices}
    if listed != {cell: (risks[cell], wins.cells[cell]) for cell in view.hidden}:
        return "the chances are not those of the position"
    if len(listed) != len(puzzle.choices):
        return "a choice is listed twice"
    if puzzle.best != tuple(sorted(wins.best)):
        return "the best cells are others"
    others = [chance for chance in wins.cells.values() if chance < wins.chance]
    if not others or wins.chance - max(others) < CLEARLY:
        return "the best cells are not clearly best"
    if puzzle.pattern.name != BEST_GUESS or puzzle.technique != "guess":
        return f"the pattern is {BEST_GUESS}, and the technique guess"
    level = guess_level(puzzle.choices, puzzle.best)
    return None if puzzle.level == level else f"the level is {level}, not {puzzle.level}"
