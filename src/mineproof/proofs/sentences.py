"""The argument of a proof in a player's words: its technique, and a sentence for every step.

`argue` takes the simplest method that works (see `mineproof.proofs.techniques`). A single
clue, a derivation, cases and the mine total have a section each, and `PhraseBook` says what
premises and cells are called.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from mineproof.board.topology import Topology
from mineproof.errors import BudgetExceeded
from mineproof.proofs.derivation import (
    CaseBranch,
    DerivationRule,
    DerivedFact,
    ForcedMove,
    draw,
    facts_behind,
    saturate,
    split,
)
from mineproof.proofs.enumeration import possible_counts
from mineproof.proofs.premises import Evidence, Premise, counts_of
from mineproof.proofs.proof import (
    Conclusion,
    MentionIndex,
    ProofStep,
    StepKind,
    certain_conclusion,
    claim_conclusion,
)
from mineproof.proofs.techniques import Technique, pattern_name
from mineproof.text import join_words, mines_word, number_word, plural, upper_first
from mineproof.view.channels import Mark
from mineproof.view.view import View


def clue_step(words: PhraseBook, premise: Premise, cells: Sequence[int], mine: bool) -> ProofStep:
    """One clue that decides cells of its own."""
    assert premise.clue is not None
    return ProofStep(
        f"{_clue_sentence(words, premise, cells, mine)}.",
        clues=(premise.clue,),
        cells=premise.cells,
        conclusions=(certain_conclusion(cells, mine),),
    )


def _clue_sentence(words: PhraseBook, premise: Premise, cells: Sequence[int], mine: bool) -> str:
    if words.is_rule(premise):
        return f"By the rule of the first click {words.are(premise.cells, False)}"
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
    words: PhraseBook,
    premises: Sequence[Premise],
    facts: Sequence[DerivedFact],
    target: int | None,
    ends: Sequence[int] = (),
) -> tuple[list[ProofStep], list[int]]:
    """Steps for `facts`, and the numbers of those that state `ends`.

    The last fact decides the target, or cannot be met. `ends` are the places of facts that the
    caller rests on.
    """
    told = _DerivationSteps(words, premises, facts, target, ends)
    return told.steps(), [told.numbers[end] for end in ends]


class _DerivationSteps:
    """Words facts in order, and decides which of them get a step of their own."""

    def __init__(
        self,
        words: PhraseBook,
        premises: Sequence[Premise],
        facts: Sequence[DerivedFact],
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
            if fact.rule is DerivationRule.PREMISE:
                continue
            whole = facts[fact.of[0]]
            for place in fact.of:
                source = facts[place]
                if source.decides is None or source is whole:
                    self.wanted[place] |= source.cells
                elif fact.rule is DerivationRule.REST:
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

    def _step(self, place: int, fact: DerivedFact) -> ProofStep:
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
            else certain_conclusion(self.wanted[place] or fact.cells, mine)
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
        if fact.rule is DerivationRule.PREMISE:
            return {place: self.premises[fact.of[0]]}
        for source in fact.of:
            if source in self.numbers:
                found[source] = None
            else:
                found.update(self._sources(source))
        return found

    def _is_told_later(self, place: int) -> bool:
        """Whether a fact needs no step: where it is used, its clue is named again."""
        fact = self.facts[place]
        if place in self.ends:
            return False
        if fact.decides is not None or fact.rule not in (
            DerivationRule.PREMISE,
            DerivationRule.REST,
        ):
            return False
        uses = [
            later
            for later in self.facts[place + 1 :]
            if later.rule is not DerivationRule.PREMISE and place in later.of
        ]
        if fact.rule is DerivationRule.REST and len(uses) != 1:
            return False
        return all(
            later.rule is DerivationRule.PART
            or (later.rule is DerivationRule.REST and later.of[0] == place)
            for later in uses
        )

    def _whole(self, place: int) -> tuple[int, list[int]]:
        """The fact at the root of sets left over from it, and what was taken out on the way."""
        taken: list[int] = []
        begin = place
        while True:
            fact = self.facts[place]
            told = place != begin and not self._is_told_later(place)
            if told or fact.rule not in (DerivationRule.REST, DerivationRule.PART):
                return place, taken
            taken = [*fact.of[1:], *taken]
            place = fact.of[0]

    def _adjacent(self, places: Sequence[int]) -> bool:
        """Whether the last steps state exactly these facts, so that `there` refers to them."""
        wanted = set(places)
        told = list(self.numbers)
        return set(told[-len(wanted) :]) == wanted if wanted else False

    def _sentence(self, place: int, fact: DerivedFact) -> str:
        words = self.words
        if not fact.counts:
            return self._broken(place, fact)
        mine = fact.decides
        wanted = sorted(self.wanted[place] or fact.cells)
        amount = words.amount(fact.counts, len(fact.cells))
        where = words.among(fact.cells, fact.counts)
        if fact.rule is DerivationRule.PREMISE:
            premise = self.premises[fact.of[0]]
            if mine is not None:
                return f"{_clue_sentence(words, premise, wanted, mine)}."
            return f"{upper_first(words.premise(premise))} puts {amount} {where}."
        if fact.rule is DerivationRule.BOTH:
            if mine is not None:
                return f"Together that leaves one way: {words.are(wanted, mine)}."
            return f"Together: {amount} {where}."
        if mine is not None and fact.rule is DerivationRule.REST:
            return self._rest(place, fact, wanted)
        root, taken = self._whole(place)
        name = self._name_of(root)
        if mine is not None:
            return f"For {name} that means: {words.are(wanted, mine)}."
        if not taken and self.facts[root].rule is DerivationRule.PREMISE:
            return f"{upper_first(name)} puts {amount} {where}."
        if self._adjacent(taken):
            return f"That leaves {name} {amount} {where}."
        return f"{upper_first(name)} is left with {amount} {where}."

    def _rest(self, place: int, fact: DerivedFact, wanted: list[int]) -> str:
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
        return f"{name} finds {self._count_text(known, whole)} of its mines {there}, so {so}."

    def _its_mines(self, root: int) -> str:
        """`both its mines`, or `the rest of its mines` where some are open or told already."""
        whole = self.facts[root]
        if whole.rule is DerivationRule.PREMISE and not self.words.opened_mines(
            self.premises[whole.of[0]]
        ):
            return _all_its(whole.counts.bit_length() - 1)
        return "the rest of its mines"

    def _count_text(self, known: Sequence[DerivedFact], whole: DerivedFact) -> str:
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
        while fact.rule in (DerivationRule.REST, DerivationRule.PART):
            fact = self.facts[fact.of[0]]
        if fact.rule is DerivationRule.PREMISE:
            return self.words.premise(self.premises[fact.of[0]])
        return f"the set {self.words.cells(fact.cells, 3)}"

    def _broken(self, place: int, fact: DerivedFact) -> str:
        words = self.words
        if fact.rule is DerivationRule.PREMISE:
            premise = self.premises[fact.of[0]]
            return f"{upper_first(words.premise(premise))} cannot be met by the cells around it."
        if fact.rule is DerivationRule.BOTH:
            return f"Both cannot hold for {words.cells(fact.cells)}: these premises clash."
        name = self._name_of(place)
        return f"Then {name} cannot be met: these premises clash."


# -- The steps of a proof by cases: what is supposed, what follows, and where it breaks --


def case_steps(
    words: PhraseBook,
    premises: Sequence[Premise],
    tree: CaseBranch,
    target: tuple[int, bool] | None,
) -> list[ProofStep]:
    """The steps of a tree of cases, and the one that all its contradictions lead to."""
    told = _CaseSteps(words, premises)
    told.branch(tree, (), {}, StepKind.SUPPOSITION)
    return [*told.steps, told.end(target)]


class _CaseSteps:
    """The steps told so far; a branch is told before its cases."""

    def __init__(self, words: PhraseBook, premises: Sequence[Premise]) -> None:
        self.words, self.premises = words, premises
        self.steps: list[ProofStep] = []

    def branch(
        self, branch: CaseBranch, under: tuple[int, ...], known: dict[int, int], kind: StepKind
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
            conclusions=(certain_conclusion([cell], mine),),
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
            conclusions=(certain_conclusion([cell], mine),),
        )

    def _move(self, move: ForcedMove, under: tuple[int, ...], known: dict[int, int]) -> ProofStep:
        words, premise = self.words, self.premises[move.premise]
        name = upper_first(words.premise(premise))
        if move.mine:
            what = "a mine" if len(move.cells) == 1 else "mines"
            sentence = f"{name} needs {what} in {words.cells(move.cells)}."
        else:
            has = f"has its mine{plural(premise.high)}" if premise.high else "has no mine"
            sentence = f"{name} {has}, so {words.are(move.cells, move.mine)}."
        return self._follows(
            premise, sentence, under, known, certain_conclusion(move.cells, move.mine)
        )

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


# -- What sentences call premises and cells: every noun phrase of a proof is made here --

_MOST_NAMED = 6
"""Sets of more cells are called by a region."""
_MOST_IN_ALL = 7
"""What a sentence may name besides its clue, where it names two sets."""


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


class PhraseBook:
    """Names the premises and cells of a view, and notes which cells each phrase means."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.view = evidence.view
        self.topology = evidence.topology
        self.mentioned = MentionIndex()

    def with_mentions(self, step: ProofStep) -> ProofStep:
        """A step with the phrases of its sentence that speak of cells."""
        spoken = (*step.cells, *step.clues)
        return replace(step, mentions=self.mentioned.within(step.sentence, spoken))

    def cell(self, cell: int) -> str:
        return self.mentioned.note(self.topology.cell_name(cell), [cell])

    def cells(self, cells: Collection[int], most: int = _MOST_NAMED) -> str:
        """Cells by name: `0,1`, `0,1 and 0,2`, `0,1 0,2 and 0,3`; names hold commas already.

        More than `most` are called by a region.
        """
        if len(cells) > most:
            return self.mentioned.note(region_phrase(self.view, cells), cells)
        names = [self.cell(cell) for cell in sorted(cells)]
        if len(names) < 2:
            return "".join(names)
        return self.mentioned.note(f"{' '.join(names[:-1])} and {names[-1]}", cells)

    def room_beside(self, cells: Collection[int]) -> int:
        """How many cells a sentence may name that names these too."""
        return _MOST_IN_ALL - (len(cells) if len(cells) <= _MOST_NAMED else 0)

    def among(self, cells: Collection[int], counts: int = 2, most: int = _MOST_NAMED) -> str:
        """`in 0,1`, `in 0,1 or 0,2` where one mine at most is there, `among 0,1 0,2 and 0,3`."""
        if len(cells) == 1:
            return f"in {self.cells(cells)}"
        if counts.bit_length() <= 2 and len(cells) <= min(3, most):
            either = " or ".join(self.cell(cell) for cell in sorted(cells))
            return f"in {self.mentioned.note(either, cells)}"
        return f"among {self.cells(cells, most)}"

    def are(self, cells: Collection[int], mine: bool) -> str:
        """`0,1 is a mine`, `0,1 and 0,2 are safe`."""
        if len(cells) == 1:
            return f"{self.cells(cells)} is {'a mine' if mine else 'safe'}"
        return f"{self.cells(cells)} are {'mines' if mine else 'safe'}"

    def amount(self, counts: int, size: int) -> str:
        """`one mine`, `at most one mine`, `one or two mines` for a mask over so many cells."""
        numbers = counts_of(counts)
        low, high = numbers[0], numbers[-1]
        if low == high:
            return mines_word(low)
        if len(numbers) == high - low + 1:
            if low == 0:
                return f"at most {mines_word(high)}"
            if high == size:
                return f"at least {mines_word(low)}"
            if len(numbers) > 2:
                return f"{number_word(low)} to {mines_word(high)}"
        return f"{join_words([number_word(n) for n in numbers[:-1]], 'or')} or {mines_word(high)}"

    def premise(self, premise: Premise) -> str:
        """`the 2 at 1,1`, or how the mine total is called."""
        if premise.clue is None:
            return "the mine count"
        if self.is_rule(premise):
            name = f"the rule of the first click at {self.cell(premise.clue)}"
            return self.mentioned.note(name, [premise.clue])
        shown = self.view[premise.clue]
        what = "open cell" if isinstance(shown, Mark) else str(shown)
        name = f"the {what} at {self.cell(premise.clue)}"
        return self.mentioned.note(name, [premise.clue])

    def is_rule(self, premise: Premise) -> bool:
        """Whether it is a hidden cell that the rules keep free."""
        return premise.clue is not None and self.view.is_hidden(premise.clue)

    def opened_mines(self, premise: Premise) -> int:
        """The opened mines beside a clue."""
        if premise.clue is None:
            return len(self.view.opened_mines)
        near = self.topology.neighbours(premise.clue)
        return sum(self.view[cell] is Mark.MINE for cell in near)

    def total_left(self) -> str:
        """`there are three mines in all`, and the like where the number is not told."""
        view, evidence = self.view, self.evidence
        assert evidence.total is not None
        premise = evidence.premises[evidence.total]
        if view.total is None:
            if view.drawn < view.rules.given.drawn(len(view)):
                return "every safe cell was given"
            if view.density is None:
                return "there is at least one mine"
            return "no cell has a mine" if view.density == 0 else "every cell has a mine"
        opened = self.opened_mines(premise)
        if not premise.allowed:
            if view.total < opened:
                return (
                    f"{mines_word(opened)} {_are(opened)} open, of {number_word(view.total)} in all"
                )
            room = len(premise.cells)
            cells = f"{number_word(room)} hidden cell{plural(room)}"
            return f"{mines_word(view.total - opened)} must fit into {cells}"
        left = premise.low
        besides = " besides those that are open" if opened else " in all"
        return f"there {_are(left)} {mines_word(left)}{besides}"


