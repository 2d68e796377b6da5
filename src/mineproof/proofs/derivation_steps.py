"""The steps of a derivation: facts drawn from premises, in a player's words."""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.proofs.derivation import Drawn, Rule
from mineproof.proofs.numbers import number_word, plural, upper_first
from mineproof.proofs.premises import Premise, counts_of
from mineproof.proofs.steps import Conclusion, ProofStep, decided
from mineproof.proofs.words import Words

__all__ = ["clue_step", "derivation_steps"]


def clue_step(words: Words, premise: Premise, cells: Sequence[int], mine: bool) -> ProofStep:
    """One clue that decides cells of its own."""
    assert premise.clue is not None
    return ProofStep(
        f"{_say_clue(words, premise, cells, mine)}.",
        clues=(premise.clue,),
        cells=premise.cells,
        conclusions=(decided(cells, mine),),
    )


def _say_clue(words: Words, premise: Premise, cells: Sequence[int], mine: bool) -> str:
    name = upper_first(words.premise(premise))
    size, opened = len(premise.cells), words.opened_mines(premise)
    so = words.are(cells, mine)
    if premise.low != premise.high or words.view.rules.clues != "exact":
        allowed = words.amount(premise.allowed, size)
        where = words.among(premise.cells, premise.allowed, words.room_beside(cells))
        return f"{name} leaves {allowed} {where}, so {so}"
    if not mine:
        if not opened:
            return f"{name} has no mine around it, so {so}"
        found = "its mine" if opened == 1 else f"{_all_its(opened)}"
        return f"{name} has {found} open beside it, so {so}"
    besides = (
        f" besides {'an' if opened == 1 else number_word(opened)} opened mine{plural(opened)}"
        if opened
        else ""
    )
    only = words.cells(premise.cells) if size <= 3 else f"{number_word(size)} hidden cells"
    return f"{name} touches only {only}{besides}, so {so}"


def _all_its(mines: int) -> str:
    """`its mine`, `both its mines`, `all three of its mines`."""
    if mines == 1:
        return "its mine"
    return "both its mines" if mines == 2 else f"all {number_word(mines)} of its mines"


def derivation_steps(
    words: Words,
    premises: Sequence[Premise],
    facts: Sequence[Drawn],
    target: int | None,
    ends: Sequence[int] = (),
) -> tuple[list[ProofStep], list[int]]:
    """The steps of some facts, and the numbers of those that tell the `ends`.

    The last fact decides the target, or cannot be met. `ends` are the places of facts that are
    wanted for themselves.
    """
    told = _Derived(words, premises, facts, target, ends)
    return told.steps(), [told.numbers[end] for end in ends]


