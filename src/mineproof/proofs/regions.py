"""What a sentence calls a set of cells that are too many to name one by one.

Every description is true on any graph. Rows, columns and edges are only spoken of where cells have
such coordinates, and edges only where the board does not close behind them.
"""

from __future__ import annotations

from collections.abc import Collection

from mineproof.board.topology import Topology
from mineproof.proofs.numbers import number_word
from mineproof.view.marks import Mark
from mineproof.view.view import View

__all__ = ["region", "untouched"]

_MOST_CLUES = 3
_EDGES = (("top edge", "bottom edge"), ("left edge", "right edge"))
_LINES = {2: ("row", "column"), 3: ("layer",)}
"""What cells are called that share a coordinate, by the number of coordinates."""


def region(view: View, cells: Collection[int]) -> str:
    """Hidden cells in a few words, such as `the 13 cells of the bottom edge`."""
    wanted, hidden = frozenset(cells), frozenset(view.hidden)
    many = number_word(len(wanted))
    line = _line(view.topology, wanted, hidden)
    if line is not None:
        return line
    if wanted == hidden:
        return f"the {many} hidden cells"
    if wanted == untouched(view):
        return f"the {many} cells that no clue touches"
    return _around(view, wanted, hidden) or f"{many} hidden cells"


def _all_of(cells: frozenset[int], place: frozenset[int], hidden: frozenset[int]) -> str | None:
    """`the nine cells`, `the nine hidden cells` where some are open; None where others are hidden.

    `place` are all cells that lie where these do.
    """
    if cells != place & hidden:
        return None
    return f"the {number_word(len(cells))} {'cells' if place <= hidden else 'hidden cells'}"


def _line(topology: Topology, cells: frozenset[int], hidden: frozenset[int]) -> str | None:
    """The cells as those of a row, a column, a layer or an edge; None where they lie in none."""
    sizes = topology.lattice.dimensions
    places = [topology.coordinates(cell) for cell in cells]
    for axis, word in enumerate(_LINES.get(len(sizes), ())):
        if len({place[axis] for place in places}) != 1:
            continue
        number = places[0][axis]
        lines: dict[int, list[int]] = {}
        for cell in topology.cells:
            lines.setdefault(topology.coordinates(cell)[axis], []).append(cell)
        if len(lines) > 1:
            edge = _edge(topology, lines, number, axis) if word != "layer" else None
            name = f"the {edge}" if edge else f"{word} {number}"
            whole = _all_of(cells, frozenset(lines[number]), hidden)
            return f"{whole or f'{number_word(len(cells))} cells'} of {name}"
    return None


def _edge(topology: Topology, lines: dict[int, list[int]], number: int, axis: int) -> str | None:
    """`bottom edge` for the last of at least three lines, if it does not touch the first."""
    first, last = min(lines), max(lines)
    if number not in (first, last) or len(lines) < 3:
        return None
    other = set(lines[last if number == first else first])
    if any(near in other for cell in lines[number] for near in topology.neighbours(cell)):
        return None
    return _EDGES[axis][number == last]


def untouched(view: View) -> frozenset[int]:
    """The hidden cells that no clue touches."""
    near = view.topology.neighbours
    return frozenset(c for c in view.hidden if not any(_is_clue(view, other) for other in near(c)))


def _is_clue(view: View, cell: int) -> bool:
    return view.is_open(cell) and not isinstance(view[cell], Mark)


def _around(view: View, cells: frozenset[int], hidden: frozenset[int]) -> str | None:
    """`the 13 cells around 3,4 and 5,6`, or `nine of the cells around 3,4`; None where neither."""
    topology = view.topology
    clues = sorted({n for c in cells for n in topology.neighbours(c) if _is_clue(view, n)})
    around = {clue: frozenset(topology.neighbours(clue)) for clue in clues}
    chosen = _cover(
        cells, {c: near & hidden for c, near in around.items() if near & hidden <= cells}
    )
    if chosen:
        whole = _all_of(cells, frozenset[int]().union(*(around[clue] for clue in chosen)), hidden)
        names = [topology.cell_name(clue) for clue in chosen]
        said = names[0] if len(names) == 1 else f"{' '.join(names[:-1])} and {names[-1]}"
        return f"{whole} around {said}"
    for clue in clues:
        if cells <= around[clue]:
            return f"{number_word(len(cells))} of the cells around {topology.cell_name(clue)}"
    return None


def _cover(cells: frozenset[int], around: dict[int, frozenset[int]]) -> list[int]:
    """A few clues whose cells make up all of some cells, chosen greedily; none where that fails."""
    left, chosen = set(cells), list[int]()
    while left and around and len(chosen) < _MOST_CLUES:
        best = max(around, key=lambda clue: (len(around[clue] & left), -clue))
        if not around[best] & left:
            break
        chosen.append(best)
        left -= around[best]
    return [] if left else sorted(chosen)