# ----------------------------------------------------------------------------
# What a sentence calls a set of cells that are too many to name one by one.
#
# Every description is true on any graph. Rows, columns and edges are only spoken of where cells
# have such coordinates, and edges only where the board does not close behind them.

_MOST_CLUES = 3
_EDGES = (("top edge", "bottom edge"), ("left edge", "right edge"))
_LINES = {2: ("row", "column"), 3: ("layer",)}
"""What cells are called that share a coordinate, by the number of coordinates."""


def region_phrase(view: View, cells: Collection[int]) -> str:
    """Hidden cells in a few words, such as `the 13 cells of the bottom edge`."""
    wanted, hidden = frozenset(cells), frozenset(view.hidden)
    many = number_word(len(wanted))
    line = _line(view.topology, wanted, hidden)
    if line is not None:
        return line
    if wanted == hidden:
        return f"the {many} hidden cells"
    if wanted == untouched_cells(view):
        return f"the {many} cells that no clue touches"
    return _around(view, wanted, hidden) or f"{many} hidden cells"


def _all_of(cells: frozenset[int], place: frozenset[int], hidden: frozenset[int]) -> str | None:
    """`the nine cells`, `the nine hidden cells` where some are open; None where others are hidden.

    `place` are all cells that lie where these do.
    """
    if cells != place & hidden:
        return None
    return f"the {number_word(len(cells))} {'cells' if place <= hidden else 'hidden cells'}"


