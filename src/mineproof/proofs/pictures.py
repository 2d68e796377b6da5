"""Pictures of proofs: premises blue, cells on the way yellow, the claim with a thick edge.

Cells that steps conclude to be safe or mines on the way say `ok` or `X`, as the claim does.
"""

from __future__ import annotations

from collections.abc import Sequence

from mineproof.proofs.proof import Claim, NoProof, Proof
from mineproof.view.drawing import Tint, draw_svg
from mineproof.view.view import View

__all__ = ["draw_no_proof", "draw_proof", "draw_proofs", "said_of"]

_PREMISE = "#a6d5f2"
_ON_THE_WAY = "#f7eeb0"
_SAFE_ON_THE_WAY = Tint(_ON_THE_WAY, "safe, concluded on the way", "ok")
_MINE_ON_THE_WAY = Tint(_ON_THE_WAY, "a mine, concluded on the way", "X")
_NO_PART = Tint("#f4f4f4", "no part of the proof")
_SAFE, _MINE = "#56b4e9", "#e69f00"
_ONE, _OTHER, _BOTH = "#f3c98b", "#a6d5f2", "#8f8f8f"


def draw_proof(view: View, proof: Proof, apart: bool = False) -> str:
    """The picture of a proof on its position, drawn from its steps.

    With `apart`, what is no part of the proof is left blank.
    """
    tints: dict[int, Tint] = dict.fromkeys(view.hidden, _NO_PART) if apart else {}
    for step in proof.steps:
        if not step.uses_total:
            # The total speaks of every hidden cell, which tells nothing.
            tints |= dict.fromkeys(step.cells, Tint(_ON_THE_WAY, "used on the way"))
    for step in proof.steps:
        if not (step.under or step.kind.assumes):
            tints |= {
                cell: _MINE_ON_THE_WAY if mine else _SAFE_ON_THE_WAY
                for cell, mine in step.decides.items()
            }
    tints.update((clue, Tint(_PREMISE, "premise")) for clue in proof.clues)
    marked = list(proof.clues)
    if proof.cell is not None:
        marked.append(proof.cell)
    return draw_svg(view, marked=marked, tints=tints | _proved([proof]))


def draw_proofs(view: View, proofs: Sequence[Proof]) -> str:
    """The picture of all cells that are proved; nothing is said of the others."""
    tints = _proved(proofs)
    return draw_svg(view, marked=tints, tints=tints)


def said_of(proofs: Sequence[Proof]) -> dict[int, str]:
    """`ok` for a cell that is proved safe, `X` for one that is proved a mine."""
    return {
        one.cell: "X" if one.claim is Claim.MINE else "ok" for one in proofs if one.cell is not None
    }


def _proved(proofs: Sequence[Proof]) -> dict[int, Tint]:
    return {
        cell: Tint(_MINE, "proved a mine", said)
        if said == "X"
        else Tint(_SAFE, "proved safe", said)
        for cell, said in said_of(proofs).items()
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
            tints[cell] = Tint(_BOTH, "a mine in every solution shown", "X")
        elif any(mines):
            first = mines[0]
            tints[cell] = Tint(
                _ONE if first else _OTHER,
                "a mine in the first solution" if first else "a mine in another solution",
                "1" if first else "2",
            )
    return draw_svg(view, marked=found.cells if len(found.cells) == 1 else (), tints=tints)
