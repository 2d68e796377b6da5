"""Proofs and no-proofs as values: what is claimed of a position, and what the claim rests on.

A value knows the position it speaks of by a digest, so that it can be kept and checked later; its
text and JSON forms are in `mineproof.proofs.documents`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from mineproof.board.topology import Topology
from mineproof.errors import InputError
from mineproof.proofs.techniques import Technique
from mineproof.text import plural
from mineproof.view.notation import free_words, rules_words
from mineproof.view.view import View

# ----------------------------------------------------------------------------
# Which cells the phrases of a sentence speak of, so that a page can light one by the other.
#
# `PhraseBook` notes every phrase as it is made; a phrase may be a cell's name, a row of names, a
# clue or a region such as `the nine cells that no clue touches`, which names none of its cells.


@dataclass(frozen=True)
class Mention:
    """A phrase of a sentence, from one place to before another, and the cells it speaks of."""

    start: int
    end: int
    cells: tuple[int, ...]


class MentionIndex:
    """The phrases of an argument so far, each with the cells it means."""

    def __init__(self) -> None:
        self._cells: dict[str, list[frozenset[int]]] = {}

    def note(self, phrase: str, cells: Collection[int]) -> str:
        """Keep what a phrase speaks of; returns the phrase."""
        if phrase and cells:
            self._cells.setdefault(phrase.lower(), []).append(frozenset(cells))
        return phrase

    def within(self, sentence: str, cells: Collection[int]) -> tuple[Mention, ...]:
        """The phrases of a sentence by their places, the longest where some overlap.

        `cells` are those its step speaks of: of two sets that are called alike, the one among them
        is meant, and of several such the last that was noted.
        """
        about = frozenset(cells)
        lower = sentence.lower()
        found: list[Mention] = []
        taken = [False] * len(sentence)
        for phrase in sorted(self._cells, key=len, reverse=True):
            for start in _places(phrase, lower):
                end = start + len(phrase)
                if any(taken[start:end]):
                    continue
                noted = self._cells[phrase]
                meant = [one for one in noted if one <= about] or noted
                taken[start:end] = [True] * (end - start)
                found.append(Mention(start, end, tuple(sorted(meant[-1]))))
        return tuple(sorted(found, key=lambda mention: mention.start))


def _places(phrase: str, sentence: str) -> Iterator[int]:
    """Where a phrase begins, each after the last has ended: `0,1` is no part of `10,15`."""
    start = sentence.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        before, after = sentence[max(start - 2, 0) : start], sentence[end : end + 2]
        inside = before[-1:].isdigit() or (before[-1:] == "," and before[:1].isdigit())
        inside |= after[:1].isdigit() or (after[:1] == "," and after[1:].isdigit())
        if not inside:
            yield start
        start = sentence.find(phrase, start + 1 if inside else end)


# ----------------------------------------------------------------------------
# A proof's argument as data: steps, each with what it rests on, what it concludes and a sentence.
#
# A step follows from the clues it names, the mine total and the conclusions of earlier steps. Where
# cases are told apart, a step may stand under suppositions: what it concludes then holds only where
# they hold. A contradiction under suppositions says that they do not all hold, and a later step
# outside of them may rest on that.


class StepKind(Enum):
    """Something that follows, the contrary that is supposed, or one of several cases."""

    INFERENCE = "step"
    SUPPOSITION = "suppose"
    CASE = "case"

    @property
    def assumes(self) -> bool:
        return self is not StepKind.INFERENCE


@dataclass(frozen=True)
class Conclusion:
    """The numbers of mines that some hidden cells may hold; both rise.

    Without any number it is a contradiction: nothing that is in the cells will do.
    """

    cells: tuple[int, ...]
    counts: tuple[int, ...]

    @property
    def decides(self) -> bool | None:
        """Whether all its cells are mines (True) or safe (False); None where neither is said."""
        if not self.cells or len(self.counts) != 1:
            return None
        if self.counts[0] == 0:
            return False
        return True if self.counts[0] == len(self.cells) else None

    @property
    def contradicts(self) -> bool:
        return not self.counts


def certain_conclusion(cells: Iterable[int], mine: bool) -> Conclusion:
    """The conclusion that all these cells are mines, or that all are safe."""
    rising = tuple(sorted(cells))
    return Conclusion(rising, (len(rising) if mine else 0,))


def claim_conclusion(cell: int | None, mine: bool) -> Conclusion:
    """The conclusion that a cell is a mine, or safe; without a cell, a contradiction."""
    return Conclusion((), ()) if cell is None else certain_conclusion([cell], mine)


@dataclass(frozen=True)
class ProofStep:
    """One step. Cells rise; steps are named by their numbers, from 1.

    `clues` are the cells whose clues it uses, `rests_on` the earlier steps it uses, and `under` the
    suppositions it stands under, the outermost first. `cells` are the hidden cells it speaks of,
    those included that its sentence names as a region. `mentions` say which phrases of the sentence
    speak of which cells; they are for drawing, and no part of the value.
    """

    sentence: str
    clues: tuple[int, ...] = ()
    uses_total: bool = False
    rests_on: tuple[int, ...] = ()
    under: tuple[int, ...] = ()
    kind: StepKind = StepKind.INFERENCE
    cells: tuple[int, ...] = ()
    conclusions: tuple[Conclusion, ...] = ()
    mentions: tuple[Mention, ...] = field(default=(), compare=False, repr=False)

    @property
    def contradicts(self) -> bool:
        return any(one.contradicts for one in self.conclusions)

    @property
    def decides(self) -> dict[int, bool]:
        """The cells that it makes certain, and whether they are mines."""
        return {
            cell: one.decides
            for one in self.conclusions
            if one.decides is not None
            for cell in one.cells
        }


def steps_text(steps: Sequence[ProofStep]) -> str:
    """The sentences of steps as one text: a line a case, and a new line where suppositions end."""
    lines: list[str] = []
    before: ProofStep | None = None
    for step in steps:
        if not step.sentence:
            continue
        case = step.kind is StepKind.CASE
        if before is None or case or len(step.under) < len(before.under):
            lines.append(f"{'  ' * len(step.under)}- {step.sentence}" if case else step.sentence)
        elif before.kind is StepKind.CASE:
            # `If 1,5 is a mine: the 2 at ...`
            lines[-1] += f" {step.sentence[:1].lower()}{step.sentence[1:]}"
        else:
            lines[-1] += f" {step.sentence}"
        before = step
    return "\n".join(lines)


# -- The claims: a proof, and a no-proof ---------------------------------------


class Claim(Enum):
    """What a proof says: a cell is safe, a cell is a mine, or no layout explains the position."""

    SAFE = "safe"
    MINE = "mine"
    CLASH = "clash"


@dataclass(frozen=True)
class Clue:
    """An opened cell and the number it shows; None where it shows none.

    Or a hidden cell that the rules keep `free` of mines, which shows nothing.
    """

    cell: int
    shown: int | None
    free: bool = False


@dataclass(frozen=True)
class Proof:
    """Premises that force a cell, every one of them necessary.

    `told` is what the position tells of the number of mines, such as `mines=99`, where that is a
    premise, else None. `smallest` says that no fewer premises would do; without it the search ran
    out of its budget. `cell` is None only for a clash. `steps` lead from the premises to the claim,
    and `str` is what they say.

    >>> proof = mp.explain("square 3x3 mines=2\\n1..\\n12.\\n01.", (0, 2))
    >>> proof.claim.value, proof.clues, proof.smallest
    ('safe', (0, 4, 7), True)
    """

    topology: Topology
    position: str
    claim: Claim
    cell: int | None
    premises: tuple[Clue, ...]
    told: str | None
    smallest: bool
    technique: Technique
    steps: tuple[ProofStep, ...] = ()

    @property
    def text(self) -> str:
        """The sentences of the steps."""
        return steps_text(self.steps)

    def svg(self, view: View | str) -> str:
        """The picture of its position, with the premises, the steps and what is proved.

        A proof names its position and does not hold it. Raises InputError for another one.
        """
        from mineproof.proofs.explanation import draw_proof
        from mineproof.view.setting import position_of

        view = position_of(view)
        if digest(view) != self.position:
            raise InputError("the proof is of another position; accepted: the one it was made of")
        return draw_proof(view, self)

    @property
    def summary(self) -> str:
        """What is proved and from how much: `3,4 is safe. Shortest proof: 5 steps, 4 clues.`"""
        steps, clues = len(self.steps), len(self.premises)
        what = "No layout explains the position"
        if self.cell is not None:
            state = "a mine" if self.claim is Claim.MINE else "safe"
            what = f"{self.topology.cell_name(self.cell)} is {state}"
        free = sum(clue.free for clue in self.premises)
        parts = [f"{steps} step{plural(steps)}"]
        parts += [f"{clues - free} clue{plural(clues - free)}"] if clues > free else []
        parts += ["the rule of the first click"] if free else []
        parts += ["the number of mines"] if self.uses_total else []
        proof = "Shortest proof" if self.smallest and self.size > 1 else "Proof"
        return f"{what}. {proof}: {', '.join(parts)}."

    @property
    def uses_total(self) -> bool:
        return self.told is not None

    @property
    def size(self) -> int:
        """The number of premises, the mine total included."""
        return len(self.premises) + self.uses_total

    @property
    def clues(self) -> tuple[int, ...]:
        """The cells whose clues are premises, in ascending order."""
        return tuple(clue.cell for clue in self.premises)

    @property
    def facts(self) -> list[tuple[Conclusion, tuple[int, ...]]]:
        """What steps outside of suppositions conclude from two clues or more, with those clues."""
        found: list[tuple[Conclusion, tuple[int, ...]]] = []
        below: list[frozenset[int]] = []
        by_total: list[bool] = []
        for step in self.steps:
            sources = [number - 1 for number in step.rests_on if 0 < number <= len(below)]
            below.append(frozenset(step.clues).union(*(below[source] for source in sources)))
            by_total.append(step.uses_total or any(by_total[source] for source in sources))
            if step.under or step.kind.assumes or by_total[-1]:
                continue
            if len(below[-1]) > 1:
                found += [(one, tuple(sorted(below[-1]))) for one in step.conclusions]
        return found

    def __str__(self) -> str:
        if self.smallest or self.size < 2:
            return self.text
        return f"{self.text} (Every premise is needed; a smaller proof was not ruled out.)"

    def _repr_html_(self) -> str:
        """What a notebook shows: the proof's clues and cells on the board, and its sentences."""
        from mineproof.proofs.explanation import proof_html

        return proof_html(self)