def _line(topology: Topology, cells: frozenset[int], hidden: frozenset[int]) -> str | None:
    """The cells as those of a row, a column, a layer or an edge; None where they lie in none."""
    sizes = topology.lattice.dimensions
    places = [topology.coordinates(cell) for cell in cells]
    for axis, word in enumerate(_LINES.get(len(sizes), ())):
        if len({place[axis] for place in places}) != 1:
            continue
        number = places[0][axis]
        lines: dict[int, list[int]] = {}
        for cell in topology.cells:
            lines.setdefault(topology.coordinates(cell)[axis], []).append(cell)
        if len(lines) > 1:
            edge = _edge(topology, lines, number, axis) if word != "layer" else None
            name = f"the {edge}" if edge else f"{word} {number}"
            whole = _all_of(cells, frozenset(lines[number]), hidden)
            return f"{whole or f'{number_word(len(cells))} cells'} of {name}"
    return None


def _edge(topology: Topology, lines: dict[int, list[int]], number: int, axis: int) -> str | None:
    """`bottom edge` for the last of at least three lines, if it does not touch the first."""
    first, last = min(lines), max(lines)
    if number not in (first, last) or len(lines) < 3:
        return None
    other = set(lines[last if number == first else first])
    if any(near in other for cell in lines[number] for near in topology.neighbours(cell)):
        return None
    return _EDGES[axis][number == last]


