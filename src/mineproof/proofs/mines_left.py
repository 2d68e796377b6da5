"""The steps of arguments that use the mine total.

Sets of separate cells may need every mine there is, or every safe cell; else all ways to meet the
clues are counted.
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.proofs.derivation import Drawn, Rule, drawn_from, saturate
from mineproof.proofs.derivation_steps import derivation_steps
from mineproof.proofs.enumeration import possible_counts
from mineproof.proofs.numbers import listed, mines_word, number_word, plural, upper_first
from mineproof.proofs.premises import Premise, counts_of
from mineproof.proofs.regions import untouched
from mineproof.proofs.steps import Conclusion, ProofStep, decided
from mineproof.proofs.words import Words

__all__ = ["count_mines_left"]

_MOST_NODES = 3000
_MOST_TOLD = 8
"""Counts over more clues are told in one sentence."""


def count_mines_left(
    words: Words, clues: Sequence[Premise], target: int | None, mine: bool
) -> list[ProofStep]:
    """Why the total and these clues force a cell, or clash where there is no target.

    Raises BudgetExceeded where there are too many ways to count.
    """
    evidence = words.evidence
    assert evidence.total is not None
    count = _Count(words, evidence.premises[evidence.total], clues, target, mine)
    if not clues:
        return [count.total_alone()]
    if target is not None and len(clues) <= _MOST_TOLD:
        told = count.packed(target)
        if told is not None:
            return told
    return [count.told(), count.all_ways()]


class _Count:
    def __init__(
        self,
        words: Words,
        total: Premise,
        clues: Sequence[Premise],
        target: int | None,
        mine: bool,
    ) -> None:
        self.words, self.total, self.clues = words, total, clues
        self.target, self.mine = target, mine

    @property
    def claim(self) -> Conclusion:
        if self.target is None:
            return Conclusion((), ())
        return decided([self.target], self.mine)

    def told(self) -> ProofStep:
        """What is told of the number of mines."""
        return ProofStep(
            f"{upper_first(self.words.total_left())}.",
            uses_total=True,
            cells=self.total.cells,
            conclusions=(Conclusion(self.total.cells, counts_of(self.total.allowed)),),
        )

    def total_alone(self) -> ProofStep:
        words, view = self.words, self.words.view
        left = upper_first(words.total_left())
        if self.target is None:
            sentence = f"{left}: that clashes{' with what is open' if view.total is None else ''}."
        else:
            if self.mine and view.total is not None:
                size = len(self.total.cells)
                left = f"All {size} hidden cells are needed for the mines that are left"
            elif view.total is not None:
                opened = words.opened_mines(self.total)
                left = "All mines are open" if opened else "There is no mine at all"
            elif self.mine and view.density is None:
                left += " and no other hidden cell"
            sentence = f"{left}, so {words.are([self.target], self.mine)}."
        return ProofStep(
            sentence, uses_total=True, cells=self.total.cells, conclusions=(self.claim,)
        )

    # -- sets that need every mine, or every safe cell -------------------------------------------

    def packed(self, target: int) -> list[ProofStep] | None:
        """Sets apart from each other and from the target that use up what is left."""
        total, mine = self.total, self.mine
        facts = saturate(self.clues)
        goal = len(total.cells) - total.low if mine else total.high

        def worth(fact: Drawn) -> int:
            if mine:
                return len(fact.cells) - (fact.counts.bit_length() - 1)
            return (fact.counts & -fact.counts).bit_length() - 1

        useful = [
            (worth(fact), place)
            for place, fact in enumerate(facts)
            if fact.counts and target not in fact.cells and worth(fact) > 0
        ]
        useful.sort(key=lambda one: (-one[0] / len(facts[one[1]].cells), one[1]))
        chosen = _pack(facts, useful, goal)
        if chosen is None:
            return None
        kept, ends = drawn_from(facts, sorted(chosen))
        steps = self._accounted(kept, ends, goal)
        return [*steps, self._nothing_left(target, steps)]

    def _accounted(self, kept: list[Drawn], ends: list[int], goal: int) -> list[ProofStep]:
        """The sets, and how many mines or safe cells they hold together."""
        words = self.words
        cells = tuple(sorted(frozenset[int]().union(*(kept[end].cells for end in ends))))
        size = len(cells)
        held = range(size - goal + 1) if self.mine else range(goal, size + 1)
        what = f"{number_word(goal)} safe cell{plural(goal)}" if self.mine else mines_word(goal)
        conclusions = (Conclusion(cells, tuple(held)),)
        if all(fact.rule is Rule.PREMISE for fact in kept):
            used = [self.clues[kept[end].of[0]] for end in ends]
            names = [words.premise(premise) for premise in used]
            together = "accounts" if len(names) == 1 else "speak of separate cells and account"
            sentence = f"{upper_first(listed(names))} {together} for {what}."
            clues = sorted(premise.clue for premise in used if premise.clue is not None)
            return [ProofStep(sentence, clues=tuple(clues), cells=cells, conclusions=conclusions)]
        steps, numbers = derivation_steps(words, self.clues, kept, None, ends)
        together = "That accounts" if len(ends) == 1 else "In separate cells these account"
        return [
            *steps,
            ProofStep(
                f"{together} for {what}.",
                rests_on=tuple(sorted(numbers)),
                cells=cells,
                conclusions=conclusions,
            ),
        ]

    def _nothing_left(self, target: int, steps: Sequence[ProofStep]) -> ProofStep:
        """That the cells outside of the sets are all safe, or all mines."""
        words, total = self.words, self.total
        others = set(total.cells).difference(steps[-1].cells)
        so = words.are([target], self.mine)
        if self.mine:
            sentence = (
                f"No more cells can be safe: {mines_word(total.low)} must fit into"
                f" {len(total.cells)} hidden cells, so {so}."
            )
        else:
            left = upper_first(words.total_left())
            every = words.mentioned.note("every other cell", others)
            sentence = f"{left}, so {every} is safe: {so}."
        return ProofStep(
            sentence,
            uses_total=True,
            rests_on=(len(steps),),
            cells=total.cells,
            conclusions=(decided(others, self.mine),),
        )

    # -- all ways ------------------------------------------------------------------------------

    def all_ways(self) -> ProofStep:
        """The numbers of mines that the clues can do with when the target is the other way."""
        words, total, target, mine = self.words, self.total, self.target, self.mine
        spoken = {cell for premise in self.clues for cell in premise.cells}
        cells = spoken if target is None else spoken | {target}
        fixed = {} if target is None else {target: not mine}
        sums = [(premise.cells, premise.allowed) for premise in self.clues]
        ways = counts_of(possible_counts(sums, fixed, cells))
        others = set(total.cells) - cells
        room = len(others)
        several = len(self.clues) > 1
        names = words.premise(self.clues[0])
        if several:
            clued = [premise.clue for premise in self.clues if premise.clue is not None]
            names = words.mentioned.note(f"these {number_word(len(clued))} clues", clued)
        least, most = ways[0], ways[-1]
        # Of one clue it is said in the third person, but not after `would`.
        verb = "s" if target is None and not several else ""
        if target is not None and not mine and target not in spoken:
            names = f"it and {names}"
        if least > total.high:
            would = f"need{verb} at least {mines_word(least)}"
        elif most + room < total.low:
            names = f"the cells of {names}{f' and {self._rest(others)}' if room else ''}"
            would = f"have room for at most {mines_word(most + room)}"
        else:
            would = f"take{verb} {listed([number_word(way) for way in ways], 'or')} mines"
            would += f", and {self._rest(others)} at most {number_word(room)}" if room else ""
        if target is None:
            sentence = f"But {names} {would}: that clashes."
        else:
            state = "safe" if mine else "a mine"
            so = words.are([target], mine)
            sentence = f"If {words.cell(target)} were {state}, {names} would {would}, so {so}."
        clues = sorted(premise.clue for premise in self.clues if premise.clue is not None)
        return ProofStep(
            sentence,
            clues=tuple(clues),
            rests_on=(1,),
            cells=tuple(sorted(cells)),
            conclusions=(self.claim,),
        )

    def _rest(self, others: set[int]) -> str:
        """`the other hidden cell`, `the 21 cells that no clue touches`."""
        many = number_word(len(others))
        if len(others) == 1:
            phrase = "the other hidden cell"
        elif len(others) > 2 and others == untouched(self.words.view):
            phrase = f"the {many} cells that no clue touches"
        else:
            phrase = f"the {many} other hidden cells"
        return self.words.mentioned.note(phrase, others)


def _pack(facts: Sequence[Drawn], useful: Sequence[tuple[int, int]], goal: int) -> list[int] | None:
    """Facts about separate cells whose worth reaches the goal."""
    nodes = 0

    def descend(start: int, taken: frozenset[int], worth: int) -> list[int] | None:
        nonlocal nodes
        if worth >= goal:
            return []
        nodes += 1
        if nodes > _MOST_NODES:
            return None
        for index in range(start, len(useful)):
            gain, place = useful[index]
            if not facts[place].cells & taken:
                found = descend(index + 1, taken | facts[place].cells, worth + gain)
                if found is not None:
                    return [place, *found]
        return None

    return descend(0, frozenset(), 0)
