"""Positions of games, played by one who marks proved mines and takes all that is certain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mineproof.errors import BudgetExceeded, IllegalMove
from mineproof.generation.teaching_puzzle import SourceGame
from mineproof.match.referee import Referee
from mineproof.proofs.explainer import Explainer
from mineproof.proofs.proof import Proof
from mineproof.view.marks import Mark
from mineproof.view.setting import Setting
from mineproof.view.view import View

__all__ = ["Stage", "stages"]


@dataclass(frozen=True)
class Stage:
    """A position of a game, and the proofs of its certain cells by the easiest means there are.

    Mines that were proved before are open in the view. `guess` says that nothing is certain.
    """

    view: View
    proofs: tuple[Proof, ...]
    guess: bool
    source: SourceGame


def stages(
    setting: Setting, seed: int, index: int, *, singles: bool = True, longer: bool = True
) -> Iterator[Stage]:
    """The positions of one game, from the first opening to its end.

    The first cell is the centre. Cells that single clues prove are taken before all others. Where
    nothing is certain, the safest cell is opened, and the game goes on if it was safe. Proofs
    by a single clue, and those of more than two premises, may be left out, which is faster.
    """
    referee = Referee(setting, seed, index)
    source = SourceGame(setting.board.text, seed, index)
    try:
        referee.open(setting.board.topology.centre)
    except IllegalMove:
        return
    marked: set[int] = set()
    while not referee.over:
        view = referee.view.reveal(dict.fromkeys(marked, Mark.MINE))
        try:
            explainer = Explainer(view)
            single, certain = _easiest(explainer)
            asked = certain if singles or not single else ()
            proofs = tuple(
                explainer.prove(*one)
                for one in asked
                if single or longer or explainer.finder.two_clues(*one)
            )
        except BudgetExceeded:
            return
        yield Stage(view, proofs, not certain, source)
        if not certain:
            least = explainer.analysis.least_risk
            if least is None:
                return
            referee.open(least.cell)
        for cell, mine in certain:
            if mine:
                marked.add(cell)
            elif referee.view.is_hidden(cell):
                referee.open(cell)


def _easiest(explainer: Explainer) -> tuple[bool, list[tuple[int, bool]]]:
    """What single clues prove, as cells and whether each is a mine; without any, all certain cells.

    The first says whether single clues prove them.
    """
    analysis, finder = explainer.analysis, explainer.finder
    certain = [(cell, False) for cell in analysis.safe] + [(cell, True) for cell in analysis.mines]
    single = [one for one in certain if finder.one_clue(*one)]
    return bool(single), single or certain