def untouched_cells(view: View) -> frozenset[int]:
    """The hidden cells that no clue touches."""
    near = view.topology.neighbours
    return frozenset(c for c in view.hidden if not any(_is_clue(view, other) for other in near(c)))


def _is_clue(view: View, cell: int) -> bool:
    return view.is_open(cell) and not isinstance(view[cell], Mark)


def _around(view: View, cells: frozenset[int], hidden: frozenset[int]) -> str | None:
    """`the 13 cells around 3,4 and 5,6`, or `nine of the cells around 3,4`; None where neither."""
    topology = view.topology
    clues = sorted({n for c in cells for n in topology.neighbours(c) if _is_clue(view, n)})
    around = {clue: frozenset(topology.neighbours(clue)) for clue in clues}
    chosen = _cover(
        cells, {c: near & hidden for c, near in around.items() if near & hidden <= cells}
    )
    if chosen:
        whole = _all_of(cells, frozenset[int]().union(*(around[clue] for clue in chosen)), hidden)
        names = [topology.cell_name(clue) for clue in chosen]
        said = names[0] if len(names) == 1 else f"{' '.join(names[:-1])} and {names[-1]}"
        return f"{whole} around {said}"
    for clue in clues:
        if cells <= around[clue]:
            return f"{number_word(len(cells))} of the cells around {topology.cell_name(clue)}"
    return None


