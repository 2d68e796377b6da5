"""Many cells in few words: neighbours in a row are named by the first and the last of them."""

from __future__ import annotations

from collections.abc import Iterable

from mineproof.board.topology import Topology

__all__ = ["folded_names"]

_SHORTEST = 3
"""A run of fewer cells is named cell by cell."""


def folded_names(topology: Topology, cells: Iterable[int]) -> list[str]:
    """The names of cells by rising number, and `2,3..2,9` for three or more in a row.

    >>> folded_names(Topology.parse("3x9"), [0, 1, 2, 3, 8, 12, 13])
    ['0,0..0,3', '0,8', '1,3', '1,4']
    """
    runs: list[list[tuple[int, ...]]] = []
    for cell in sorted(cells):
        here = topology.coordinates(cell)
        if runs and _follows(runs[-1][-1], here):
            runs[-1].append(here)
        else:
            runs.append([here])
    names: list[str] = []
    for run in runs:
        if len(run) < _SHORTEST:
            names += map(topology.cell_name, run)
        else:
            names.append(f"{topology.cell_name(run[0])}..{topology.cell_name(run[-1])}")
    return names


def _follows(before: tuple[int, ...], here: tuple[int, ...]) -> bool:
    return before[:-1] == here[:-1] and before[-1] + 1 == here[-1]
