"""Proofs and no-proofs as values: what is claimed of a position, and what the claim rests on.

A value knows the position it speaks of by a digest, so that it can be kept and checked later; its
text and JSON forms are in `mineproof.proofs.documents`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import Enum

from mineproof.board.topology import Topology
from mineproof.proofs.numbers import number_word, plural
from mineproof.proofs.steps import Conclusion, ProofStep, joined
from mineproof.proofs.techniques import Technique
from mineproof.view.notation.short import rules_words
from mineproof.view.view import View

__all__ = ["Claim", "Clue", "NoProof", "Proof", "digest", "told_of_mines"]


class Claim(Enum):
    """What a proof says: a cell is safe, a cell is a mine, or no layout explains the position."""

    SAFE = "safe"
    MINE = "mine"
    CLASH = "clash"


@dataclass(frozen=True)
class Clue:
    """An opened cell and the number it shows; None where it shows none."""

    cell: int
    shown: int | None


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
        return joined(self.steps)

    @property
    def summary(self) -> str:
        """What is proved and from how much: `3,4 is safe: five steps from four clues.`"""
        steps, clues = len(self.steps), len(self.premises)
        what = "No layout explains the position"
        if self.cell is not None:
            state = "a mine" if self.claim is Claim.MINE else "safe"
            what = f"{self.topology.cell_name(self.cell)} is {state}"
        told = [f"{number_word(clues)} clue{plural(clues)}"] if clues else []
        told += ["the number of mines"] if self.uses_total else []
        fewer = "; no fewer do" if self.smallest and self.size > 1 else ""
        return f"{what}: {number_word(steps)} step{plural(steps)} from {' and '.join(told)}{fewer}."

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
        from mineproof.proofs.notebook_proof import proof_html

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
        from mineproof.proofs.notebook_proof import no_proof_html

        return no_proof_html(self)


def told_of_mines(view: View) -> str:
    """What a position tells of the number of mines: `mines=99`, `mines=unknown density=0.2`."""
    words = rules_words(view.rules)
    return " ".join(word for word in words if word.startswith(("mines=", "density=")))


def digest(view: View) -> str:
    """Sixteen hexadecimal digits for everything a proof may rest on; flags are no evidence."""
    named = f"{view.topology.text}\n{told_of_mines(view)}\n{view.rules.clues}\n"
    return hashlib.sha256(named.encode() + view.codes().tobytes()).hexdigest()[:16]
