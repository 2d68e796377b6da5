"""The simplest method of the ladder that gets from premises to their conclusion, and its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.errors import BudgetExceeded
from mineproof.proofs.cases import split
from mineproof.proofs.derivation import Drawn, Rule, draw
from mineproof.proofs.mines_left import count_mines_left
from mineproof.proofs.premises import Evidence, Premise
from mineproof.proofs.sentences import say_cases, say_chain, say_clue
from mineproof.proofs.techniques import Technique, pattern_of
from mineproof.proofs.words import Words, upper_first

__all__ = ["Argument", "argue"]


@dataclass(frozen=True)
class Argument:
    """A technique, its sentences, and the facts drawn on the way.

    A fact is its cells, the numbers of mines they may hold as a mask, and the places of the
    premises it rests on.
    """

    technique: Technique
    text: str
    facts: tuple[tuple[tuple[int, ...], int, tuple[int, ...]], ...] = ()


def argue(
    evidence: Evidence, premises: Sequence[Premise], target: int | None, mine: bool
) -> Argument:
    """Why these premises force a cell, or clash where there is no target."""
    clues = [premise for premise in premises if premise.clue is not None]
    words = Words(evidence)
    if len(clues) < len(premises):
        try:
            counted = count_mines_left(evidence, clues, target, mine)
        except BudgetExceeded:
            text = f"{_tried(words, len(premises), target, mine)}"
            return Argument(Technique.parse("mine count"), text)
        return Argument(
            Technique.parse("mine count"), " ".join(counted.sentences), _facts(counted.facts)
        )
    if len(clues) == 1 and target is not None:
        return Argument(
            Technique.parse("single clue"), f"{say_clue(words, clues[0], [target], mine)}."
        )
    facts = draw(clues, target)
    if facts is not None:
        text = " ".join(say_chain(words, clues, facts, target))
        return Argument(Technique.parse(_name(clues, target, mine)), text, _facts(facts))
    tree = split(clues, None if target is None else (target, not mine))
    if tree is None:
        return Argument(Technique.parse("case split"), _tried(words, len(clues), target, mine))
    lines = say_cases(words, clues, tree, None if target is None else (target, mine))
    return Argument(Technique.parse("case split"), "\n".join(lines))


def _name(clues: Sequence[Premise], target: int | None, mine: bool) -> str:
    if len(clues) == 1:
        return "single clue"
    if len(clues) == 2:
        return "two clues" if target is None else pattern_of(clues[0], clues[1], target, mine)
    return f"{len(clues)} clues"


def _tried(words: Words, premises: int, target: int | None, mine: bool) -> str:
    """For trees too large to print."""
    if target is None:
        return f"No way to place mines meets all {premises} premises: they clash."
    so = words.are([target], mine)
    return upper_first(f"in every way to meet these {premises} premises {so}.")


def _facts(
    facts: Sequence[Drawn],
) -> tuple[tuple[tuple[int, ...], int, tuple[int, ...]], ...]:
    """What was drawn besides the premises themselves, with the premises it rests on."""
    rests: list[frozenset[int]] = []
    kept = []
    for fact in facts:
        if fact.rule is Rule.PREMISE:
            rests.append(frozenset(fact.of))
            continue
        rests.append(frozenset().union(*(rests[place] for place in fact.of)))
        kept.append((tuple(sorted(fact.cells)), fact.counts, tuple(sorted(rests[-1]))))
    return tuple(kept)