@dataclass(frozen=True)
class NoProof:
    """Full sets of mines, opened ones included, that show some cells to be uncertain.

    Every cell of `cells` is a mine in one of them and safe in another. Cells that no clue touches
    are alike: there it is enough that one of them is a mine and one is safe. `whole` says that all
    hidden cells are meant: nothing in the position is certain. `nearest` says of two solutions that
    no two differ in fewer cells, the cell in question among them; it is not written down.

    >>> doubt = mp.explain("square 3x3 mines=2\\n1..\\n12.\\n01.", (2, 2))
    >>> isinstance(doubt, mp.NoProof), len(doubt.solutions)
    (True, 2)
    """

    topology: Topology
    position: str
    cells: tuple[int, ...]
    solutions: tuple[tuple[int, ...], ...]
    whole: bool = False
    nearest: bool = field(default=False, compare=False)

    @property
    def text(self) -> str:
        """What it says, for people."""
        if self.whole:
            return (
                f"No hidden cell is certain: {len(self.solutions)} solutions show each of the"
                f" {len(self.cells)} as a mine and as safe."
            )
        names = " ".join(map(self.topology.cell_name, self.cells))
        if len(self.cells) == 1:
            return f"{names} is not certain: it is a mine in one solution and safe in another."
        return (
            f"{len(self.cells)} cells are not certain: {len(self.solutions)} solutions show each"
            " of them as a mine and as safe."
        )

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """What a notebook shows: the solutions on the board, and what they show."""
        from mineproof.proofs.explanation import no_proof_html

        return no_proof_html(self)


def mines_text(view: View) -> str:
    """What the rules of a position say of the mines: `mines=99`, `mines=unknown density=0.2`."""
    words = rules_words(view.rules)
    return " ".join(word for word in words if word.startswith(("mines=", "density=")))


def digest(view: View) -> str:
    """Sixteen hexadecimal digits for everything a proof may rest on; flags are no evidence."""
    free = "".join(f"{word}\n" for word in free_words(view))
    named = f"{view.topology.text}\n{mines_text(view)}\n{view.rules.clues}\n{free}"
    return hashlib.sha256(named.encode() + view.codes().tobytes()).hexdigest()[:16]
