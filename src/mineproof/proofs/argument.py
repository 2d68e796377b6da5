"""The simplest method of the ladder that gets from premises to their conclusion, and its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.errors import BudgetExceeded
from mineproof.proofs.case_steps import case_steps
from mineproof.proofs.cases import split
from mineproof.proofs.derivation import draw
from mineproof.proofs.derivation_steps import clue_step, derivation_steps
from mineproof.proofs.mines_left import count_mines_left
from mineproof.proofs.numbers import upper_first
from mineproof.proofs.premises import Evidence, Premise
from mineproof.proofs.steps import Conclusion, ProofStep, decided
from mineproof.proofs.techniques import Technique, pattern_of
from mineproof.proofs.words import Words

__all__ = ["Argument", "argue"]


@dataclass(frozen=True)
class Argument:
    """A technique, and its steps from premises to their conclusion."""

    technique: Technique
    steps: tuple[ProofStep, ...]


def argue(
    evidence: Evidence, premises: Sequence[Premise], target: int | None, mine: bool
) -> Argument:
    """Why these premises force a cell, or clash where there is no target."""
    words = Words(evidence)
    name, steps = _argue(words, premises, target, mine)
    return Argument(Technique.parse(name), tuple(map(words.marked, steps)))


def _argue(
    words: Words, premises: Sequence[Premise], target: int | None, mine: bool
) -> tuple[str, list[ProofStep]]:
    clues = [premise for premise in premises if premise.clue is not None]
    if len(clues) < len(premises):
        try:
            return "mine count", count_mines_left(words, clues, target, mine)
        except BudgetExceeded:
            return "mine count", [_tried(words, premises, target, mine)]
    if len(clues) == 1 and target is not None:
        return "single clue", [clue_step(words, clues[0], [target], mine)]
    facts = draw(clues, target)
    if facts is not None:
        return _name(clues, target, mine), derivation_steps(words, clues, facts, target)[0]
    tree = split(clues, None if target is None else (target, not mine))
    if tree is None:
        return "case split", [_tried(words, clues, target, mine)]
    return "case split", case_steps(words, clues, tree, None if target is None else (target, mine))


def _name(clues: Sequence[Premise], target: int | None, mine: bool) -> str:
    if len(clues) == 1:
        return "single clue"
    if len(clues) == 2:
        return "two clues" if target is None else pattern_of(clues[0], clues[1], target, mine)
    return f"{len(clues)} clues"


def _tried(words: Words, premises: Sequence[Premise], target: int | None, mine: bool) -> ProofStep:
    """All at once, for trees too large to print."""
    if target is None:
        sentence = f"No way to place mines meets all {len(premises)} premises: they clash."
        conclusion = Conclusion((), ())
    else:
        so = words.are([target], mine)
        sentence = upper_first(f"in every way to meet these {len(premises)} premises {so}.")
        conclusion = decided([target], mine)
    return ProofStep(
        sentence,
        clues=tuple(premise.clue for premise in premises if premise.clue is not None),
        uses_total=any(premise.clue is None for premise in premises),
        cells=tuple(sorted({cell for premise in premises for cell in premise.cells})),
        conclusions=(conclusion,),
    )
