"""A proof's argument as data: steps, each with what it rests on, what it concludes and a sentence.

A step follows from the clues it names, the mine total and the conclusions of earlier steps. Where
cases are told apart, a step may stand under suppositions: what it concludes then holds only where
they hold. A contradiction under suppositions says that they do not all hold, and a later step
outside of them may rest on that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from mineproof.proofs.mentions import Mention

__all__ = ["Conclusion", "ProofStep", "StepKind", "decided", "joined"]


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


def decided(cells: Iterable[int], mine: bool) -> Conclusion:
    """The conclusion that cells are mines, or that they are safe."""
    rising = tuple(sorted(cells))
    return Conclusion(rising, (len(rising) if mine else 0,))


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


def joined(steps: Sequence[ProofStep]) -> str:
    """The sentences as a text: a line a case, and a new line where suppositions end."""
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
