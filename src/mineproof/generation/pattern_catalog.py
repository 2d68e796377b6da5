"""The catalog of patterns: arguments that players know by a name, in the order they are learned.

The names are those that players use: a number is a clue less the mines around it that are known, a
`+` says that more cells follow at once, a `C` that the two clues only overlap (the classic form),
and an `R` that known mines have to be subtracted first (a reduction).
"""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.registry import Catalog

__all__ = ["BEST_GUESS", "PATTERNS", "Pattern"]

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