class _Derived:
    """Facts in order, and which of them have a step of their own."""

    def __init__(
        self,
        words: Words,
        premises: Sequence[Premise],
        facts: Sequence[Drawn],
        target: int | None,
        ends: Sequence[int],
    ) -> None:
        self.words, self.premises, self.facts = words, premises, facts
        self.ends = frozenset(ends)
        self.numbers: dict[int, int] = {}
        """The numbers of the steps that tell facts, by the places of the facts, in order."""
        self.wanted: list[set[int]] = [set() for _ in facts]
        """The cells of each fact that matter later on."""
        if facts:
            last = facts[-1]
            self.wanted[-1] = {target} if target is not None else set(last.cells)
        for end in ends:
            self.wanted[end] = set(facts[end].cells)
        for fact in facts:
            if fact.rule is Rule.PREMISE:
                continue
            whole = facts[fact.of[0]]
            for place in fact.of:
                source = facts[place]
                if source.decides is None or source is whole:
                    self.wanted[place] |= source.cells
                elif fact.rule is Rule.REST:
                    self.wanted[place] |= source.cells & whole.cells
                else:
                    self.wanted[place] |= source.cells & fact.cells

    def steps(self) -> list[ProofStep]:
        found: list[ProofStep] = []
        last = len(self.facts) - 1
        for place, fact in enumerate(self.facts):
            if place == last or not self._is_told_later(place):
                found.append(self._step(place, fact))
                self.numbers[place] = len(found)
        return found

    def _step(self, place: int, fact: Drawn) -> ProofStep:
        sources = self._sources(place)
        clues = {premise.clue for premise in sources.values() if premise is not None}
        # Of what was decided before, only what lies in the sets at hand matters here.
        spoken = [
            s for s, told in sources.items() if told is not None or self.facts[s].decides is None
        ]
        cells = fact.cells.union(*(self.facts[source].cells for source in spoken))
        mine = fact.decides
        conclusion = (
            Conclusion(tuple(sorted(fact.cells)), counts_of(fact.counts))
            if mine is None
            else decided(self.wanted[place] or fact.cells, mine)
        )
        return ProofStep(
            self._sentence(place, fact),
            clues=tuple(sorted(clue for clue in clues if clue is not None)),
            rests_on=tuple(sorted(self.numbers[s] for s, told in sources.items() if told is None)),
            cells=tuple(sorted(cells)),
            conclusions=(conclusion,),
        )

    def _sources(self, place: int) -> dict[int, Premise | None]:
        """The premises and the facts told before that a fact is drawn from; None for the latter."""
        found: dict[int, Premise | None] = {}
        fact = self.facts[place]
        if fact.rule is Rule.PREMISE:
            return {place: self.premises[fact.of[0]]}
        for source in fact.of:
            if source in self.numbers:
                found[source] = None
            else:
                found.update(self._sources(source))
        return found

    def _is_told_later(self, place: int) -> bool:
        """Whether a set needs no sentence: where it is used, its clue is named again."""
        fact = self.facts[place]
        if place in self.ends:
            return False
        if fact.decides is not None or fact.rule not in (Rule.PREMISE, Rule.REST):
            return False
        uses = [later for later in self.facts[place + 1 :] if _uses(later, place)]
        if fact.rule is Rule.REST and len(uses) != 1:
            return False
        return all(
            later.rule is Rule.PART or (later.rule is Rule.REST and later.of[0] == place)
            for later in uses
        )

    def _whole(self, place: int) -> tuple[int, list[int]]:
        """The fact at the root of sets left over from it, and what was taken out on the way."""
        taken: list[int] = []
        begin = place
        while True:
            fact = self.facts[place]
            told = place != begin and not self._is_told_later(place)
            if told or fact.rule not in (Rule.REST, Rule.PART):
                return place, taken
            taken = [*fact.of[1:], *taken]
            place = fact.of[0]

    def _adjacent(self, places: Sequence[int]) -> bool:
        """Whether the last sentences told exactly these facts."""
        wanted = set(places)
        told = list(self.numbers)
        return set(told[-len(wanted) :]) == wanted if wanted else False

    def _sentence(self, place: int, fact: Drawn) -> str:
        words = self.words
        if not fact.counts:
            return self._broken(place, fact)
        mine = fact.decides
        wanted = sorted(self.wanted[place] or fact.cells)
        amount = words.amount(fact.counts, len(fact.cells))
        where = words.among(fact.cells, fact.counts)
        if fact.rule is Rule.PREMISE:
            premise = self.premises[fact.of[0]]
            if mine is not None:
                return f"{_say_clue(words, premise, wanted, mine)}."
            return f"{upper_first(words.premise(premise))} puts {amount} {where}."
        if fact.rule is Rule.BOTH:
            if mine is not None:
                return f"Together that leaves one way: {words.are(wanted, mine)}."
            return f"Together: {amount} {where}."
        if mine is not None and fact.rule is Rule.REST:
            return self._rest(place, fact, wanted)
        root, taken = self._whole(place)
        name = self._name_of(root)
        if mine is not None:
            return f"For {name} that means: {words.are(wanted, mine)}."
        if not taken and self.facts[root].rule is Rule.PREMISE:
            return f"{upper_first(name)} puts {amount} {where}."
        if self._adjacent(taken):
            return f"That leaves {name} {amount} {where}."
        return f"{upper_first(name)} is left with {amount} {where}."

    def _rest(self, place: int, fact: Drawn, wanted: list[int]) -> str:
        words = self.words
        root, taken = self._whole(place)
        whole = self.facts[root]
        name = upper_first(self._name_of(root))
        so = words.are(wanted, bool(fact.decides))
        known = [self.facts[t] for t in taken]
        held = whole.cells.intersection({cell for one in known for cell in one.cells})
        there = "there"
        if not self._adjacent(taken):
            there = words.among(held, 1 << min(len(held), 2), words.room_beside(wanted))
        mines = whole.counts.bit_length() - 1
        if self.words.view.rules.clues != "exact":
            # An unreliable clue has no single number of mines.
            these = "these" if there == "there" else f"those {there}"
            if fact.decides:
                return f"{name} needs more mines than {these} can be, so {so}."
            return f"{name} allows no more mines than {these}, so {so}."
        if not fact.decides:
            if mines == 0:
                return f"{name} has no mine left, so {so}."
            return f"{name} has {self._its_mines(root)} {there}, so {so}."
        if all(one.decides is False for one in known):
            size = len(fact.cells)
            only = words.cells(fact.cells) if size <= 3 else f"{number_word(size)} cells"
            need = "its mine" if mines == 1 else f"its {number_word(mines)} mines"
            if self._its_mines(root).startswith("the"):
                need = "the rest of its mines"
            return f"{name} has only {only} left for {need}, so {so}."
        return f"{name} finds {self._held(known, whole)} of its mines {there}, so {so}."

    def _its_mines(self, root: int) -> str:
        """`both its mines`, or `the rest of its mines` where some are open or told already."""
        whole = self.facts[root]
        if whole.rule is Rule.PREMISE and not self.words.opened_mines(self.premises[whole.of[0]]):
            return _all_its(whole.counts.bit_length() - 1)
        return "the rest of its mines"

    def _held(self, known: Sequence[Drawn], whole: Drawn) -> str:
        total = 0
        exact = True
        for one in known:
            if one.decides is not None:
                total += bool(one.decides) * len(one.cells & whole.cells)
            else:
                total += one.counts.bit_length() - 1
                exact = exact and one.counts.bit_count() == 1
        return f"{'' if exact else 'at most '}{number_word(total) if total else 'none'}"

    def _name_of(self, place: int) -> str:
        fact = self.facts[place]
        while fact.rule in (Rule.REST, Rule.PART):
            fact = self.facts[fact.of[0]]
        if fact.rule is Rule.PREMISE:
            return self.words.premise(self.premises[fact.of[0]])
        return f"the set {self.words.cells(fact.cells, 3)}"

    def _broken(self, place: int, fact: Drawn) -> str:
        words = self.words
        if fact.rule is Rule.PREMISE:
            premise = self.premises[fact.of[0]]
            return f"{upper_first(words.premise(premise))} cannot be met by the cells around it."
        if fact.rule is Rule.BOTH:
            return f"Both cannot hold for {words.cells(fact.cells)}: these premises clash."
        name = self._name_of(place)
        return f"Then {name} cannot be met: these premises clash."


def _uses(fact: Drawn, place: int) -> bool:
    return fact.rule is not Rule.PREMISE and place in fact.of
