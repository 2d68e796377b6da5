r"""Why a cell is certain, or why it is not.

>>> view = View.parse("square 3x3 mines=2\n1..\n12.\n01.")
>>> print(explain(view, (1, 2)))
1,2 is not certain: it is a mine in one solution and safe in another.
>>> print(explain(view, (0, 1)))
The 1 at 0,0 touches only 0,1, so 0,1 is a mine.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from mineproof.board.topology import Place, Topology
from mineproof.engine.analysis import Analysis
from mineproof.engine.exact import analyze
from mineproof.errors import InputError, as_int
from mineproof.proofs.premises import Evidence
from mineproof.proofs.proof import Claim, Clue, NoProof, Proof, digest, mines_text
from mineproof.proofs.sentences import argue
from mineproof.proofs.smallest import DEFAULT_STEPS, ForcingSet, PremiseFinder
from mineproof.proofs.witness import covering_layouts, nearest_pair
from mineproof.view.channels import Mark
from mineproof.view.setting import position_of
from mineproof.view.svg import MAX_NOTEBOOK, CellTint, draw_svg
from mineproof.view.view import View

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
        self.finder = PremiseFinder(self.evidence, as_int(steps, "steps"))
        self._analysis = analysis
        self._position: str | None = None

    @property
    def analysis(self) -> Analysis:
        """The exact posterior. Raises InconsistentPosition and BudgetExceeded."""
        if self._analysis is None:
            self._analysis = analyze(self.view)
        return self._analysis

    @property
    def certain(self) -> list[tuple[int, bool]]:
        """All certain cells, each with whether it is a mine; the safe ones come first."""
        safe, mines = self.analysis.safe, self.analysis.mines
        return [(cell, False) for cell in safe] + [(cell, True) for cell in mines]

    @property
    def position(self) -> str:
        if self._position is None:
            self._position = digest(self.view)
        return self._position

    def explain(self, cell: int) -> Proof | NoProof:
        """The proof of a hidden cell, or two solutions that differ there."""
        chance = self.analysis.p[cell]
        if 0.0 < chance < 1.0:
            solutions, nearest = nearest_pair(self.evidence, self.analysis, cell)
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
        certain = dict(self.certain)
        proofs = tuple(self._within(budget, cell, certain[cell]) for cell in sorted(certain))
        left = tuple(cell for cell in view.hidden if cell not in certain)
        if not left:
            return Explanations(proofs, None)
        solutions = covering_layouts(analysis, left)
        none = NoProof(view.topology, self.position, left, solutions, whole=not certain)
        return Explanations(proofs, none)

    def _within(self, budget: int, cell: int, mine: bool) -> Proof:
        steps = self.finder.steps
        self.finder.steps = steps if self.finder.spent <= budget else 0
        try:
            return self.prove(cell, mine)
        finally:
            self.finder.steps = steps

    def proof(self, found: ForcingSet, cell: int | None, claim: Claim) -> Proof:
        """The proof that premises give, in the words of the simplest method."""
        view, premises = self.view, [self.evidence.premises[n] for n in found.numbers]
        argument = argue(self.evidence, premises, cell, claim is Claim.MINE)
        clues = [premise.clue for premise in premises if premise.clue is not None]
        return Proof(
            view.topology,
            self.position,
            claim,
            cell,
            tuple(Clue(clue, view.clue(clue), view.is_hidden(clue)) for clue in clues),
            mines_text(view) if len(clues) < len(premises) else None,
            found.smallest,
            argument.technique,
            argument.steps,
        )


# ----------------------------------------------------------------------------
# Pictures of proofs: premises blue, cells on the way yellow, the claim with a thick edge.
#
# Cells that steps conclude to be safe or mines on the way say `ok` or `X`, as the claim does.

_PREMISE = "#a6d5f2"
_ON_THE_WAY = "#f7eeb0"
_SAFE_ON_THE_WAY = CellTint(_ON_THE_WAY, "safe, concluded on the way", "ok")
_MINE_ON_THE_WAY = CellTint(_ON_THE_WAY, "a mine, concluded on the way", "X")
_NO_PART = CellTint("#f4f4f4", "no part of the proof")
_SAFE, _MINE = "#56b4e9", "#e69f00"
_ONE, _OTHER, _BOTH = "#f3c98b", "#a6d5f2", "#8f8f8f"


def draw_proof(view: View, proof: Proof, apart: bool = False) -> str:
    """The picture of a proof on its position, drawn from its steps.

    With `apart`, what is no part of the proof is left blank.
    """
    tints: dict[int, CellTint] = dict.fromkeys(view.hidden, _NO_PART) if apart else {}
    for step in proof.steps:
        if not step.uses_total:
            # The total speaks of every hidden cell, which tells nothing.
            tints |= dict.fromkeys(step.cells, CellTint(_ON_THE_WAY, "used on the way"))
    for step in proof.steps:
        if not (step.under or step.kind.assumes):
            tints |= {
                cell: _MINE_ON_THE_WAY if mine else _SAFE_ON_THE_WAY
                for cell, mine in step.decides.items()
            }
    tints.update((clue, CellTint(_PREMISE, "premise")) for clue in proof.clues)
    marked = list(proof.clues)
    if proof.cell is not None:
        marked.append(proof.cell)
    return draw_svg(view, marked=marked, tints=tints | _proved_tints([proof]))


def draw_proofs(view: View, proofs: Sequence[Proof]) -> str:
    """The picture of all cells that are proved; nothing is said of the others."""
    tints = _proved_tints(proofs)
    return draw_svg(view, marked=tints, tints=tints)


def cell_signs(proofs: Sequence[Proof]) -> dict[int, str]:
    """`ok` for a cell that is proved safe, `X` for one that is proved a mine."""
    return {
        one.cell: "X" if one.claim is Claim.MINE else "ok" for one in proofs if one.cell is not None
    }


def _proved_tints(proofs: Sequence[Proof]) -> dict[int, CellTint]:
    return {
        cell: CellTint(_MINE, "proved a mine", said)
        if said == "X"
        else CellTint(_SAFE, "proved safe", said)
        for cell, said in cell_signs(proofs).items()
    }


def draw_no_proof(view: View, found: NoProof) -> str:
    """The picture of solutions that show cells to be uncertain.

    Mines of the first solution alone are orange, mines of others alone blue, mines of all grey.
    """
    layouts = [set(mines) for mines in found.solutions]
    tints = {}
    for cell in view.hidden:
        mines = [cell in layout for layout in layouts]
        if layouts and all(mines):
            tints[cell] = CellTint(_BOTH, "a mine in every solution shown", "X")
        elif any(mines):
            first = mines[0]
            tints[cell] = CellTint(
                _ONE if first else _OTHER,
                "a mine in the first solution" if first else "a mine in another solution",
                "1" if first else "2",
            )
    return draw_svg(view, marked=found.cells if len(found.cells) == 1 else (), tints=tints)


# ----------------------------------------------------------------------------
# Proofs as notebooks show them: a picture, and the sentences.
#
# A proof keeps no position, only a digest of it. It needs none: the picture shows the clues that it
# rests on, the cells that it speaks of, and leaves all others blank.


def proof_html(proof: Proof) -> str:
    """The picture of a proof above its sentences."""
    told = "" if proof.told is None else f"<p>It uses the total: {escape(proof.told)}.</p>"
    said = f"<p><b>{escape(str(proof.technique))}</b></p>{told}{_paragraphs(str(proof))}"
    if len(proof.topology) > MAX_NOTEBOOK:
        return f"<div>{said}</div>"
    shown = {
        one.cell: Mark.BLANK if one.shown is None else one.shown
        for one in proof.premises
        if not one.free
    }
    view = _blank(proof.topology).reveal(shown)
    return f"<div>{_picture(draw_proof(view, proof, apart=True), proof.text)}{said}</div>"


def no_proof_html(found: NoProof) -> str:
    """The picture of the solutions above what they show."""
    said = _paragraphs(found.text)
    if len(found.topology) > MAX_NOTEBOOK:
        return f"<div>{said}</div>"
    drawn = draw_no_proof(_blank(found.topology), found)
    return f"<div>{_picture(drawn, found.text)}{said}</div>"


def _blank(topology: Topology) -> View:
    """A board of which nothing is known; its number of mines plays no part in a picture."""
    return View(topology, "mines=0")


def _picture(svg: str, words: str) -> str:
    """As an image of its own: the styles of several pictures on one page do not mix."""
    data = b64encode(svg.encode()).decode()
    return (
        f'<img alt="{escape(words)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'
    )


def _paragraphs(text: str) -> str:
    return "".join(
        f'<p style="white-space:pre-wrap">{escape(line)}</p>' for line in text.split("\n")
    )
