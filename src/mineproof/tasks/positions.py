"""Positions for tasks: those of games whose player opens what the easiest proofs allow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from mineproof.errors import IllegalMove
from mineproof.game.referee import Referee
from mineproof.proofs.explanation import Explainer
from mineproof.proofs.proof import Claim, Proof
from mineproof.rng import Stream
from mineproof.view.setting import Setting
from mineproof.view.view import View

BOARDS: dict[int, tuple[str, ...]] = {
    1: ("5x5/5", "square4:6x6/8"),
    2: ("6x6/8", "hex:6x6/8"),
    3: ("7x7/10", "hex:7x7/11"),
    4: ("torus:6x6/8", "torus:6x7/9"),
    5: ("8x8/13", "triangle:5x6/5"),
}
"""The boards of each level. A case split, which level 4 asks for, is rare except on a torus."""


@dataclass(frozen=True)
class Deal:
    """The game that a position is the beginning of; its centre is opened first."""

    board: str
    seed: int

    def begin(self) -> Referee:
        """The game with its first cell open. A best guess opens no mine. Raises IllegalMove."""
        setting = Setting.of(self.board, first_click="opening", guesses="fair")
        referee = Referee(setting, self.seed)
        referee.open(setting.board.topology.centre)
        return referee


@dataclass(frozen=True)
class Stage:
    """A position of a game, with the proofs of its certain cells.

    `deal` is the game, at its first position only.
    """

    view: View
    proofs: tuple[Proof, ...]
    deal: Deal | None = None

    @cached_property
    def level(self) -> int:
        """The rung of the hardest proof; 0 where nothing is certain."""
        return max((int(proof.technique.rung) for proof in self.proofs), default=0)

    @cached_property
    def uncertain(self) -> tuple[int, ...]:
        """The hidden cells without a proof."""
        certain = {proof.cell for proof in self.proofs}
        return tuple(cell for cell in self.view.hidden if cell not in certain)

    def hardest(self, rng: Stream) -> Proof:
        """One of the proofs that make up its level."""
        return rng.choice([one for one in self.proofs if int(one.technique.rung) == self.level])


def stages(level: int, rng: Stream) -> Iterator[Stage]:
    """The positions of one game after another on the boards of a level, without an end."""
    while True:
        yield from _stages_of(Deal(rng.choice(BOARDS[level]), rng.next()))


def _stages_of(deal: Deal) -> Iterator[Stage]:
    try:
        referee = deal.begin()
    except IllegalMove:  # no room for an opening there
        return
    first: Deal | None = deal
    while not referee.over:
        explainer = Explainer(referee.view)
        stage = Stage(
            referee.view, tuple(explainer.prove(*one) for one in explainer.certain), first
        )
        first = None
        yield stage
        safe = [proof for proof in stage.proofs if proof.claim is Claim.SAFE]
        easiest = min((proof.technique.rung for proof in safe), default=None)
        least = explainer.analysis.least_risk
        cells = [proof.cell for proof in safe if proof.technique.rung == easiest]
        for cell in cells or ([] if least is None else [least.cell]):
            if cell is not None and referee.view.is_hidden(cell) and not referee.over:
                referee.open(cell)
