r"""Hints that never tell more than was asked: where to look, at which clues, which cell, and why.

>>> hint("square 1x4 mines=1\n.1..", 2).text
'Look at the 1 at 0,1 and the number of mines.'
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from mineproof.advice.adviser import advise, deciding_chances, is_promised
from mineproof.board.topology import Topology
from mineproof.engine.analysis import DEFAULT_BUDGET, Budget
from mineproof.engine.exact import analyze
from mineproof.errors import InputError, as_int
from mineproof.graphs import distances
from mineproof.proofs.difficulty import difficulty_rank
from mineproof.proofs.explanation import Explainer
from mineproof.proofs.proof import Proof
from mineproof.proofs.smallest import DEFAULT_STEPS
from mineproof.text import join_words
from mineproof.view.setting import position_of
from mineproof.view.view import View

_HARD_CELLS = 4
"""Where no proof is easy, cells are compared until this many searches have used up their steps."""
_REACH = 2
"""A region reaches this many cells beyond the proof."""


class HintKind(Enum):
    """What a hint tells, the least first; the last two where nothing is certain."""

    REGION = "region"
    CLUES = "clues"
    CELL = "cell"
    PROOF = "proof"
    NOTHING = "nothing"
    GUESS = "guess"


_CERTAIN = (HintKind.REGION, HintKind.CLUES, HintKind.CELL, HintKind.PROOF)
_DOUBTFUL = (HintKind.NOTHING, HintKind.GUESS)


@dataclass(frozen=True)
class Hint:
    """The hint of one level; what belongs to later levels is empty or None.

    `more` says whether there is a later level.
    """

    kind: HintKind
    level: int
    more: bool
    text: str
    region: tuple[int, ...] = ()
    clues: tuple[int, ...] = ()
    uses_total: bool = False
    cell: int | None = None
    proof: Proof | None = None

    def __str__(self) -> str:
        return self.text


def hint(
    view: View | str, level: int = 1, *, steps: int = DEFAULT_STEPS, budget: Budget = DEFAULT_BUDGET
) -> Hint:
    """A hint about the safe cell with the easiest proof; each level tells a little more.

    Level 1 is the region to look at, 2 the clues, 3 the cell, 4 the proof. Where no cell is
    certainly safe, level 1 says so and level 2 is the best guess. The same position gets the same
    hints. Raises InputError for a level below 1, InconsistentPosition and BudgetExceeded.

    >>> hint("square 1x4 mines=1\\n.1..", 3).cell
    3
    """
    if (level := as_int(level, "level")) < 1:
        raise InputError(f"level {level} of a hint; accepted: 1 or more")
    view = position_of(view)
    analysis = analyze(view, budget=budget)
    if is_promised(view) or not analysis.safe:
        kind = _DOUBTFUL[min(level, len(_DOUBTFUL)) - 1]
        if kind is HintKind.NOTHING:
            text = "No cell is certainly safe here. It takes a guess."
            if is_promised(view):
                text = "Nothing is open yet. Begin anywhere: the first cell is no mine."
            return Hint(kind, 1, True, text)
        best = advise(analysis, wins=deciding_chances(analysis))
        if best is None:
            return Hint(kind, 2, False, "No hidden cell can be safe.")
        return Hint(kind, 2, False, best.text, cell=best.cell)
    proof = _easiest(Explainer(view, steps=steps, analysis=analysis), list(analysis.safe))
    return _hint_at(view, proof, min(level, len(_CERTAIN)))


def _hint_at(view: View, proof: Proof, level: int) -> Hint:
    """The hint of a level, with what the levels before it told."""
    assert proof.cell is not None
    kind = _CERTAIN[level - 1]
    name = view.topology.cell_name
    region = _region(view, proof)
    text = {
        HintKind.REGION: _where(view.topology, region),
        HintKind.CLUES: f"Look at {_clues(view, proof)}.",
        HintKind.CELL: f"{name(proof.cell)} is certainly safe.",
        HintKind.PROOF: str(proof),
    }[kind]
    with_clues = level >= _CERTAIN.index(HintKind.CLUES) + 1
    return Hint(
        kind,
        level,
        kind is not HintKind.PROOF,
        text,
        region if kind is HintKind.REGION else (),
        proof.clues if with_clues else (),
        proof.uses_total and with_clues,
        proof.cell if kind in (HintKind.CELL, HintKind.PROOF) else None,
        proof if kind is HintKind.PROOF else None,
    )


def _easiest(explainer: Explainer, safe: Collection[int]) -> Proof:
    """The proof of a safe cell that is easiest to find."""
    finder = explainer.finder
    # A proof by one or two clues is found by comparing sets; only a larger one takes a search.
    for simple in (finder.one_clue, finder.two_clues):
        for cell in safe:
            if simple(cell, mine=False):
                return explainer.prove(cell, mine=False)
    proofs = []
    for cell in safe:
        proofs.append(explainer.prove(cell, mine=False))
        if finder.spent > _HARD_CELLS * finder.steps:
            break
    return min(proofs, key=difficulty_rank)


def _region(view: View, proof: Proof) -> tuple[int, ...]:
    """The cells around a proof; where it has no clues, all that are hidden."""
    if not proof.clues:
        return tuple(view.hidden)
    assert proof.cell is not None
    near = distances({proof.cell, *proof.clues}, view.topology.neighbours, most=_REACH)
    return tuple(sorted(near))


def _where(topology: Topology, region: Collection[int]) -> str:
    """Where to look, in rows and columns where the board has them."""
    # Rows and columns mislead where a region wraps around an edge, and do not exist everywhere.
    if topology.name in ("torus", "graph", "cube") or len(region) == len(topology):
        return "Look at the lit cells: one of them is certainly safe."
    rows, columns = (
        sorted({place[axis] for place in map(topology.coordinates, region)}) for axis in (0, 1)
    )
    where = f"{_span('row', rows)}, {_span('column', columns)}"
    return f"Look at {where}: a cell there is certainly safe."


def _span(axis: str, numbers: list[int]) -> str:
    first, last = numbers[0], numbers[-1]
    return f"{axis} {first}" if first == last else f"{axis}s {first} to {last}"


def _clues(view: View, proof: Proof) -> str:
    name = view.topology.cell_name
    words = [
        f"the {'open cell' if (shown := view.clue(clue)) is None else shown} at {name(clue)}"
        for clue in proof.clues
    ]
    words += ["the number of mines"] * proof.uses_total
    return join_words(words)
