"""Which cells of a board are equivalent: the orbits of the automorphisms of its graph."""

from __future__ import annotations

from mineproof.board.topology import Topology

__all__ = ["orbits"]

_MOST_STEPS = 20_000
"""Steps of the search for one symmetry; if none is found by then, cells count as different."""


def orbits(topology: Topology) -> list[tuple[int, ...]]:
    """Sets of cells that some symmetry of the graph maps onto each other, each in ascending order.

    On large irregular graphs an orbit may stay in several parts: that costs time, not correctness.
    """
    near = [frozenset(topology.neighbours(cell)) for cell in topology.cells]
    colours = _refine(near)
    found: list[list[int]] = []
    for cell in topology.cells:
        for orbit in found:
            if colours[orbit[0]] == colours[cell] and _maps(near, colours, orbit[0], cell):
                orbit.append(cell)
                break
        else:
            found.append([cell])
    return [tuple(orbit) for orbit in found]


def _refine(near: list[frozenset[int]]) -> list[int]:
    """Colour refinement: by degree, then by the neighbours' colours, until stable."""
    colours = [len(around) for around in near]
    while True:
        signs = [
            (colours[cell], tuple(sorted(colours[other] for other in around)))
            for cell, around in enumerate(near)
        ]
        names = {sign: number for number, sign in enumerate(sorted(set(signs)))}
        fresh = [names[sign] for sign in signs]
        if len(names) == len(set(colours)):
            return fresh
        colours = fresh


def _maps(near: list[frozenset[int]], colours: list[int], source: int, target: int) -> bool:
    """Whether a symmetry that maps `source` to `target` is found by backtracking."""
    order = _connected_order(near, source)
    image: dict[int, int] = {}
    taken: set[int] = set()
    steps = _MOST_STEPS

    def candidates(cell: int) -> list[int]:
        if cell == source:
            return [target]
        placed = [image[other] for other in near[cell] if other in image]
        pool = (
            frozenset.intersection(*(near[other] for other in placed))
            if placed
            else range(len(near))
        )
        return [other for other in pool if other not in taken and colours[other] == colours[cell]]

    def extend(place: int) -> bool:
        nonlocal steps
        if place == len(order):
            return True
        cell = order[place]
        for other in candidates(cell):
            steps -= 1
            if steps < 0:
                return False
            if any((old in near[cell]) != (new in near[other]) for old, new in image.items()):
                continue
            image[cell] = other
            taken.add(other)
            if extend(place + 1):
                return True
            del image[cell]
            taken.remove(other)
        return False

    return extend(0)


def _connected_order(near: list[frozenset[int]], source: int) -> list[int]:
    """All cells, each next to an earlier one where possible."""
    order = [source]
    seen = {source}
    for start in (source, *range(len(near))):
        if start not in seen:
            seen.add(start)
            order.append(start)
        for cell in order:
            fresh = sorted(near[cell] - seen)
            seen.update(fresh)
            order.extend(fresh)
    return order
