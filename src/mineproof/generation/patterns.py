"""The catalog of patterns: arguments that players know by a name, in the order they are learned.

The names are those that players use: a number is a clue less the mines around it that are known, a
`+` says that more cells follow at once, a `C` that the two clues only overlap (the classic form),
and an `R` that known mines have to be subtracted first (a reduction).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mineproof.board.topology import Topology
from mineproof.proofs.premises import Evidence, Premise
from mineproof.proofs.proof import Claim, Proof
from mineproof.proofs.techniques import Ladder
from mineproof.registry import Catalog
from mineproof.view.channels import Mark
from mineproof.view.view import View

BEST_GUESS = "best guess"
"""The name of the puzzles in which nothing is certain."""


@dataclass(frozen=True)
class Pattern:
    """A pattern: its name, what it is in a few words, and the argument behind it."""

    name: str
    title: str
    explanation: str


PATTERNS: Catalog[Pattern] = Catalog("pattern")

_PATTERNS = (
    Pattern(
        "B1",
        "as many cells as mines",
        "A clue touches exactly as many hidden cells as it still needs mines. All of them are"
        " mines. Look for it at corners and in narrow places, where a clue has few hidden cells.",
    ),
    Pattern(
        "B2",
        "all mines found",
        "A clue touches as many known mines as it says. It needs no more, so every other hidden"
        " cell around it is safe.",
    ),
    Pattern(
        "1-1",
        "two equal clues, one cell over",
        "Every hidden cell of the first 1 also touches the second 1. The mine of the first is"
        " therefore the mine of the second too, and the one cell that only the second touches is"
        " safe. It begins where a row of clues meets an edge.",
    ),
    Pattern(
        "1-1+",
        "two equal clues, several cells over",
        "As in 1-1, all hidden cells of one 1 touch another 1 as well. Here the other touches"
        " several cells more, and all of them are safe.",
    ),
    Pattern(
        "hole",
        "a 1-1 through a hole",
        "An open cell stands in a hole: hidden cells are on opposite sides of it. Its clue sees"
        " all hidden cells of a neighbouring 1, which lies outside, and more beyond them. The mine"
        " is among the cells that both see, so everything else around the hole is safe.",
    ),
    Pattern(
        "2-2",
        "equal clues above one",
        "The argument of 1-1 with larger numbers: two clues need the same number of mines, and the"
        " hidden cells of one are among those of the other. What only the other touches is safe.",
    ),
    Pattern(
        "1-2",
        "one more mine, one more cell",
        "All hidden cells of the 1 also touch the 2, and the 2 touches one cell more. The shared"
        " cells hold one mine, so the second mine of the 2 is in that one cell.",
    ),
    Pattern(
        "1-2+",
        "as many more mines as cells",
        "All hidden cells of the smaller clue also touch the larger one. The larger needs as many"
        " mines more as it touches cells more, so all those cells are mines.",
    ),
    Pattern(
        "1-2C",
        "the classic 1-2",
        "The clues overlap, and neither has all cells of the other. The cells that they share hold"
        " at most the mines of the smaller clue, so the larger needs a mine in each cell that it"
        " has alone. Then the mines of the smaller are all shared, and the cells that it has alone"
        " are safe.",
    ),
    Pattern(
        "1-2-1",
        "mines beside the ones",
        "Two 1-2 patterns that meet. Each 1 can share only one mine with the 2, so the 2 takes one"
        " from either side: the mines are next to the ones, and the cell in front of the 2 is safe,"
        " as are the cells outside that only a 1 touches.",
    ),
    Pattern(
        "1-2-2-1",
        "mines beside the twos",
        "Two 1-2 patterns, back to back. The pair on the left puts a mine in front of the right 2,"
        " and the pair on the right one in front of the left 2. Both twos have their mines, and all"
        " other cells are safe.",
    ),
    Pattern(
        "1-1R",
        "1-1 after subtracting known mines",
        "Subtract the known mines around each clue first. What is left is a 1 and a 1, and the"
        " argument is that of 1-1.",
    ),
    Pattern(
        "1-2R",
        "1-2 after subtracting known mines",
        "Subtract the known mines around each clue first. What is left differs by as many mines as"
        " the larger clue has cells alone, and the argument is that of 1-2.",
    ),
    Pattern(
        "1-2-1R",
        "1-2-1 after subtracting known mines",
        "Three clues in a row that do not show 1, 2, 1, but need 1, 2 and 1 mines once the known"
        " ones are subtracted. The mines are beside the outer two.",
    ),
    Pattern(
        "1-2-2-1R",
        "1-2-2-1 after subtracting known mines",
        "Four clues in a row that need 1, 2, 2 and 1 mines once the known ones are subtracted. The"
        " mines are in front of the inner two.",
    ),
    Pattern(
        "triple",
        "three clues together",
        "No two clues are enough. What two of them say about some cells (at least one mine, at most"
        " one mine) becomes a new fact, and the third clue turns it into a certain cell.",
    ),
    Pattern(
        "4+",
        "four clues and more",
        "A longer combination: facts about sets of cells are handed on from clue to clue until a"
        " cell is certain. Nothing has to be supposed on the way.",
    ),
    Pattern(
        "what if",
        "suppose the opposite",
        "No fact about sets of cells leads on. Suppose that the cell is the opposite and follow"
        " what the clues then demand. Every case ends at a clue that cannot be met, so the cell is"
        " certain.",
    ),
    Pattern(
        "counter",
        "the number of mines alone",
        "The number of mines that are left decides all at once: none is left, and every hidden cell"
        " is safe; or as many are left as there are hidden cells, and all of them are mines.",
    ),
    Pattern(
        "last mines",
        "clues and the number of mines",
        "Near the end the number of mines is a clue that touches every hidden cell. Clues that"
        " share no cell need a mine each; where they use up all mines that are left, every other"
        " cell is safe, and where they cannot hold all of them, the rest must be elsewhere.",
    ),
    Pattern(
        BEST_GUESS,
        "nothing is certain",
        "No cell is certain, so one must be guessed. The best cell is the one after which the game"
        " is won most often: its own risk counts, and so does what its clue will tell. It is not"
        " always the cell of least risk.",
    ),
)
_ALIASES = {
    "what if": ("case split", "contradiction"),
    "last mines": ("mine count",),
    BEST_GUESS: ("guess",),
}
for _pattern in _PATTERNS:
    PATTERNS.add(_pattern.name, _pattern, aliases=_ALIASES.get(_pattern.name, ()))


# -- The pattern of a proof, by the shape of its premises ----------------------

_LINES = {(1, 2, 1): "1-2-1", (1, 2, 2, 1): "1-2-2-1"}
_LEVEL_5 = 6
"""Proofs of this many premises, and those with cases inside cases, are of the last level."""


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
    # A row of clues goes by its own name, also where its pairs would be patterns themselves.
    line = _line(view.topology, together, read)
    if line is not None:
        return line + ("R" if _has_known_mine(view, together) else "")
    if len(top.clues) == 1:
        return "B1" if top.claim is Claim.MINE else "B2"
    if len(top.clues) == 2:
        return _pair(view, read[top.clues[0]], read[top.clues[1]])
    return "triple" if len(top.clues) == 3 else "4+"


def _has_known_mine(view: View, clues: Sequence[int]) -> bool:
    """Whether a known mine is beside one of the clues."""
    near = {cell for clue in clues for cell in view.topology.neighbours(clue)}
    return any(view[cell] is Mark.MINE for cell in near)


def _pair(view: View, one: Premise, two: Premise) -> str:
    """The name of an argument from two clues.

    Two clues prove a cell only if the larger needs as many mines more as it has cells alone.
    """
    # Of two equal clues the one with more cells counts as small: its own cells are the safe ones.
    small, large = sorted((one, two), key=lambda premise: (premise.low, -len(premise.cells)))
    alone = len(set(large.cells) - set(small.cells))
    assert large.low - small.low == alone, "two clues that prove nothing"
    clues = [premise.clue for premise in (small, large) if premise.clue is not None]
    reduced = _has_known_mine(view, clues)
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
    # Equal steps may be longer than one cell.
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
