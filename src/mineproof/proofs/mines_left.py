"""Arguments that use the mine total: separate sets that need every mine, or every safe cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mineproof.proofs.derivation import Drawn, drawn_from, saturate
from mineproof.proofs.enumeration import possible_counts
from mineproof.proofs.premises import Evidence, Premise, counts_of
from mineproof.proofs.sentences import say_chain
from mineproof.proofs.words import Words, listed, mines_word, number_word, upper_first

__all__ = ["MinesLeft", "count_mines_left"]

_MOST_NODES = 3000
_MOST_TOLD = 8
"""Counts over more clues are told in one sentence."""


@dataclass(frozen=True)
class MinesLeft:
    """The sentences of a count, and the facts about clues that it adds up."""

    sentences: tuple[str, ...]
    facts: tuple[Drawn, ...] = ()


def count_mines_left(
    evidence: Evidence, clues: Sequence[Premise], target: int | None, mine: bool
) -> MinesLeft:
    """Why the total and these clues force a cell, or clash where there is no target."""
    words = Words(evidence)
    assert evidence.total is not None
    total = evidence.premises[evidence.total]
    left = upper_first(words.total_left())
    if not clues:
        return MinesLeft((_total_alone(words, total, target, mine),))
    if target is not None and len(clues) <= _MOST_TOLD:
        told = _packed(words, clues, total, target, mine)
        if told is not None:
            return told
    return MinesLeft((left + ".", _all_ways(words, clues, total, target, mine)))


def _total_alone(words: Words, total: Premise, target: int | None, mine: bool) -> str:
    left = upper_first(words.total_left())
    if target is None:
        return f"{left}: that clashes{' with what is open' if words.view.total is None else ''}."
    so = words.are([target], mine)
    if mine and words.view.total is not None:
        left = f"All {len(total.cells)} hidden cells are needed for the mines that are left"
    elif words.view.total is not None:
        left = "There is no mine at all" if not words.opened_mines(total) else "All mines are open"
    elif mine and words.view.density is None:
        left += " and no other hidden cell"
    return f"{left}, so {so}."


def _packed(
    words: Words, clues: Sequence[Premise], total: Premise, target: int, mine: bool
) -> MinesLeft | None:
    """Sets apart from each other and from the target that use up what is left."""
    facts = saturate(clues)
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
    sentences: list[str] = []
    simple = all(fact.rule.value == "premise" for fact in kept)
    if not simple:
        sentences += say_chain(words, clues, kept, None, ends)
    what = f"{number_word(goal)} safe cell{_s(goal)}" if mine else mines_word(goal)
    if simple:
        names = [words.premise(clues[kept[end].of[0]]) for end in ends]
        if len(names) == 1:
            sentences.append(f"{upper_first(names[0])} accounts for {what}.")
        else:
            sentences.append(
                f"{upper_first(listed(names))} speak of separate cells and account for {what}."
            )
    else:
        together = "That accounts" if len(ends) == 1 else "In separate cells these account"
        sentences.append(f"{together} for {what}.")
    so = words.are([target], mine)
    if mine:
        sentences.append(
            f"No more cells can be safe: {mines_word(total.low)} must fit into"
            f" {len(total.cells)} hidden cells, so {so}."
        )
    else:
        sentences.append(f"{upper_first(words.total_left())}, so every other cell is safe: {so}.")
    return MinesLeft(tuple(sentences), tuple(kept))


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


def _all_ways(
    words: Words, clues: Sequence[Premise], total: Premise, target: int | None, mine: bool
) -> str:
    """The numbers of mines that the clues can do with when the target is the other way."""
    cells = {cell for premise in clues for cell in premise.cells}
    if target is not None:
        cells.add(target)
    fixed = {} if target is None else {target: not mine}
    sums = [(premise.cells, premise.allowed) for premise in clues]
    ways = counts_of(possible_counts(sums, fixed, cells))
    room = len(total.cells) - len(cells)
    names = f"these {number_word(len(clues))} clues" if len(clues) > 1 else words.premise(clues[0])
    others = f"the {'' if room == 1 else f'{number_word(room)} '}other hidden cell{_s(room)}"
    least, most = ways[0], ways[-1]
    # Of one clue it is said in the third person, but not after `would`.
    verb = "s" if target is None and len(clues) == 1 else ""
    if target is not None and not mine and not any(target in premise.cells for premise in clues):
        names = f"it and {names}"
    if least > total.high:
        would = f"need{verb} at least {mines_word(least)}"
    elif most + room < total.low:
        names = f"the cells of {names}{f' and {others}' if room else ''}"
        would = f"have room for at most {mines_word(most + room)}"
    else:
        would = f"take{verb} {listed([number_word(way) for way in ways], 'or')} mines"
        would += f", and {others} at most {number_word(room)}" if room else ""
    if target is None:
        return f"But {names} {would}: that clashes."
    state = "safe" if mine else "a mine"
    so = words.are([target], mine)
    return f"If {words.cell(target)} were {state}, {names} would {would}, so {so}."


def _s(number: int) -> str:
    return "" if number == 1 else "s"
