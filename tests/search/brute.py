"""Best play by the plainest means: every hidden cell is tried in every view, certain or not.

No table, no bound, no order, nothing opened for free: it shares nothing with `mineproof.search`.
Views are remembered by what they show.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from mineproof.board.topology import Topology

MINE = -1
Layout = tuple[int, ...]
Seen = tuple[int | None, ...]


def full(topology: Topology, mines: int) -> list[Layout]:
    """Every layout as what each cell would show."""
    return [
        tuple(
            MINE if cell in chosen else sum(near in chosen for near in topology.neighbours(cell))
            for cell in topology.cells
        )
        for chosen in map(frozenset, combinations(topology.cells, mines))
    ]


class Brute:
    """Layouts won by best play from a view, of those that explain it."""

    def __init__(self, cells: int, mines: int) -> None:
        self.cells = cells
        self.safe = cells - mines
        self.known: dict[Seen, int] = {}

    def value(self, seen: Seen, layouts: list[Layout]) -> int:
        if seen not in self.known:
            if self.cells - seen.count(None) == self.safe:
                assert len(layouts) == 1
                self.known[seen] = 1
            else:
                self.known[seen] = max(
                    self.opened(seen, layouts, cell)
                    for cell in range(self.cells)
                    if seen[cell] is None
                )
        return self.known[seen]

    def opened(self, seen: Seen, layouts: list[Layout], cell: int) -> int:
        by_value: dict[int, list[Layout]] = {}
        for layout in layouts:
            by_value.setdefault(layout[cell], []).append(layout)
        by_value.pop(MINE, None)
        return sum(
            self.value((*seen[:cell], shown, *seen[cell + 1 :]), left)
            for shown, left in by_value.items()
        )


def brute_values(topology: Topology, mines: int) -> dict[str, tuple[Fraction, set[int]] | None]:
    """For each first-click rule the best chance and the first cells that have it."""
    brute = Brute(len(topology), mines)
    nothing: Seen = (None,) * len(topology)
    every = full(topology, mines)
    best: dict[str, tuple[Fraction, set[int]] | None] = {}
    for rule in ("any", "safe", "opening"):
        chances: dict[int, Fraction] = {}
        for cell in topology.cells:
            dealt = every
            if rule != "any":
                dealt = [layout for layout in dealt if layout[cell] != MINE]
            if rule == "opening":
                dealt = [layout for layout in dealt if layout[cell] == 0]
            if dealt and not (rule == "any" and not brute.safe):
                chances[cell] = Fraction(brute.opened(nothing, dealt, cell), len(dealt))
            elif dealt:
                chances[cell] = Fraction(0)
        most = max(chances.values(), default=None)
        best[rule] = most if most is None else (most, {c for c in chances if chances[c] == most})
    return best
