r"""Why a cell is certain, or why it is not.

>>> view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
>>> print(explain(view, (1, 2)))
1,2 is not certain: it is a mine in one solution and safe in another.
>>> print(explain(view, (0, 1)))
The 1 at 0,0 touches only 0,1, so 0,1 is a mine.
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.board.topology import Place
from mineproof.errors import InputError
from mineproof.inference.engine.analysis import Analysis
from mineproof.inference.engine.exact import analyze
from mineproof.proofs.argument import argue
from mineproof.proofs.premises import Evidence
from mineproof.proofs.proof import Claim, Clue, NoProof, Proof, digest, told_of_mines
from mineproof.proofs.smallest import DEFAULT_STEPS, Finder, Forcing
from mineproof.proofs.witness import cover, pair
from mineproof.view.setting import position_of
from mineproof.view.view import View
from mineproof.whole import whole

__all__ = ["HARD_CELLS", "Explainer", "Explanations", "explain", "explain_all", "explain_clash"]

HARD_CELLS = 100
"""All cells of a position together may take the steps of so many cells that use theirs up."""


def explain(view: View | str, cell: Place, *, steps: int = DEFAULT_STEPS) -> Proof | NoProof:
    """Why a hidden cell is certain, with the fewest premises; or two solutions that differ there.

    `steps` limits the search for the fewest. Prints as sentences. Raises InputError for a cell off
    the board or open, InconsistentPosition and BudgetExceeded.

    >>> print(mp.explain("square 3x3 mines=2\\n1..\\n12.\\n01.", (0, 1)))
    The 1 at 0,0 touches only 0,1, so 0,1 is a mine.
    """
    view = position_of(view)
    number = view.topology.cell(cell)
    if view.is_open(number):
        raise InputError(
            f"cell {view.topology.cell_name(number)} is open already; accepted: a hidden cell"
        )
    return Explainer(view, steps=steps).explain(number)


def explain_all(view: View | str, *, steps: int = DEFAULT_STEPS) -> Explanations:
    """The proof of every certain cell, and solutions that show all others to be uncertain.

    `steps` limits the search for the fewest premises of a cell, and a hundred times as many that
    for all of them; what is not searched to the end says so (`smallest`).

    >>> found = mp.explain_all("square 3x3 mines=2\\n1..\\n12.\\n01.")
    >>> [proof.claim.value for proof in found.proofs], len(found.uncertain.cells)
    (['mine', 'safe'], 2)
    """
    return Explainer(position_of(view), steps=steps).explain_all()


def explain_clash(view: View, *, steps: int = DEFAULT_STEPS) -> Proof | None:
    """The proof that no layout explains a position; None where one does."""
    explainer = Explainer(view, steps=steps)
    found = explainer.finder.clash()
    return None if found is None else explainer.proof(found, None, Claim.CLASH)


@dataclass(frozen=True)
class Explanations:
    """The proofs of all certain cells by rising cell, and why the others are not certain."""

    proofs: tuple[Proof, ...]
    uncertain: NoProof | None


class Explainer:
    """Explains cells of one view, each as if it were the only one that is asked for."""

    def __init__(
        self, view: View, *, steps: int = DEFAULT_STEPS, analysis: Analysis | None = None
    ) -> None:
        self.view = view
        self.evidence = Evidence(view)
        self.finder = Finder(self.evidence, whole(steps, "steps"))
        self._analysis = analysis
        self._position: str | None = None

    @property
    def analysis(self) -> Analysis:
        """The exact posterior. Raises InconsistentPosition and BudgetExceeded."""
        if self._analysis is None:
            self._analysis = analyze(self.view)
        return self._analysis

    @property
    def position(self) -> str:
        if self._position is None:
            self._position = digest(self.view)
        return self._position

    def explain(self, cell: int) -> Proof | NoProof:
        """The proof of a hidden cell, or two solutions that differ there."""
        chance = self.analysis.p[cell]
        if 0.0 < chance < 1.0:
            solutions, nearest = pair(self.evidence, self.analysis, cell)
            topology = self.view.topology
            return NoProof(topology, self.position, (cell,), solutions, nearest=nearest)
        return self.prove(cell, chance == 1.0)

    def prove(self, cell: int, mine: bool) -> Proof:
        """The proof of a cell that is known to be certain."""
        found = self.finder.force(cell, mine)
        assert found is not None, "the exact engine and the search for premises disagree"
        return self.proof(found, cell, Claim.MINE if mine else Claim.SAFE)

    def explain_all(self) -> Explanations:
        """All cells, each as if it were asked for alone, until the steps of all are used up.

        Where that happens, the proofs of the cells that are left are not looked for further: they
        are proofs, but not called smallest.
        """
        budget = HARD_CELLS * self.finder.steps
        view, analysis = self.view, self.analysis
        certain = {**dict.fromkeys(analysis.safe, False), **dict.fromkeys(analysis.mines, True)}
        proofs = tuple(self._within(budget, cell, certain[cell]) for cell in sorted(certain))
        left = tuple(cell for cell in view.hidden if cell not in certain)
        if not left:
            return Explanations(proofs, None)
        solutions = cover(analysis, left)
        none = NoProof(view.topology, self.position, left, solutions, whole=not certain)
        return Explanations(proofs, none)

    def _within(self, budget: int, cell: int, mine: bool) -> Proof:
        steps = self.finder.steps
        self.finder.steps = steps if self.finder.spent <= budget else 0
        try:
            return self.prove(cell, mine)
        finally:
            self.finder.steps = steps

    def proof(self, found: Forcing, cell: int | None, claim: Claim) -> Proof:
        """The proof that premises give, in the words of the simplest method."""
        view, premises = self.view, [self.evidence.premises[n] for n in found.numbers]
        argument = argue(self.evidence, premises, cell, claim is Claim.MINE)
        clues = [premise.clue for premise in premises if premise.clue is not None]
        return Proof(
            view.topology,
            self.position,
            claim,
            cell,
            tuple(Clue(clue, view.clue(clue)) for clue in clues),
            told_of_mines(view) if len(clues) < len(premises) else None,
            found.smallest,
            argument.technique,
            argument.steps,
        )