def _cover(cells: frozenset[int], around: dict[int, frozenset[int]]) -> list[int]:
    """A few clues whose cells make up all of some cells, chosen greedily; none where that fails."""
    left, chosen = set(cells), list[int]()
    while left and around and len(chosen) < _MOST_CLUES:
        best = max(around, key=lambda clue: (len(around[clue] & left), -clue))
        if not around[best] & left:
            break
        chosen.append(best)
        left -= around[best]
    return [] if left else sorted(chosen)


# ----------------------------------------------------------------------------
# The steps of arguments that use the mine total.
#
# Sets of separate cells may need every mine there is, or every safe cell; else all ways to meet the
# clues are counted.

_MOST_NODES = 3000
_MOST_TOLD = 8
"""Counts over more clues are told in one sentence."""


def mine_count_steps(
    words: PhraseBook, clues: Sequence[Premise], target: int | None, mine: bool
) -> list[ProofStep]:
    """Why the total and these clues force a cell, or clash where there is no target.

    Raises BudgetExceeded where there are too many ways to count.
    """
    evidence = words.evidence
    assert evidence.total is not None
    count = _CountArgument(words, evidence.premises[evidence.total], clues, target, mine)
    if not clues:
        return [count.total_only_step()]
    if target is not None and len(clues) <= _MOST_TOLD:
        told = count.packing_steps(target)
        if told is not None:
            return told
    return [count.total_step(), count.all_ways_step()]


