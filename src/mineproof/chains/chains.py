"""Chains of influence: which clue led to which proof, and which proof opened which clue.

The nodes are the opened cells with their clues, and the proofs of the cells that were opened by
proof (see `mineproof.proofs.support` for which proof that is). A clue points to every proof it is a
premise of, a proof to the cell it opened, and a cell to what its cascade opened with it. Everyone
sees that a cell is open, so that is not a premise; only its clue is.

A cell given at the start or opened by a guess is a root. The depth of a cell is the number of
proofs on the longest path to it from a root: 0 for a root; for a proved cell, one more than the
deepest clue of its proof; for a cell of a cascade, the depth of the cell that set the cascade off.
A proof by the mine total alone rests on no clue: its cell has depth 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from mineproof.board.topology import Topology
from mineproof.chains.openings import openings
from mineproof.chains.reach import Influence, Reach
from mineproof.errors import check_kind
from mineproof.inference.engine.session import Session
from mineproof.match.transcript import Transcript
from mineproof.proofs.explainer import Explainer
from mineproof.proofs.proof import Claim, Proof
from mineproof.proofs.smallest import Forcing
from mineproof.proofs.support import DEFAULT_STEPS, Supporter
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["Chains", "MadeCertain", "Opened", "Origin", "of"]


class Origin(Enum):
    """How a cell was opened."""

    GIVEN = "given"
    GUESSED = "guessed"
    """The player called it a guess, or it was not certain, whatever the player called it."""
    PROVED = "proved"
    CASCADE = "cascade"


@dataclass(frozen=True, slots=True)
class Opened:
    """An opened cell and what opened it.

    `step` counts the transcript's steps from 1; 0 is the start. `clues` and `uses_total` are the
    premises of a proved cell; `smallest` says that no fewer would do. `opener` is the cell whose
    cascade opened this one.
    """

    cell: int
    step: int
    origin: Origin
    depth: int
    clues: tuple[int, ...] = ()
    uses_total: bool = False
    smallest: bool = True
    opener: int | None = None

    @property
    def size(self) -> int:
        """The number of premises."""
        return len(self.clues) + self.uses_total


@dataclass(frozen=True)
class MadeCertain:
    """The hidden cells that became certain with an opening, in ascending order."""

    safe: tuple[int, ...]
    mines: tuple[int, ...]


@dataclass(frozen=True)
class Chains:
    """The chains of influence of one game; `opened` has every opened cell in order of opening."""

    transcript: Transcript
    opened: Mapping[int, Opened]

    @property
    def topology(self) -> Topology:
        return self.transcript.topology

    @property
    def length(self) -> int:
        """The number of links of the longest chain: its proofs."""
        return max((one.depth for one in self.opened.values()), default=0)

    @cached_property
    def longest(self) -> tuple[int, ...]:
        """The cells of the longest chain, from its root on, including those of cascades.

        Of several longest chains it is the one that was complete first. Where a proof has several
        clues of the greatest depth, the chain goes through the one opened first.
        """
        if not self.opened:
            return ()
        return self.chain_to(next(c for c, one in self.opened.items() if one.depth == self.length))

    def chain_to(self, cell: int) -> tuple[int, ...]:
        """The cells of the longest chain that ends in an opened cell. Raises KeyError."""
        order = self._order
        found = [cell]
        while True:
            here = self.opened[found[-1]]
            if here.opener is not None:
                found.append(here.opener)
            elif here.clues:
                deepest = max(self.opened[clue].depth for clue in here.clues)
                deep = [clue for clue in here.clues if self.opened[clue].depth == deepest]
                found.append(min(deep, key=order.__getitem__))
            else:
                return tuple(reversed(found))

    @cached_property
    def _order(self) -> dict[int, int]:
        return {cell: place for place, cell in enumerate(self.opened)}

    @cached_property
    def proved(self) -> tuple[Opened, ...]:
        """The cells opened by proof."""
        return tuple(one for one in self.opened.values() if one.origin is Origin.PROVED)

    @cached_property
    def roots(self) -> tuple[Opened, ...]:
        """The cells given or guessed."""
        roots = (Origin.GIVEN, Origin.GUESSED)
        return tuple(one for one in self.opened.values() if one.origin in roots)

    @cached_property
    def needed_by(self) -> Mapping[int, tuple[int, ...]]:
        """For every opened cell, the cells whose proofs have its clue as a premise."""
        found: dict[int, list[int]] = {cell: [] for cell in self.opened}
        for one in self.proved:
            for clue in one.clues:
                found[clue].append(one.cell)
        return {cell: tuple(cells) for cell, cells in found.items()}

    # -- influence ---------------------------------------------------------------------------

    @cached_property
    def _influence(self) -> Influence:
        return Influence(
            self.topology,
            [(one.cell, one.opener, one.clues, one.opener is None) for one in self.opened.values()],
        )

    def reach_of(self, cell: int) -> Reach:
        """How far the influence of an opened cell travels. Raises KeyError."""
        return self._influence.reach(cell)

    def influenced(self, cell: int) -> tuple[int, ...]:
        """The cells whose proofs rest on an opened cell, directly or through others."""
        return self._influence.cells(cell)

    @cached_property
    def reach(self) -> Reach | None:
        """The farthest reach of any cell; ties go to the most cells. None if nothing is open."""
        return self._influence.farthest()

    # -- what became certain -----------------------------------------------------------------

    @cached_property
    def made_certain(self) -> Mapping[int, MadeCertain]:
        """For every cell that a move opened, what was certain for the first time after it.

        The exact engine decides what is certain, whether the player saw it or not. Cells that were
        opened together, in a cascade or by one chord, are listed under the first of them. Raises
        BudgetExceeded.
        """
        session: Session | None = None
        found: dict[int, MadeCertain] = {}
        last = 0
        rules = None
        certain: set[int] = set()
        for opening in openings(self.transcript):
            if opening.step == last and found:
                found[opening.cell] = MadeCertain((), ())
                continue
            last = opening.step
            if session is None or opening.after.rules is not rules:
                session, rules = Session(opening.after), opening.after.rules
            else:
                session.follow(opening.after)
            safe: set[int] = set()
            mines: set[int] = set()
            while any(fresh := session.newly_certain()):
                safe.update(fresh[0])
                mines.update(fresh[1])
            safe -= certain
            mines -= certain
            certain |= safe | mines
            found[opening.cell] = MadeCertain(tuple(sorted(safe)), tuple(sorted(mines)))
        return found

    # -- proofs ------------------------------------------------------------------------------

    @cached_property
    def _views(self) -> Mapping[int, View]:
        return {opening.cell: opening.before for opening in openings(self.transcript)}

    @cached_property
    def last_view(self) -> View:
        """The view at the end of the game."""
        *_, last = self.transcript.views()
        return last

    def view_of(self, cell: int) -> View:
        """What the player saw right before the move that opened a cell. Raises KeyError."""
        return self._views[cell]

    def proof(self, cell: int) -> Proof:
        """The proof of a cell opened by proof, with its facts and in words. Raises KeyError."""
        one = self.opened[cell]
        if one.origin is not Origin.PROVED:
            raise KeyError(cell)
        explainer = Explainer(self._views[cell])
        evidence = explainer.evidence
        clues = set(one.clues)
        numbers = [
            number
            for number, premise in enumerate(evidence.premises)
            if (premise.clue in clues if premise.clue is not None else one.uses_total)
        ]
        return explainer.proof(Forcing(tuple(numbers), one.smallest), cell, Claim.SAFE)


def of(transcript: Transcript, *, steps: int = DEFAULT_STEPS) -> Chains:
    """The chains of influence of a game; `steps` limits the search for each proof.

    Raises NotationError if the game cannot be replayed, and BudgetExceeded like the exact engine.
    """
    check_kind(transcript, Transcript, "game", "a Transcript, as play returns it")
    steps = whole(steps, "steps")
    return Chains(transcript, _read(transcript, steps))


def _read(transcript: Transcript, steps: int) -> dict[int, Opened]:
    depths: dict[int, int] = {}
    supporter = Supporter(transcript.topology, depths, steps)
    opened: dict[int, Opened] = {}
    waiting: list[int] = []
    last = -1
    for opening in openings(transcript):
        cell, step = opening.cell, opening.step
        if step != last:
            # The cells of one chord are proved from what was open before the chord.
            supporter.take(waiting, opening.after)
            waiting, last = [], step
        support = None
        if step and not opening.guessed:
            support = supporter.safe(cell, opening.before)
        if support is None:
            origin = Origin.GUESSED if step else Origin.GIVEN
            opened[cell] = Opened(cell, step, origin, 0)
        else:
            depth = 1 + max([depths[clue] for clue in support.clues], default=-1)
            opened[cell] = Opened(
                cell,
                step,
                Origin.PROVED,
                depth,
                support.clues,
                support.uses_total,
                support.smallest,
            )
        depth = depths[cell] = opened[cell].depth
        for other in opening.cascade:
            opened[other] = Opened(other, step, Origin.CASCADE, depth, opener=cell)
            depths[other] = depth
        waiting += (cell, *opening.cascade)
    return opened
