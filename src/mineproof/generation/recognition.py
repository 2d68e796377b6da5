"""Patterns found in proofs, by the shape of their premises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from mineproof.board.topology import Topology
from mineproof.generation.pattern_catalog import PATTERNS, Pattern
from mineproof.proofs.premises import Evidence, Premise
from mineproof.proofs.proof import Claim, Proof
from mineproof.proofs.techniques import Ladder
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["hardest", "level_of", "lines_from", "pattern_of_proofs", "readings"]

_LINES = {(1, 2, 1): "1-2-1", (1, 2, 2, 1): "1-2-2-1"}
_LEVEL_5 = 6
"""Proofs of so many premises, and those with cases inside of cases, are of the last level."""


def hardest(proofs: Sequence[Proof]) -> Proof:
    """The proof with the hardest technique, then with the most premises."""
    return max(proofs, key=lambda proof: (proof.technique.rung, proof.size, -(proof.cell or 0)))


def level_of(proofs: Sequence[Proof]) -> int:
    """How hard the hardest of some proofs is, from 1 to 5.

    One premise is level 1, two are 2, three without any case are 3. Level 4 is up to five premises
    and one supposition at a time; level 5 is everything beyond.
    """
    return max(map(_level, proofs))


def _level(proof: Proof) -> int:
    if proof.size <= 2:
        return max(proof.size, 1)
    deep = max((len(step.under) for step in proof.steps), default=0)
    if proof.size == 3 and not deep:
        return 3
    return 4 if proof.size < _LEVEL_5 and deep < 2 else 5


def readings(view: View) -> dict[int, Premise]:
    """What every clue of a view says, known mines subtracted, by the cell of the clue."""
    return {
        premise.clue: premise
        for premise in Evidence(view, total=False).premises
        if premise.clue is not None
    }


def pattern_of_proofs(
    view: View, proofs: Sequence[Proof], read: Mapping[int, Premise] | None = None
) -> Pattern:
    """The pattern that proofs of a position's certain cells show together.

    `read` are the readings of the view, where the caller has them. Clues must be exact.
    """
    return PATTERNS[_name(view, proofs, readings(view) if read is None else read)]


def _name(view: View, proofs: Sequence[Proof], read: Mapping[int, Premise]) -> str:
    top = hardest(proofs)
    if top.uses_total:
        return "last mines" if top.clues else "counter"
    if top.technique.rung is Ladder.CASE_SPLIT:
        return "what if"
    together = sorted({clue for proof in proofs for clue in proof.clues})
    line = _line(view.topology, together, read)
    if line is not None:
        return line + ("R" if _reduced(view, together) else "")
    if len(top.clues) == 1:
        return "B1" if top.claim is Claim.MINE else "B2"
    if len(top.clues) == 2:
        return _pair(view, read[top.clues[0]], read[top.clues[1]])
    return "triple" if len(top.clues) == 3 else "4+"


def _reduced(view: View, clues: Sequence[int]) -> bool:
    """Whether a known mine is beside one of the clues."""
    near = {cell for clue in clues for cell in view.topology.neighbours(clue)}
    return any(view[cell] is Mark.MINE for cell in near)


def _pair(view: View, one: Premise, two: Premise) -> str:
    """The name of an argument from two clues.

    Two clues prove a cell only if the larger needs as many mines more as it has cells alone.
    """
    small, large = sorted((one, two), key=lambda premise: (premise.low, -len(premise.cells)))
    alone = len(set(large.cells) - set(small.cells))
    assert large.low - small.low == alone, "two clues that prove nothing"
    clues = [premise.clue for premise in (small, large) if premise.clue is not None]
    reduced = _reduced(view, clues)
    over = len(set(small.cells) - set(large.cells))
    if not alone:
        if small.low > 1:
            return "2-2"
        if clues and _in_hole(view, clues[0]):
            return "hole"
        if reduced:
            return "1-1R"
        return "1-1" if over == 1 else "1-1+"
    if reduced:
        return "1-2R"
    if over:
        return "1-2C"
    return "1-2" if (small.low, large.low) == (1, 2) else "1-2+"


def _in_hole(view: View, clue: int) -> bool:
    """Whether hidden cells stand on two opposite sides of a clue, on a board of squares."""
    topology = view.topology
    if topology.name not in ("square", "torus"):
        return False
    row, col = topology.coordinates(clue)
    sides = (((row - 1, col), (row + 1, col)), ((row, col - 1), (row, col + 1)))
    for ends in sides:
        cells = [topology.find(end) for end in ends]
        if all(cell is not None and view.is_hidden(cell) for cell in cells):
            return True
    return False


# -- clues in a row ------------------------------------------------------------------------------


def _line(topology: Topology, clues: Sequence[int], read: Mapping[int, Premise]) -> str | None:
    """`1-2-1` or `1-2-2-1` if the clues stand in a row, need so many mines and begin with a 1-2."""
    if len(clues) not in (3, 4):
        return None
    ordered = sorted(clues, key=topology.coordinates)
    needs = tuple(read[clue].low for clue in ordered)
    ends = ((ordered[0], ordered[1]), (ordered[-1], ordered[-2]))
    pairs = all(len(set(read[two].cells) - set(read[one].cells)) == 1 for one, two in ends)
    return _LINES.get(needs) if pairs and _in_a_row(topology, ordered) else None


def _in_a_row(topology: Topology, clues: Sequence[int]) -> bool:
    steps = {_step(topology, one, two) for one, two in pairwise(clues)}
    if len(steps) != 1:
        return False
    (step,) = steps
    touching = all(two in topology.neighbours(one) for one, two in pairwise(clues))
    straight = topology.name == "hex" or sum(map(abs, step)) == 1
    return touching and straight


def _step(topology: Topology, one: int, two: int) -> tuple[int, ...]:
    ends = zip(topology.coordinates(one), topology.coordinates(two), strict=True)
    return tuple(b - a for a, b in ends)


def lines_from(view: View, proof: Proof, read: Mapping[int, Premise]) -> list[tuple[int, ...]]:
    """Rows of clues that need 1, 2, 1 or 1, 2, 2, 1 mines and begin with a 1-2 of a proof."""
    if len(proof.clues) != 2:
        return []
    one, two = sorted(proof.clues, key=lambda clue: read[clue].low)
    topology, found = view.topology, []
    step = _step(topology, one, two)
    row = [one, two]
    while len(row) < 4:
        after = [a + b for a, b in zip(topology.coordinates(row[-1]), step, strict=True)]
        clue = topology.find(after) if min(after) >= 0 else None
        if clue is None or clue not in read:
            break
        row.append(clue)
        if _LINES.get(tuple(read[clue].low for clue in row)) and _in_a_row(topology, row):
            found.append(tuple(row))
    return found