class _CountArgument:
    def __init__(
        self,
        words: PhraseBook,
        total: Premise,
        clues: Sequence[Premise],
        target: int | None,
        mine: bool,
    ) -> None:
        self.words, self.total, self.clues = words, total, clues
        self.target, self.mine = target, mine
        self.claim = claim_conclusion(target, mine)

    def total_step(self) -> ProofStep:
        """The step that states the number of mines."""
        return ProofStep(
            f"{upper_first(self.words.total_left())}.",
            uses_total=True,
            cells=self.total.cells,
            conclusions=(Conclusion(self.total.cells, counts_of(self.total.allowed)),),
        )

    def total_only_step(self) -> ProofStep:
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

    def packing_steps(self, target: int) -> list[ProofStep] | None:
        """Steps by separate sets that use up every mine, or every safe cell, that is left."""
        total, mine = self.total, self.mine
        facts = saturate(self.clues)
        goal = len(total.cells) - total.low if mine else total.high

        def worth(fact: DerivedFact) -> int:
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
        kept, ends = facts_behind(facts, sorted(chosen))
        steps = self._accounting_steps(kept, ends, goal)
        return [*steps, self._nothing_left(target, steps)]

    def _accounting_steps(
        self, kept: list[DerivedFact], ends: list[int], goal: int
    ) -> list[ProofStep]:
        """The sets, and how many mines or safe cells they hold together."""
        words = self.words
        cells = tuple(sorted(frozenset[int]().union(*(kept[end].cells for end in ends))))
        size = len(cells)
        held = range(size - goal + 1) if self.mine else range(goal, size + 1)
        what = f"{number_word(goal)} safe cell{plural(goal)}" if self.mine else mines_word(goal)
        conclusions = (Conclusion(cells, tuple(held)),)
        if all(fact.rule is DerivationRule.PREMISE for fact in kept):
            used = [self.clues[kept[end].of[0]] for end in ends]
            names = [words.premise(premise) for premise in used]
            together = "accounts" if len(names) == 1 else "speak of separate cells and account"
            sentence = f"{upper_first(join_words(names))} {together} for {what}."
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
            conclusions=(certain_conclusion(others, self.mine),),
        )

    # -- all ways ------------------------------------------------------------------------------

    def all_ways_step(self) -> ProofStep:
        """The step that counts: what the clues need if the target is the other way."""
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
            would = f"take{verb} {join_words([number_word(way) for way in ways], 'or')} mines"
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
        elif len(others) > 2 and others == untouched_cells(self.words.view):
            phrase = f"the {many} cells that no clue touches"
        else:
            phrase = f"the {many} other hidden cells"
        return self.words.mentioned.note(phrase, others)


def _pack(
    facts: Sequence[DerivedFact], useful: Sequence[tuple[int, int]], goal: int
) -> list[int] | None:
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


# -- The simplest method of the ladder that gets from premises to their conclusion, and its steps --


@dataclass(frozen=True)
class Argument:
    """A technique, and its steps from premises to their conclusion."""

    technique: Technique
    steps: tuple[ProofStep, ...]


def argue(
    evidence: Evidence, premises: Sequence[Premise], target: int | None, mine: bool
) -> Argument:
    """Why these premises force a cell, or clash where there is no target."""
    words = PhraseBook(evidence)
    name, steps = _argue(words, premises, target, mine)
    return Argument(Technique.parse(name), tuple(map(words.with_mentions, steps)))


def _argue(
    words: PhraseBook, premises: Sequence[Premise], target: int | None, mine: bool
) -> tuple[str, list[ProofStep]]:
    clues = [premise for premise in premises if premise.clue is not None]
    if len(clues) < len(premises):
        try:
            return "mine count", mine_count_steps(words, clues, target, mine)
        except BudgetExceeded:
            return "mine count", [_exhaustive_step(words, premises, target, mine)]
    if len(clues) == 1 and target is not None:
        if words.is_rule(clues[0]):
            return "first click", [clue_step(words, clues[0], [target], mine)]
        return "single clue", [clue_step(words, clues[0], [target], mine)]
    facts = draw(clues, target)
    if facts is not None:
        return _name(clues, target, mine), derivation_steps(words, clues, facts, target)[0]
    tree = split(clues, None if target is None else (target, not mine))
    if tree is None:
        return "case split", [_exhaustive_step(words, clues, target, mine)]
    return "case split", case_steps(words, clues, tree, None if target is None else (target, mine))


def _name(clues: Sequence[Premise], target: int | None, mine: bool) -> str:
    if len(clues) == 1:
        return "single clue"
    if len(clues) == 2:
        return "two clues" if target is None else pattern_name(clues[0], clues[1], target, mine)
    return f"{len(clues)} clues"


def _exhaustive_step(
    words: PhraseBook, premises: Sequence[Premise], target: int | None, mine: bool
) -> ProofStep:
    """One step for the whole argument, where its cases are too many to print."""
    if target is None:
        sentence = f"No way to place mines meets all {len(premises)} premises: they clash."
    else:
        so = words.are([target], mine)
        sentence = upper_first(f"in every way to meet these {len(premises)} premises {so}.")
    return ProofStep(
        sentence,
        clues=tuple(premise.clue for premise in premises if premise.clue is not None),
        uses_total=any(premise.clue is None for premise in premises),
        cells=tuple(sorted({cell for premise in premises for cell in premise.cells})),
        conclusions=(claim_conclusion(target, mine),),
    )
