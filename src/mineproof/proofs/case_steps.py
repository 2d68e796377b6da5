"""The steps of a proof by cases: what is supposed, what follows, and where it breaks."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.proofs.cases import Assumption, Branch
from mineproof.proofs.numbers import plural, upper_first
from mineproof.proofs.premises import Premise
from mineproof.proofs.steps import Conclusion, ProofStep, StepKind, decided
from mineproof.proofs.words import Words

__all__ = ["case_steps"]


def case_steps(
    words: Words, premises: Sequence[Premise], tree: Branch, target: tuple[int, bool] | None
) -> list[ProofStep]:
    """The steps of a tree of cases, and the one that all its contradictions lead to."""
    told = _Cases(words, premises)
    told.branch(tree, (), {}, StepKind.SUPPOSITION)
    return [*told.steps, told.end(target)]


class _Cases:
    """The steps told so far; a branch is told before its cases."""

    def __init__(self, words: Words, premises: Sequence[Premise]) -> None:
        self.words, self.premises = words, premises
        self.steps: list[ProofStep] = []

    def branch(
        self, branch: Branch, under: tuple[int, ...], known: dict[int, int], kind: StepKind
    ) -> None:
        """Tell a branch; `known` has the numbers of the steps that settled cells before it."""
        known = dict(known)
        if branch.assumed is not None:
            cell, mine = branch.assumed
            self.steps.append(self._supposition(cell, mine, under, kind))
            known[cell] = len(self.steps)
            under = (*under, len(self.steps))
        for move in branch.moves:
            self.steps.append(self._move(move, under, known))
            known.update(dict.fromkeys(move.cells, len(self.steps)))
        if branch.broken is not None:
            premise = self.premises[branch.broken]
            sentence = f"Then {self.words.premise(premise)} cannot be met."
            self.steps.append(
                self._follows(premise, sentence, under, known, Conclusion(premise.cells, ()))
            )
        for side in branch.branches:
            self.branch(side, under, known, StepKind.CASE)

    def end(self, target: tuple[int, bool] | None) -> ProofStep:
        broken = tuple(n for n, step in enumerate(self.steps, 1) if step.contradicts)
        if target is None:
            sentence = "No case is left: these premises clash."
            return ProofStep(sentence, rests_on=broken, conclusions=(Conclusion((), ()),))
        cell, mine = target
        return ProofStep(
            f"So {self.words.are([cell], mine)}.",
            rests_on=broken,
            cells=(cell,),
            conclusions=(decided([cell], mine),),
        )

    def _supposition(
        self, cell: int, mine: bool, under: tuple[int, ...], kind: StepKind
    ) -> ProofStep:
        name, state = self.words.cell(cell), "a mine" if mine else "safe"
        case = kind is StepKind.CASE
        return ProofStep(
            f"If {name} is {state}:" if case else f"Suppose {name} were {state}.",
            under=under,
            kind=kind,
            cells=(cell,),
            conclusions=(decided([cell], mine),),
        )

    def _move(self, move: Assumption, under: tuple[int, ...], known: dict[int, int]) -> ProofStep:
        words, premise = self.words, self.premises[move.premise]
        name = upper_first(words.premise(premise))
        if move.mine:
            what = "a mine" if len(move.cells) == 1 else "mines"
            sentence = f"{name} needs {what} in {words.cells(move.cells)}."
        else:
            has = f"has its mine{plural(premise.high)}" if premise.high else "has no mine"
            sentence = f"{name} {has}, so {words.are(move.cells, move.mine)}."
        return self._follows(premise, sentence, under, known, decided(move.cells, move.mine))

    def _follows(
        self,
        premise: Premise,
        sentence: str,
        under: tuple[int, ...],
        known: dict[int, int],
        conclusion: Conclusion,
    ) -> ProofStep:
        """What one premise says where some of its cells are settled."""
        assert premise.clue is not None
        return ProofStep(
            sentence,
            clues=(premise.clue,),
            rests_on=tuple(sorted({known[cell] for cell in premise.cells if cell in known})),
            under=under,
            cells=premise.cells,
            conclusions=(conclusion,),
        )
